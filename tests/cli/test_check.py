"""npusim check: the command, its reports, and that it keeps silent where nothing is wrong."""
import json
import re

import pytest

import generate
from harness import ROOT, TARGETS, npusim, tile_type

TRACES = sorted((ROOT / "traces").glob("*.pto"))
ROWS = json.loads(npusim("isa", "--report", "json").stdout)
RULES = json.loads(npusim("check", "--list", "--report", "json").stdout)
F32 = tile_type("f32", 4, 8)
FAULTY = f"""%a = pto.alloc_tile : {F32}
%b = pto.alloc_tile : {tile_type('f32', 4, 4)}
%s = arith.constant 1.0 : f32
//! init %a = fill(1)
pto.tmins ins(%a, %s : {F32}, f32) outs(%a : {F32})
pto.tmins ins(%b, %s : {tile_type('f32', 4, 4)}, f32) outs(%b : {tile_type('f32', 4, 4)})
"""


# ---- no false alarms ----

@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("path", TRACES, ids=lambda p: p.stem)
def test_example_traces_are_clean(path, target):
    done = npusim("check", path, "--target", target, "--report", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["errors"] == found["warnings"] == 0, done.stderr


# Types that the documents accept and the vendor's pages do not list are a warning by decision.
UNDOCUMENTED = {("trowargmax", "a2a3"), ("trowargmin", "a2a3")}
SHAPES = [(8, 64), (3, 20), (40, 136), (2, 300), (1, 8)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["name"])
def test_every_instruction_is_clean(row, target):
    types = [t for t in row["types"].get(target, "").split() if t in generate.SIZE]
    for k, dtype in enumerate(types):
        for rows, cols in SHAPES if k == 0 else SHAPES[k % 3:k % 3 + 1]:
            for name, text in generate.traces(row, target, dtype, rows, cols):
                done = npusim("check", "-", "--target", target, "--report", "json", stdin=text)
                assert done.returncode == 0, f"{dtype} {rows}x{cols}{name}\n{text}\n{done.stderr}"
                bad = {d["id"] for d in json.loads(done.stdout)["diagnostics"] if d["severity"] != "note"}
                allowed = {"DTYPE_UNDOC"} if (row["name"], target) in UNDOCUMENTED and dtype in ("i32", "i16") else set()
                assert bad <= allowed, f"{dtype} {rows}x{cols}{name}\n{text}\n{done.stderr}"


def test_generator_knows_every_instruction():
    for row in ROWS:
        for target, types in row["types"].items():
            if any(t in generate.SIZE for t in types.split()):
                dtype = next(t for t in types.split() if t in generate.SIZE)
                assert generate.traces(row, target, dtype, 8, 64), row["name"]


# ---- rules ----

def test_attributes_that_are_taken_are_known():
    """A key that the code asks for and the list does not have would be told although it counts."""
    code = "".join((ROOT / "isa" / "run" / name).read_text() for name in ("attributes.c", "exec_instr.c"))
    asked = set(re.findall(r'(?:stmt_named|attribute|is_true|word_of|choose)\((?:in, )?s, (?:i, )?"(\w+)"', code))
    taken = re.search(r"taken\[\] = {(.*?)};", (ROOT / "isa" / "table" / "attribute.c").read_text(), re.S).group(1)
    assert len(asked) > 10 and asked <= set(re.findall(r'"(\w+)"', taken))


def test_coverage_needs_no_attribute():
    text = "pto.tadd ins(%a, %a : {0}, {0}) outs(%a : {0}) {{cmpmod = 1}}\n".format(F32)
    done = npusim("check", "--coverage", "-", stdin=f"%a = pto.alloc_tile : {F32}\n" + text)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_list_and_explain():
    done = npusim("check", "--list")
    assert done.returncode == 0 and all(r["id"] in done.stdout and r["title"] in done.stdout for r in RULES)
    for rule in RULES:
        done = npusim("check", "--explain", rule["id"])
        assert done.returncode == 0
        for part in (rule["id"], rule["severity"], rule["text"], rule["source"], "--suppress"):
            assert part in done.stdout
        assert len(rule["text"].split()) >= 4 and rule["source"]


def test_explain_unknown_rule():
    done = npusim("check", "--explain", "NOTHING")
    assert done.returncode == 2 and "[USAGE]" in done.stderr


def test_ids_are_unique_words():
    ids = [r["id"] for r in RULES]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[A-Z0-9_]+", i) for i in ids)


# ---- the command ----

def test_check_wants_a_trace():
    assert npusim("check").returncode == 2
    assert npusim("check", "no/such.pto").returncode == 2


def test_text_report_and_exit_status():
    done = npusim("check", "-", stdin=FAULTY)
    assert done.returncode == 1 and "[ROW_PITCH]" in done.stderr and "2 errors" in done.stdout
    clean = "\n".join(line for line in FAULTY.splitlines() if "%b" not in line) + "\n"
    done = npusim("check", "-", stdin=clean)
    assert done.returncode == 0 and "0 errors, 0 warnings" in done.stdout and not done.stderr


def test_syntax_errors_are_status_2():
    assert npusim("check", "-", stdin=FAULTY.replace("ins(", "in(")).returncode == 2


def test_json_report():
    done = npusim("check", "-", "--report", "json", stdin=FAULTY)
    found = json.loads(done.stdout)
    assert found["schema"] == "npusim-check/1" and found["target"] == "a2a3" and found["errors"] == 2
    one = found["diagnostics"][0]
    assert one["id"] == "ROW_PITCH" and one["severity"] == "error" and one["line"] == 6 and "16 bytes" in one["message"]


def test_sarif_report():
    done = npusim("check", "-", "--report", "sarif", stdin=FAULTY)
    log = json.loads(done.stdout)
    assert log["version"] == "2.1.0" and "sarif" in log["$schema"] and len(log["runs"]) == 1
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert driver["name"] == "npusim" and [r["id"] for r in driver["rules"]] == [r["id"] for r in RULES]
    assert run["results"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] and place["region"]["startLine"] == 6 and place["region"]["startColumn"] == 1


def test_report_goes_to_a_file(tmp_path):
    out = tmp_path / "r.sarif"
    done = npusim("check", "-", "--report", "sarif", "-o", out, stdin=FAULTY)
    assert done.returncode == 1 and not done.stdout and json.loads(out.read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("option,status", [("ROW_PITCH", 0), ("ROW_PITCH:6", 0), ("ROW_PITCH:5", 1), ("ALIGN", 1)])
def test_suppress(option, status):
    for command in ("check", "run"):
        done = npusim(command, "-", "--suppress", option, stdin=FAULTY)
        assert done.returncode == status and ("[ROW_PITCH]" in done.stderr) == (status == 1)


@pytest.mark.parametrize("option", ["NOTHING", "ALIGN:", "ALIGN:x", ":3"])
def test_suppress_is_checked(option):
    done = npusim("run", "-", "--suppress", option, stdin=FAULTY)
    assert done.returncode == 2 and "[USAGE]" in done.stderr


def test_data_files_are_not_needed(tmp_path):
    """Arguments and fills from files that are not there; expectations and dumps are left alone."""
    text = TRACES[0].read_text()
    assert "npy(" in text
    path = tmp_path / TRACES[0].name
    path.write_text(text + "\n//! dump x = npy(\"x_out.npy\")\n")
    done = npusim("check", path)
    assert done.returncode == 0, done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {path.name}
    assert npusim("run", path).returncode == 2


def test_full_checks_in_a_run():
    """`run --checks full` sees what `check` sees; basic does not keep contents."""
    trace = ROOT / "tests" / "errors" / "uninit_part_loaded.pto"
    assert "[UNINIT]" in npusim("run", trace, "--checks", "full").stderr
    for mode in ("basic", "off"):
        assert "[UNINIT]" not in npusim("run", trace, "--checks", mode).stderr


def test_checks_do_not_change_results_or_cycles():
    for trace in TRACES[:2]:
        reports = [npusim("run", trace, "--checks", mode, "--report", "json").stdout for mode in ("off", "basic", "full")]
        cycles = {json.loads(r)["cycles"] for r in reports}
        assert len(cycles) == 1


def test_bits_behind_the_last_column_may_be_anything():
    """a2a3 inverts whole rows of bits for ne, and whole pairs of bytes for tnot."""
    a, m, b = tile_type("f32", 4, 64), tile_type("u8", 4, 32, (4, 8)), tile_type("u8", 4, 32, (4, 21))
    text = (f"%a = pto.alloc_tile : {a}\n//! init %a = fill(2)\n%m = pto.alloc_tile : {m}\n%b = pto.alloc_tile : {b}\n//! init %b = fill(2)\n%d = pto.alloc_tile : {b}\n"
            f"pto.tcmp ins(%a, %a {{cmpMode = #pto<cmp ne>}} : {a}, {a}) outs(%m : {m})\npto.tnot ins(%b : {b}) outs(%d : {b})\n")
    done = npusim("check", "-", "--target", "a2a3", stdin=text)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("op", ["tfillpad", "tfillpad_expand", "tfillpad_inplace"])
@pytest.mark.parametrize("target", TARGETS)
def test_padding_in_place_leaves_the_source_where_it_is(target, op):
    """Compilers print the same instruction for it; what is valid in the source is not written again."""
    a, b = tile_type("f32", 4, 32, (3, 21)), "!pto.tile_buf<vec, 4x32xf32, pad=1>"
    text = (f"%at = arith.constant 0 : i64\n%a = pto.alloc_tile addr = %at : {a}\n//! init %a = fill(2)\n%d = pto.alloc_tile addr = %at : {b}\n"
            f"pto.{op} ins(%a : {a}) outs(%d : {b})\n")
    done = npusim("check", "-", "--target", target, stdin=text)
    assert done.returncode == 0 and "[INCOMPLETE]" not in done.stderr, done.stderr


@pytest.mark.parametrize("dtype,cols,status", [("f32", 24, 0), ("f32", 16, 1), ("f16", 48, 0), ("f16", 32, 1), ("u8", 96, 0), ("u8", 32, 1)])
def test_rows_of_tmp_are_measured_in_bytes(dtype, cols, status, tmp_path):
    """300 columns of f32 need 24 elements of f32 per row of tmp, whatever its own type is."""
    s, t, x = tile_type("f32", 3, 304, (3, 300)), tile_type(dtype, 3, cols), tile_type("u32", 8, 1, (3, 1), column=True)
    (tmp_path / "t.pto").write_text(f"%s = pto.alloc_tile : {s}\n//! init %s = iota(start=0, step=1)\n%t = pto.alloc_tile : {t}\n%x = pto.alloc_tile : {x}\n"
                                    f"pto.trowargmax ins(%s, %t : {s}, {t}) outs(%x : {x})\n//! expect %x = fill(299)\n")
    done = npusim("run", "t.pto", "--target", "a2a3", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert ("needs 3 rows of 24 elements of f32" in done.stderr and "[TMP_SMALL]" in done.stderr) == bool(status)


# ---- documentation ----

def test_documentation_has_every_rule():
    page = (ROOT / "docs" / "checks.md").read_text()
    listed = re.findall(r"^\| `([A-Z0-9_]+)` \| (error|warning|note) \|", page, re.M)
    assert [i for i, _ in listed] == [r["id"] for r in RULES]
    assert dict(listed) == {r["id"]: r["severity"] for r in RULES}
    for row in (line for line in page.splitlines() if re.match(r"\| `[A-Z]", line)):
        assert len([c for c in row.split("|") if c.strip()]) == 7, row

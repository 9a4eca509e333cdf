"""What goes wrong outside of the trace: outputs that cannot be written, damaged files, interruption."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from harness import NPUSIM, ROOT, npusim, tile_type

F32 = tile_type("f32", 4, 8)
MINS = f"""%a = pto.alloc_tile : {F32}
%b = pto.alloc_tile : {F32}
%s = arith.constant 10.0 : f32
//! init %a = iota(start=0, step=1)
pto.tmins ins(%a, %s : {F32}, f32) outs(%b : {F32})
"""
POINTER = "module {\n  func.func @f(%x: !pto.ptr<f32>) {\n    return\n  }\n}\n"
LONG = f"""%a = pto.alloc_tile : {F32}
%b = pto.alloc_tile : {F32}
%s = arith.constant 10.0 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 1000000000 : index
scf.for %i = %c0 to %n step %c1 {{
pto.tmins ins(%a, %s : {F32}, f32) outs(%b : {F32})
}}
"""
COMMANDS = [("run", "m.pto"), ("run", "m.pto", "--report", "html"), ("check", "m.pto"), ("check", "--list"), ("lower", "m.pto"),
            ("profile", "m.pto"), ("profile", "--op", "tmins", "--shape", "4x8"), ("profile", "--op", "tmins", "--rows", "4", "--sweep", "cols=8:64"),
            ("compare", "m.pto"), ("isa",), ("isa", "--markdown"), ("targets",), ("targets", "a2a3")]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "m.pto").write_text(MINS)
    return tmp_path


def names(folder):
    return sorted(p.name for p in folder.iterdir())


# ---- outputs ----

@pytest.mark.parametrize("file", ["no/such/folder/out", "full"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_output_that_cannot_be_written(folder, command, file):
    if file == "full":
        (folder / "full").symlink_to("/dev/full")
    before = names(folder)
    done = npusim(*command, "-o", file, cwd=folder)
    assert done.returncode == 2 and not done.stdout
    assert re.search(rf"^{file}: error: cannot write {file}: .+ \[IO\]$", done.stderr, re.M), done.stderr
    assert names(folder) == before


@pytest.mark.parametrize("option", ["--timeline", "--vcd", "--tables"])
def test_further_output_that_cannot_be_written(folder, option):
    (folder / "file").touch()
    done = npusim("run", "m.pto", option, "file/out", cwd=folder)
    assert done.returncode == 2 and re.search(r"^file/out: error: .+ \[IO\]$", done.stderr, re.M)


def test_table_that_cannot_be_written(folder):
    """The message names the file, although the program made that name up."""
    (folder / "tables" / "code_exe.csv").mkdir(parents=True)
    done = npusim("run", "m.pto", "--tables", "tables", cwd=folder)
    assert done.returncode == 2 and re.search(r"^tables/code_exe.csv: error: .+ \[IO\]$", done.stderr, re.M)
    assert names(folder / "tables") == ["code_exe.csv", "instr_exe.csv", "pipeline_summary.csv"]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_full_standard_output(folder, command):
    with open("/dev/full", "w") as full:
        done = subprocess.run([NPUSIM, *command], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2 and "standard output: error: cannot be written [IO]" in done.stderr


def test_nothing_is_written_for_a_target_that_is_not_there(folder):
    before = names(folder)
    done = npusim("targets", "nope.yaml", "-o", "out", cwd=folder)
    assert done.returncode == 2 and not done.stdout and names(folder) == before


@pytest.mark.parametrize("command", [["run"], ["lower"], ["profile"], ["run", "--report", "html"]], ids=" ".join)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_leaves_no_file(folder, command, number):
    (folder / "long.pto").write_text(LONG)
    before = names(folder)
    with subprocess.Popen([NPUSIM, *command, "long.pto", "-o", "out"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        time.sleep(0.3)
        assert p.poll() is None
        p.send_signal(number)
        assert p.wait(30) == -number
    assert names(folder) == before


def test_reader_that_goes_away(folder):
    """`npusim lower | head` ends as any filter does."""
    (folder / "long.pto").write_text(LONG)
    with subprocess.Popen([NPUSIM, "lower", "long.pto"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as p:
        p.stdout.readline()
        p.stdout.close()
        assert p.wait(30) == -signal.SIGPIPE and not p.stderr.read()


# ---- names and texts of any bytes ----

@pytest.mark.parametrize("command", [["targets"], ["profile", "--op", "tmins", "--shape", "4x8", "--target"],
                                     ["profile", "--op", "tmins", "--rows", "4", "--sweep", "cols=8:64", "--target"],
                                     ["run", "m.pto", "--target"], ["profile", "m.pto", "--target"]], ids=" ".join)
def test_file_name_that_is_no_utf8(folder, command):
    name = os.fsdecode(b"t\xff.yaml")
    shutil.copy(ROOT / "configs" / "a2a3.yaml", folder / name)
    done = npusim(*command, name, "--report", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)


@pytest.mark.parametrize("command", [["isa", "nope"], ["targets", "nope"], ["profile", "--op", "nope", "--shape", "4x8", "--target", "a2a3"],
                                     ["profile", "--op", "tmins", "--shape", "0x0", "--target", str(ROOT / "configs" / "a2a3.yaml")],
                                     ["check", "--explain", "NOPE"], ["profile", "--batch", "nope.csv"], ["compare", "nope.json", "nope.json"]], ids=" ".join)
def test_message_of_a_wrong_option(command):
    done = npusim(*command)
    assert done.returncode in (1, 2) and not done.stdout
    assert re.match(r"(\S.*: )?error: .+ \[[A-Z_]+\]$", done.stderr.splitlines()[0])


# ---- sizes of options ----

BEYOND = ["4294967298", "18446744073709551618", "99999999999999999999", "-4294967294", "2x", ""]  # 2, if it were cut to 32 bits


@pytest.mark.parametrize("size", BEYOND)
@pytest.mark.parametrize("options", ["--shape {}x8", "--shape 8x{}", "--shape 2x8 --tile {}x8", "--rows 2 --sweep cols={}:8", "--rows 2 --sweep cols=2:{}",
                                     "--rows 2 --sweep cols=2:8:x{}", "--rows 2 --sweep cols=2:8:+{}"])
def test_size_that_is_none(options, size):
    words = options.format(size).split()
    done = npusim("profile", "--op", "tmins", *words)
    assert done.returncode == 2 and not done.stdout
    assert re.match(rf"{words[-2]}: error: expected .*, found {re.escape(words[-1])} \[USAGE\]$", done.stderr, re.M)


@pytest.mark.parametrize("size", BEYOND[:-1])
@pytest.mark.parametrize("cells,wrong", [("{},8,,", "rows"), ("2,{},,", "cols"), ("2,8,{},", "tile_rows"), ("2,8,,{}", "tile_cols")])
def test_size_in_a_table_that_is_none(size, cells, wrong):
    done = npusim("profile", "--batch", "-", stdin="op,dtype,rows,cols,tile_rows,tile_cols\ntmins,f32," + cells.format(size) + "\n")
    assert done.returncode == 0 and done.stdout.splitlines()[1].endswith(f",,,,\"{wrong} is missing, zero or too small\"")


def test_line_of_a_suppression_that_is_none(folder):
    done = npusim("run", "m.pto", "--suppress", "ALIAS:4294967297", cwd=folder)
    assert done.returncode == 2 and "[USAGE]" in done.stderr


# ---- saved reports ----

@pytest.fixture
def saved(folder):
    done = npusim("run", "m.pto", "--report", "json", "-o", "old.json", cwd=folder)
    assert done.returncode == 0
    return folder


def compare_with(folder, text):
    (folder / "new.json").write_text(text)
    done = npusim("compare", "old.json", "new.json", cwd=folder)
    assert done.returncode == 2 and not done.stdout
    return done.stderr.splitlines()[0]


@pytest.mark.parametrize("text,place", [("", "1:1"), ("{\n  \"schema\": oops\n}\n", "2:13"), ("{\n", "2:1"), ("[" * 100000, "1:100001"), ("{} {}", "1:4")])
def test_saved_report_that_is_no_json(saved, text, place):
    assert compare_with(saved, text).startswith(f"new.json:{place}: error: expected a report of npusim run")


@pytest.mark.parametrize("path,value,what", [
    (["schema"], "npusim-report/9", "the schema npusim-report/1"), (["target"], 7, 'a text "target"'), (["cycles"], -1, 'a whole number "cycles"'),
    (["cycles"], 1.5, 'a whole number "cycles"'), (["instructions"], {}, 'a list "instructions"'), (["instructions", 0], 3, 'a whole number "line"'),
    (["instructions", 0, "op"], None, 'a text "op"'), (["instructions", 0, "uops"], 1e300, 'a whole number "uops"')])
def test_saved_report_with_other_members(saved, path, value, what):
    report = json.loads((saved / "old.json").read_text())
    at = report
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert compare_with(saved, json.dumps(report)) == \
        f"new.json: error: expected a report of npusim run or profile with --report json, but {what} is missing [IO]"


def test_saved_report_with_a_number_beyond_all_bounds(saved):
    assert "too large" in compare_with(saved, "[1e999]")


# ---- data ----

# Tiles beyond UB are told where they are used; the report counts what lies in UB.
@pytest.mark.parametrize("address,peak", [(0, 128), (196608 - 128, 196608), (196608 - 96, 0), (1 << 20, 0), ((1 << 32) - 129, 0)])
def test_peak_counts_what_lies_in_ub(address, peak):
    done = npusim("run", "-", "--report", "json", stdin=f"%p = arith.constant {address} : i64\n%a = pto.alloc_tile addr = %p : {F32}\n")
    assert done.returncode == 0 and json.loads(done.stdout)["ub"]["peak"] == peak


def test_no_byte_of_a_tile_lies_beyond_32_bits():
    done = npusim("run", "-", stdin=f"%p = arith.constant {(1 << 32) - 128} : i64\n%a = pto.alloc_tile addr = %p : {F32}\n")
    assert done.returncode == 1
    assert "<stdin>:2:6: error: expected a place in the unified buffer of 196608 bytes, found 4x8 f32 at 0xffffff80 [UB_OOB]" in done.stderr


@pytest.mark.parametrize("shape", ["4294967296xf32", "1073741824xf32", "65536x65536x65536x65536x65536xf32", "18446744073709551615xf32"])
def test_argument_larger_than_the_limit(shape):
    done = npusim("run", "-", "--arg", f"x=zeros:{shape}", stdin=POINTER)
    assert done.returncode in (1, 2) and "[ARG]" in done.stderr


FAR = """module {
  func.func @f(%x: !pto.ptr<ui8>) {
    %n = arith.constant 268435456 : index
    %s = pto.load_scalar %x[%n] : !pto.ptr<ui8> -> ui8
    return
  }
}
"""


def test_random_values_end_somewhere():
    done = npusim("run", "-", stdin=FAR)
    assert done.returncode == 1
    assert "<stdin>:4:10: error: expected accesses to the first 268435456 bytes of argument x, found one that reaches 268435457 [ARG]\n" \
        "  hint: random values end there: bind it with --arg, or compute no values with --results off" in done.stderr


@pytest.mark.parametrize("options", [("--results", "off"), ("--arg", "x=x.bin")], ids=" ".join)
def test_beyond_the_random_values(tmp_path, options):
    (tmp_path / "x.bin").touch()
    os.truncate(tmp_path / "x.bin", 268435457)
    assert npusim("run", "-", *options, stdin=FAR, cwd=tmp_path).returncode == 0
    (tmp_path / "x.bin").unlink()


@pytest.mark.parametrize("seed", ["-1", "nan", "1e300"])
def test_seed_of_a_fill(seed):
    done = npusim("run", "-", "--init", f"%a=random(seed={seed})", stdin=MINS)
    assert done.returncode == 1 and "[ARG]" in done.stderr


@pytest.mark.parametrize("length", [10, 290, 300, 100000])
def test_name_of_a_result_group_of_any_length(length):
    """`%name#1` is one result of several."""
    name = "%" + "n" * length
    text = f"%a = pto.alloc_tile : {F32}\n{name}:2 = pto.get_validshape %a : {F32} -> (index, index)\n" \
           f"%t = arith.addi {name}#0, {name}#1 : index\n"
    done = npusim("run", "-", stdin=text)
    assert done.returncode == 0, done.stderr
    done = npusim("run", "-", stdin=text.replace("#1", "#7"))
    assert done.returncode == 1 and "is not defined here [NAME]" in done.stderr


def test_message_far_right_in_a_long_line(tmp_path):
    (tmp_path / "t.pto").write_text("func.func @f(" + ", ".join(f"%a{k}: index" for k in range(2000)) + ") {\nreturn\n}\n")
    done = npusim("run", "t.pto", cwd=tmp_path)
    assert done.returncode == 1 and re.search(r"t\.pto:1:\d{5}: error: .*\[ARG\]", done.stderr)

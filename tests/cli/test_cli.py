"""The command line: commands, options, files and exit status."""
import csv
import io
import json
import os
import re

import numpy as np
import pytest

from harness import ROOT, TARGETS, npusim, report, tile_type

F32 = tile_type("f32", 4, 8)
COLUMN = tile_type("i32", 8, 1, (4, 1), True)
MINS = f"""%a = pto.alloc_tile : {F32}
%b = pto.alloc_tile : {F32}
%s = arith.constant 10.0 : f32
//! init %a = iota(start=0, step=1)
pto.tmins ins(%a, %s : {F32}, f32) outs(%b : {F32})
"""
WANT = np.minimum(np.arange(32, dtype="<f4").reshape(4, 8), 10)
KERNEL = """module {
  func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %xv = pto.make_tensor_view %x, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
    %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>
    %yv = pto.make_tensor_view %y, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
    %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>
    %t = pto.alloc_tile : TILE
    pto.tload ins(%xp : !pto.partition_tensor_view<4x8xf32>) outs(%t : TILE)
    pto.tmins ins(%t, %s : TILE, f32) outs(%t : TILE)
    pto.tstore ins(%t : TILE) outs(%yp : !pto.partition_tensor_view<4x8xf32>)
    return
  }
}
""".replace("TILE", F32)


@pytest.fixture
def mins(tmp_path):
    path = tmp_path / "mins.pto"
    path.write_text(MINS)
    return path


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "kernel.pto"
    path.write_text(KERNEL)
    np.save(tmp_path / "x.npy", np.arange(32, dtype="<f4").reshape(4, 8))
    return path


# ---- commands ----

def test_version():
    done = npusim("--version")
    assert done.returncode == 0 and re.match(r"npusim \d+\.\d+", done.stdout)


@pytest.mark.parametrize("args", [["--help"], *([c, "--help"] for c in (
    "run", "profile", "compare", "check", "lower", "isa", "targets"))])
def test_help_has_an_example(args):
    done = npusim(*args)
    assert done.returncode == 0 and not done.stderr
    command = args[0] if len(args) > 1 else "run"
    assert re.search(rf"npusim {command}\b.*\S", done.stdout) and "xample" in done.stdout


@pytest.mark.parametrize("args", [[], ["frobnicate"], ["run"], ["run", "a.pto", "b.pto"], ["run", "x.pto", "--nonsense"],
                                  ["run", "-", "--target"], ["run", "-", "--quantum", "many"],
                                  ["run", "-", "--report", "xml"], ["run", "-", "--sync", "never"],
                                  ["run", "-", "--arg", "novalue"], ["run", "-", "--dump", "%b"],
                                  ["run", "-", "--expect", "%b"], ["run", "-", "--set", "key"]])
def test_bad_usage(args):
    done = npusim(*args, stdin="")
    assert done.returncode == 2 and not done.stdout
    assert re.match(r"[^:]+: error: .+ \[(USAGE|CONFIG)\]\n", done.stderr)


@pytest.mark.parametrize("command,option", [("run", "--seed"), ("run", "--block"), ("run", "--subblock"), ("profile", "--top"), ("compare", "--top")])
@pytest.mark.parametrize("value", ["-1", "-0", "18446744073709551616"])
def test_number_that_an_option_cannot_hold(mins, command, option, value):
    done = npusim(command, mins, option, value)
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.startswith(f"{option}: error: expected a whole number from 0 to 18446744073709551615, found {value} [USAGE]\n")


def test_largest_seed(mins):
    assert report("run", mins, "--seed", 2**64 - 1)["seed"] == 2**64 - 1


SWEEP = ["profile", "--op", "tmins", "--rows", "2", "--sweep", "cols=8:16"]
SHAPES = "op,dtype,rows,cols\ntmins,f32,2,8\n"


@pytest.mark.parametrize("args,forms,wrong", [
    (["profile", "-"], "text, json, csv or html for a trace", ["svg"]),
    (["profile", "--op", "tmins", "--shape", "2x8"], "text or json for one instruction", ["csv", "html", "svg"]),
    (SWEEP, "text, json, csv or svg for --sweep", ["html"]),
    (["profile", "--batch", "-"], "text or csv for --batch", ["json", "html", "svg"]),
    (["check", "-"], "text, json or sarif for one trace", ["csv"]),
    (["check", "--coverage", "traces"], "text, json or csv for --coverage", ["sarif"]),
    (["check", "--list"], "text or json for --list", ["csv", "sarif"]),
    (["check", "--explain", "ALIAS"], "text for --explain", ["json", "csv", "sarif"]),
    (["isa", "--markdown"], "text for --markdown", ["json"])], ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_form_that_a_report_does_not_have(args, forms, wrong):
    for form in wrong:
        done = npusim(*args, "--report", form, stdin=SHAPES)
        assert done.returncode == 2 and not done.stdout
        assert done.stderr == f"--report: error: expected {forms}, found {form} [USAGE]\n"


@pytest.mark.parametrize("args,forms", [(["profile", "{mins}"], "json csv html"), (["profile", "--op", "tmins", "--shape", "2x8"], "json"),
                                        (SWEEP, "json csv svg"), (["check", "{mins}"], "json sarif"), (["check", "--coverage", "{mins}"], "json csv"),
                                        (["check", "--list"], "json"), (["isa"], "json"), (["isa", "tmins"], "json"), (["targets"], "json"),
                                        (["targets", "950"], "json"), (["run", "{mins}"], "json csv html"), (["compare", "{mins}"], "json csv")],
                         ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_forms_of_a_report_differ(mins, args, forms):
    forms = ["text", *forms.split()]
    done = [npusim(*(a.format(mins=mins) for a in args), "--report", form) for form in forms]
    assert [d.returncode for d in done] == [0] * len(forms) and len({d.stdout for d in done}) == len(forms)
    assert all(json.loads(d.stdout) for d, form in zip(done, forms) if form in ("json", "sarif"))


def test_table_of_shapes_is_csv():
    text, table = (npusim("profile", "--batch", "-", "--report", form, stdin=SHAPES) for form in ("text", "csv"))
    assert text.returncode == 0 and text.stdout == table.stdout and text.stdout.startswith("op,dtype,rows,cols,cycles,")


def test_list_of_targets_for_programs():
    listed = json.loads(npusim("targets", "--report", "json").stdout)
    assert listed == [json.loads(npusim("targets", t["name"], "--report", "json").stdout) for t in listed] and len(listed) == 2


@pytest.mark.parametrize("args,place,text,hint", [
    (["rum", "x.pto"], "npusim", "expected a command, found rum", "run"),
    (["--versio"], "npusim", "expected a command, found --versio", "--version"),
    (["run", "x.pto", "--colour", "always"], "npusim run", "expected an option, found --colour", "--color"),
    (["run", "x.pto", "--nonsense"], "npusim run", "expected an option, found --nonsense", None),
    (["run", "a.pto", "b.pto"], "npusim run", "expected no further argument, found b.pto", None),
    (["run", "x.pto", "--seed", "q"], "--seed", "expected a number, found q", None),
    (["compare", "a.pto", "--report", "xml"], "--report", "xml not in {text,json,csv}", None),
    (["run"], "npusim run", "trace is required", None)])
def test_usage_is_reported_like_everything_else(args, place, text, hint):
    message, repair = npusim(*args).stderr.splitlines()
    assert message == f"{place}: error: {text} [USAGE]"
    assert (f"did you mean '{hint}'?" in repair) if hint else "mean" not in repair
    assert "--help" in repair


def test_missing_file():
    done = npusim("run", "no/such/file.pto")
    assert done.returncode == 2 and "no/such/file.pto" in done.stderr and "[IO]" in done.stderr


def test_isa_lists_the_instructions():
    done = npusim("isa")
    assert done.returncode == 0
    for op in ("tmins", "tmaxs", "tpartmax", "tpartmin", "tpartargmax", "tpartargmin", "trowargmax", "trowargmin"):
        assert re.search(rf"\b{op}\b", done.stdout)


@pytest.mark.parametrize("op", ["tmins", "TROWARGMIN", "tpartargmax"])
def test_isa_of_one(op):
    done = npusim("isa", op)
    assert done.returncode == 0
    for word in (op.lower(), "a2a3", "950", "f32"):
        assert word in done.stdout.lower()


def test_isa_gives_the_tmp_formula():
    assert "up(2*R1) + up(R1)" in npusim("isa", "trowargmin").stdout
    for row in json.loads(npusim("isa", "--report", "json").stdout):
        assert bool(row["tmp_formula"]) == row["tmp"], row["name"]


def test_isa_unknown_suggests():
    done = npusim("isa", "tmin5")
    assert done.returncode == 2 and "tmins" in done.stderr


def test_targets():
    done = npusim("targets")
    assert done.returncode == 0 and "a2a3" in done.stdout and "950" in done.stdout


@pytest.mark.parametrize("name", [*TARGETS, "a3", "a5"])
def test_target_table_has_provenance(name):
    done = npusim("targets", name)
    assert done.returncode == 0
    assert "ub.bytes" in done.stdout and "semantics.conformance" in done.stdout
    assert any(kind in done.stdout for kind in ("documented", "measured", "fit", "assumed"))


def test_check_lists_the_rules():
    done = npusim("check", "--list")
    assert done.returncode == 0
    for rule in ("SYNTAX", "TMP_SMALL", "HAZARD", "TIE_DOC"):
        assert rule in done.stdout


def test_check_needs_no_data(kernel):
    assert npusim("check", kernel, "--arg", "s=1.0").returncode == 0


def test_lower_is_stable_text(mins):
    first, second = npusim("lower", mins), npusim("lower", mins)
    assert first.returncode == 0 and first.stdout == second.stdout and "vmins" in first.stdout


def test_compare(mins):
    done = npusim("compare", mins)
    assert done.returncode == 0 and "a2a3" in done.stdout and "950" in done.stdout and "tmins" in done.stdout


def test_profile(mins):
    done = npusim("profile", mins)
    assert done.returncode == 0 and "tmins" in done.stdout


# ---- input ----

def test_standard_input():
    assert report("run", "-", stdin=MINS)["instructions"][0]["op"] == "tmins"


@pytest.mark.parametrize("form", [
    "pto.tmins ins(%a, %s : TILE, f32) outs(%b : TILE)",
    "%b = pto.tmins %a, %s : (TILE, f32) -> TILE",
    "%b = tmins %a, %s : TILE, f32",
    "%new = pto.tmins %a, %s : (TILE, f32) -> TILE\n%b = pto.tmins %new, %s : (TILE, f32) -> TILE",
    "%new = tmins %a, %s : TILE, f32  # a comment of the documents\n%b = tmins %new, %s : TILE, f32"])
@pytest.mark.parametrize("spelling", [F32, "!pto.tile<4x8xf32>", "!pto.tile<f32, 4, 8>", "!pto.tile<vec, 4x8xf32>",
                                      "!pto.tile_buf<loc=vec, dtype=float, rows=4, cols=8, v_row=4, v_col=8, "
                                      "blayout=row_major, slayout=none_box, fractal=512, pad=0>"])
def test_forms_and_types(form, spelling, tmp_path):
    text = MINS.splitlines()
    text = "\n".join(text[:4] + [form.replace("TILE", spelling)]) + "\n"
    done = npusim("run", "-", "--dump", f"%b={tmp_path / 'b.npy'}", stdin=text)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "b.npy").tobytes() == WANT.tobytes()


def test_value_and_index_as_new_results(tmp_path):
    text = f"""%a = pto.alloc_tile : {F32}
//! init %a = values({', '.join(str((k * 5) % 17) for k in range(32))})
%v, %i = pto.trowargmin %a : ({F32}) -> ({tile_type('f32', 8, 1, (4, 1), True)}, {COLUMN})
"""
    a = np.array([(k * 5) % 17 for k in range(32)]).reshape(4, 8)
    for target in TARGETS:
        done = npusim("run", "-", "--target", target, "--dump", f"%i={tmp_path / 'i.npy'}",
                      "--dump", f"%v={tmp_path / 'v.npy'}", stdin=text)
        assert done.returncode == 0, done.stderr
        assert np.load(tmp_path / "i.npy")[:, 0].tolist() == a.argmin(1).tolist()
        assert np.load(tmp_path / "v.npy")[:, 0].tolist() == a.min(1).tolist()


def test_windows_line_ends_and_no_final_newline(tmp_path):
    done = npusim("run", "-", "--print", "%b", stdin=MINS.rstrip().replace("\n", "\r\n"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", ["", "\n\n", "// only a comment\n", "module {\n}\n"])
def test_empty_input_does_not_crash(text):
    done = npusim("run", "-", stdin=text)
    assert done.returncode in (0, 1, 2)


@pytest.mark.parametrize("length", range(0, len(MINS), 23))
def test_truncated_input_does_not_crash(length):
    assert npusim("run", "-", stdin=MINS[:length]).returncode in (0, 1, 2)


def test_target_precedence(mins, tmp_path):
    module = tmp_path / "m.pto"
    module.write_text(KERNEL.replace("module {", 'module attributes {pto.target_arch = "a5"} {'))
    args = ["--arg", "s=1.0"]
    assert report("run", module, *args)["target"] == "950"
    assert report("run", module, *args, "--target", "a3")["target"] == "a2a3"
    module.write_text("//! target a2a3\n" + module.read_text())
    assert report("run", module, *args)["target"] == "a2a3"
    assert report("run", mins)["target"] == "a2a3"


def test_entry_chooses_the_function(tmp_path):
    body = f"%t = pto.alloc_tile : {F32}\n//! init %t = fill(1)\n%s = arith.constant 0.0 : f32\n" \
           f"pto.OP ins(%t, %s : {F32}, f32) outs(%t : {F32})\nreturn\n"
    text = "module {\n" + "".join(f"func.func @{f}() {{\n{body.replace('OP', op)}}}\n"
                                  for f, op in (("one", "tmins"), ("two", "tmaxs"))) + "}\n"
    for entry, op in (("one", "tmins"), ("two", "tmaxs")):
        assert [i["op"] for i in report("run", "-", "--entry", entry, stdin=text)["instructions"]] == [op]
    assert npusim("run", "-", "--entry", "three", stdin=text).returncode in (1, 2)


# ---- data in and out ----

def test_dump_npy_and_bin(mins, tmp_path):
    npy, raw = tmp_path / "b.npy", tmp_path / "b.bin"
    done = npusim("run", mins, "--dump", f"%b={npy}", "--dump", f"%b={raw}")
    assert done.returncode == 0, done.stderr
    got = np.load(npy)
    assert got.dtype == "<f4" and got.shape == (4, 8) and got.tobytes() == WANT.tobytes()
    assert raw.read_bytes() == WANT.tobytes()


def test_init_from_the_command_line_wins(mins, tmp_path):
    x = np.linspace(-3, 30, 32, dtype="<f4").reshape(4, 8)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "x.bin").write_bytes(x.tobytes())
    for spec in (tmp_path / "x.npy", tmp_path / "x.bin"):
        done = npusim("run", mins, "--init", f"%a={spec}", "--dump", f"%b={tmp_path / 'b.npy'}")
        assert done.returncode == 0, done.stderr
        assert np.load(tmp_path / "b.npy").tobytes() == np.minimum(x, np.float32(10)).tobytes()
    assert npusim("run", mins, "--init", "%a=fill(12)", "--dump", f"%b={tmp_path / 'b.npy'}").returncode == 0
    assert (np.load(tmp_path / "b.npy") == 10).all()


def test_random_fill_follows_the_seed(mins, tmp_path):
    def run(*args):
        assert npusim("run", mins, "--init", "%a=random(lo=-1, hi=1)", "--dump", f"%a={tmp_path / 'a.npy'}",
                      *args).returncode == 0
        return np.load(tmp_path / "a.npy")
    one, again, other = run("--seed", "1"), run("--seed", "1"), run("--seed", "2")
    assert one.tobytes() == again.tobytes() != other.tobytes()
    assert np.isfinite(one).all() and (abs(one) <= 1).all()


def test_print(mins):
    done = npusim("run", mins, "--print", "%b")
    assert done.returncode == 0 and "%b" in done.stdout and re.search(r"\b10\b", done.stdout)


def test_print_leaves_reports_whole(mins, tmp_path):
    values = npusim("run", mins, "--print", "%b").stdout.split("\n\n")[0] + "\n"
    assert report("run", mins, "--print", "%b")["printed"] == values
    out = tmp_path / "report.json"
    done = npusim("run", mins, "--print", "%b", "--report", "json", "-o", out)
    assert done.returncode == 0 and done.stdout == values and json.loads(out.read_text())["cycles"]


def test_arguments(kernel, tmp_path):
    y = tmp_path / "y.npy"
    done = npusim("run", kernel, "--arg", f"x={tmp_path / 'x.npy'}", "--arg", "y=zeros:4x8xf32", "--arg", "s=10.0",
                  "--dump", f"y={y}")
    assert done.returncode == 0, done.stderr
    assert np.load(y).tobytes() == WANT.tobytes()


def test_argument_only_written_dumps_its_views(kernel, tmp_path):
    y = tmp_path / "y.npy"
    done = npusim("run", kernel, "--arg", f"x={tmp_path / 'x.npy'}", "--arg", "s=10", "--dump", f"y={y}")
    assert done.returncode == 0, done.stderr
    got = np.load(y)
    assert got.shape == (4, 8) and got.tobytes() == WANT.tobytes()
    done = npusim("run", kernel, "--arg", f"x={tmp_path / 'x.npy'}", "--arg", "s=10", "--expect", f"y={y}")
    assert done.returncode == 0, done.stderr


def test_unbound_data_does_not_repeat(kernel, tmp_path):
    """Two loads of two rows each see other values, the same as one load of four."""
    half = KERNEL.replace("sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>",
                          "sizes = [%c1, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x8xf32>")
    half = half.replace("4x8xf32>)", "1x8xf32>)").replace("vec, 4x8xf32", "vec, 1x8xf32")
    twice = half.replace("    return\n", """    %xq = pto.partition_view %xv, offsets = [%c1, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x8xf32>
    pto.tload ins(%xq : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
    return\n""")
    seen = []
    for text in (KERNEL, twice):
        kernel.write_text(text)
        done = npusim("run", kernel, "--arg", "s=1.0", "--dump", f"x={tmp_path / 'all.npy'}", "--dump", f"y={tmp_path / 'y.npy'}")
        assert done.returncode == 0, done.stderr
        seen.append(np.load(tmp_path / "all.npy"))
    assert seen[0].shape == (4, 8) and seen[0].tobytes() == seen[1].tobytes()
    assert len(np.unique(seen[0])) > 30
    assert np.load(tmp_path / "y.npy").tobytes() != seen[0].tobytes()


def test_fills_without_a_seed_differ(tmp_path):
    text = f"%a = pto.alloc_tile : {F32}\n%b = pto.alloc_tile : {F32}\n//! init %a = random\n//! init %b = random\n"
    done = npusim("run", "-", "--dump", f"%a={tmp_path / 'a.npy'}", "--dump", f"%b={tmp_path / 'b.npy'}", stdin=text)
    assert done.returncode == 0, done.stderr
    assert (np.load(tmp_path / "a.npy") != np.load(tmp_path / "b.npy")).all()


@pytest.mark.parametrize("value,status", [("7", 0), ("0x7", 0), ("-3", 0), ("7.0", 0), ("1e1", 0), ("255", 0), ("6.5", 1), ("256", 1), ("-129", 1), ("0x100", 1), ("nan", 1), ("inf", 1), ("7x", 1)])
def test_integer_arguments_hold_what_their_type_can(tmp_path, value, status):
    (tmp_path / "k.pto").write_text("module { func.func @k(%n: i8, %m: index) { return } }\n")
    done = npusim("run", tmp_path / "k.pto", "--arg", f"n={value}", "--arg", "m=4")
    assert done.returncode == status and ("argument n: expected a number of type i8" in done.stderr) == bool(status)


def test_unbound_arguments_are_independent(kernel, tmp_path):
    """Each argument has values of its own, whatever the order in which views reach into it."""
    text = kernel.read_text().replace("func.func @scale(%x", "func.func @scale(%w: !pto.ptr<f32>, %x").replace("    return", "    %v = pto.load_scalar %w[%c4] : !pto.ptr<f32> -> f32\n    %u = pto.load_scalar %w[%c8] : !pto.ptr<f32> -> f32\n    return")
    (tmp_path / "grow.pto").write_text(text)
    (tmp_path / "whole.pto").write_text(text.replace("%w[%c4]", "%w[%c8]"))
    w = []
    for name in ("grow", "whole"):
        assert npusim("run", tmp_path / f"{name}.pto", "--arg", "s=2", "--dump", f"w={tmp_path}/w.npy", "--dump", f"x={tmp_path}/x.npy").returncode == 0
        w.append(np.load(tmp_path / "w.npy"))
    x = np.load(tmp_path / "x.npy")
    assert (w[0] == w[1]).all() and len(np.unique(w[0])) == 9 and not np.isin(w[0], x).any()


def test_expectation_of_an_unbound_argument_has_the_shape_of_its_file(kernel, tmp_path):
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    np.save(tmp_path / "x.npy", x)
    for want, status in ((np.minimum(x, 9), 0), (x, 1)):
        np.save(tmp_path / "y.npy", want)
        done = npusim("run", kernel, "--arg", f"x={tmp_path}/x.npy", "--arg", "s=9", "--expect", f"y={tmp_path}/y.npy")
        assert done.returncode == status, done.stderr
    assert "y: 22 of 32 values differ: [1, 2] is 9, expected 10; [1, 3] is 9" in done.stderr
    np.save(tmp_path / "y.npy", np.zeros((4, 7), np.float32))
    done = npusim("run", kernel, "--arg", f"x={tmp_path}/x.npy", "--arg", "s=9", "--expect", f"y={tmp_path}/y.npy")
    assert done.returncode == 1 and "the file holds 4x7 f32" in done.stderr


def test_dump_names_what_it_can_write(kernel):
    done = npusim("run", kernel, "--arg", "s=2", "--dump", "y=y.txt")
    assert done.returncode != 0 and "dump y: expected a file ending in .npy or .bin, found y.txt" in done.stderr


def test_unbound_arguments(kernel):
    done = npusim("run", kernel)
    assert done.returncode == 1 and "[ARG]" in done.stderr and "s" in done.stderr
    done = npusim("run", kernel, "--arg", "s=1.0")
    assert done.returncode == 0 and "[ARG_RANDOM]" in done.stderr


def test_unknown_names_in_options(mins, tmp_path):
    for option in ("--dump", "--expect", "--init"):
        done = npusim("run", mins, option, f"%nothing={tmp_path / 'x.npy'}")
        assert done.returncode in (1, 2) and "nothing" in done.stderr
    assert not (tmp_path / "x.npy").exists()


# ---- expectations ----

@pytest.mark.parametrize("change,tolerance,status", [
    (0, [], 0), (0, ["exact"], 0), (1e-4, [], 1), (1e-4, ["exact"], 1), (1e-4, ["atol=1e-3"], 0), (1e-4, ["atol=1e-5"], 1),
    (1e-4, ["rtol=1e-3"], 0), (1e-4, ["rtol=1e-6"], 1)])
def test_expect(mins, tmp_path, change, tolerance, status):
    want = WANT.copy()
    want[1, 2] += np.float32(change)
    np.save(tmp_path / "w.npy", want)
    done = npusim("run", mins, "--expect", f"%b={tmp_path / 'w.npy'}", *tolerance)
    assert done.returncode == status, done.stderr
    assert ("[EXPECT]" in done.stderr) == (status == 1)


def test_report_of_a_stopped_run_says_so(mins, tmp_path):
    path = tmp_path / "stops.pto"
    path.write_text(MINS + "pto.tmins ins(%a, %nothing : f32) outs(%b)\n" + MINS.splitlines()[-1] + "\n")
    words = "stopped by an error: the cycles are those of what ran before it"
    for command in (["run"], ["run", "--report", "html"], ["profile", "--target", "a2a3"]):
        done = npusim(command[0], path, *command[1:])
        assert done.returncode == 1 and words in done.stdout
        assert words not in npusim(command[0], mins, *command[1:]).stdout
    assert npusim("compare", path).stdout.count(words) == 2
    assert [json.loads(npusim("run", p, "--report", "json").stdout)["stopped"] for p in (path, mins)] == [True, False]


def test_trace_may_stand_behind_any_option(mins, tmp_path):
    np.save(tmp_path / "w.npy", WANT + np.float32(1e-5))
    expect = ["--expect", f"%b={tmp_path / 'w.npy'}", "atol=1e-3", "rtol=1e-3"]
    for options in (["--print", "%b"], ["--set", "ub.bytes=196608"], ["--target", "a2a3", "--init", "%a=iota"], expect, [expect[0] + "=" + expect[1], *expect[2:]]):
        assert npusim("run", *options, mins).returncode == 0
        assert npusim("run", mins, *options).returncode == 0
    assert npusim("run", *expect[:2], mins).returncode == 1
    assert npusim("compare", "--target", "a2a3", "--target", "950", mins).returncode == 0
    assert npusim("profile", "--target", "a2a3", mins).returncode == 0


@pytest.mark.parametrize("steps,ulp,status", [(1, 1, 0), (2, 1, 1), (3, 3, 0)])
def test_expect_ulp(mins, tmp_path, steps, ulp, status):
    want = WANT.copy()
    want.view("<u4")[2, 3] += steps
    np.save(tmp_path / "w.npy", want)
    assert npusim("run", mins, "--expect", f"%b={tmp_path / 'w.npy'}", f"ulp={ulp}").returncode == status


@pytest.mark.parametrize("tolerance", ["atol=-1", "rtol=-1e-9", "ulp=-1", "atol=nan", "ulp=1.5", "atol=", "close"])
def test_expect_tolerance_is_checked(mins, tmp_path, tolerance):
    np.save(tmp_path / "w.npy", WANT)
    mins.write_text(MINS + f'//! expect %b = npy("w.npy") {tolerance}\n')
    done = npusim("run", mins)
    assert done.returncode == 2 and ":6:1: error: expected exact" in done.stderr and tolerance in done.stderr


@pytest.mark.parametrize("value,dtype,warns", [("65519.0", "f16", False), ("65520.0", "f16", True), ("1e39", "f32", True), ("-1e39", "bf16", True),
                                               ("0x7C00", "f16", False)])
def test_constant_beyond_its_type(value, dtype, warns):
    done = npusim("run", "-", stdin=f"%s = arith.constant {value} : {dtype}\n")
    assert done.returncode == 0 and ("<stdin>:1:21: warning" in done.stderr and "[SCALAR_RANGE]" in done.stderr) == warns, done.stderr


def test_expect_lists_the_first_mismatches(mins, tmp_path):
    want = WANT.copy()
    want[1, 2] = -5
    np.save(tmp_path / "w.npy", want)
    done = npusim("run", mins, "--expect", f"%b={tmp_path / 'w.npy'}")
    assert "-5" in done.stderr and "10" in done.stderr


def test_expect_shape_and_type(mins, tmp_path):
    for wrong in (WANT[:3], WANT.astype("<f8"), WANT.astype("<i4")):
        np.save(tmp_path / "w.npy", wrong)
        assert npusim("run", mins, "--expect", f"%b={tmp_path / 'w.npy'}").returncode in (1, 2)


def test_signed_zeros_differ_and_nan_equals_nan(mins, tmp_path):
    x = np.zeros((4, 8), "<f4")
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "w.npy", -x)
    assert npusim("run", mins, "--init", f"%a={tmp_path / 'x.npy'}", "--expect", f"%b={tmp_path / 'w.npy'}").returncode == 1
    x[0, 0] = np.nan
    w = x.copy()
    w.view("<u4")[0, 0] = 0xFFC00001
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "w.npy", w)
    assert npusim("run", mins, "--init", f"%a={tmp_path / 'x.npy'}", "--expect", f"%b={tmp_path / 'w.npy'}").returncode == 0


# ---- settings ----

def test_set_changes_the_result():
    pair = tile_type("f32", 1, 8), tile_type("i32", 1, 8)
    lines = [f"%{n} = pto.alloc_tile : {pair[k]}" for n, k in (("a", 0), ("b", 0), ("i", 1), ("j", 1), ("v", 0), ("k", 1))]
    lines += ["//! init %a = fill(1)", "//! init %b = fill(1)", "//! init %i = fill(3)", "//! init %j = fill(4)",
              f"pto.tpartargmin ins(%a, %b, %i, %j : {pair[0]}, {pair[0]}, {pair[1]}, {pair[1]}) outs(%v, %k : {pair[0]}, {pair[1]})"]
    for conformance, index in (("document", 4), ("library", 3)):
        text = "\n".join(lines + [f"//! expect %k = fill({index})"]) + "\n"
        done = npusim("run", "-", "--set", f"semantics.conformance={conformance}", stdin=text)
        assert done.returncode == 0, done.stderr


def test_set_is_checked(mins):
    for setting in ("nonsense=1", "ub.bytes=-5", "ub.bytes=much", "semantics.minmax_nan=maybe"):
        done = npusim("run", mins, "--set", setting)
        assert done.returncode == 2 and "[CONFIG]" in done.stderr


@pytest.mark.parametrize("command", [["compare"], ["check", "--coverage"]])
def test_override_is_for_the_targets_that_have_it(mins, command):
    for key, value in (("a2a3.dispatch", 20), ("950.drain", 20), ("ub.bytes", 65536)):
        assert npusim(*command, mins, "--set", f"{key}={value}").returncode == 0
        assert npusim(*command, mins, "--set", f"{key}=much").returncode == 2
    done = npusim(*command, mins, "--set", "950.drein=20")
    assert done.returncode == 2 and done.stderr.count("error:") == 1 and "did you mean '950.drain'?" in done.stderr


def test_override_changes_one_side_of_a_comparison(mins):
    plain, slow = (report("compare", mins, *more)["cycles"] for more in ([], ["--set", "950.drain=99"]))
    assert plain[0] == slow[0] and plain[1] < slow[1]


def test_overrides_of_the_list_of_targets():
    assert npusim("targets", "--set", "ub.bytes=65536").stdout.count(" 65536 ") == 2
    done = npusim("targets", "--set", "ub.bytez=65536")
    assert done.returncode == 2 and not done.stdout and "did you mean 'ub.bytes'?" in done.stderr


def test_clock_only_changes_time(mins):
    slow, fast = (report("run", mins, "--set", f"clock_hz={hz}") for hz in (1_000_000_000, 2_000_000_000))
    assert slow["cycles"] == fast["cycles"] and slow["time_us"] == pytest.approx(2 * fast["time_us"], rel=1e-2)


@pytest.mark.parametrize("text,place", [("//! target a7\n", "1:12"), ('module attributes {pto.target_arch = "a7"} { }\n', "1:39"),
                                        ("// the target a7 of old\n//! target a7\n", "2:12")])
def test_unknown_target_of_a_trace(tmp_path, text, place):
    path = tmp_path / "t.pto"
    path.write_text(text)
    for name, done in ((path, npusim("run", path)), ("<stdin>", npusim("run", "-", stdin=text))):
        assert done.returncode == 2 and f"{name}:{place}: error: unknown target 'a7'" in done.stderr


def test_target_file_beside_the_trace(mins, tmp_path):
    text = (ROOT / "configs" / "a2a3.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("name: a2a3", "name: mine", 1))
    mins.write_text("//! target mine.yaml\n" + MINS)
    assert report("run", mins, cwd="/")["target"] == "mine"


def test_target_file(mins, tmp_path):
    copy = tmp_path / "mine.yaml"
    copy.write_text((ROOT / "configs" / "a2a3.yaml").read_text())
    assert report("run", mins, "--target", copy)["cycles"] == report("run", mins)["cycles"]
    copy.write_text(copy.read_text() + "\nsurprise: 1\n")
    done = npusim("run", mins, "--target", copy)
    assert done.returncode == 2 and re.search(r"mine\.yaml:\d+:\d+: error: .*surprise", done.stderr)


def test_on_error_continue(tmp_path):
    """stop: nothing runs; continue: what the hardware leaves behind (here: a2a3 refuses to write)."""
    text = f"""%a = pto.alloc_tile : {tile_type('f32', 4, 8, (2, 8))}
%b = pto.alloc_tile : {F32}
%s = arith.constant 10.0 : f32
//! init %a = fill(1)
//! init %b = fill(7)
pto.tmins ins(%a, %s : {tile_type('f32', 4, 8, (2, 8))}, f32) outs(%b : {F32})
"""
    out = tmp_path / "b.npy"
    done = npusim("run", "-", "--on-error", "continue", "--dump", f"%b={out}", "--report", "json", stdin=text)
    assert done.returncode == 1 and "[VALID_MISMATCH]" in done.stderr
    assert (np.load(out) == 7).all()
    assert any(d["id"] == "VALID_MISMATCH" and d["severity"] == "error" for d in json.loads(done.stdout)["diagnostics"])
    done = npusim("run", "-", stdin=text)
    assert done.returncode == 1


# ---- reports ----

def test_report_text_names_the_cycles(mins):
    done = npusim("run", mins)
    assert done.returncode == 0
    cycles = report("run", mins)["cycles"]
    assert re.search(rf"\b{cycles}\b", done.stdout) and "tmins" in done.stdout


def test_report_json_of_one_instruction(mins):
    r = report("run", mins)
    (i,) = r["instructions"]
    assert (i["op"], i["dtype"], i["shape"], i["line"]) == ("tmins", "f32", "4x8", 5)
    assert i["bytes_read"] == i["bytes_written"] == 128


def test_report_csv(mins):
    done = npusim("run", mins, "--report", "csv")
    assert done.returncode == 0
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 1 and rows[0]["op"] == "tmins"
    assert int(rows[0]["cycles"]) == report("run", mins)["instructions"][0]["cycles"]


def test_output_file(mins, tmp_path):
    out = tmp_path / "r.json"
    done = npusim("run", mins, "--report", "json", "-o", out)
    assert done.returncode == 0 and not done.stdout
    assert json.loads(out.read_text()) == report("run", mins)


def test_quiet_and_streams(mins):
    done = npusim("run", mins, "--quiet", "--report", "json")
    assert done.returncode == 0 and not done.stderr
    json.loads(done.stdout)


def test_color(tmp_path):
    bad = MINS.replace("tmins", "tmagic")
    assert "\x1b[" in npusim("run", "-", "--color", "always", stdin=bad).stderr
    for choice in ("never", "auto"):
        assert "\x1b[" not in npusim("run", "-", "--color", choice, stdin=bad).stderr


def test_timeline_and_vcd(mins, tmp_path):
    done = npusim("run", mins, "--timeline", tmp_path / "t.json", "--vcd", tmp_path / "w.vcd")
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "t.json").read_text())
    assert any(e.get("ph") == "X" for e in (events["traceEvents"] if isinstance(events, dict) else events))
    assert "$enddefinitions" in (tmp_path / "w.vcd").read_text()


# ---- files are written whole or not at all ----

@pytest.mark.parametrize("option", ["--dump=%b", "-o", "--timeline", "--vcd"])
def test_unwritable_output(mins, tmp_path, option):
    where = tmp_path / "missing" / "out.npy"
    args = ["--dump", f"%b={where}"] if option.startswith("--dump") else [option, where]
    done = npusim("run", mins, *args)
    assert done.returncode == 2 and "[IO]" in done.stderr and not where.parent.exists()


def test_failed_trace_leaves_no_files(tmp_path):
    before = set(os.listdir(tmp_path))
    done = npusim("run", "-", "--dump", f"%b={tmp_path / 'b.npy'}", stdin=MINS.replace("tmins ins(", "tmins in("))
    assert done.returncode == 2 and set(os.listdir(tmp_path)) == before


def test_old_file_survives_a_failed_run(mins, tmp_path):
    out = tmp_path / "b.npy"
    out.write_text("old")
    assert npusim("run", "-", "--dump", f"%b={out}", stdin=MINS + "pto.tmagic ins(%a : f32)\n").returncode == 2
    assert out.read_text() == "old"
    assert npusim("run", mins, "--dump", f"%b={out}").returncode == 0
    assert np.load(out).shape == (4, 8)
    assert set(os.listdir(tmp_path)) == {"b.npy", "mins.pto"}


def test_isa_names_lowering_and_evidence():
    text = npusim("isa", "tmins").stdout
    one = json.loads(npusim("isa", "tmins", "--report", "json").stdout)[0]["micro_operations"]
    assert [u["name"] for u in one["a2a3"]] == ["vmins"] and "vmins" in [u["name"] for u in one["950"]]
    for family in ("a2a3", "950"):
        for u in one[family]:
            assert u["confidence"] in ("documented", "measured", "fit", "assumed") and f"{u['name']}: {u['cost']}" in text


def test_instruction_reference_is_up_to_date():
    assert npusim("isa", "--markdown").stdout == (ROOT / "docs" / "instructions.md").read_text()

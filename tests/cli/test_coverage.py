"""npusim check --coverage: what traces would need, per file and over all."""
import csv
import io
import json

import pytest

from harness import ROOT, TARGETS, npusim

TILE = "!pto.tile_buf<vec, 16x64x{}>"


def binary(op, dtype):
    t = TILE.format(dtype)
    return f"%{op}.{dtype} = pto.alloc_tile : {t}\npto.{op} ins(%{op}.{dtype}, %{op}.{dtype} : {t}, {t}) outs(%{op}.{dtype} : {t})\n"


GOOD = binary("tadd", "f32")


def coverage(*args, status):
    done = npusim("check", "--coverage", *args, "--report", "json")
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def write(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.pto").write_text(text)
    return folder


def needs(one):
    return {n["need"]: n for n in one["needs"]}


def test_example_kernels_run_on_both_targets():
    done = coverage(ROOT / "traces", status=0)
    assert len(done["files"]) == len(list((ROOT / "traces").rglob("*.pto"))) > 10
    assert all(f["runs"] == {"a2a3": True, "950": True} and f["instructions"] for f in done["files"])
    assert done["summary"]["runs_on_all"] == len(done["files"]) and not done["summary"]["needs"]


def test_types_come_from_the_instruction_table_per_target(tmp_path):
    """Every instruction of two equal sources, with every element type: supported where `npusim isa` lists it."""
    table = [i for i in json.loads(npusim("isa", "--report", "json").stdout) if i["inputs"] == "src0 src1" and i["outputs"] == "dst"]
    assert len(table) > 12
    spelled = {"u8": "ui8", "u16": "ui16", "u32": "ui32", "u64": "ui64"}
    for i in table:
        for dtype in ("f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            write(tmp_path, **{f"{i['name']}.{dtype}": binary(i["name"], spelled.get(dtype, dtype))})
    files = {f["file"].rsplit("/", 1)[1][:-4]: f for f in coverage(tmp_path, status=1)["files"]}
    for i in table:
        for dtype in ("f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            f = files[f"{i['name']}.{dtype}"]
            for t in TARGETS:
                supported = dtype in i["types"][t].split()
                assert f["runs"][t] == supported, (i["name"], dtype, t, f)
                if not supported:
                    assert f["needs"][0]["uses"][t] == 1


@pytest.mark.parametrize("text,need,kind,unit", [
    ("pto.fusion_region {\n" + GOOD + "}", "pto.fusion_region", "construct", ""),
    ("%r = scf.execute_region -> index {\n  scf.yield %a : index\n}", "scf.execute_region", "construct", ""),
    ("%d = pto.declare_tile -> " + TILE.format("f32"), "pto.declare_tile", "construct", "several cores"),
    ('"pto.tadd"(%a, %b) : (f32, f32) -> f32', "quoted generic form", "construct", ""),
    ("pto.tmatmul ins(%a, %b : f32, f32) outs(%c : f32)", "pto.tmatmul", "construct", "cube unit"),
    ("pto.tpush(%a, %p : f32, !pto.pipe) {split = 0}", "pto.tpush", "construct", "several cores"),
    ("pto.comm.tput(%a, %b, buf(%c) : f32, f32, f32)", "pto.comm.tput", "construct", "several cores"),
    ("pto.sync.set <PIPE_V>, 1", "pto.sync.set", "construct", "several cores"),
    ("%v = pto.vlds %a[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>", "pto.vlds", "construct", "register level"),
    ("pto.vecscope {\n}", "pto.vecscope", "construct", "register level"),
    ("%x = memref.load %m[%i] : memref<4xf32>", "memref.load", "construct", ""),
    ("pto.section.cube {\n  pto.tmatmul ins(%a) outs(%b)\n}", "pto.section.cube", "construct", "cube unit"),
    ("func.func @c() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n  pto.tgemv\n}", "function of kind cube", "construct", "cube unit"),
    ("%t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf8E4M3FN>", "element type f8E4M3FN", "type", ""),
    ("func.func @f(%a: memref<4xf32>) {\n  return\n}", "type memref", "type", ""),
    ("%t = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32>\npto.tmov ins(%t : !pto.tile_buf<acc, 16x16xf32>) outs(%t : !pto.tile_buf<acc, 16x16xf32>)",
     "tmov: tile in acc", "operands", "cube unit"),
    ("func.func @f(%p: !pto.ptr<f32>, %n: index) {\n  %v = pto.make_tensor_view %p, shape = [%n, %n], strides = [%n, %n] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?xf32>\n  return\n}",
     "pto.make_tensor_view: expected layout nd or dn, found nz", "layout", ""),
    ("pto.set_flag[<PIPE_M>, <PIPE_V>, <EVENT_ID0>]", "expected one of the pipes PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, found PIPE_M", "synchronisation", ""),
    ("func.call @nowhere() : () -> ()", "func.call of a function without a body", "construct", ""),
    ("pto.tadd ins(%missing, %missing : f32, f32) outs(%missing : f32)", "%missing is not defined here", "name", ""),
])
def test_one_need_per_construct(tmp_path, text, need, kind, unit):
    """One line for the construct, at its place, and nothing that follows from not understanding it."""
    write(tmp_path, k=GOOD + text + "\n" + GOOD)
    (one,) = coverage(tmp_path / "k.pto", status=1)["files"]
    assert [(n["need"], n["kind"], n["unit"], n["uses"]) for n in one["needs"]] == [(need, kind, unit, {"a2a3": 1, "950": 1})]
    assert one["needs"][0]["line"] >= 3 and one["needs"][0]["col"] >= 1
    assert one["instructions"] >= 2
    if kind not in ("construct", "type") or need in ("pto.section.cube", "function of kind cube"):  # a run steps over those
        return
    done = npusim("run", tmp_path / "k.pto")
    errors = [line for line in done.stderr.splitlines() if ": error: " in line]
    assert len(errors) == 1 and errors[0].split(": ")[0].endswith(f"k.pto:{one['needs'][0]['line']}:{one['needs'][0]['col']}"), done.stderr


def test_loops_are_walked_once_and_bodies_of_unknown_constructs_are_read(tmp_path):
    text = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%many = arith.constant 1000000000 : index\n"
    text += "scf.for %i = %c0 to %many step %c1 {\n  pto.fusion_region {\n" + binary("tadd", "i64") + "pto.mystery\n  }\n  pto.mystery\n}\n" + binary("tadd", "i64")
    write(tmp_path, k=text)
    (one,) = coverage(tmp_path / "k.pto", status=1)["files"]
    found = needs(one)
    assert set(found) == {"pto.fusion_region", "pto.mystery", "tadd: element type i64"}
    assert found["pto.mystery"]["uses"]["a2a3"] == 2 and found["tadd: element type i64"]["uses"]["950"] == 2
    assert found["pto.mystery"]["line"] == 8


def test_summary_is_sorted_by_what_unlocks_most(tmp_path):
    write(tmp_path / "deep", a=GOOD, b="pto.mystery\n", c="pto.mystery\npto.mystery\n", d="pto.mystery\npto.tmatmul\n", e="pto.tmatmul\npto.tgemv\n", f=binary("tadd", "bf16"))
    done = coverage(tmp_path, tmp_path / "gone.pto", status=1)
    assert [f["file"].rsplit("/", 1)[1] for f in done["files"]] == ["a.pto", "b.pto", "c.pto", "d.pto", "e.pto", "f.pto", "gone.pto"]
    assert not done["files"][-1]["readable"] and "No such file" in done["files"][-1]["error"]
    s = done["summary"]
    assert (s["files"], s["unreadable"], s["runs"], s["runs_on_all"]) == (7, 1, {"a2a3": 1, "950": 2}, 1)
    assert [(n["need"], n["files"], n["alone"], n["then_run"], n["uses"], n["targets"]) for n in s["needs"]] == [
        ("pto.mystery", 3, 2, 3, 4, ["a2a3", "950"]), ("cube unit", 2, 1, 5, 3, ["a2a3", "950"]), ("tadd: element type bf16", 1, 1, 6, 1, ["a2a3"])]


def test_one_target(tmp_path):
    write(tmp_path, k=binary("tadd", "bf16"))
    assert coverage(tmp_path, "--target", "950", status=0)["targets"] == ["950"]
    assert needs(coverage(tmp_path, "--target", "a2a3", status=1)["files"][0]) .keys() == {"tadd: element type bf16"}


def test_text_and_csv(tmp_path):
    write(tmp_path, good=GOOD, bad="pto.mystery\n")
    done = npusim("check", "--coverage", "bad.pto", "good.pto", cwd=tmp_path)
    assert done.returncode == 1 and not done.stderr
    assert "bad.pto: does not run on a2a3, 950 (0 instructions)" in done.stdout and "good.pto: runs on a2a3, 950 (1 instruction)" in done.stdout
    assert "2 files: 1 run on a2a3, 1 run on 950, 1 on all, 0 cannot be read" in done.stdout
    rows = list(csv.DictReader(io.StringIO(npusim("check", "--coverage", "bad.pto", "good.pto", "--report", "csv", cwd=tmp_path).stdout)))
    assert [(r["file"], r["runs_a2a3"], r["need"], r["line"], r["uses_950"]) for r in rows] == [("bad.pto", "no", "pto.mystery", "1", "1"), ("good.pto", "yes", "", "", "")]


def test_unreadable_input_never_stops_the_rest(tmp_path):
    write(tmp_path, a=GOOD, empty="", half="module {\n  func.func @f() {\n    scf.if %c {\n")
    (tmp_path / "b.pto").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "hollow").mkdir()
    done = coverage(tmp_path / "hollow", tmp_path, status=1)
    by_name = {f["file"].rsplit("/", 1)[1]: f for f in done["files"]}
    assert by_name["hollow"]["error"] == "no .pto file in this directory"
    assert by_name["a.pto"]["runs"]["a2a3"] and by_name["empty.pto"]["runs"]["950"] and not by_name["b.pto"]["runs"]["950"]
    assert [n["need"] for n in by_name["half.pto"]["needs"]] == ["scf.if: expected '}' to close the block of line 3"]


@pytest.mark.parametrize("args", [[], ["k.pto", "--report", "sarif"], ["k.pto", "--target", "a7"]])
def test_bad_usage(tmp_path, args):
    write(tmp_path, k=GOOD)
    done = npusim("check", "--coverage", *args, cwd=tmp_path)
    assert done.returncode == 2 and not done.stdout and "error:" in done.stderr


def test_other_commands_name_every_unknown_construct_once(tmp_path):
    body = "pto.fusion_region {\n  pto.mystery %a\n  pto.mystery %a\n}\n%x = memref.load %m[%i] : memref<4xf32>\n%b = pto.vlds %x\nthis is = not text\n"
    write(tmp_path, k="module {\nfunc.func @f() {\n" + body + "return\n}\nfunc.func @g() {\npto.tmatmul\n}\n}\n")
    for command in (["run"], ["check"], ["lower"]):
        done = npusim(*command, "k.pto", cwd=tmp_path)
        assert done.returncode == 2
        errors = [line for line in done.stderr.splitlines() if ": error: " in line]
        assert [e.split(": ")[0] for e in errors] == ["k.pto:3:1", "k.pto:4:3", "k.pto:7:6", "k.pto:8:6", "k.pto:13:1"]
        for construct, error in zip(("pto.fusion_region", "pto.mystery", "memref.load", "pto.vlds", "pto.tmatmul"), errors):
            assert f"'{construct}'" in error

"""The language around tile instructions: control flow, scalars, views, functions. Results are checked
against numpy; what a construct computes, not how long it takes."""
import numpy as np
import pytest

from harness import TARGETS, npusim, report

TILE = "!pto.tile_buf<vec, 4x64xf32>"


def run(tmp_path, body, args="", outs=(("y", (4, 64)),), inputs=None, options=(), target="a2a3", functions=""):
    """Runs a function with the arguments x, y, n; returns the dumped outputs."""
    text = "module {\n" + functions + f"  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>{args}) attributes {{pto.entry}} {{\n{body}\n    return\n  }}\n}}\n"
    (tmp_path / "k.pto").write_text(text)
    command = ["run", tmp_path / "k.pto", "--target", target, "--quiet", *options]
    for name, array in (inputs or {}).items():
        np.save(tmp_path / f"{name}.npy", array)
        command += ["--arg", f"{name}={tmp_path / (name + '.npy')}"]
    for name, _ in outs:
        command += ["--dump", f"{name}={tmp_path / (name + '.out.npy')}"]
    done = npusim(*command)
    assert done.returncode == 0, done.stderr
    return [np.load(tmp_path / f"{name}.out.npy").reshape(shape) for name, shape in outs]


HEAD = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %xv = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %yv = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %t = pto.alloc_tile : """ + TILE

LOAD = "    %{p} = pto.partition_view %xv, offsets = [{r}, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>\n    pto.tload ins(%{p} : !pto.partition_tensor_view<4x64xf32>) outs(%t : " + TILE + ")\n"
STORE = "    %{p} = pto.partition_view %yv, offsets = [{r}, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>\n    pto.tstore ins(%t : " + TILE + ") outs(%{p} : !pto.partition_tensor_view<4x64xf32>)\n"
ADD = "    pto.tadds ins(%t, {s} : " + TILE + ", f32) outs(%t : " + TILE + ")\n"


@pytest.fixture
def data():
    x = np.arange(512, dtype=np.float32).reshape(8, 64)
    return {"x": x, "y": np.zeros((8, 64), np.float32)}


@pytest.mark.parametrize("target", TARGETS)
def test_for_over_rows(tmp_path, data, target):
    body = HEAD + "\n    scf.for %i = %c0 to %c8 step %c4 {\n" + LOAD.format(p="a", r="%i") + ADD.format(s="%one") + STORE.format(p="b", r="%i") + "    }"
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data, target=target)
    assert (y == data["x"] + 1).all()


def test_for_carries_scalars(tmp_path, data):
    body = HEAD + """
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = pto.load_scalar %x[%i] : !pto.ptr<f32> -> f32
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
""" + LOAD.format(p="a", r="%c0") + ADD.format(s="%sum") + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    assert (y[:4] == data["x"][:4] + 6).all() and (y[4:] == 0).all()


@pytest.mark.parametrize("n,expected", [(3, 1.0), (5, 2.0)])
def test_if_else_with_results(tmp_path, data, n, expected):
    body = HEAD + """
    %two = arith.constant 2.0 : f32
    %small = arith.cmpi slt, %n, %c4 : index
    %s = scf.if %small -> (f32) {
      scf.yield %one : f32
    } else {
      scf.yield %two : f32
    }
""" + LOAD.format(p="a", r="%c0") + ADD.format(s="%s") + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, args=", %n: index", outs=[("y", (8, 64))], inputs=data, options=["--arg", f"n={n}"])
    assert (y[:4] == data["x"][:4] + expected).all()


def test_if_without_else(tmp_path, data):
    body = HEAD + "\n    %no = arith.constant false\n" + LOAD.format(p="a", r="%c0") + "    scf.if %no {\n" + ADD.format(s="%one") + "    }\n" + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    assert (y[:4] == data["x"][:4]).all()


def test_while(tmp_path, data):
    body = HEAD + LOAD.format(p="a", r="%c0") + """
    %last = scf.while (%i = %c0) : (index) -> (index) {
      %go = arith.cmpi slt, %i, %c4 : index
      scf.condition(%go) %i : index
    } do {
    ^bb0(%j: index):
""" + ADD.format(s="%one") + """
      %next = arith.addi %j, %c1 : index
      scf.yield %next : index
    }
""" + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    assert (y[:4] == data["x"][:4] + 4).all()


def test_call(tmp_path, data):
    functions = "  func.func @next(%v: f32) -> f32 {\n    %two = arith.constant 2.0 : f32\n    %r = arith.mulf %v, %two : f32\n    return %r : f32\n  }\n"
    body = HEAD + "\n    %s0 = func.call @next(%one) : (f32) -> f32\n    %s = func.call @next(%s0) : (f32) -> f32\n" + LOAD.format(p="a", r="%c0") + ADD.format(s="%s") + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data, functions=functions)
    assert (y[:4] == data["x"][:4] + 4).all()


def test_store_scalar(tmp_path, data):
    body = HEAD + """
    %v = pto.load_scalar %x[%c64] : !pto.ptr<f32> -> f32
    %w = arith.subf %v, %one : f32
    pto.store_scalar %w, %y[%c8] : !pto.ptr<f32>, f32"""
    (y,) = run(tmp_path, body, outs=[("y", (512,))], inputs=data)
    assert y[8] == 63.0 and np.count_nonzero(y) == 1


@pytest.mark.parametrize("valid", [1, 3, 4])
def test_dynamic_valid_region(tmp_path, data, valid):
    dyn = "!pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>"
    body = HEAD + f"""
    %d = pto.alloc_tile valid_row = %n valid_col = %c64 : {dyn}
    %a = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%n, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x64xf32>
    %b = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%n, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x64xf32>
    pto.tload ins(%a : !pto.partition_tensor_view<?x64xf32>) outs(%d : {dyn})
    pto.tadds ins(%d, %one : {dyn}, f32) outs(%d : {dyn})
    pto.tstore ins(%d : {dyn}) outs(%b : !pto.partition_tensor_view<?x64xf32>)"""
    (y,) = run(tmp_path, body, args=", %n: index", outs=[("y", (8, 64))], inputs=data, options=["--arg", f"n={valid}"])
    assert (y[:valid] == data["x"][:valid] + 1).all() and (y[valid:] == 0).all()


@pytest.mark.parametrize("valid,expected", [("-1", "valid_row is -1, expected 0 or more"), ("5", "the valid region 5x64 does not fit into a tile of 4x64")])
def test_dynamic_valid_region_is_checked(tmp_path, valid, expected):
    dyn = "!pto.tile_buf<vec, 4x64xf32, valid=?x64>"
    (tmp_path / "k.pto").write_text(f"module {{ func.func @k(%n: index) {{\n%t = pto.alloc_tile valid_row = %n : {dyn}\nreturn }} }}\n")
    done = npusim("run", tmp_path / "k.pto", "--arg", f"n={valid}")
    assert done.returncode == 1 and ":2:" in done.stderr and expected in done.stderr


def test_set_and_get_validshape(tmp_path, data):
    body = HEAD + "\n" + LOAD.format(p="a", r="%c0") + f"""
    %c2 = arith.constant 2 : index
    pto.set_validshape %t, %c2, %c64 : {TILE}
    %r, %c = pto.get_validshape %t : {TILE} -> index, index
""" + ADD.format(s="%one") + f"""
    pto.set_validshape %t, %c4, %c64 : {TILE}
    %old = arith.index_cast %r : index to i64
    %f = arith.sitofp %old : i64 to f32
    pto.store_scalar %f, %y[%c8] : !pto.ptr<f32>, f32
    %b = pto.partition_view %yv, offsets = [%c4, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
    pto.tstore ins(%t : {TILE}) outs(%b : !pto.partition_tensor_view<4x64xf32>)"""
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    want = data["x"][:4].copy()
    want[:2] += 1
    assert (y[4:] == want).all() and y[0, 8] == 2.0


def test_subview_and_treshape(tmp_path, data):
    body = HEAD + "\n" + LOAD.format(p="a", r="%c0") + f"""
    %sub = pto.subview %t[%c1, %c8] sizes [2, 8] : {TILE}
    pto.tadds ins(%sub, %one : !pto.tile_buf<vec, 2x8xf32>, f32) outs(%sub : !pto.tile_buf<vec, 2x8xf32>)
    %flat = pto.treshape %t : {TILE} -> !pto.tile_buf<vec, 1x256xf32>
    pto.tadds ins(%flat, %one : !pto.tile_buf<vec, 1x256xf32>, f32) outs(%flat : !pto.tile_buf<vec, 1x256xf32>)
""" + STORE.format(p="b", r="%c0")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    want = data["x"][:4] + 1
    want[1:3, 8:16] += 1
    assert (y[:4] == want).all()


def test_multi_tile(tmp_path, data):
    body = HEAD + f"""
    %m = pto.alloc_multi_tile : !pto.multi_tile_buf<{TILE}, count=2>
    scf.for %i = %c0 to %c8 step %c4 {{
      %k = arith.divui %i, %c4 : index
      %slot = pto.multi_tile_get %m[%k] : !pto.multi_tile_buf<{TILE}, count=2> -> {TILE}
      %a = pto.partition_view %xv, offsets = [%i, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
      %b = pto.partition_view %yv, offsets = [%i, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
      pto.tload ins(%a : !pto.partition_tensor_view<4x64xf32>) outs(%slot : {TILE})
      pto.tadds ins(%slot, %one : {TILE}, f32) outs(%slot : {TILE})
      pto.tstore ins(%slot : {TILE}) outs(%b : !pto.partition_tensor_view<4x64xf32>)
    }}"""
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data)
    assert (y == data["x"] + 1).all()


def test_block_index(tmp_path, data):
    body = HEAD + "\n    %b = pto.get_block_idx -> i64\n    %i = arith.index_cast %b : i64 to index\n    %r = arith.muli %i, %c4 : index\n" + LOAD.format(p="a", r="%r") + ADD.format(s="%one") + STORE.format(p="p", r="%r")
    (y,) = run(tmp_path, body, outs=[("y", (8, 64))], inputs=data, options=["--block", "1", "--blocks", "2"])
    assert (y[4:] == data["x"][4:] + 1).all() and (y[:4] == 0).all()


@pytest.mark.parametrize("statement,expected", [
    ("arith.divsi %a, %b : i32", -3), ("arith.remsi %a, %b : i32", -1), ("arith.floordivsi %a, %b : i32", -4), ("arith.ceildivsi %a, %b : i32", -3),
    ("arith.maxsi %a, %b : i32", 2), ("arith.minsi %a, %b : i32", -7), ("arith.shrsi %a, %b : i32", -2), ("arith.andi %a, %b : i32", 0),
    ("arith.xori %a, %b : i32", -5), ("arith.muli %a, %b : i32", -14), ("arith.subi %a, %b : i32", -9)])
def test_integer_arithmetic(tmp_path, data, statement, expected):
    body = HEAD + f"""
    %a = arith.constant -7 : i32
    %b = arith.constant 2 : i32
    %r = {statement}
    %f = arith.sitofp %r : i32 to f32
    pto.store_scalar %f, %y[%c0] : !pto.ptr<f32>, f32"""
    (y,) = run(tmp_path, body, outs=[("y", (512,))], inputs=data)
    assert y[0] == expected


def test_division_by_zero_is_an_error(tmp_path):
    (tmp_path / "k.pto").write_text("%a = arith.constant 1 : i32\n%z = arith.constant 0 : i32\n%r = arith.divsi %a, %z : i32\n")
    done = npusim("run", tmp_path / "k.pto")
    assert done.returncode == 1 and ":3:" in done.stderr and "division by zero" in done.stderr


def test_scalar_statements_cost_cycles(tmp_path):
    def cycles(n):
        lines = "".join(f"%v{i} = arith.addi %a, %a : i32\n" for i in range(n))
        (tmp_path / "k.pto").write_text("%a = arith.constant 1 : i32\n%s = arith.constant 1.0 : f32\n%t = pto.alloc_tile : " + TILE + "\n" + lines + ADD.format(s="%s"))
        done = npusim("run", tmp_path / "k.pto", "--report", "json", "--quiet")
        import json
        return json.loads(done.stdout)["cycles"]
    assert cycles(500) == cycles(0) + 500


def test_scalar_work_alone_costs_cycles(tmp_path):
    """Also behind the last instruction, or without any."""
    (tmp_path / "k.pto").write_text("%a = arith.constant 1 : i32\n" + "".join(f"%v{i} = arith.addi %a, %a : i32\n" for i in range(70)))
    assert report("run", tmp_path / "k.pto")["cycles"] == 70


def test_identifiers_locations_and_nested_modules(tmp_path, data):
    text = """module attributes {pto.target_arch = "a5"} { // outer
  module {
    func.func private @helper(%v: f32) -> f32
    func.func @k.main-1(%x$in: !pto.ptr<f32> {pto.name = "x"}, %y: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
      %c0.i = arith.constant 0 : index loc("k.py":3:1)
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index %c64 = arith.constant 64 : index
      %v-x = pto.make_tensor_view
        %x$in, shape = [%c4, %c64],
        strides = [%c64, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
      %p__ssa_v0 = pto.partition_view %v-x, offsets = [%c0.i, %c0.i], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
      %w = pto.make_tensor_view %y, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
      %q = pto.partition_view %w, offsets = [%c0.i, %c0.i], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
      %t = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
      pto.section.vector {
        pto.tload ins(%p__ssa_v0 : !pto.partition_tensor_view<4x64xf32>) outs(%t : !pto.tile_buf<vec, 4x64xf32>)
        pto.tstore ins(%t : !pto.tile_buf<vec, 4x64xf32>) outs(%q : !pto.partition_tensor_view<4x64xf32>) loc(#loc1)
      }
      return
    }
  }
}
"""
    (tmp_path / "k.pto").write_text(text)
    np.save(tmp_path / "x.npy", data["x"][:4])
    done = npusim("run", tmp_path / "k.pto", "--quiet", "--arg", f"x$in={tmp_path / 'x.npy'}", "--arg", "y=zeros:4x64xf32", "--dump", f"y={tmp_path / 'y.npy'}")
    assert done.returncode == 0, done.stderr
    assert (np.load(tmp_path / "y.npy") == data["x"][:4]).all()

"""The productions of the language that compilers print, one test each: what is read is also executed, on both
targets, and compared with numpy. Forms of single statements are in tests/unit/trace_cases.h."""
import itertools

import numpy as np
import pytest

from harness import TARGETS, npusim, tile_type

R, C = 8, 64
T = tile_type("f32", R, C)
both = pytest.mark.parametrize("target", TARGETS)


def run(folder, text, target="a2a3", options=(), **arrays):
    """Runs the text with its arrays bound and returns y as it is afterwards."""
    (folder / "k.pto").write_text(text)
    command = ["run", folder / "k.pto", "--target", target, "--quiet", "--dump", f"y={folder / 'y.out.npy'}", *options]
    for name, a in arrays.items():
        np.save(folder / f"{name}.npy", a)
        command += ["--arg", f"{name}={folder / (name + '.npy')}"]
    done = npusim(*command)
    assert done.returncode == 0, done.stderr
    return np.load(folder / "y.out.npy")


def refused(folder, text, *options):
    (folder / "k.pto").write_text(text)
    done = npusim("run", folder / "k.pto", "--quiet", *options)
    assert done.returncode in (1, 2)
    return done.stderr


def constants(*values):
    return "".join(f"    %c{v} = arith.constant {v} : index\n" for v in values)


HEAD = constants(0, 1, 2, 4, R, C) + f"""
    %one = arith.constant 1.0 : f32
    %xv = pto.make_tensor_view %x, shape = [%c{R}, %c{C}], strides = [%c{C}, %c1] : !pto.tensor_view<?x?xf32>
    %yv = pto.make_tensor_view %y, shape = [%c{R}, %c{C}], strides = [%c{C}, %c1] : !pto.tensor_view<?x?xf32>
    %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c{R}, %c{C}] : !pto.tensor_view<?x?xf32>
    %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c{R}, %c{C}] : !pto.tensor_view<?x?xf32>
    %t = pto.alloc_tile : {T}
    pto.tload ins(%xp : !pto.partition_tensor_view<{R}x{C}xf32>) outs(%t : {T})
"""


def store(tile="%t"):
    return f"    pto.tstore ins({tile} : {T}) outs(%yp : !pto.partition_tensor_view<{R}x{C}xf32>)\n    return\n"


def kernel(body, args="", functions=""):
    return f"module {{\n{functions}  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>{args}) attributes {{pto.entry}} {{\n{HEAD}{body}  }}\n}}\n"


@pytest.fixture
def x():
    return np.random.default_rng(3).normal(size=(R, C)).astype(np.float32)


@pytest.fixture
def y():
    return np.zeros((R, C), np.float32)


@both
def test_locations_and_aliases_everywhere(tmp_path, x, y, target):
    text = f"""// header
#loc = loc(unknown)
#loc1 = loc("k.py":3:1)
#loc2 = loc(callsite(#loc1 at "g":2:3)) // comment
#loc3 = loc(fused<"pass">[#loc1, #loc2])
#dn = #pto.layout<dn>
#map = affine_map<(d0, d1) -> (d0 + d1 * 2)>
!tile = {T}
!view = !pto.tensor_view<?x?xf32>
module @outer attributes {{pto.target_arch = "a2a3", a = [1, 2.5e-1 : f32, "s\\"q", [#dn, @sym]], b = {{c = 1 : i32, d}}, e = dense<[1, 2]> : tensor<2xi32>,
                          f = array<i64: 1, -2>, g = !tile, h = @f::@g, i = unit, j = loc("x":1:1), k = -1 : i64, m = affine_map<(d0) -> (d0)>, o = true, p = (i32, f32) -> (i32)}} {{
  module {{
    func.func private @ext(!pto.ptr<f32>, index) -> (f32 {{x.y}}) loc(#loc)
    func.func @"k main"(%x: !pto.ptr<f32, gm> {{pto.name = "x", llvm.noalias}} loc("k.py":1:1), %y: !pto.ptr<f32> loc(#loc1), %n: index loc(unknown))
        attributes {{pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
      %c0 = arith.constant 0 : index loc(#loc2)
      %c1 = arith.constant 1 : index loc(fused["a", "b":1:2])
      %c8 = arith.constant 8 : index %c64 = arith.constant 64 : index loc(#loc3); %o = arith.constant true loc(#loc)
      %v = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] {{layout = #pto.layout<nd>}} : !view loc(#loc1)
      %w = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] : !view
      %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view -> !pto.partition_tensor_view<8x64xf32> loc(#loc1)
      %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view loc(#loc1)
      %t = pto.alloc_tile : !tile loc(#loc1)
      pto.tload ins(%p : !pto.partition_tensor_view<8x64xf32>) outs(%t : !tile) loc(#loc1)
      %r:2 = scf.while (%i = %c0, %j = %c1) : (index, index) -> (index, index) {{
        %g = arith.cmpi slt, %i, %n : index loc(#loc1)
        scf.condition(%g) %i, %j : index, index loc(#loc1)
      }} do {{
      ^bb0(%a: index loc("z":1:1), %b: index loc(#loc1)):
        %s = arith.addi %a, %c1 overflow<nsw> : index loc(#loc1)
        scf.yield %s, %b : index, index loc(#loc1)
      }} loc(#loc1)
      scf.for %i = %c0 to %c8 step %c8 {{
        scf.if %o {{
        }} else {{
        }} loc(#loc1)
      }} {{tag = "l"}} loc(#loc1)
      pto.barrier
        #pto.pipe<PIPE_ALL> loc(#loc1)
      pto.tstore ins(%t : !tile) outs(%q : !pto.partition_tensor_view<8x64xf32>) {{a = 1}} loc(#loc1)
      return loc(#loc1)
    }} loc(#loc1)
  }} loc(#loc1)
}} loc(#loc1)
#loc9 = loc("late":1:1)
"""
    assert (run(tmp_path, text, target, ["--arg", "n=3"], x=x, y=y) == x).all()


def test_entry_is_chosen(tmp_path, x, y):
    def function(name, scale, attributes=""):
        body = f"    %s = arith.constant {scale} : f32\n    pto.tmuls ins(%t, %s : {T}, f32) outs(%t : {T})\n"
        return f"  func.func @{name}(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>){attributes} {{\n{HEAD}{body}{store()}  }}\n"

    two = function("a", 2.0) + function("b", 3.0)
    assert (run(tmp_path, f"module {{\n{two}}}\n", options=["--entry", "b"], x=x, y=y) == x * np.float32(3)).all()
    marked = function("a", 2.0) + function("b", 3.0, " attributes {pto.entry}")
    assert (run(tmp_path, f"module {{ module {{\n{marked}}} }}\n", x=x, y=y) == x * np.float32(3)).all()
    assert (run(tmp_path, f"module {{\n{marked}}}\n", options=["--entry", "a"], x=x, y=y) == x * np.float32(2)).all()
    assert "2 functions and none is marked pto.entry: choose one with --entry" in refused(tmp_path, two)
    assert "--entry c: the trace has no such function" in refused(tmp_path, two, "--entry", "c")


@both
def test_calls_take_tiles_and_give_results(tmp_path, x, y, target):
    functions = f"""  func.func private @scale(%t: {T}, %d: {T}, %a: f32) -> (f32, index) {{
    pto.tmuls ins(%t, %a : {T}, f32) outs(%d : {T})
    %next = arith.addf %a, %a : f32
    %seven = arith.constant 7 : index
    func.return %next, %seven : f32, index
  }}
"""
    body = f"""    %d = pto.alloc_tile : {T}
    %r:2 = func.call @scale(%t, %d, %one) : ({T}, {T}, f32) -> (f32, index)
    func.call @scale(%d, %d, %one) : ({T}, {T}, f32) -> (f32, index)
    %q:2 = call @scale(%d, %d, %r#0) : ({T}, {T}, f32) -> (f32, index)
    %i = arith.index_cast %q#1 : index to i32
    %f = arith.sitofp %i : i32 to f32
    pto.tadds ins(%d, %f : {T}, f32) outs(%d : {T})
"""
    assert (run(tmp_path, kernel(body + store("%d"), functions=functions), target, x=x, y=y) == x * 2 + np.float32(7)).all()


@both
def test_loops_carry_tiles(tmp_path, x, y, target):
    """The two tiles change places in every iteration."""
    body = f"""    %u = pto.alloc_tile : {T}
    pto.tadds ins(%t, %one : {T}, f32) outs(%u : {T})
    %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %b = %u, %s = %one) -> ({T}, {T}, f32) {{
      pto.tmuls ins(%b, %s : {T}, f32) outs(%b : {T})
      %n = arith.addf %s, %one : f32
      scf.yield %b, %a, %n : {T}, {T}, f32
    }}
    pto.tmuls ins(%r#0, %r#2 : {T}, f32) outs(%r#0 : {T})
"""
    # iterations: u * 1, t * 2, u * 3, t * 4; then %r#0 is t, %r#2 is 5
    want = x * np.float32(2) * np.float32(4) * np.float32(5)
    assert (run(tmp_path, kernel(body + store("%r#0")), target, x=x, y=y) == want).all()


@pytest.mark.parametrize("n,scale", [(2, 4.0), (6, 15.0), (9, 63.0)])
def test_if_with_results_nests(tmp_path, x, y, n, scale):
    body = f"""    %k3 = arith.constant 3.0 : f32
    %k5 = arith.constant 5.0 : f32
    %k7 = arith.constant 7.0 : f32
    %big = arith.cmpi sgt, %n, %c4 : index
    %r:2 = scf.if %big -> (f32, f32) {{
      %huge = arith.cmpi uge, %n, %c8 : index
      %in = scf.if %huge -> (f32) {{
        %nine = arith.mulf %k3, %k3 : f32
        scf.yield %nine : f32
      }} else {{
        scf.yield %k5 : f32
      }}
      %second = arith.select %huge, %k7, %k3 : f32
      scf.yield %in, %second : f32, f32
    }} else {{
      %two = arith.addf %one, %one : f32
      scf.yield %two, %two : f32, f32
    }}
    %s = arith.mulf %r#0, %r#1 : f32
    pto.tmuls ins(%t, %s : {T}, f32) outs(%t : {T})
"""
    got = run(tmp_path, kernel(body + store(), args=", %n: index"), options=["--arg", f"n={n}"], x=x, y=y)
    assert (got == x * np.float32(scale)).all()


def test_induction_variable_has_its_type(tmp_path, x, y):
    body = f"""    %b = arith.constant -6 : i8
    %e = arith.constant -2 : i8
    %st = arith.constant 2 : i8
    %zero = arith.constant 0 : i8
    %sum = scf.for %i = %b to %e step %st iter_args(%s = %zero) -> (i8) : i8 {{
      %n = arith.addi %s, %i : i8
      scf.yield %n : i8
    }}
    %f = arith.sitofp %sum : i8 to f32
    pto.tadds ins(%t, %f : {T}, f32) outs(%t : {T})
"""
    assert (run(tmp_path, kernel(body + store()), x=x, y=y) == x + np.float32(-10)).all()


@pytest.mark.parametrize("rank,layout", itertools.product(range(1, 6), ("nd", "")))
@both
def test_views_of_every_rank_with_strides(tmp_path, target, rank, layout):
    """One tile per position of the leading dimensions; rows are padded, offsets and sizes are values."""
    shape = (2, 3, 2, 4, 16)[5 - rank:]
    pitch = [24 * int(np.prod(shape[k + 1:-1])) for k in range(rank - 1)] + [1]
    x = np.random.default_rng(rank).normal(size=pitch[0] * shape[0] if rank > 1 else shape[0]).astype(np.float16)
    rows = shape[-2] if rank > 1 else 1
    tile = tile_type("f16", rows, 16)
    lead = list(shape[:-2])
    view = f"!pto.tensor_view<{'x'.join('?' * rank)}xf16>"
    part = f"!pto.partition_tensor_view<{'x'.join(['1'] * len(lead) + [str(s) for s in shape[-2:]])}xf16>"
    attribute = f" {{layout = #pto.layout<{layout}>}}" if layout else ""
    text = "func.func @k(%x: !pto.ptr<f16>, %y: !pto.ptr<f16>, %n: index) {\n" + constants(*sorted({0, 1, *shape, *pitch}))
    text += "    %one = arith.constant 1.0 : f16\n    %t = pto.alloc_tile : " + tile + "\n"
    for name in "xy":
        sizes, steps = ", ".join(f"%c{s}" for s in shape), ", ".join(f"%c{p}" for p in pitch)
        text += f"    %{name}v = pto.make_tensor_view %{name}, shape = [{sizes}], strides = [{steps}]{attribute} : {view}\n"
    for k in range(len(lead)):
        text += f"    scf.for %i{k} = %c0 to %c{lead[k]} step %n {{\n"
    for name in "xy":
        offsets = ", ".join([f"%i{k}" for k in range(len(lead))] + ["%c0"] * min(rank, 2))
        sizes = ", ".join(["%n"] * len(lead) + [f"%c{s}" for s in shape[-2:]])
        text += f"    %{name}p = pto.partition_view %{name}v, offsets = [{offsets}], sizes = [{sizes}] : {view} -> {part}\n"
    text += f"    pto.tload ins(%xp : {part}) outs(%t : {tile})\n    pto.tadds ins(%t, %one : {tile}, f16) outs(%t : {tile})\n"
    text += f"    pto.tstore ins(%t : {tile}) outs(%yp : {part})\n" + "    }\n" * len(lead) + "    return\n}\n"
    got = run(tmp_path, text, target, ["--arg", "n=1"], x=x, y=np.zeros_like(x))
    inside = np.lib.stride_tricks.as_strided(np.arange(x.size), shape, [8 * p for p in pitch]).ravel()
    want = np.zeros_like(x)
    want[inside] = x[inside] + np.float16(1)
    assert (got == want).all()


@both
def test_dn_views_fill_columns(tmp_path, target):
    column = tile_type("f32", R, 1, column=True)
    x = np.arange(R, dtype=np.float32)
    text = "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n" + constants(0, 1, R)
    for name in "xy":
        text += f"    %{name}v = pto.make_tensor_view %{name}, shape = [%c{R}, %c1], strides = [%c1, %c{R}] {{layout = #pto.layout<dn>}} : !pto.tensor_view<?x?xf32>\n"
        text += f"    %{name}p = pto.partition_view %{name}v, offsets = [%c0, %c0], sizes = [%c{R}, %c1] : !pto.tensor_view<?x?xf32>\n"
    row = tile_type("f32", 1, R)
    text += f"""    %t = pto.alloc_tile : {column}
    pto.tload ins(%xp : !pto.partition_tensor_view<{R}x1xf32>) outs(%t : {column})
    %r = pto.treshape %t : {column} -> {row}
    pto.tadd ins(%r, %r : {row}, {row}) outs(%r : {row})
    pto.tstore ins(%t : {column}) outs(%yp : !pto.partition_tensor_view<{R}x1xf32>)
    return\n}}\n"""
    assert (run(tmp_path, text, target, x=x, y=np.zeros_like(x)) == 2 * x).all()


@both
def test_bitcast_subview_and_valid_regions(tmp_path, x, y, target):
    bits, part = tile_type("i32", R, C), tile_type("f32", 4, 32)
    body = f"""    %b = pto.bitcast %t : {T} -> {bits}
    %bit = arith.constant 8388608 : i32
    pto.tadds ins(%b, %bit : {bits}, i32) outs(%b : {bits})
    %s = pto.subview %t[%c2, %c8] sizes [4, 32] valid [%c2, %n] : {T} -> !pto.tile_buf<vec, 4x32xf32, valid=?x?>
    %rows = pto.tile_valid_rows %s : {part} -> index
    %r, %c = pto.get_validshape %s : {part}
    %cols = pto.tile_valid_cols %s : {part}
    %same = arith.cmpi eq, %cols, %c : index
    %k = arith.select %same, %rows, %c0 : index
    pto.set_validshape %s, %k, %c : {part}
    pto.tadds ins(%s, %one : {part}, f32) outs(%s : {part})
"""
    got = run(tmp_path, kernel(body + store(), args=", %n: index"), target, ["--arg", "n=16"], x=x, y=y)
    want = x * np.float32(2)  # one more in the exponent
    want[2:4, 8:24] += 1
    assert (got == want).all()


@both
def test_multi_tiles_and_addresses(tmp_path, x, y, target):
    slot = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=8, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>"
    multi, inline = f"!pto.multi_tile_buf<{slot}, count=3>", "!pto.multi_tile_buf<vec, 8x64xf32, count=3>"
    body = f"""    %a = arith.constant 8192 : i64
    %m = pto.alloc_multi_tile addr = %a : {multi}
    scf.for %i = %c0 to %c2 step %c1 {{
      %next = arith.addi %i, %c1 : index
      %from = pto.multi_tile_get %m[%i] : {multi} -> {slot}
      %to = pto.multi_tile_get %m[%next] : {inline} -> {slot}
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {{
        pto.tmov ins(%t : {T}) outs(%from : {slot})
      }} else {{
      }}
      pto.tadd ins(%from, %from : {slot}, {slot}) outs(%to : {slot})
    }}
    %third = arith.constant 12288 : i64
    %moved = pto.tassign %t, %third : {T} -> {T}
"""
    assert (run(tmp_path, kernel(body + store("%moved")), target, x=x, y=y) == 4 * x).all()


@both
def test_scalar_access_to_tiles(tmp_path, x, y, target):
    body = f"""    %v = pto.tgetval ins(%t, %c4 : {T}, index) outs : f32
    %w = arith.addf %v, %one : f32
    pto.tsetval ins(%c1, %w : index, f32) outs(%t : {T})
"""
    got = run(tmp_path, kernel(body + store()), target, x=x, y=y)
    want = x.copy()
    want[0, 1] = want[0, 4] + np.float32(1)
    assert (got == want).all()


FLAGS = ['["PIPE_MTE2", "PIPE_V", "EVENT_ID3"]', "[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID3>]", "[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID3>]",
         "[PIPE_MTE2, PIPE_V, 3]", "\n [ // to\n <PIPE_MTE2>,\n <PIPE_V>, <EVENT_ID3> ] loc(#loc)"]
EVENTS = ["[#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID3>]", "[<TLOAD>, <TVEC>, <EVENT_ID3>]"]
BARRIERS = ["pto.barrier #pto.pipe<PIPE_ALL>", "pto.barrier <PIPE_ALL>", "pto.barrier", 'pto.pipe_barrier "PIPE_ALL"', "pto.barrier_sync [<PIPE_ALL>]",
            "pto.barrier // all\n <PIPE_ALL>", "pto.tsync"]


@both
def test_every_spelling_of_synchronisation_is_the_same(tmp_path, target):
    """Flags, events and barriers in all their spellings lower to the same micro-operations."""
    def lowered(flag, barrier):
        text = kernel(f"    {flag[0]}\n    {flag[1]}\n    pto.tadds ins(%t, %one : {T}, f32) outs(%t : {T})\n    {barrier}\n" + store())
        (tmp_path / "k.pto").write_text(text)
        done = npusim("lower", tmp_path / "k.pto", "--target", target, "--quiet")
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if line.startswith("  [")]

    flags = [(f"pto.set_flag{f}", f"pto.wait_flag{f}") for f in FLAGS] + [(f"pto.record_event {e}", f"pto.wait_event {e}") for e in EVENTS]
    flags.append(("%e = arith.constant 3 : index\n    pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %e]", 'pto.wait_flag_dyn["PIPE_MTE2", "PIPE_V", %e]'))
    first = lowered(flags[0], BARRIERS[0])
    assert any("set_flag" in line for line in first) and any("barrier" in line for line in first)
    for f in flags[1:]:
        assert lowered(f, BARRIERS[0]) == first, f
    for b in BARRIERS[1:]:
        assert lowered(flags[0], b) == first, b


def test_spmd_arguments_of_compilers(tmp_path, x, y):
    body = f"""    %bi = arith.index_cast %__pypto_spmd_block_idx : i32 to index
    %bn = arith.index_cast %__pypto_spmd_block_num : i32 to index
    %s = arith.muli %bi, %bn : index
    %i = arith.index_cast %s : index to i32
    %f = arith.sitofp %i : i32 to f32
    pto.tadds ins(%t, %f : {T}, f32) outs(%t : {T})
"""
    text = kernel(body + store(), args=", %__pypto_spmd_block_idx: i32, %__pypto_spmd_block_num: i32")
    assert (run(tmp_path, text, options=["--block", "3", "--blocks", "5"], x=x, y=y) == x + np.float32(15)).all()


@pytest.mark.parametrize("body,message", [
    ("scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %one) -> (f32) {\n scf.yield %a, %a : f32, f32\n}", "scf.yield: expected 1 value for line "),
    ("%r = scf.if %yes -> (f32) {\n scf.yield\n} else {\n scf.yield %one : f32\n}", "scf.yield: expected 1 value for line "),
    ("%r:2 = func.call @pair(%one) : (f32) -> (f32, f32)", "return: expected 2 values for line "),
    ("%r = func.call @pair(%one, %one) : (f32, f32) -> f32", "call of @pair: expected 1 argument, found 2"),
    ("func.call @declared() : () -> ()", "call of @declared: the function has no body"),
    ("func.call @nowhere() : () -> ()", "call of @nowhere: no such function"),
    ("%q = pto.alloc_tile : f32", "pto.alloc_tile: expected the type of a tile"),
    ("%q = pto.bitcast %t : " + T + " -> !pto.ptr<f32>", "pto.bitcast: expected the type of a tile"),
    ("%q = pto.make_tensor_view %x, shape = [%c4], strides = [%c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?xf32>", "expected layout nd or dn, found nz"),
    ("scf.for %i = %c0 to %c4 step %c0 {\n}", "scf.for: the step must be positive, found 0"),
])
def test_regions_calls_and_declarations_must_fit(tmp_path, body, message):
    functions = "  func.func private @declared()\n  func.func @pair(%a: f32) -> f32 {\n    return %a : f32\n  }\n"
    text = kernel("    %yes = arith.constant true\n    " + body + "\n    return\n", functions=functions)
    error = refused(tmp_path, text)
    assert message in error and "k.pto:" in error and error.count(": error: ") == 1

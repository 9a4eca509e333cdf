"""Kernels as users write them, on both targets against numpy: in place, on re-used addresses, with double
buffering, several types, open valid regions and views of high rank. Tolerances bound the roundings of the
formula; where every step is exact they are zero."""
import numpy as np
import pytest

from harness import NUMPY, TARGETS, npusim, tile_type as tile

both = pytest.mark.parametrize("target", TARGETS)
rng = np.random.default_rng(7)


def part(dtype, *shape):
    return "!pto.partition_tensor_view<" + "x".join(map(str, shape)) + f"x{dtype}>"


def constants(*values):
    return "".join(f"%c{v} = arith.constant {v} : index\n" for v in values)


def whole(name, pointer, dtype, rows, cols):
    """A view of all of a pointer's array, and a partition that is the whole of it."""
    return (f"%{name}_view = pto.make_tensor_view %{pointer}, shape = [%c{rows}, %c{cols}], strides = [%c{cols}, %c1] : !pto.tensor_view<?x?x{dtype}>\n"
            f"%{name} = pto.partition_view %{name}_view, offsets = [%c0, %c0], sizes = [%c{rows}, %c{cols}] : !pto.tensor_view<?x?x{dtype}> -> {part(dtype, rows, cols)}\n")


def run(tmp_path, target, arguments, body, arrays, result, options=()):
    """Runs a function; arguments are text, arrays bind by name. Returns the result as an array."""
    dtype, shape = result
    (tmp_path / "k.pto").write_text(f"module {{\nfunc.func @k({arguments}) {{\n{body}return\n}}\n}}\n")
    command = ["run", tmp_path / "k.pto", "--target", target, "--checks", "full", "--quiet", *options]
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
        command += ["--arg", f"{name}={tmp_path}/{name}.npy"]
    command += ["--arg", "y=zeros:" + "x".join(map(str, shape)) + f"x{dtype}", "--dump", f"y={tmp_path}/out.npy"]
    done = npusim(*command)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return np.load(tmp_path / "out.npy")


def bf16(x):
    """Bits, rounded to nearest even, and the values that they stand for."""
    u = np.asarray(x, np.float32).view(np.uint32)
    bits = ((u + 0x7FFF + ((u >> 16) & 1)) >> 16).astype(np.uint16)
    return bits, (bits.astype(np.uint32) << 16).view(np.float32)


@both
def test_gelu_with_two_buffers(tmp_path, target):
    """x / (1 + exp(-1.702 x)): load of one half while the other is computed."""
    x = (3 * rng.normal(size=(64, 256))).astype(np.float32)
    t, p = tile("f32", 8, 256), part("f32", 8, 256)
    multi = t.replace("tile_buf<", "multi_tile_buf<!pto.tile_buf<", 1) + ", count=2>"
    body = constants(0, 1, 2, 8, 64, 256) + whole("a", "x", "f32", 64, 256) + whole("b", "y", "f32", 64, 256) + f"""
%m = arith.constant -1.702 : f32
%one = arith.constant 1.0 : f32
%in = pto.alloc_multi_tile : {multi}
%out = pto.alloc_multi_tile : {multi}
%e = pto.alloc_tile : {t}
scf.for %i = %c0 to %c64 step %c8 {{
  %n = arith.divui %i, %c8 : index
  %s = arith.remui %n, %c2 : index
  %ti = pto.multi_tile_get %in[%s] : {multi} -> {t}
  %to = pto.multi_tile_get %out[%s] : {multi} -> {t}
  %from = pto.partition_view %a_view, offsets = [%i, %c0], sizes = [%c8, %c256] : !pto.tensor_view<?x?xf32> -> {p}
  %to_rows = pto.partition_view %b_view, offsets = [%i, %c0], sizes = [%c8, %c256] : !pto.tensor_view<?x?xf32> -> {p}
  pto.tload ins(%from : {p}) outs(%ti : {t})
  pto.tmuls ins(%ti, %m : {t}, f32) outs(%e : {t})
  pto.texp ins(%e : {t}) outs(%e : {t})
  pto.tadds ins(%e, %one : {t}, f32) outs(%e : {t})
  pto.tdiv ins(%ti, %e : {t}, {t}) outs(%to : {t})
  pto.tstore ins(%to : {t}) outs(%to_rows : {p})
}}
"""
    arguments = "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>"
    y = run(tmp_path, target, arguments, body, {"x": x}, ("f32", x.shape))
    want = x.astype(float) / (1 + np.exp(-1.702 * x.astype(float)))
    assert np.allclose(y, want, rtol=3e-6, atol=1e-7)
    done = npusim("run", tmp_path / "k.pto", "--target", target, "--arg", f"x={tmp_path}/x.npy")
    assert "%in[0] " in done.stdout and "%in[1] " in done.stdout


@both
def test_dequantise_rows(tmp_path, target):
    q = rng.integers(-128, 128, size=(16, 64)).astype(np.int8)
    scale = rng.uniform(0.01, 0.1, size=16).astype(np.float32)
    i8, f16, f32, column = tile("i8", 16, 64), tile("f16", 16, 64), tile("f32", 16, 64), tile("f32", 16, 1, column=True)
    body = constants(0, 1, 16, 64) + whole("a", "x", "i8", 16, 64) + whole("b", "y", "f32", 16, 64) + f"""
%s_view = pto.make_tensor_view %s, shape = [%c16, %c1], strides = [%c1, %c1] {{layout = #pto.layout<dn>}} : !pto.tensor_view<?x?xf32>
%sp = pto.partition_view %s_view, offsets = [%c0, %c0], sizes = [%c16, %c1] : !pto.tensor_view<?x?xf32> -> {part("f32", 16, 1)}
%q = pto.alloc_tile : {i8}
%h = pto.alloc_tile : {f16}
%f = pto.alloc_tile : {f32}
%w = pto.alloc_tile : {column}
pto.tload ins(%a : {part("i8", 16, 64)}) outs(%q : {i8})
pto.tload ins(%sp : {part("f32", 16, 1)}) outs(%w : {column})
pto.tcvt ins(%q : {i8}) outs(%h : {f16})
pto.tcvt ins(%h : {f16}) outs(%f : {f32})
pto.trowexpandmul ins(%f, %w : {f32}, {column}) outs(%f : {f32})
pto.tstore ins(%f : {f32}) outs(%b : {part("f32", 16, 64)})
"""
    y = run(tmp_path, target, "%x: !pto.ptr<i8>, %s: !pto.ptr<f32>, %y: !pto.ptr<f32>", body, {"x": q, "s": scale}, ("f32", q.shape))
    assert (y == q.astype(np.float32) * scale[:, None]).all()


@both
def test_layer_norm_in_bf16(tmp_path, target):
    bits, x = bf16(rng.normal(size=(8, 256)))
    t16, t, column, row = tile("bf16", 8, 256), tile("f32", 8, 256), tile("f32", 8, 1, column=True), tile("f32", 1, 8)
    body = constants(0, 1, 8, 256) + whole("a", "x", "bf16", 8, 256) + whole("b", "y", "bf16", 8, 256) + f"""
%n = arith.constant 0.00390625 : f32
%eps = arith.constant 1.0e-05 : f32
%h = pto.alloc_tile : {t16}
%f = pto.alloc_tile : {t}
%g = pto.alloc_tile : {t}
%tmp = pto.alloc_tile : {t}
%s = pto.alloc_tile : {column}
%sr = pto.treshape %s : {column} -> {row}
pto.tload ins(%a : {part("bf16", 8, 256)}) outs(%h : {t16})
pto.tcvt ins(%h : {t16}) outs(%f : {t})
pto.trowsum ins(%f, %tmp : {t}, {t}) outs(%s : {column})
pto.tmuls ins(%sr, %n : {row}, f32) outs(%sr : {row})
pto.trowexpandsub ins(%f, %s : {t}, {column}) outs(%f : {t})
pto.tmul ins(%f, %f : {t}, {t}) outs(%g : {t})
pto.trowsum ins(%g, %tmp : {t}, {t}) outs(%s : {column})
pto.tmuls ins(%sr, %n : {row}, f32) outs(%sr : {row})
pto.tadds ins(%sr, %eps : {row}, f32) outs(%sr : {row})
pto.tsqrt ins(%sr : {row}) outs(%sr : {row})
pto.trowexpanddiv ins(%f, %s : {t}, {column}) outs(%f : {t})
pto.tcvt ins(%f : {t}) outs(%h : {t16}) {{rmode = #pto<round_mode CAST_RINT>}}
pto.tstore ins(%h : {t16}) outs(%b : {part("bf16", 8, 256)})
"""
    y = run(tmp_path, target, "%x: !pto.ptr<bf16>, %y: !pto.ptr<bf16>", body, {"x": bits}, ("bf16", x.shape))
    x = x.astype(float)
    want = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    got = (y.astype(np.uint32) << 16).view(np.float32)
    assert (np.abs(got - want) <= np.abs(want) * 2.0 ** -8 + 1e-6).all()


@both
def test_decode_attention_on_reused_addresses(tmp_path, target):
    """One query against 64 keys: K and V share a tile, scores are a column and a row of the same bytes."""
    s, d = 64, 128
    q, k, v = (rng.normal(size=shape).astype(np.float16) for shape in ((1, d), (s, d), (s, d)))
    half, full, qh, row = tile("f16", s, d), tile("f32", s, d), tile("f16", 1, d), tile("f32", 1, d)
    column, line, one = tile("f32", s, 1, column=True), tile("f32", 1, s), tile("f32", 8, 1, (1, 1), True)
    places = {"kh": (0, half), "kf": (16384, full), "tmp": (49152, full), "qh": (81920, qh), "qf": (82432, row), "sc": (83456, column), "sr": (83456, line), "m": (84480, one), "of": (85504, row)}
    tiles = "".join(f"%at_{n} = arith.constant {a} : i64\n%{n} = pto.alloc_tile addr = %at_{n} : {t}\n" for n, (a, t) in places.items())
    body = constants(0, 1, s, d) + whole("q_", "q", "f16", 1, d) + whole("k_", "k", "f16", s, d) + whole("v_", "v", "f16", s, d) + whole("o_", "y", "f32", 1, d) + tiles + f"""
%scale = arith.constant {1 / np.sqrt(d):.9g} : f32
pto.tload ins(%q_ : {part("f16", 1, d)}) outs(%qh : {qh})
pto.tload ins(%k_ : {part("f16", s, d)}) outs(%kh : {half})
pto.tcvt ins(%qh : {qh}) outs(%qf : {row})
pto.tcvt ins(%kh : {half}) outs(%kf : {full})
pto.tcolexpandmul ins(%kf, %qf : {full}, {row}) outs(%kf : {full})
pto.trowsum ins(%kf, %tmp : {full}, {full}) outs(%sc : {column})
pto.tmuls ins(%sr, %scale : {line}, f32) outs(%sr : {line})
pto.trowmax ins(%sr, %tmp : {line}, {full}) outs(%m : {one})
pto.trowexpandsub ins(%sr, %m : {line}, {one}) outs(%sr : {line})
pto.texp ins(%sr : {line}) outs(%sr : {line})
pto.trowsum ins(%sr, %tmp : {line}, {full}) outs(%m : {one})
pto.trowexpanddiv ins(%sr, %m : {line}, {one}) outs(%sr : {line})
pto.tload ins(%v_ : {part("f16", s, d)}) outs(%kh : {half})
pto.tcvt ins(%kh : {half}) outs(%kf : {full})
pto.trowexpandmul ins(%kf, %sc : {full}, {column}) outs(%kf : {full})
pto.tcolsum ins(%kf, %tmp : {full}, {full}) outs(%of : {row}) {{isBinary = true}}
pto.tstore ins(%of : {row}) outs(%o_ : {part("f32", 1, d)})
"""
    y = run(tmp_path, target, "%q: !pto.ptr<f16>, %k: !pto.ptr<f16>, %v: !pto.ptr<f16>, %y: !pto.ptr<f32>", body, {"q": q, "k": k, "v": v}, ("f32", (1, d)))
    score = k.astype(float) @ q[0].astype(float) / np.sqrt(d)
    p = np.exp(score - score.max())
    assert np.allclose(y[0], p / p.sum() @ v.astype(float), atol=2e-6)


@both
@pytest.mark.parametrize("length", [1, 8, 63, 64, 65, 100, 127, 128])
def test_softmax_of_open_length(tmp_path, target, length):
    x = rng.normal(size=(16, 128)).astype(np.float32)
    t, column, p = "!pto.tile_buf<vec, 16x128xf32, valid=?x?>", tile("f32", 16, 1, column=True), "!pto.partition_tensor_view<16x?xf32>"
    body = constants(0, 1, 16, 128) + whole("a", "x", "f32", 16, 128) + whole("b", "y", "f32", 16, 128) + f"""
%t = pto.alloc_tile valid_row = %c16 valid_col = %n : {t}
%tmp = pto.alloc_tile valid_row = %c16 valid_col = %n : {t}
%m = pto.alloc_tile : {column}
%from = pto.partition_view %a_view, offsets = [%c0, %c0], sizes = [%c16, %n] : !pto.tensor_view<?x?xf32> -> {p}
%to = pto.partition_view %b_view, offsets = [%c0, %c0], sizes = [%c16, %n] : !pto.tensor_view<?x?xf32> -> {p}
pto.tload ins(%from : {p}) outs(%t : {t})
pto.trowmax ins(%t, %tmp : {t}, {t}) outs(%m : {column})
pto.trowexpandsub ins(%t, %m : {t}, {column}) outs(%t : {t})
pto.texp ins(%t : {t}) outs(%t : {t})
pto.trowsum ins(%t, %tmp : {t}, {t}) outs(%m : {column})
pto.trowexpanddiv ins(%t, %m : {t}, {column}) outs(%t : {t})
pto.tstore ins(%t : {t}) outs(%to : {p})
"""
    y = run(tmp_path, target, "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index", body, {"x": x}, ("f32", x.shape), ["--arg", f"n={length}"])
    e = np.exp(x[:, :length].astype(float) - x[:, :length].max(1, keepdims=True))
    assert np.allclose(y[:, :length], e / e.sum(1, keepdims=True), atol=3e-7) and not y[:, length:].any()


@both
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i16", "i8"])
@pytest.mark.parametrize("rows,cols", [(32, 64), (64, 96)])
def test_transpose(tmp_path, target, dtype, rows, cols):
    x = rng.integers(0, 100, size=(rows, cols)).astype(NUMPY[dtype])
    a, b = tile(dtype, rows, cols), tile(dtype, cols, rows)
    body = constants(0, 1, *sorted({rows, cols})) + whole("a", "x", dtype, rows, cols) + whole("b", "y", dtype, cols, rows) + f"""
%s = pto.alloc_tile : {a}
%d = pto.alloc_tile : {b}
%t = pto.alloc_tile : {b}
pto.tload ins(%a : {part(dtype, rows, cols)}) outs(%s : {a})
pto.ttrans ins(%s, %t : {a}, {b}) outs(%d : {b})
pto.tstore ins(%d : {b}) outs(%b : {part(dtype, cols, rows)})
"""
    y = run(tmp_path, target, f"%x: !pto.ptr<{dtype}>, %y: !pto.ptr<{dtype}>", body, {"x": x}, (dtype, (cols, rows)))
    assert (y == x.T).all()


@both
def test_sum_over_a_view_of_rank_5(tmp_path, target):
    x = rng.integers(-50, 50, size=(2, 3, 4, 8, 16)).astype(np.float32)
    t, p = tile("f32", 8, 16), part("f32", 1, 1, 1, 8, 16)
    body = constants(0, 1, 2, 3, 4, 8, 16, 128, 512, 1536) + whole("b", "y", "f32", 8, 16) + f"""
%v = pto.make_tensor_view %x, shape = [%c2, %c3, %c4, %c8, %c16], strides = [%c1536, %c512, %c128, %c16, %c1] : !pto.tensor_view<?x?x?x?x?xf32>
%t = pto.alloc_tile : {t}
scf.for %i = %c0 to %c2 step %c1 {{
scf.for %j = %c0 to %c3 step %c1 {{
scf.for %k = %c0 to %c4 step %c1 {{
  %a = pto.partition_view %v, offsets = [%i, %j, %k, %c0, %c0], sizes = [%c1, %c1, %c1, %c8, %c16] : !pto.tensor_view<?x?x?x?x?xf32> -> {p}
  pto.tload ins(%a : {p}) outs(%t : {t})
  pto.tstore ins(%t : {t}) outs(%b : {part("f32", 8, 16)}) {{atomicType = #pto<atomic_type atomic_add>}}
}}
}}
}}
"""
    y = run(tmp_path, target, "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>", body, {"x": x}, ("f32", (8, 16)))
    assert (y == x.sum((0, 1, 2))).all()

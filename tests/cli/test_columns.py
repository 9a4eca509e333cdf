"""Column-major tiles where the document of an instruction sets no layout: the same bytes are rows of the transposed tile."""
import numpy as np
import pytest

from harness import NUMPY, TARGETS, npusim, same, tile_type

REGIONS = [(8, 1, 8, 1), (8, 1, 5, 1), (64, 3, 64, 3), (72, 5, 65, 4), (304, 2, 300, 2)]


def run(op, scalar, tiles, data, shape, target, tmp_path, *args):
    """The values of the outputs; tiles: name -> element type, inputs first as in data."""
    rows, cols, vr, vc = shape
    types = {n: tile_type(t, rows, cols, (vr, vc), True) for n, t in tiles.items()}
    ins, outs = [f"%{n}" for n in data], [f"%{n}" for n in tiles if n not in data]
    text = "".join(f"%{n} = pto.alloc_tile : {t}\n" for n, t in types.items())
    in_types = [types[n] for n in data]
    if scalar is not None:
        text += f"%s = arith.constant {scalar} : f32\n"
        ins, in_types = ins + ["%s"], in_types + ["f32"]
    text += f"pto.{op} ins({', '.join(ins)} : {', '.join(in_types)}) outs({', '.join(outs)} : {', '.join(types[n[1:]] for n in outs)})\n"
    options = []
    for n, x in data.items():
        np.save(tmp_path / f"{n}.npy", x)
        options += ["--init", f"%{n}={tmp_path / n}.npy"]
    for n in outs:
        options += ["--dump", f"{n}={tmp_path / n[1:]}.npy"]
    done = npusim("run", "-", "--target", target, "--checks", "full", *options, *args, stdin=text)
    return done, (lambda n: np.load(tmp_path / f"{n}.npy"))


def values(seed, shape, dtype="f32"):
    return np.random.default_rng(seed).integers(-40, 40, shape[2:]).astype(NUMPY[dtype])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", REGIONS)
@pytest.mark.parametrize("op,f", [("tmins", np.minimum), ("tmaxs", np.maximum), ("tadds", np.add)])
def test_scalar(op, f, shape, target, tmp_path):
    x = values(1, shape)
    done, out = run(op, 2.5, {"a": "f32", "d": "f32"}, {"a": x}, shape, target, tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr and "[LIBRARY_DIFFERS]" in done.stderr, done.stderr
    assert same(out("d"), f(x, np.float32(2.5)))


@pytest.mark.parametrize("shape", REGIONS)
def test_partial(shape, tmp_path):
    x, y = values(2, shape, "i16"), values(3, shape, "i16")
    shape = (-(-shape[0] // 16) * 16, *shape[1:])
    done, out = run("tpartmin", None, {"a": "i16", "b": "i16", "d": "i16"}, {"a": x, "b": y}, shape, "950", tmp_path)
    assert done.returncode == 0, done.stderr
    assert same(out("d"), np.minimum(x, y))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", REGIONS)
def test_partial_with_index(shape, target, tmp_path):
    x, y = values(4, shape), values(5, shape)
    i, j = values(6, shape, "i32"), values(7, shape, "i32")
    tiles = {"a": "f32", "b": "f32", "i": "i32", "j": "i32", "d": "f32", "k": "i32"}
    done, out = run("tpartargmin", None, tiles, {"a": x, "b": y, "i": i, "j": j}, shape, target, tmp_path)
    assert done.returncode == 0, done.stderr
    assert same(out("d"), np.where(x < y, x, y)) and same(out("k"), np.where(x < y, i, j))


@pytest.mark.parametrize("op,target,args", [("tmins", "a2a3", ["--set", "semantics.conformance=library"]),
                                            ("tmins", "950", ["--set", "semantics.conformance=library"]), ("tpartmax", "a2a3", [])])
def test_rows_are_asked_for(op, target, args, tmp_path):
    shape = REGIONS[0]
    tiles = {"a": "f32", "d": "f32"} if op == "tmins" else {"a": "f32", "b": "f32", "d": "f32"}
    data = {n: values(8, shape) for n in list(tiles)[:-1]}
    done, _ = run(op, 1.0 if op == "tmins" else None, tiles, data, shape, target, tmp_path, *args)
    assert done.returncode == 1 and "[LAYOUT]" in done.stderr


def test_both_layouts_do_not_mix():
    text = """%a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, blayout=col_major>
%b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
%s = arith.constant 1.0 : f32
//! init %a = iota
pto.tmins ins(%a, %s) outs(%b)
"""
    done = npusim("run", "-", stdin=text)
    assert done.returncode == 1 and "[LAYOUT]" in done.stderr

"""Single values, printed tiles and buffers: what the scalar unit does between the other pipes."""
import numpy as np
import pytest

from harness import TARGETS, npusim, report

TILE = "!pto.tile_buf<vec, 8x64xf32>"
VIEW = "!pto.partition_tensor_view<8x64xf32>"
HEAD = """module attributes {{pto.target_arch = "{arch}"}} {{
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c70 = arith.constant 70 : index
    %two = arith.constant 2.0 : f32
    %xv = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] {{layout = #pto.layout<nd>}} : !pto.tensor_view<?x?xf32>
    %yv = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] {{layout = #pto.layout<nd>}} : !pto.tensor_view<?x?xf32>
    %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> {view}
    %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> {view}
    %a = pto.alloc_tile : {tile}
    %b = pto.alloc_tile : {tile}
"""
LOAD = f"pto.tload ins(%xp : {VIEW}) outs(%a : {TILE})"
DOUBLE = f"pto.tmuls ins(%a, %two : {TILE}, f32) outs(%b : {TILE})"
STORE = f"pto.tstore ins(%b : {TILE}) outs(%yp : {VIEW})"
GET = f"%v = pto.tgetval ins(%b, %c70 : {TILE}, index) outs : f32"
SET = f"pto.tsetval ins(%c1, %v : index, f32) outs(%b : {TILE})"
both = pytest.mark.parametrize("target", TARGETS)


def trace(folder, *lines, arch="a2a3"):
    path = folder / "k.pto"
    path.write_text(HEAD.format(arch=arch, tile=TILE, view=VIEW) + "".join(f"    {line}\n" for line in lines) + "    return\n  }\n}\n")
    np.save(folder / "x.npy", np.arange(512, dtype="<f4").reshape(8, 64))
    return path, "--arg", "x=x.npy", "--arg", "y=zeros:8x64xf32"


def rows(result):
    return {row["op"]: row for row in result["instructions"]}


@both
def test_values_come_after_the_vector_pipe(target, tmp_path):
    run = trace(tmp_path, LOAD, DOUBLE, GET, SET, STORE)
    at = rows(report("run", *run, "--target", target, "--dump", "y=y.npy", cwd=tmp_path))
    want = 2 * np.arange(512, dtype="<f4").reshape(8, 64)
    want[0, 1] = want[1, 6]
    assert np.array_equal(np.load(tmp_path / "y.npy"), want)
    assert at["tmuls"]["end"] <= at["tgetval"]["start"] <= at["tgetval"]["end"] <= at["tsetval"]["start"]
    assert at["tsetval"]["end"] <= at["tstore"]["start"]
    assert at["tgetval"]["pipe"] == at["tsetval"]["pipe"] == "S"


@both
def test_missing_flags_are_hazards(target, tmp_path):
    done = npusim("run", *trace(tmp_path, LOAD, DOUBLE, GET), "--target", target, "--sync", "as-written", cwd=tmp_path)
    assert done.returncode == 1
    assert "tgetval: RAW hazard" in done.stderr and "tmuls in line 16 on pipe V is not ordered before pipe S" in done.stderr


@both
def test_printed_tile(target, tmp_path):
    done = npusim("run", *trace(tmp_path, LOAD, f"pto.tprint ins(%a : {TILE})"), "--target", target, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "%a: 8x64 f32"
    text = " ".join(lines[1:9]).replace("[", "").replace("]", "")
    assert np.array_equal(np.array(text.split(), dtype="<f4"), np.arange(512))


BUFFERED = ('pto.get_buf "PIPE_MTE2", 0, 0', LOAD, 'pto.rls_buf "PIPE_MTE2", 0, 0', 'pto.get_buf "PIPE_V", 0, 0', DOUBLE,
            'pto.rls_buf "PIPE_V", 0, 0', 'pto.get_buf "PIPE_MTE3", 0, 0', STORE, 'pto.rls_buf "PIPE_MTE3", 0, 0')


@pytest.mark.parametrize("checks", ("basic", "full"))
def test_buffers_order_the_pipes_of_the_950(checks, tmp_path):
    run = trace(tmp_path, *BUFFERED, arch="a5")
    at = rows(report("run", *run, "--sync", "as-written", "--checks", checks, cwd=tmp_path))
    assert at["tload"]["end"] <= at["tmuls"]["start"] and at["tmuls"]["end"] <= at["tstore"]["start"]


@pytest.mark.parametrize("checks", ("basic", "full"))
def test_without_get_buf_nothing_is_ordered(checks, tmp_path):
    run = trace(tmp_path, *(line for line in BUFFERED if line != BUFFERED[3]), arch="a5")
    done = npusim("run", *run, "--sync", "as-written", "--checks", checks, cwd=tmp_path)
    assert done.returncode == 1 and "tmuls: RAW hazard" in done.stderr


def test_buffers_exist_on_the_950_only(tmp_path):
    done = npusim("run", *trace(tmp_path, *BUFFERED), cwd=tmp_path)
    assert done.returncode == 1 and "get_buf exists on the 950 only, not on a2a3 [FLAG]" in done.stderr

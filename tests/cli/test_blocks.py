"""SPMD blocks: `--blocks N` runs them all on one global memory and reports about the slowest."""
import csv
import io
import json
import re

import numpy as np
import pytest

from harness import ROOT, TARGETS, npusim, report

LAYER_NORM = ROOT / "traces" / "layer_norm.pto"  # deals 3 groups of 8 rows to the blocks
TILE = "!pto.tile_buf<vec, 4x64xf32>"
PART = "!pto.partition_tensor_view<4x64xf32>"

# Block b adds its number + 1 to rows {first} of x, {count} times, and stores them to rows {to} of y.
KERNEL = """module {{
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>{args}) attributes {{pto.entry}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %xv = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %yv = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    {block}
    %b = arith.index_cast %block : {type} to index
    %own = arith.muli %b, %c4 : index
    %times = arith.addi %b, %c1 : index
    %i = arith.index_cast %times : index to i32
    %f = arith.sitofp %i : i32 to f32
    %t = pto.alloc_tile : {tile}
    %from = pto.partition_view %xv, offsets = [{first}, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
    %to = pto.partition_view {out}, offsets = [{to}, %c0], sizes = [%c4, %c64] : !pto.tensor_view<?x?xf32>
    pto.tload ins(%from : {part}) outs(%t : {tile})
    scf.for %k = %c0 to {count} step %c1 {{
      pto.tadds ins(%t, %f : {tile}, f32) outs(%t : {tile})
    }}
    pto.tstore ins(%t : {tile}) outs(%to : {part}){atomic}
    return
  }}
}}
"""


def kernel(tmp_path, first="%own", to="%own", count="%c1", atomic="", out="%yv", args="", block="%block = pto.get_block_idx -> i64", type="i64", head=""):
    path = tmp_path / "k.pto"
    path.write_text(head + KERNEL.format(first=first, to=to, count=count, atomic=atomic, out=out, args=args, block=block, type=type, tile=TILE, part=PART))
    return path


def bind(tmp_path, *more):
    x = np.arange(1024, dtype=np.float32).reshape(16, 64)
    np.save(tmp_path / "x.npy", x)
    return x, ["--arg", f"x={tmp_path}/x.npy", "--arg", "y=zeros:16x64xf32", "--dump", f"y={tmp_path}/out.npy", *more]


def line_of(path, word):
    return next(k for k, line in enumerate(path.read_text().splitlines(), 1) if word in line)


@pytest.mark.parametrize("target", TARGETS)
def test_all_blocks_make_the_result(tmp_path, target):
    x, options = bind(tmp_path, "--blocks", "4", "--target", target)
    done = npusim("run", kernel(tmp_path), *options)
    assert done.returncode == 0 and not done.stderr
    assert (np.load(tmp_path / "out.npy") == x + np.repeat(np.arange(1, 5), 4)[:, None]).all()


@pytest.mark.parametrize("target", TARGETS)
def test_example_in_blocks(target):
    """Right for any number of blocks, more than there is work too; the expectation sees all of y."""
    for n in (1, 2, 3, 5):
        assert npusim("run", LAYER_NORM, "--target", target, "--blocks", n).returncode == 0
    assert npusim("run", LAYER_NORM, "--target", target, "--blocks", 3, "--block", 1).returncode == 1


@pytest.mark.parametrize("target", TARGETS)
def test_every_block_is_timed_alone(tmp_path, target):
    path = kernel(tmp_path, count="%times")
    whole = report("run", path, "--target", target, "--blocks", 3)
    alone = [report("run", path, "--target", target, "--blocks", 3, "--block", b) for b in range(3)]
    assert [b["cycles"] for b in whole["blocks"]] == [a["cycles"] for a in alone]
    assert [b["instruction_count"] for b in whole["blocks"]] == [3, 4, 5] == [a["instruction_count"] for a in alone]
    assert [b["uops"] for b in whole["blocks"]] == [a["uops"] for a in alone]
    slowest = alone[2]
    assert slowest["cycles"] > alone[1]["cycles"] > alone[0]["cycles"] and "blocks" not in slowest
    for key in ("block", "cycles", "time_us", "instruction_count", "uops", "instructions", "pipes", "ub", "tiles", "cycles_by_provenance"):
        assert whole[key] == slowest[key], key


def test_forms_agree(tmp_path):
    path = kernel(tmp_path, count="%times")
    r = report("run", path, "--blocks", 3)
    cycles = [b["cycles"] for b in r["blocks"]]
    text = npusim("run", path, "--blocks", 3).stdout
    mean = sum(cycles) / 3
    assert f"3 blocks, each on a core of its own: the slowest is block 2 with {cycles[2]:,} cycles, mean {round(mean):,}, slowest / mean {cycles[2] / mean:.2f}\n" in text
    for b in range(3):
        assert re.search(rf"^block {b} +{cycles[b]:,} +{100 * cycles[b] / cycles[2]:.1f} % +{3 + b} ", text, re.M)
    assert f"\nblock 2\n{cycles[2]:,} cycles = " in text
    rows = list(csv.DictReader(io.StringIO(npusim("run", path, "--blocks", 3, "--report", "csv").stdout)))
    assert [row["cycles"] for row in rows if row["op"].startswith("(block")] == [str(c) for c in cycles]
    assert sum(row["op"][0] != "(" for row in rows) == 5
    assert "block 2" in npusim("run", path, "--blocks", 3, "--report", "html").stdout
    profile = npusim("profile", path, "--blocks", 3, "--target", "a2a3").stdout
    assert "the slowest is block 2" in profile and f"\n{cycles[2]:,} cycles" in profile
    assert json.loads(npusim("profile", path, "--blocks", 3, "--target", "a2a3", "--report", "json").stdout)["blocks"] == r["blocks"]
    timeline = tmp_path / "t.json"
    npusim("run", path, "--blocks", 3, "--timeline", timeline)
    assert {"name": "core2.veccore0"} in [e.get("args") for e in json.loads(timeline.read_text())["traceEvents"]]


def test_one_block_reports_as_before(tmp_path):
    path = kernel(tmp_path)
    assert npusim("run", path).stdout == npusim("run", path, "--blocks", 1).stdout
    assert "block 0" not in npusim("run", path).stdout


def test_compare_takes_the_slowest_of_each(tmp_path):
    path = kernel(tmp_path, count="%times")
    want = [report("run", path, "--target", t, "--blocks", 3)["cycles"] for t in TARGETS]
    done = npusim("compare", path, "--blocks", 3, "--report", "json")
    r = json.loads(done.stdout)
    assert r["cycles"] == want and all("the slowest is block 2" in b for b in r["remarks"])
    assert not r["results"]
    assert "a2a3: 3 blocks" in npusim("compare", path, "--blocks", 3).stdout


def test_cycles_directive_means_the_slowest(tmp_path):
    slowest = report("run", kernel(tmp_path, count="%times"), "--blocks", 3)["cycles"]
    for cycles, status in ((slowest, 0), (slowest - 1, 1)):
        path = kernel(tmp_path, count="%times", head=f"//! cycles {cycles} +- 0%\n")
        assert npusim("run", path, "--blocks", 3).returncode == status


def test_lower_lists_every_block(tmp_path):
    path = kernel(tmp_path, count="%times")
    text = npusim("lower", path, "--blocks", 2).stdout
    one = npusim("lower", path, "--blocks", 2, "--block", 1).stdout.splitlines()
    first, second = text.split("# block 1\n")
    assert "# block 0\n" in first and second.splitlines()[:-2] == one[1:-1]
    assert re.search(r"# block 0: \d+ cycles, 3 instructions\n# block 1: \d+ cycles, 4 instructions\n$", text)


# ---- blocks that meet ----

def warnings(done):
    return [line for line in done.stderr.splitlines() if "[BLOCK_RACE]" in line]


def test_same_output_rows(tmp_path):
    path = kernel(tmp_path, to="%c0")
    x, options = bind(tmp_path, "--blocks", 3)
    done = npusim("run", path, *options)
    assert done.returncode == 0
    (text,) = warnings(done)
    at = line_of(path, "tstore")
    assert text == f"{path}:{at}:5: warning: tstore: block 1 writes bytes 0x0..0x3ff of y, which block 0 writes in line {at} (2048 bytes over all blocks) [BLOCK_RACE]"
    assert (np.load(tmp_path / "out.npy")[:4] == x[8:12] + 3).all()  # the last block's


def test_atomic_additions_meet_in_peace(tmp_path):
    path = kernel(tmp_path, to="%c0", atomic=" {atomicType = #pto<atomic_type atomic_add>}")
    x, options = bind(tmp_path, "--blocks", 4)
    done = npusim("run", path, *options)
    assert done.returncode == 0 and not done.stderr
    assert (np.load(tmp_path / "out.npy")[:4] == sum(x[4 * b:4 * b + 4] + b + 1 for b in range(4))).all()


@pytest.mark.parametrize("first,to,met", [
    ("%own", "%own", []),
    ("%c0", "%own", [("tload", "reads", "0x0..0x3ff", "writes")]),
    ("%c4", "%own", [("tstore", "writes", "0x400..0x7ff", "reads")]),
    ("%own", "%c0", [("tstore", "writes", "0x0..0x3ff", "writes")]),
    ("%own", "%c4", [("tload", "reads", "0x400..0x7ff", "writes"), ("tstore", "writes", "0x400..0x7ff", "writes")])])
def test_in_place(tmp_path, first, to, met):
    """One array for input and output: reads after writes, writes after reads, and writes of the same rows."""
    done = npusim("run", kernel(tmp_path, first=first, to=to, out="%xv"), "--blocks", 2)
    assert done.returncode == 0
    assert [re.search(r": (\w+): block 1 (\w+) bytes (\S+) of x, which block 0 (\w+) in", w).groups() for w in warnings(done)] == met


def test_parts_side_by_side_do_not_meet(tmp_path):
    """Columns of one row lie between each other's bytes; ranges from first to last byte would overlap."""
    path = kernel(tmp_path)
    text = path.read_text().replace("%own, %c0]", "%c0, %column]").replace("sizes = [%c4, %c64]", "sizes = [%c4, %c16]").replace("4x64", "4x16")
    path.write_text(text.replace("    %t = pto.alloc", "    %column = arith.muli %b, %c16 : index\n    %t = pto.alloc"))
    done = npusim("run", path, "--blocks", 4)
    assert done.returncode == 0 and not warnings(done)


def test_scalar_accesses_count(tmp_path):
    path = kernel(tmp_path)
    path.write_text(path.read_text().replace("    return", "    pto.store_scalar %f, %y[%c0] : !pto.ptr<f32>, f32\n    return"))
    assert any(" store_scalar: block 1 writes bytes 0x0..0x3 of y, which block 0 writes" in w for w in warnings(npusim("run", path, "--blocks", 2)))


def test_check_finds_them_too(tmp_path):
    done = npusim("check", kernel(tmp_path, to="%c0"), "--blocks", 2)
    assert len(warnings(done)) == 1 and "6 instructions checked in 2 blocks: 0 errors, 1 warning" in done.stdout


# ---- messages ----

def test_equal_messages_count_once(tmp_path):
    path = kernel(tmp_path)
    path.write_text(path.read_text().replace(f"{TILE}\n    %from", f"!pto.tile_buf<vec, 4x64xf32>\n    %u = pto.alloc_tile addr = %top : {TILE}\n    %from")
                    .replace("%b = arith", "%top = arith.constant 190000 : i64\n    %b = arith"))
    path.write_text(re.sub(r"190000", "190464", path.read_text()).replace("outs(%t", "outs(%u").replace("ins(%t", "ins(%u"))
    one, four = (json.loads(npusim("check", path, "--target", "a2a3", "--blocks", 4, *b, "--report", "json").stdout) for b in (["--block", "0"], []))
    assert one["warnings"] > 0 and one["diagnostics"] == four["diagnostics"] and one["warnings"] == four["warnings"]


def test_message_of_one_block_names_it(tmp_path):
    path = kernel(tmp_path, to="%far")
    path.write_text(path.read_text().replace("%own = arith.muli %b, %c4", "%far = arith.muli %b, %c16 : index\n    %own = arith.muli %b, %c4"))
    done = npusim("run", path, "--blocks", 4)
    assert done.returncode == 1 and "(first in block 1)" in done.stderr and "block 2" not in done.stdout


def test_tiles_belong_to_their_block(tmp_path):
    head = "//! arg x = zeros(16x64xf32)\n//! arg y = zeros(16x64xf32)\n//! expect %t = fill(1.0)\n"
    path = kernel(tmp_path, head=head)
    assert npusim("run", path).returncode == 0
    done = npusim("run", path, "--blocks", 2)
    assert done.returncode == 1 and re.search(r"256 of 256 values differ: \[0, 0\] is 2, expected 1.* \(first in block 1\)", done.stderr)
    done = npusim("run", kernel(tmp_path), "--blocks", 2, "--print", "%t", "--print", "y")
    assert re.match(r"block 0\n%t: 4x64 f32\n(.*\n)+block 1\n%t: 4x64 f32\n(.*\n)+y: ", done.stdout)
    done = npusim("run", path, "--blocks", 2, "--dump", f"%t={tmp_path}/t.npy")
    assert done.returncode != 0 and "--block" in done.stderr and not (tmp_path / "t.npy").exists()


# ---- options ----

def test_index_out_of_range(tmp_path):
    done = npusim("run", kernel(tmp_path), "--blocks", 2, "--block", 2)
    assert done.returncode == 2 and "expected an index below --blocks 2, found 2" in done.stderr
    assert npusim("run", kernel(tmp_path), "--blocks", 0).returncode == 2


def test_standard_input_is_read_once(tmp_path):
    text = kernel(tmp_path).read_text()
    done = npusim("run", "-", "--blocks", 2, stdin=text)
    assert done.returncode == 2 and "read once for each block" in done.stderr
    assert npusim("run", "-", "--blocks", 2, "--block", 1, stdin=text).returncode == 0


def test_block_as_arguments(tmp_path):
    x, options = bind(tmp_path, "--blocks", "4")
    path = kernel(tmp_path, args=", %__pypto_spmd_block_idx: i32, %__pypto_spmd_block_num: i32", block="%block = arith.addi %__pypto_spmd_block_idx, %__pypto_spmd_block_idx : i32",
                  type="i32", first="%c0", to="%c0")
    path.write_text(path.read_text().replace("%f = arith.sitofp %i", "%f = arith.sitofp %__pypto_spmd_block_num"))
    assert npusim("run", path, *options).returncode == 0
    assert (np.load(tmp_path / "out.npy")[:4] == x[:4] + 4).all()


def test_subblocks(tmp_path):
    x, options = bind(tmp_path, "--blocks", 2, "--subblocks", 2)
    path = kernel(tmp_path, block="""%outer = pto.get_block_idx -> i64
    %inner = pto.get_subblock_idx -> i64
    %n = pto.get_subblock_num -> i64
    %base = arith.muli %outer, %n : i64
    %block = arith.addi %base, %inner : i64""", count="%times")
    r = report("run", path, *options)
    assert (np.load(tmp_path / "out.npy") == x + np.repeat(np.arange(1, 5) ** 2, 4)[:, None]).all()
    assert [(b["block"], b["subblock"]) for b in r["blocks"]] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert "the slowest is block 1.1" in npusim("run", path, *options).stdout
    assert len(report("run", path, *options, "--block", "1")["blocks"]) == 2
    assert report("run", path, *options, "--block", "1", "--subblock", "1")["cycles"] == r["cycles"]


def test_random_data_is_of_the_memory(tmp_path):
    """What nothing binds has the same values in one block and in many, and each argument its own."""
    path = kernel(tmp_path)
    x = []
    for blocks in (["--blocks", "4"], ["--blocks", "4", "--block", "3"]):
        assert npusim("run", path, *blocks, "--dump", f"x={tmp_path}/x.npy", "--dump", f"y={tmp_path}/y.npy").returncode == 0
        x.append(np.load(tmp_path / "x.npy"))
    assert (x[0] == x[1]).all() and len(np.unique(x[0])) > 1000
    y = np.load(tmp_path / "y.npy")
    assert (y[:768] != x[0][:768]).mean() > 0.99

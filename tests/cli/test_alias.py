"""Operands that share memory, for every instruction: an overlap is refused, or the result is what it is with the operands apart."""
import json
import random
import re

import numpy as np
import pytest

import generate
from harness import SIZE, TARGETS, npusim

ROWS = json.loads(npusim("isa", "--report", "json").stdout)
SHAPES = [(1, 64), (3, 20), (8, 130), (40, 16)]
# Reads its destination, demands that it lies on the source, or leaves bytes behind its results alone.
NOT_HERE = {"taxpy", "tfillpad_inplace", "tcmp", "tcmps"}


def place(lines, filled, outs, rng):
    """The trace with every tile apart, and with outputs on top of sources."""
    apart, shared, at, top = [], [], {}, 0
    for line in lines:
        tile = re.match(r"%(\w+) = pto.alloc_tile : (.*?(\d+)x(\d+)x(\w+).*)", line)
        if not tile:
            apart.append(line)
            shared.append(line)
            continue
        name, kind, rows, cols, dtype = tile.groups()
        at[name] = top
        over = max(0, at[rng.choice(filled)] + 32 * rng.choice([0, 0, 1, -1, rng.randrange(40)])) if name in outs and set(filled) <= set(at) else top
        top += -(-int(rows) * int(cols) * SIZE[dtype.replace("ui", "u")] // 32) * 32 + 64
        for text, addr in ((apart, at[name]), (shared, over)):
            text += [f"%at_{name} = arith.constant {addr} : i64", f"%{name} = pto.alloc_tile addr = %at_{name} : {kind}"]
    return apart, shared, top


def run(lines, target, outs, folder):
    files = {o: folder / f"{o}.npy" for o in outs}
    done = npusim("run", "-", "--target", target, *(w for o, f in files.items() for w in ("--dump", f"%{o}={f}")), stdin="\n".join(lines) + "\n")
    return done, [np.load(f).tobytes() for f in files.values()] if done.returncode == 0 else None


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("row", [r for r in ROWS if r["name"] not in NOT_HERE], ids=lambda r: r["name"])
def test_overlaps_are_refused_or_right(row, target, tmp_path):
    rng = random.Random(row["name"] + target)
    types = [t for t in row["types"].get(target, "").split() if t in SIZE]
    for rows, cols in SHAPES if types else []:
        for _, text in generate.traces(row, target, rng.choice(types), rows, cols):
            lines = text.splitlines()
            filled = [re.search(r"%(\w+)", line).group(1) for line in lines if line.startswith("//! init")]
            outs = re.search(r"outs\((.*?) :", lines[-1])
            outs = [o.strip(" %") for o in outs.group(1).split(",")] if outs else []
            if not filled or not outs or set(outs) & set(filled) or "func.func" in text:
                continue
            apart, shared, top = place(lines, filled, outs, rng)
            if top > 170000:
                continue
            done, want = run(apart, target, outs, tmp_path)
            assert done.returncode == 0, done.stderr
            done, got = run(shared, target, outs, tmp_path)
            assert got == want if done.returncode == 0 else "[ALIAS]" in done.stderr, "\n".join(shared) + "\n" + done.stderr

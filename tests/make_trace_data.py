#!/usr/bin/env python3
"""Inputs and expected results of the example traces, written to traces/data.

The results are computed here with numpy, from the meaning of each kernel and without npusim. The seed is
fixed: running the script again gives the same bytes. Other folder: first argument.
"""
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "traces" / "data"


def save(name, array):
    np.save(FOLDER / f"{name}.npy", np.ascontiguousarray(array))


def clamp(rng):
    """Activations with outliers, clamped to [-6, 6]."""
    x = (rng.standard_normal((64, 256)) * 4).astype("<f2")
    x[rng.random(x.shape) < 0.002] = np.float16(-np.inf)
    x[rng.random(x.shape) < 0.002] = np.float16(np.inf)
    save("clamp_x", x)
    save("clamp_y", np.minimum(np.maximum(x, np.float16(-6)), np.float16(6)))


def row_argmin(rng):
    """Values cut off at -2.5, so that rows have ties: the first column counts."""
    x = np.maximum(rng.standard_normal((16, 1024)), -2.5).astype("<f4")
    index = np.argmin(x, axis=1)
    assert any((row == row.min()).sum() > 1 for row in x)
    save("row_argmin_x", x)
    save("row_argmin_value", x.min(axis=1, keepdims=True))
    save("row_argmin_index", index[:, None].astype("<u4"))


def wide_argmin(rng):
    """8 x 6000 in two chunks of 3000 columns. The minimum of a row is where only one chunk has it."""
    x = rng.standard_normal((8, 6000)).astype("<f4")
    where = rng.integers(0, 6000, 8)
    x[np.arange(8), where] = -8 - np.arange(8, dtype="<f4")
    starts = np.array([[0] * 8, [3000] * 8], "<i4")
    column = np.argmin(x, axis=1)
    start = column // 3000 * 3000
    assert set(start) == {0, 3000} and (column == where).all()
    save("wide_argmin_x", x)
    save("wide_argmin_starts", starts)
    save("wide_argmin_value", x.min(axis=1)[None, :])
    save("wide_argmin_start", start[None, :].astype("<i4"))
    save("wide_argmin_column", (column - start)[None, :].astype("<i4"))


def running_max(rng):
    """41 rows of up to 64 columns in blocks of 16 rows; the last block is 9 x 37. What lies outside is NaN."""
    x = rng.standard_normal((41, 64)).astype("<f4")
    y = np.maximum(x[0:16], x[16:32])
    y[:9, :37] = np.maximum(y[:9, :37], x[32:41, :37])
    x[32:, 37:] = np.nan
    save("running_max_x", x)
    save("running_max_y", y)


FOLDER.mkdir(parents=True, exist_ok=True)
for number, make in enumerate((clamp, row_argmin, wide_argmin, running_max)):
    make(np.random.Generator(np.random.PCG64(2024 + number)))

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


def softmax(rng):
    """41 rows of 200 scores; what is below the largest of its row by more than 16 is cut off there."""
    x = (rng.standard_normal((41, 200)) * 3).astype("<f4")
    x = np.maximum(x, x.max(axis=1, keepdims=True) - 15)
    e = np.exp(x.astype("f8") - x.max(axis=1, keepdims=True))
    save("softmax_x", x)
    save("softmax_y", (e / e.sum(axis=1, keepdims=True)).astype("<f4"))


def to_bf16(x):
    """The upper half of f32, rounded to nearest even."""
    bits = x.astype("<f4").view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def from_bf16(x):
    return (x.astype("<u4") << 16).view("<f4")


def rms_norm(rng):
    """32 rows of 512 bf16 (stored as u16), each row of a magnitude of its own."""
    x = to_bf16(rng.standard_normal((32, 512)) * np.exp2(rng.integers(-6, 7, (32, 1))))
    weight = (1 + rng.standard_normal((1, 512)) / 8).astype("<f4")
    wide = from_bf16(x).astype("f8")
    y = wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + 1e-6) * weight
    save("rms_norm_x", x)
    save("rms_norm_weight", weight)
    save("rms_norm_y", to_bf16(y))


def top_k(rng):
    """6 rows of 1000 different values, and the 16 largest of each with their columns."""
    x = np.stack([rng.permutation(1000) for _ in range(6)]).astype("<f4") - 700
    column = np.argsort(-x, axis=1)[:, :16]
    save("top_k_x", x)
    save("top_k_value", np.take_along_axis(x, column, axis=1))
    save("top_k_column", column.astype("<u4"))


def rotary(rng):
    """12 positions from 1000 on, 8 heads of 128 values, frequencies 10000^(-j/64); all arithmetic in f32."""
    x = rng.standard_normal((12, 8, 128)).astype("<f4")
    angle = (1000 + np.arange(12))[:, None] * 10000.0 ** (-np.arange(64) / 64)
    cos, sin = np.cos(angle).astype("<f4"), np.sin(angle).astype("<f4")
    low, high, c, s = x[:, :, :64], x[:, :, 64:], cos[:, None, :], sin[:, None, :]
    save("rotary_x", x)
    save("rotary_cos", cos)
    save("rotary_sin", sin)
    save("rotary_y", np.concatenate([low * c - high * s, high * c + low * s], axis=2))


def quantise(rng):
    """40 rows of 256 f16 of different magnitudes; row 5 is all zero, row 6 has nothing but its largest value."""
    x = (rng.standard_normal((40, 256)) * np.exp2(rng.integers(-8, 9, (40, 1)))).astype("<f2")
    x[5] = 0
    x[6] = -3
    largest = np.maximum(np.abs(x).max(axis=1, keepdims=True).astype("<f4"), np.float32(1e-4))
    scaled = x.astype("<f4") * (np.float32(127) / largest)
    save("quantise_x", x)
    save("quantise_q", np.rint(scaled).astype("i1"))
    save("quantise_scale", largest * np.float32(1 / 127))


def layer_norm(rng):
    """24 rows of 300 values with a mean that differs from row to row."""
    x = np.clip(rng.standard_normal((24, 300)) + rng.uniform(-3, 3, (24, 1)), -8, 8).astype("<f4")
    gamma = (1 + rng.standard_normal((1, 300)) / 8).astype("<f4")
    beta = (rng.standard_normal((1, 300)) / 4).astype("<f4")
    wide = x.astype("f8")
    deviation = np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    y = (wide - wide.mean(axis=1, keepdims=True)) / deviation * gamma + beta
    assert np.abs(x).mean(axis=1).max() < 4 and np.abs(gamma / deviation).max() < 2 and np.abs(y).max() < 8
    save("layer_norm_x", x)
    save("layer_norm_gamma", gamma)
    save("layer_norm_beta", beta)
    save("layer_norm_y", y.astype("<f4"))


def masked_attention(rng):
    """3 sequences of 1, 37 and 64 of 64 keys; unused keys and values are large."""
    q = rng.standard_normal((3, 64)).astype("<f4")
    key, val = (np.clip(rng.standard_normal((3, 64, 64)), -4, 4).astype("<f2") for _ in range(2))
    length = np.array([1, 37, 64], "<i4")
    y = np.empty((3, 64))
    for s, n in enumerate(length):
        products = q[s].astype("f8") * key[s, :n]
        assert np.abs(products).sum(axis=1).max() / 8 < 8
        score = products.sum(axis=1) / 8
        assert np.ptp(score) < 16
        weight = np.exp(score)
        y[s] = weight / weight.sum() @ val[s, :n].astype("f8")
        key[s, n:], val[s, n:] = 6e4, -6e4
    save("masked_attention_q", q)
    save("masked_attention_key", key)
    save("masked_attention_val", val)
    save("masked_attention_length", length)
    save("masked_attention_y", y.astype("<f4"))


FOLDER.mkdir(parents=True, exist_ok=True)
for number, make in enumerate((clamp, row_argmin, wide_argmin, running_max, softmax, rms_norm, top_k, rotary, quantise,
                               layer_norm, masked_attention)):
    make(np.random.Generator(np.random.PCG64(2024 + number)))

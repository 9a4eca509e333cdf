"""What the command line tests share: starting the program, writing traces, comparing arrays."""
import json
import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(os.environ.get("NPUSIM_SOURCE_DIR", Path(__file__).resolve().parents[2]))
NPUSIM = os.environ.get("NPUSIM", str(ROOT / "build" / "npusim"))
TARGETS = ("a2a3", "950")

NUMPY = {"f32": "<f4", "f16": "<f2", "bf16": "<u2", "i8": "i1", "i16": "<i2", "i32": "<i4", "u8": "u1", "u16": "<u2",
         "u32": "<u4"}
SIZE = {name: np.dtype(code).itemsize for name, code in NUMPY.items()}


def text_type(dtype):
    """Spelling in a trace: unsigned types carry a prefix there."""
    return "ui" + dtype[1:] if dtype[0] == "u" else dtype


def npusim(*args, stdin=None, cwd=None, timeout=300):  # against hangs; sanitizers are slow
    return subprocess.run([NPUSIM, *map(str, args)], input=stdin, cwd=cwd, timeout=timeout, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def report(*args, **kwargs):
    """The JSON report of a run that succeeds."""
    done = npusim(*args, "--report", "json", **kwargs)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tile_type(dtype, rows, cols, valid=None, column=False):
    body = f"vec, {rows}x{cols}x{text_type(dtype)}"
    if valid and tuple(valid) != (rows, cols):
        body += f", valid={valid[0]}x{valid[1]}"
    if column:
        body += ", blayout=col_major"
    return f"!pto.tile_buf<{body}>"


def same(got, want, is_bf16=False):
    """Bit for bit, except that any NaN equals any NaN."""
    if got.shape != want.shape:
        return False
    unsigned = f"u{want.itemsize}"
    equal = np.ascontiguousarray(got).view(unsigned) == np.ascontiguousarray(want).view(unsigned)
    if is_bf16:
        equal |= ((got & 0x7FFF) > 0x7F80) & ((want & 0x7FFF) > 0x7F80)
    elif want.dtype.kind == "f":
        equal |= np.isnan(got) & np.isnan(want)
    return bool(equal.all())

"""Scalar arithmetic against a model of its own: every operation, every width, the values at the limits."""
import math
import struct

import numpy as np
import pytest

from harness import npusim

WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
FLOATS = {"f32": np.float32, "f16": np.float16}


class Trace:
    """Statements that each leave one 64-bit integer in %y."""

    def __init__(self):
        self.lines, self.constants, self.stored = [], {}, 0

    def constant(self, literal, dtype):
        name = f"%c{len(self.constants)}"
        if (literal, dtype) not in self.constants:
            self.constants[literal, dtype] = name
            self.lines.append(f"{name} = arith.constant {literal} : {dtype}")
        return self.constants[literal, dtype]

    def value(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def store(self, value, dtype):
        if dtype == "index":
            value = self.value(f"arith.index_cast {value} : index to i64")
        elif dtype in FLOATS:
            bits = f"i{8 * FLOATS[dtype]().itemsize}"
            value = self.value(f"arith.extui {self.value(f'arith.bitcast {value} : {dtype} to {bits}')} : {bits} to i64")
        elif dtype != "i64":
            value = self.value(f"arith.extui {value} : {dtype} to i64")
        self.lines.append(f"pto.store_scalar {value}, %y[{self.constant(self.stored, 'index')}] : !pto.ptr<i64>, i64")
        self.stored += 1

    def run(self, folder):
        text = "func.func @k(%y: !pto.ptr<i64>) {\n" + "\n".join(self.lines) + "\nreturn\n}\n"
        (folder / "k.pto").write_text(text)
        done = npusim("run", folder / "k.pto", "--quiet", "--arg", f"y=zeros:{self.stored}xi64", "--dump", f"y={folder / 'y.npy'}")
        assert done.returncode == 0, done.stderr
        return [int(v) for v in np.load(folder / "y.npy").view(np.uint64)]


def signed(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def truncated(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


INTEGER = {
    "addi": lambda a, b, n: a + b, "subi": lambda a, b, n: a - b, "muli": lambda a, b, n: a * b,
    "divsi": lambda a, b, n: truncated(signed(a, n), signed(b, n)), "divui": lambda a, b, n: a // b,
    "ceildivsi": lambda a, b, n: -(-signed(a, n) // signed(b, n)), "ceildivui": lambda a, b, n: -(-a // b),
    "floordivsi": lambda a, b, n: signed(a, n) // signed(b, n),
    "remsi": lambda a, b, n: signed(a, n) - truncated(signed(a, n), signed(b, n)) * signed(b, n), "remui": lambda a, b, n: a % b,
    "andi": lambda a, b, n: a & b, "ori": lambda a, b, n: a | b, "xori": lambda a, b, n: a ^ b,
    "shli": lambda a, b, n: a << b, "shrui": lambda a, b, n: a >> b, "shrsi": lambda a, b, n: signed(a, n) >> b,
    "maxsi": lambda a, b, n: max(signed(a, n), signed(b, n)), "minsi": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "maxui": lambda a, b, n: max(a, b), "minui": lambda a, b, n: min(a, b),
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def defined(op, a, b, n):
    if op.startswith("sh"):
        return b < n
    if "div" in op or "rem" in op:
        return b != 0 and not (op.endswith("si") and signed(a, n) == -(1 << (n - 1)) and signed(b, n) == -1)
    return True


def limits(n):
    return sorted({v & ((1 << n) - 1) for v in (0, 1, 2, 3, 7, -1, -2, -7, (1 << (n - 1)) - 1, -(1 << (n - 1)), n - 1)})


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64", "index"])
def test_integers_wrap_in_their_width(tmp_path, dtype):
    n, t, want = WIDTH[dtype], Trace(), []
    for a in limits(n):
        for b in limits(n):
            x, y = t.constant(signed(a, n), dtype), t.constant(signed(b, n), dtype)
            for op, f in INTEGER.items():
                if defined(op, a, b, n):
                    t.store(t.value(f"arith.{op} {x}, {y} : {dtype}"), dtype)
                    want.append(f(a, b, n) & ((1 << n) - 1))
            for sign in "su":
                for op, f in COMPARE.items():
                    predicate = op if op in ("eq", "ne") else sign + op
                    t.store(t.value(f"arith.cmpi {predicate}, {x}, {y} : {dtype}"), "i1")
                    want.append(int(f(signed(a, n), signed(b, n)) if sign == "s" else f(a, b)))
    got = t.run(tmp_path)
    assert len(want) > 2000
    assert [i for i, (g, w) in enumerate(zip(got, want)) if g != w] == []


def test_casts_between_integers(tmp_path):
    t, want = Trace(), []
    for source in ("i8", "i16", "i32", "i64"):
        n = WIDTH[source]
        for a in limits(n):
            x = t.constant(signed(a, n), source)
            for target in ("i8", "i16", "i32", "i64", "index"):
                m = WIDTH[target]
                ops = ("index_cast", "index_castui") if target == "index" else ("trunci",) if m < n else ("extsi", "extui") if m > n else ()
                for op in ops:
                    t.store(t.value(f"arith.{op} {x} : {source} to {target}"), target)
                    want.append((a if op.endswith("ui") else signed(a, n)) & ((1 << m) - 1))
    for bit, extended in (("true", 0xFFFFFFFF), ("false", 0)):
        b = t.constant(bit, "i1")
        t.store(t.value(f"arith.extsi {b} : i1 to i32"), "i32")
        t.store(t.value(f"arith.extui {b} : i1 to i32"), "i32")
        want += [extended, extended & 1]
    assert t.run(tmp_path) == want


def floats(dtype):
    big = {"f32": 3.0e38, "f16": 60000.0}[dtype]
    return [0.0, -0.0, 1.0, -1.5, 2.5, 1 / 3, big, -big, math.inf, -math.inf, math.nan, float(np.finfo(FLOATS[dtype]).smallest_subnormal)]


def bits(v, dtype):
    return int(np.array(v, FLOATS[dtype]).view(f"u{FLOATS[dtype]().itemsize}"))


def literal(v, dtype):
    return f"0x{bits(v, dtype):X}"


def minmax(op, a, b):
    if op.endswith("numf") and (math.isnan(a) or math.isnan(b)):
        return b if math.isnan(a) else a
    if math.isnan(a) or math.isnan(b):
        return math.nan
    first = (a, math.copysign(1, a)) > (b, math.copysign(1, b))
    return (a if first else b) if op.startswith("max") else (b if first else a)


@pytest.mark.parametrize("dtype", ["f32", "f16"])
def test_floats_round_once(tmp_path, dtype):
    kind, t, want = FLOATS[dtype], Trace(), []
    arithmetic = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "remf": np.fmod}
    ordered = {"o" + k: f for k, f in COMPARE.items()}
    for a in floats(dtype):
        for b in floats(dtype):
            x, y = t.constant(literal(a, dtype), dtype), t.constant(literal(b, dtype), dtype)
            a, b = float(kind(a)), float(kind(b))
            with np.errstate(all="ignore"):
                for op, f in arithmetic.items():
                    t.store(t.value(f"arith.{op} {x}, {y} : {dtype}"), dtype)
                    want.append(f(kind(a), kind(b)))
                for op in ("maximumf", "minimumf", "maxnumf", "minnumf"):
                    t.store(t.value(f"arith.{op} {x}, {y} fastmath<nnan> : {dtype}"), dtype)
                    want.append(kind(minmax(op, a, b)))
            nan = math.isnan(a) or math.isnan(b)
            for predicate in ("one", "ord", "uno", "true", "false", *ordered, *("u" + k for k in COMPARE)):
                t.store(t.value(f"arith.cmpf {predicate}, {x}, {y} : {dtype}"), "i1")
                plain = {"ord": not nan, "uno": nan, "true": True, "false": False, "one": not nan and a != b}
                want.append(bool(plain[predicate]) if predicate in plain else bool(nan) if nan and predicate[0] == "u" else
                            not nan and bool(COMPARE[predicate[1:]](a, b)))
        t.store(t.value(f"arith.negf {x} : {dtype}"), dtype)
        want.append(kind(-kind(a)))
    got = t.run(tmp_path)
    for g, w in zip(got, want, strict=True):
        if isinstance(w, bool):
            assert g == int(w)
        elif np.isnan(w):
            assert np.isnan(np.array(g, f"u{kind().itemsize}").view(kind))
        else:
            assert g == bits(w, dtype) or (w == 0 and g & ((1 << (8 * kind().itemsize - 1)) - 1) == 0)


def test_casts_with_floats(tmp_path):
    t, want = Trace(), []
    for v in (0.0, 1.5, -2.75, 65504.0, 1e-8, 3.0e38):
        x = t.constant(literal(v, "f32"), "f32")
        with np.errstate(over="ignore"):
            t.store(t.value(f"arith.truncf {x} : f32 to f16"), "f16")
            want.append(bits(np.float16(np.float32(v)), "f16"))
        h = t.value(f"arith.truncf {x} : f32 to bf16")
        t.store(t.value(f"arith.extf {h} : bf16 to f32"), "f32")
        u = struct.unpack("<I", struct.pack("<f", v))[0]
        want.append((u + 0x7FFF + (u >> 16 & 1)) >> 16 << 16)
    for v in (-2.75, 7.9, 2147483000.0):
        t.store(t.value(f"arith.fptosi {t.constant(literal(v, 'f32'), 'f32')} : f32 to i32"), "i32")
        want.append(int(np.float32(v)) & 0xFFFFFFFF)
    t.store(t.value(f"arith.fptoui {t.constant(literal(3e9, 'f32'), 'f32')} : f32 to i32"), "i32")
    want.append(3000000000)
    for v in (-1, 1 << 62, 12345):
        x = t.constant(v, "i64")
        t.store(t.value(f"arith.sitofp {x} : i64 to f32"), "f32")
        t.store(t.value(f"arith.uitofp {x} : i64 to f32"), "f32")
        want += [bits(np.float32(v), "f32"), bits(np.float32(v & (1 << 64) - 1), "f32")]
    x = t.constant("0x3FC00000", "f32")
    t.store(t.value(f"arith.bitcast {x} : f32 to i32"), "i32")
    want.append(0x3FC00000)
    assert t.run(tmp_path) == want


@pytest.mark.parametrize("op", ["divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"])
def test_division_by_zero_names_its_place(tmp_path, op):
    (tmp_path / "k.pto").write_text(f"%a = arith.constant 1 : i16\n%z = arith.constant 0 : i16\n%r = arith.{op} %a, %z : i16\n")
    done = npusim("run", tmp_path / "k.pto")
    assert done.returncode == 1 and f"k.pto:3:6: error: arith.{op}: division by zero [OPERANDS]" in done.stderr


@pytest.mark.parametrize("statement,message", [
    ("%r = arith.addi %i, %f : i32", "arith.addi: expected a value of type i32, %f is f32"),
    ("%r = arith.addi %i, %n : i32", "arith.addi: expected a value of type i32, %n is i64"),
    ("%r = arith.addf %f, %f : i32", "arith.addf: expected a value of type i32, %f is f32"),
    ("%r = arith.addf %i, %i : i32", "arith.addf: expected a float type, found i32"),
    ("%r = arith.muli %f, %f : f32", "arith.muli: expected an integer type, found f32"),
    ("%r = arith.sitofp %f : f32 to f16", "arith.sitofp: expected an integer type, found f32"),
    ("%r = arith.select %f, %i, %i : i32", "%f: expected a condition (i1)"),
    ("%r = arith.negf %t : f32", "%t: expected a scalar value"),
])
def test_types_must_agree(tmp_path, statement, message):
    head = "%i = arith.constant 1 : i32\n%n = arith.constant 1 : index\n%f = arith.constant 1.0 : f32\n%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
    (tmp_path / "k.pto").write_text(head + statement + "\n")
    done = npusim("run", tmp_path / "k.pto")
    assert done.returncode == 1 and "k.pto:5:" in done.stderr and message in done.stderr

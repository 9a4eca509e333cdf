"""Every instruction of `npusim isa` against numpy, with every type of both targets: values, cycles and pipe."""
import json
import re

import numpy as np
import pytest

from generate import Trace, add_operand, up
from harness import NUMPY, SIZE, TARGETS, npusim, report, same, text_type

ROWS = {r["name"]: r for r in json.loads(npusim("isa", "--report", "json").stdout)}
R, C = 5, 40
FLOATS = ("f32", "f16", "bf16")
ON_950 = {"mgather": "V", "mscatter": "V"}


# ---- types ----

def stored(dtype, x):
    """Numbers as the array of that type holds them."""
    if dtype != "bf16":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(x).astype(NUMPY[dtype])
    bits = np.asarray(x, "<f4").view("<u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def numbers(dtype, array):
    if dtype == "bf16":
        return np.atleast_1d(np.asarray(array, "<u4") << np.uint32(16)).view("<f4").astype("f8").reshape(np.shape(array))
    return array.astype("f8" if dtype in FLOATS else "i8")


def types_of(name, target):
    return [t for t in ROWS[name]["types"].get(target, "").split() if t in SIZE]


def some(dtype, shape, seed, values=None):
    """Small numbers, without zero."""
    rng = np.random.default_rng(seed)
    if values is None:
        values = [1, 2, 3, 4, 5, 6, 7] + ([] if dtype[0] == "u" else [-1, -2, -3, -4])
    return stored(dtype, rng.choice(values, shape))


# ---- one run of several operations ----

class Bench(Trace):
    """A trace with arrays as inputs and results."""

    def __init__(self, target, folder):
        super().__init__()
        self.target, self.folder, self.want, self.ops, self.dtype = target, folder, {}, [], {}

    def given(self, name, array):
        np.save(self.folder / f"{name}.npy", array)
        self.lines.append(f'//! init %{name} = npy("{name}.npy")')
        return name

    def filled(self, name, dtype, array, **shape):
        self.tile(name, dtype, *array.shape, **shape)
        return self.given(name, array)

    def result(self, name, dtype, array):
        self.want[name], self.dtype[name] = array, dtype
        return name

    def op(self, op, ins, outs, attributes=""):
        super().op(op, ins, outs)
        if attributes: # they stand between the operands and their types
            self.lines[-1] = self.lines[-1].replace(" : ", attributes + " : ", 1)

    def run(self, *options, pipe=None):
        (self.folder / "t.pto").write_text(self.text())
        dumps = [w for n in self.want for w in ("--dump", f"%{n}={n}.out.npy")]
        made = report("run", "t.pto", "--target", self.target, *options, *dumps, cwd=self.folder)
        for name, want in self.want.items():
            got = np.load(self.folder / f"{name}.out.npy")
            assert same(got, want, self.dtype[name] == "bf16"), f"%{name}: {got} instead of {want}"
        for row in made["instructions"]:
            assert row["end"] > row["start"], row
            assert pipe is None or row["pipe"] == pipe, row
        return made


@pytest.fixture
def bench(tmp_path):
    return lambda target: Bench(target, tmp_path)


# ---- element by element ----

def quotient(a, b):
    return a / b if a.dtype.kind == "f" else np.trunc(a / b).astype("i8")


def remainder_of_division(a, b):
    return a - np.trunc(a / b).astype(a.dtype) * b  # a difference: no zero is negative


def modulo(a, b):
    return a - np.floor(a / b).astype(a.dtype) * b


PAIRS = {
    "tadd": np.add, "tsub": np.subtract, "tmul": np.multiply, "tmax": np.maximum, "tmin": np.minimum, "tdiv": quotient, "trem": modulo, "tfmod": remainder_of_division,
    "tand": np.bitwise_and, "tor": np.bitwise_or, "txor": np.bitwise_xor, "tshl": np.left_shift, "tshr": np.right_shift,
    "tprelu": lambda a, b: np.where(a > 0, a, a * b), "tpartadd": np.add, "tpartmul": np.multiply, "tpartmax": np.maximum, "tpartmin": np.minimum,
}
WITH_SCALAR = {
    "tadds": "tadd", "tsubs": "tsub", "tmuls": "tmul", "tmaxs": "tmax", "tmins": "tmin", "tdivs": "tdiv", "trems": "trem", "tfmods": "tfmod", "tands": "tand",
    "tors": "tor", "txors": "txor", "tshls": "tshl", "tshrs": "tshr", "tlrelu": "tprelu",
}
SINGLE = {
    "texp": np.exp, "tlog": np.log, "tsqrt": np.sqrt, "trsqrt": lambda a: 1 / np.sqrt(a), "tabs": np.abs, "trelu": lambda a: np.maximum(a, 0), "tneg": np.negative,
    "trecip": lambda a: 1 / a, "tnot": np.invert, "tmov": lambda a: a,
}
BY_ROW = {f"trowexpand{k}": f for k, f in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", quotient), ("max", np.maximum), ("min", np.minimum),
                                            ("expdif", lambda a, b: np.exp(a - b)))}
BY_COLUMN = {n.replace("row", "col"): f for n, f in BY_ROW.items()}
REDUCED = {"max": np.max, "min": np.min, "sum": np.sum, "prod": np.prod}
ROOTS = ("tlog", "tsqrt", "trsqrt")


def plain(name, target, t, dtype):
    """Operands of the row by its signature; returns the arrays of the inputs and the destination."""
    arrays, ins = [], []
    for k, word in enumerate(ROWS[name]["inputs"].split("|")[0].split()):
        if word.endswith("?"):
            continue
        if word[0] == "$":
            arrays.append(numbers(dtype, stored(dtype, 2)))
            ins.append(t.scalar(dtype, 2))
            continue
        shape = (R, 1) if word.endswith(("/col", "/block")) else (1, C) if word.endswith("/row") else (R, C)
        values = [1, 4, 16, 64] if name in ROOTS else [1, 2, 4] if "rod" in name or "div" in name or name == "trecip" else [1, 2, 3] if "sh" in name and k else None
        array = some(dtype, shape, k, values)
        at = add_operand(t, word.replace("src", f"s_{dtype}_"), dtype, R, C, None)
        arrays.append(numbers(dtype, array))
        ins.append(t.given(at, array))
    return arrays, ins


def check_all_types(name, target, t, expected):
    for dtype in types_of(name, target):
        arrays, ins = plain(name, target, t, dtype)
        want = expected(dtype, *arrays)
        out = add_operand(t, ROWS[name]["outputs"].split("|")[0].replace("dst", f"d_{dtype}"), dtype, R, C, None)
        t.op(name, ins, [t.result(out, dtype, stored(dtype, want))])
    if types_of(name, target):
        t.run(pipe="V" if name != "tprint" else "S")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*PAIRS, *WITH_SCALAR, *SINGLE])
def test_element_by_element(name, target, bench):
    f = PAIRS.get(WITH_SCALAR.get(name, name)) or SINGLE[name]
    check_all_types(name, target, bench(target), lambda dtype, *a: f(*a))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*BY_ROW, *BY_COLUMN])
def test_spread_operand(name, target, bench):
    check_all_types(name, target, bench(target), lambda dtype, a, b: {**BY_ROW, **BY_COLUMN}[name](a, b))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["trowexpand", "tcolexpand"])
def test_spread(name, target, bench):
    check_all_types(name, target, bench(target), lambda dtype, a: np.broadcast_to(a, (R, C)))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("what", REDUCED)
@pytest.mark.parametrize("side", ["row", "col"])
def test_reductions(side, what, target, bench):
    axis = 1 if side == "row" else 0
    name = f"t{side}{what}"

    def expected(dtype, a):
        if what == "prod" and dtype in FLOATS: # powers of two: no rounding before the range ends
            return np.prod(a, axis=axis, keepdims=True)
        return REDUCED[what](a, axis=axis, keepdims=True)
    t = bench(target)
    if name == "trowprod": # 40 factors leave the range of most types
        for dtype in types_of(name, target):
            a = some(dtype, (R, C), 1, [1])
            a[:, 7] = stored(dtype, 3)
            t.filled(f"s_{dtype}", dtype, a)
            add_operand(t, f"d_{dtype}/col", dtype, R, C, None)
            t.op(name, [f"s_{dtype}"], [t.result(f"d_{dtype}", dtype, stored(dtype, np.full((R, 1), 3)))])
        t.run(pipe="V")
        return
    check_all_types(name, target, t, expected)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["trowargmax", "trowargmin", "tcolargmax", "tcolargmin"])
def test_positions(name, target, bench):
    t, side = bench(target), "col" if "row" in name else "row"
    for dtype in types_of(name, target):
        a = some(dtype, (R, C), 3)
        best = (np.argmax if "max" in name else np.argmin)(numbers(dtype, a), axis=1 if "row" in name else 0)
        t.filled(f"s_{dtype}", dtype, a)
        out = add_operand(t, f"d_{dtype}/{side}", "i32", R, C, None)
        t.op(name, [f"s_{dtype}"], [t.result(out, "i32", best.astype("<i4").reshape((R, 1) if side == "col" else (1, C)))])
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["tpartargmax", "tpartargmin"])
def test_pairs_with_positions(name, target, bench):
    t = bench(target)
    for dtype in types_of(name, target):
        index = "i16" if dtype == "f16" else "i32"
        a, b = some(dtype, (R, C), 1, [1, 3, 5]), some(dtype, (R, C), 2, [2, 4, 6])
        first = a > b if name.endswith("max") else a < b
        for k, v in (("a", a), ("b", b)):
            t.filled(f"{k}{dtype}", dtype, v)
            t.filled(f"{k}i{dtype}", index, np.full((R, C), ord(k), NUMPY[index]))
        for k in ("d", "di"):
            t.tile(f"{k}{dtype}", dtype if k == "d" else index, R, C)
        t.op(name, [f"a{dtype}", f"b{dtype}", f"ai{dtype}", f"bi{dtype}"],
             [t.result(f"d{dtype}", dtype, np.where(first, a, b)), t.result(f"di{dtype}", index, np.where(first, ord("a"), ord("b")).astype(NUMPY[index]))])
    t.run(pipe="V")


# ---- comparisons and selections ----

COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", COMPARISONS)
@pytest.mark.parametrize("name", ["tcmp", "tcmps"])
def test_comparison_and_selection(name, mode, target, bench):
    """The mask of a comparison selects: its bits mean the same to both instructions."""
    t = bench(target)
    types = ("f32", "f16") + (("i32",) if target == "950" or mode in ("eq", "ne") else ()) # a2a3 compares i32 for equality only
    for dtype in [d for d in types_of(name, target) if d in types]:
        a, b = some(dtype, (R, C), 1), some(dtype, (R, C), 2)
        t.filled(f"a{dtype}", dtype, a)
        t.filled(f"b{dtype}", dtype, b)
        mask = add_operand(t, f"m{dtype}/bits", "u8", R, C, None)
        t.tile(f"d{dtype}", dtype, R, C)
        other = t.scalar(dtype, 3) if name == "tcmps" else f"b{dtype}"
        t.op(name, [f"a{dtype}", other], [mask], " {cmpMode = #pto<cmp %s>}" % mode)
        hit = COMPARISONS[mode](numbers(dtype, a), 3 if name == "tcmps" else numbers(dtype, b))
        if name == "tcmp":
            t.op("tsel", [mask, f"a{dtype}", f"b{dtype}"], [t.result(f"d{dtype}", dtype, np.where(hit, a, b))])
        else:
            t.op("tsels", [mask, f"a{dtype}", t.scalar(dtype, 2)], [t.result(f"d{dtype}", dtype, np.where(hit, a, stored(dtype, 2)))])
    t.run(pipe="V")


# ---- other element-wise forms ----

@pytest.mark.parametrize("target", TARGETS)
def test_axpy(target, bench):
    t = bench(target)
    for src, dst in (("f32", "f32"), ("f16", "f16"), ("f16", "f32")):
        a, d = some(src, (R, C), 1), some(dst, (R, C), 2)
        t.filled(f"s{src}{dst}", src, a)
        t.filled(f"d{src}{dst}", dst, d)
        t.op("taxpy", [f"s{src}{dst}", t.scalar(src, 2)], [t.result(f"d{src}{dst}", dst, stored(dst, 2 * numbers(src, a) + numbers(dst, d)))])
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
def test_scalar_by_tile(target, bench):
    t = bench(target)
    for dtype in types_of("tdivs", target):
        a = some(dtype, (R, C), 1, [1, 2, 4, 8])
        t.filled(f"s{dtype}", dtype, a)
        t.tile(f"d{dtype}", dtype, R, C)
        t.op("tdivs", [t.scalar(dtype, 100), f"s{dtype}"], [t.result(f"d{dtype}", dtype, stored(dtype, quotient(np.asarray(100.0 if dtype in FLOATS else 100), numbers(dtype, a))))])
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
def test_division_of_integers(target, bench):
    """Towards zero; by zero gives zero."""
    t = bench(target)
    a, b = np.array([[-7, 7, -7, 7, 5, -32768, 0, 9]], "<i2"), np.array([[2, -2, -2, 2, 0, 1, 3, 10]], "<i2")
    t.filled("a", "i16", a.repeat(2, axis=1))
    t.tile("q", "i16", 1, 16)
    t.tile("z", "i16", 1, 16)
    t.op("tdivs", ["a", t.scalar("i16", -2)], [t.result("q", "i16", np.trunc(a / -2).astype("<i2").repeat(2, axis=1))])
    t.op("tdivs", ["a", t.scalar("i16", 0)], [t.result("z", "i16", np.zeros((1, 16), "<i2"))])
    if target == "950":
        t.filled("b", "i16", b.repeat(2, axis=1))
        t.tile("d", "i16", 1, 16)
        want = np.where(b != 0, np.trunc(a / np.where(b, b, 1)), 0).astype("<i2").repeat(2, axis=1)
        t.op("tdiv", ["a", "b"], [t.result("d", "i16", want)])
    t.run(pipe="V")


CAST = {"RINT": np.rint, "FLOOR": np.floor, "CEIL": np.ceil, "TRUNC": np.trunc, "ROUND": lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5), "NONE": np.trunc}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", CAST)
def test_rounding_of_conversions(mode, target, bench):
    t = bench(target)
    x = np.array([[-2.75, -2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5]], "<f4").repeat(8, axis=1).repeat(3, axis=0)
    t.filled("s", "f32", x)
    t.tile("d", "i32", 3, 64)
    t.op("tcvt", ["s"], [t.result("d", "i32", CAST[mode](x).astype("<i4"))], " {rmode = #pto<round_mode %s>}" % mode)
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
def test_conversion_of_far_rows(target, bench):
    """Row pitches of more than 255 blocks."""
    t = bench(target)
    x = some("f32", (3, 10), 1)
    t.filled("s", "f32", x, storage=4096)
    t.tile("d", "f16", 3, 10, storage=4096)
    t.op("tcvt", ["s"], [t.result("d", "f16", x.astype("<f2"))])
    t.run(pipe="V")


# ---- movement ----

@pytest.mark.parametrize("target", TARGETS)
def test_moves(target, bench):
    t = bench(target)
    a, b = some("f32", (8, 16), 1), some("f32", (8, 16), 2)
    t.filled("a", "f32", a)
    t.filled("b", "f32", b)
    t.lines += [f"%c{k} = arith.constant {k} : index" for k in (0, 2, 8)]
    for k in (0, 2, 8):
        t.type[f"c{k}"] = "index"
    t.tile("turned", "f32", 16, 8)
    t.op("ttrans", ["a"], [t.result("turned", "f32", np.ascontiguousarray(a.T))])
    t.tile("wide", "f32", 8, 32)
    t.op("tconcat", ["a", "b"], [t.result("wide", "f32", np.hstack([a, b]))])
    t.tile("part", "f32", 4, 8)
    t.op("textract", ["a", "c2", "c8"], [t.result("part", "f32", a[2:6, 8:])])
    t.filled("into", "f32", b)
    want = b.copy()
    want[2:6, 8:] = a[2:6, 8:]
    t.op("tinsert", ["part", "c2", "c8"], [t.result("into", "f32", want)])
    t.tile("same", "f32", 8, 16)
    t.op("texpands", [t.scalar("f32", 7)], [t.result("same", "f32", np.full((8, 16), 7, "<f4"))])
    t.tile("ramp", "i32", 1, 16)
    t.op("tci", [t.scalar("i32", 5)], [t.result("ramp", "i32", np.arange(5, 21, dtype="<i4").reshape(1, 16))])
    t.tile("low", "f32", 8, 16)
    t.op("ttri", [t.scalar("i32", 1)], [t.result("low", "f32", np.tri(8, 16, 1, "<f4"))])
    t.run()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["tfillpad", "tfillpad_expand"])
def test_filling(name, target, bench):
    t = bench(target)
    a = some("f32", (4, 13), 1)
    t.filled("a", "f32", a)
    t.type["d"] = "!pto.tile_buf<vec, 6x24xf32, pad=2>" if name.endswith("expand") else "!pto.tile_buf<vec, 4x16xf32, pad=2>"
    want = np.full((6, 24) if name.endswith("expand") else (4, 16), np.inf, "<f4")
    want[:4, :13] = a
    t.lines.append(f"%d = pto.alloc_tile : {t.type['d']}")
    t.op(name, ["a"], [t.result("d", "f32", want)])
    t.run(pipe="V")


def check_filling(folder, rows, cols, valid, source_pad, library):
    """IDs of what tfillpad on a2a3 has to say, and whether it is legal."""
    a, b = f"!pto.tile_buf<vec, {rows}x{cols}xf32, valid={rows}x{valid}, pad={source_pad}>", f"!pto.tile_buf<vec, {rows}x{cols}xf32, pad=1>"
    (folder / "t.pto").write_text(f"%a = pto.alloc_tile : {a}\n//! init %a = fill(2)\n%d = pto.alloc_tile : {b}\n"
                                  f"pto.tfillpad ins(%a : {a}) outs(%d : {b})\n")
    done = npusim("run", "t.pto", "--target", "a2a3", "--set", f"semantics.conformance={'library' if library else 'document'}", "--dump", "%d=d.npy",
                  "--on-error", "continue", cwd=folder)
    return set(re.findall(r"\[([A-Z_]+)\]$", done.stderr, re.M)), done.returncode == 0


@pytest.mark.parametrize("rows", [1, 3])
def test_filling_of_rows_beyond_a_repeat_stride(rows, tmp_path):
    """300 blocks a row: no matter for a single row; else one instruction per row, which the library does not have."""
    assert check_filling(tmp_path, rows, 2400, 2389, 0, False) == ({"LIBRARY_DIFFERS"} if rows > 1 else set(), True)
    want = np.full((rows, 2400), 2, "<f4")
    want[:, 2389:] = 0
    assert np.array_equal(np.load(tmp_path / "d.npy"), want)
    assert check_filling(tmp_path, rows, 2400, 2000, 0, False) == (set(), True)
    assert check_filling(tmp_path, rows, 2400, 2389, 0, True) == (({"LIBRARY_DEFECT", "FIELD_RANGE"}, False) if rows > 1 else (set(), True))


def test_filling_behind_a_load_that_has_padded(tmp_path):
    """With the same pad value the library leaves the block that the valid columns end in to the load."""
    assert check_filling(tmp_path, 3, 64, 21, 1, False) == ({"LIBRARY_DIFFERS"}, True)
    assert not np.load(tmp_path / "d.npy")[:, 21:].any()
    assert check_filling(tmp_path, 3, 64, 21, 1, True)[0] >= {"LIBRARY_DIFFERS"}
    assert check_filling(tmp_path, 3, 64, 24, 1, False) == (set(), True)


def bits_of_records(values, index):
    """Records of the sort instructions for f32."""
    out = np.empty((values.shape[0], 2 * values.shape[1]), "<f4")
    out[:, 0::2], out[:, 1::2] = values, index.astype("<u4").view("<f4")
    return out


@pytest.mark.parametrize("target", TARGETS)
def test_indexed_moves(target, bench):
    t = bench(target)
    rng = np.random.default_rng(1)
    a, x = some("f32", (4, 16), 1), rng.permutation(64).astype("<i4").reshape(4, 16)
    t.filled("a", "f32", a)
    t.filled("x", "i32", x)
    t.tile("g", "f32", 4, 16)
    t.op("tgather", ["a", "x"], [t.result("g", "f32", a.reshape(-1)[x])])
    t.tile("p", "f32", 4, 8)
    t.op("tgather", ["a"], [t.result("p", "f32", a[:, 1::2])], " {maskPattern = #pto.mask_pattern<P1010>}")
    t.tile("s", "f32", 4, 16)
    want = np.zeros(64, "<f4")
    want[x.reshape(-1)] = a.reshape(-1)
    t.op("tscatter", ["a", "x"], [t.result("s", "f32", want.reshape(4, 16))])
    t.filled("o", "u32", np.array([[32, 0], [96, 64], [160, 224], [0, 0]], "<u4"), storage=8)
    t.tile("b", "f32", 4, 16)
    blocks = a.reshape(8, 8)
    t.op("tgatherb", ["a", "o"], [t.result("b", "f32", blocks[[1, 0, 3, 2, 5, 7, 0, 0]].reshape(4, 16))])
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
def test_sorting(target, bench):
    t = bench(target)
    v = np.random.default_rng(2).permutation(64).astype("<f4").reshape(1, 64)
    n = np.arange(64, dtype="<u4").reshape(1, 64)
    t.filled("v", "f32", v)
    t.filled("n", "u32", n)
    t.tile("r", "f32", 1, 128)
    halves = [np.argsort(-v[0, k:k + 32]) + k for k in (0, 32)]
    order = np.concatenate(halves)
    t.op("tsort32", ["v", "n"], [t.result("r", "f32", bits_of_records(v[:, order], order.reshape(1, 64)))])
    t.run(pipe="V")


# ---- merged lists that end ----

VECTOR = "vector<4xi16>"


def merge(t, lists, exhausted, form):
    length = sum(v.shape[1] for v in lists) * 2
    for k, v in enumerate(lists):
        t.filled(f"l{k}", "f32", bits_of_records(v, np.arange(v.shape[1]).reshape(1, -1) + 100 * k))
    t.tile("d", "f32", 1, length)
    t.filled("tmp", "f32", np.zeros((1, length), "<f4"))
    t.lines.append(f"%counts = arith.constant dense<0> : {VECTOR}")
    names = [f"l{k}" for k in range(len(lists))]
    types = ", ".join(t.type[n] for n in names)
    operands = ", ".join(f"%{n}" for n in names)
    attribute = " {exhausted = %s}" % ("true" if exhausted else "false")
    if form == "inputs":
        t.lines.append(f"pto.tmrgsort ins({operands}, %tmp{attribute} : {types}, {t.type['tmp']}) outs(%d, %counts : {t.type['d']}, {VECTOR})")
    else:
        t.lines.append(f"pto.tmrgsort ins({operands}{attribute} : {types}) outs(%d, %tmp, %counts : {t.type['d']}, {t.type['tmp']}, {VECTOR})")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("form", ["inputs", "outputs"])
def test_merge_of_lists(form, target, bench):
    t = bench(target)
    a, b = np.arange(64, 0, -2, dtype="<f4").reshape(1, 32), np.arange(63, -1, -2, dtype="<f4").reshape(1, 32)
    merge(t, [a, b], False, form)
    values = np.arange(64, 0, -1, dtype="<f4").reshape(1, 64)
    index = np.stack([np.arange(32), 100 + np.arange(32)], 1).reshape(1, 64)
    t.result("d", "f32", bits_of_records(values, index))
    t.run(pipe="V")


@pytest.mark.parametrize("target", TARGETS)
def test_merge_until_a_list_ends(target, bench):
    """The numbers of records taken come as a vector; a scalar of it fills a tile."""
    t = bench(target)
    a, b = np.arange(132, 100, -1, dtype="<f4").reshape(1, 32), np.array([[120.5, 110.5] + [1] * 30], "<f4")
    merge(t, [a, b], True, "inputs")
    want = np.zeros((1, 128), "<f4")
    both = sorted([(v, k) for k, v in enumerate(a[0])] + [(120.5, 100), (110.5, 101)], reverse=True)
    want[:, :68] = bits_of_records(np.array([[v for v, _ in both]], "<f4"), np.array([[k for _, k in both]]))
    t.result("d", "f32", want)
    for k, n in enumerate((32, 2)):
        t.lines.append(f"%n{k} = vector.extract %counts[{k}] : i16 from {VECTOR}")
        t.type[f"n{k}"] = "i16"
        t.tile(f"e{k}", "i16", 1, 16)
        t.op("texpands", [f"n{k}"], [t.result(f"e{k}", "i16", np.full((1, 16), n, "<i2"))])
    t.run(pipe="V")


# ---- numbers of the elements that pass ----

@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", ["eq", "gt"])
@pytest.mark.parametrize("limits", ["scalar", "tile"])
def test_gather_by_comparison(limits, mode, target, bench):
    t = bench(target)
    a = some("f32", (3, 64), 5, [1, 2, 3, 4])
    k = np.array([[2], [3], [2]], "<f4") if limits == "tile" else np.full((3, 1), 3, "<f4")
    hit = COMPARISONS[mode](a, k)
    t.filled("a", "f32", a)
    if limits == "tile":
        t.tile("k", "i32", 3, 1, column=True)
        t.given("k", k.astype("<i4"))  # thresholds are integers whatever the elements are
    else:
        t.type["k"] = "f32"
        t.lines.append("%k = arith.constant 3.0 : f32")
    t.tile("tmp", "i32", 3, 4096)
    t.tile("d", "i32", 3, 64)
    t.tile("n", "i32", 1, 3)
    t.op("tgather", ["a", "k", "tmp"], ["d", t.result("n", "i32", hit.sum(axis=1).astype("<i4").reshape(1, 3))],
         " {cmpMode = #pto<cmp %s>, offset = 7 : i32}" % mode)
    (t.folder / "t.pto").write_text(t.text())
    t.run()
    done = npusim("run", "t.pto", "--target", target, "--dump", "%d=d.npy", cwd=t.folder)
    assert done.returncode == 0, done.stderr
    got = np.load(t.folder / "d.npy")
    for r in range(3): # rows of a multiple of 64 elements are numbered alike on both targets
        assert np.array_equal(got[r, :hit[r].sum()], 7 + 64 * r + np.flatnonzero(hit[r])), got[r]


# ---- tables in global memory ----

VIEW = "!pto.partition_tensor_view<{}x{}xf32>"


def function(target, folder, body, arrays, dumps, *options):
    """A function with a table x of 16 x 24 f32, which all of the views show, and an array y of 8 x 24."""
    head = ["module {", "  func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {"]
    head += [f"    %c{k} = arith.constant {k} : index" for k in (0, 1, 8, 16, 24)]
    for n, rows in (("x", 16), ("y", 8)):
        head += [f"    %{n}v = pto.make_tensor_view %{n}, shape = [%c{rows}, %c24], strides = [%c24, %c1] : !pto.tensor_view<?x?xf32>",
                 f"    %{n}p = pto.partition_view %{n}v, offsets = [%c0, %c0], sizes = [%c{rows}, %c24] : !pto.tensor_view<?x?xf32> -> {VIEW.format(rows, 24)}"]
    (folder / "f.pto").write_text("\n".join(head + ["    " + line for line in body] + ["    return", "  }", "}"]) + "\n")
    for n, a in arrays.items():
        np.save(folder / f"{n}.npy", a)
    args = [w for n in ("x", "y") if n in arrays for w in ("--arg", f"{n}={n}.npy")]
    return report("run", "f.pto", "--target", target, *args, *[w for n in dumps for w in ("--dump", f"{n}={n}.out.npy")], *options, cwd=folder)


X, DATA = VIEW.format(16, 24), "!pto.tile_buf<vec, 8x24xf32>"
ROW_LIST, ELEMENTS = "!pto.tile_buf<vec, 1x8xi32>", "!pto.tile_buf<vec, 8x24xi32>"
BEYOND = {"undefined": lambda i, n: i % n, "clamp": lambda i, n: np.minimum(i, n - 1), "wrap": lambda i, n: i % n, "zero": lambda i, n: i, "skip": lambda i, n: i}


def indices(by_element, beyond):
    n = 384 if by_element else 16
    i = np.random.default_rng(4).permutation(n)[:192 if by_element else 8].astype("<i4").reshape((8, 24) if by_element else (1, 8))
    if beyond != "undefined":
        i.reshape(-1)[3] = n + 5
    return i, BEYOND[beyond](i.astype("i8"), n), n


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("unit", ["row", "elem"])
@pytest.mark.parametrize("beyond", ["undefined", "clamp", "wrap", "zero"])
def test_mgather(beyond, unit, target, tmp_path):
    raw, at, n = indices(unit == "elem", beyond)
    np.save(tmp_path / "i.npy", raw)
    table = np.arange(1, 385, dtype="<f4").reshape(16, 24)
    kind = ELEMENTS if unit == "elem" else ROW_LIST
    body = [f"%i = pto.alloc_tile : {kind}", '//! init %i = npy("i.npy")', f"%d = pto.alloc_tile : {DATA}",
            f"pto.mgather ins(%xp, %i : {X}, {kind}) outs(%d : {DATA}) {{coalesce = #pto.coalesce<{unit}>, gatherOob = #pto.gather_oob<{beyond}>}}",
            f"pto.tstore ins(%d : {DATA}) outs(%yp : {VIEW.format(8, 24)})"]
    made = function(target, tmp_path, body, {"x": table, "y": np.zeros((8, 24), "<f4")}, ["y"])
    flat = table.reshape(-1) if unit == "elem" else table
    want = np.where((at < n).reshape(at.shape if unit == "elem" else (8, 1)), flat[np.minimum(at, n - 1)].reshape(8, 24), np.float32(0))
    assert np.array_equal(np.load(tmp_path / "y.out.npy"), want)
    gather = made["instructions"][0]
    assert gather["pipe"] == ("V" if target == "950" else "S" if unit == "elem" else "MTE2") and gather["end"] > gather["start"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("unit", ["row", "elem"])
@pytest.mark.parametrize("beyond", ["undefined", "clamp", "wrap", "skip"])
def test_mscatter(beyond, unit, target, tmp_path):
    raw, at, n = indices(unit == "elem", beyond)
    np.save(tmp_path / "i.npy", raw)
    data = np.arange(1, 193, dtype="<f4").reshape(8, 24)
    kind = ELEMENTS if unit == "elem" else ROW_LIST
    body = [f"%i = pto.alloc_tile : {kind}", '//! init %i = npy("i.npy")', f"%s = pto.alloc_tile : {DATA}",
            f"pto.tload ins(%yp : {VIEW.format(8, 24)}) outs(%s : {DATA})",
            f"pto.mscatter ins(%s, %i : {DATA}, {kind}) outs(%xp : {X}) {{coalesce = #pto.coalesce<{unit}>, scatterOob = #pto.scatter_oob<{beyond}>}}"]
    made = function(target, tmp_path, body, {"x": np.zeros((16, 24), "<f4"), "y": data}, ["x"])
    want = np.zeros((16, 24), "<f4")
    flat, rows = (want.reshape(-1), data.reshape(-1)) if unit == "elem" else (want, data)
    for k, place in enumerate(at.reshape(-1)):
        if place < n:
            flat[place] = rows[k]
    assert np.array_equal(np.load(tmp_path / "x.out.npy"), want)
    scatter = made["instructions"][1]
    assert scatter["pipe"] == ("V" if target == "950" else "S" if unit == "elem" else "MTE3") and scatter["end"] > scatter["start"]


@pytest.mark.parametrize("target,unit", [("a2a3", "row"), ("950", "row"), ("950", "elem")])
def test_mscatter_adds(target, unit, tmp_path):
    raw, at, _ = indices(unit == "elem", "undefined")
    at = at.copy()
    raw.reshape(-1)[1] = raw.reshape(-1)[0]
    at.reshape(-1)[1] = at.reshape(-1)[0]
    np.save(tmp_path / "i.npy", raw)
    data = np.arange(1, 193, dtype="<f4").reshape(8, 24)
    kind = ELEMENTS if unit == "elem" else ROW_LIST
    body = [f"%i = pto.alloc_tile : {kind}", '//! init %i = npy("i.npy")', f"%s = pto.alloc_tile : {DATA}",
            f"pto.tload ins(%yp : {VIEW.format(8, 24)}) outs(%s : {DATA})",
            f"pto.mscatter ins(%s, %i : {DATA}, {kind}) outs(%xp : {X}) {{coalesce = #pto.coalesce<{unit}>, atomicType = #pto<atomic_type atomic_add>}}"]
    function(target, tmp_path, body, {"x": np.ones((16, 24), "<f4"), "y": data}, ["x"])
    want = np.ones((16, 24), "<f4")
    np.add.at(want.reshape(-1) if unit == "elem" else want, at.reshape(-1), data.reshape(-1) if unit == "elem" else data)
    assert np.array_equal(np.load(tmp_path / "x.out.npy"), want)


@pytest.mark.parametrize("target", TARGETS)
def test_transfers(target, tmp_path):
    """A load that pads, a store that adds, and a view that is printed."""
    small = "!pto.tile_buf<vec, 16x24xf32, valid=16x21>"
    cut = VIEW.format(16, 21)
    body = ["%c21 = arith.constant 21 : index", "%nine = arith.constant 9.0 : f32", f"%d = pto.alloc_tile : {small}", f"%all = pto.alloc_tile : !pto.tile_buf<vec, 16x24xf32>",
            f"%cut = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c16, %c21] : !pto.tensor_view<?x?xf32> -> {cut}",
            f"pto.tload ins(%cut : {cut}) outs(%d : {small}) pad_mode = #pto<pad_mode PadValue> pad_value = %nine : f32",
            f"pto.tstore ins(%d : {small}) outs(%cut : {cut}) {{atomicType = #pto<atomic_type atomic_add>}}",
            f"pto.tprint ins(%yp : {VIEW.format(8, 24)})"]
    x, y = np.arange(384, dtype="<f4").reshape(16, 24), np.arange(192, dtype="<f4").reshape(8, 24)
    made = function(target, tmp_path, body, {"x": x, "y": y}, ["x"])
    want = x.copy()
    want[:, :21] *= 2
    assert np.array_equal(np.load(tmp_path / "x.out.npy"), want)
    assert [r["pipe"] for r in made["instructions"]] == ["MTE2", "MTE3", "S"]
    done = npusim("run", "f.pto", "--target", target, "--arg", "x=x.npy", "--arg", "y=y.npy", cwd=tmp_path)
    assert "y: 8x24 f32\n[[0 1 2 3" in done.stdout and "190 191]]" in done.stdout


@pytest.mark.parametrize("target", TARGETS)
def test_padding_is_written(target, tmp_path):
    """The columns between the valid ones and the end of their block."""
    part, whole = "!pto.tile_buf<vec, 8x24xf32, valid=8x21>", "!pto.tile_buf<vec, 8x24xf32>"
    cut = VIEW.format(8, 21)
    body = ["%c21 = arith.constant 21 : index", "%nine = arith.constant 9.0 : f32", "%at = arith.constant 0 : i64",
            f"%d = pto.alloc_tile addr = %at : {part}", f"%w = pto.alloc_tile addr = %at : {whole}",
            f"%cut = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c8, %c21] : !pto.tensor_view<?x?xf32> -> {cut}",
            f"pto.tload ins(%cut : {cut}) outs(%d : {part}) pad_mode = #pto<pad_mode PadValue> pad_value = %nine : f32",
            f"pto.tstore ins(%w : {whole}) outs(%yp : {VIEW.format(8, 24)})"]
    x = np.arange(384, dtype="<f4").reshape(16, 24)
    function(target, tmp_path, body, {"x": x, "y": np.zeros((8, 24), "<f4")}, ["y"])
    want = x[:8].copy()
    want[:, 21:] = 9
    assert np.array_equal(np.load(tmp_path / "y.out.npy"), want)


def test_nothing_is_left_out():
    """Other files test what is not here: test_scalar_access.py and the traces."""
    here = {*PAIRS, *WITH_SCALAR, *SINGLE, *BY_ROW, *BY_COLUMN, "trowexpand", "tcolexpand", *(f"t{s}{w}" for s in ("row", "col") for w in REDUCED),
            "trowargmax", "trowargmin", "tcolargmax", "tcolargmin", "tpartargmax", "tpartargmin", "tcmp", "tcmps", "tsel", "tsels", "taxpy", "tcvt", "ttrans", "tconcat",
            "textract", "tinsert", "texpands", "tci", "ttri", "tfillpad", "tfillpad_expand", "tgather", "tscatter", "tgatherb", "tsort32", "tmrgsort", "mgather", "mscatter",
            "tload", "tstore", "tprint"}
    assert set(ROWS) - here == {"tgetval", "tsetval", "tfillpad_inplace"}

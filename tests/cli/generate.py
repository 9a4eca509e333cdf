"""A legal trace for every instruction of `npusim isa`, written from its row in the table.

Operands follow the row: `/col`, `/row`, `/block` and `/bits` are shapes for R x C elements, `$` is a scalar, `?` a
tmp that the program allocates itself. What a row cannot say (index types, payloads, forms of their own) stands here.
"""
from harness import SIZE, text_type, tile_type

BLOCK = 32


def up(n, unit):
    return -(-n // unit) * unit


class Trace:
    """Statements of a bare list, tiles with their types."""

    def __init__(self):
        self.lines, self.type, self.names = [], {}, 0

    def tile(self, name, dtype, rows, cols, storage=None, column=False, fill=None):
        block = BLOCK // SIZE[dtype]
        if column:
            kind = tile_type(dtype, up(rows, block), 1, (rows, 1), True)
        else:
            kind = tile_type(dtype, rows, storage or up(cols, block), (rows, cols))
        self.type[name] = kind
        self.lines.append(f"%{name} = pto.alloc_tile : {kind}")
        if fill:
            self.lines.append(f"//! init %{name} = {fill}")
        return name

    def scalar(self, dtype, value):
        name = f"s{self.names}"
        self.names += 1
        self.type[name] = text_type(dtype)
        number = float(value) if dtype in ("f32", "f16", "bf16") else value
        self.lines.append(f"%{name} = arith.constant {number} : {text_type(dtype)}")
        return name

    def op(self, op, ins, outs, attributes=""):
        def side(names):
            return ", ".join(f"%{n}" for n in names) + " : " + ", ".join(self.type[n] for n in names)
        text = f"pto.{op}"
        if ins:
            text += f" ins({side(ins)}{attributes})"
        if outs:
            text += f" outs({side(outs)})"
        self.lines.append(text)

    def text(self):
        return "\n".join(self.lines) + "\n"


FILL = "random(seed=1, lo=1, hi=4)"


def add_operand(t, word, dtype, rows, cols, fill):
    """One operand of the signature; returns its name."""
    name, _, shape = word.partition("/")
    if shape == "col":
        return t.tile(name, dtype, rows, 1, column=True, fill=fill)
    if shape == "row":
        return t.tile(name, dtype, 1, cols, fill=fill)
    if shape == "block":
        return t.tile(name, dtype, rows, 1, storage=BLOCK // SIZE[dtype], fill=fill)
    if shape == "bits":
        return t.tile(name, dtype, rows, up(up(cols, 8) // 8 // SIZE[dtype] or 1, BLOCK // SIZE[dtype]), fill=fill)
    return t.tile(name, dtype, rows, cols, fill=fill)


def by_signature(row, dtype, rows, cols, outs=0, types=None):
    """The plain case: every operand has the element type unless `types` says otherwise."""
    types, t, ins = types or {}, Trace(), []
    for word in row["inputs"].split("|")[0].split():
        name = word.partition("/")[0]
        if word.endswith("?"):
            continue
        if word[0] == "$":
            ins.append(t.scalar(types.get(name, dtype), 2))
        else:
            ins.append(add_operand(t, word, types.get(name, dtype), rows, cols, FILL))
    names = [add_operand(t, w, types.get(w.partition("/")[0], dtype), rows, cols, None) for w in row["outputs"].split("|")[outs].split()]
    t.op(row["name"], ins, names)
    return t


def part(row, dtype, rows, cols, shapes):
    """TPART*: the second source covers less."""
    t = Trace()
    pair = row["name"].startswith("tpartarg")
    index = {"f16": "i16"}.get(dtype, "i32")
    less = max(1, rows - shapes[0]), max(1, cols - shapes[1])
    ins = [t.tile("a", dtype, rows, cols, fill=FILL), t.tile("b", dtype, *less, fill=FILL)]
    outs = [t.tile("d", dtype, rows, cols)]
    if pair:
        ins += [t.tile("ai", index, rows, cols, fill=FILL), t.tile("bi", index, *less, fill=FILL)]
        outs.append(t.tile("di", index, rows, cols))
    t.op(row["name"], ins, outs)
    return t


def transfers(row, dtype, rows, cols):
    """A function with one pointer: load, store, and both by index."""
    kind = tile_type(dtype, rows, up(cols, BLOCK // SIZE[dtype]), (rows, cols))
    index = tile_type("i32", 1, up(rows, 8), (1, rows))
    e, view = text_type(dtype), f"!pto.partition_tensor_view<{rows}x{cols}x{text_type(dtype)}>"
    lines = ["module {", f"  func.func @f(%x: !pto.ptr<{e}>, %n: !pto.ptr<i32>) {{", "    %c0 = arith.constant 0 : index",
             "    %c1 = arith.constant 1 : index", f"    %r = arith.constant {rows} : index", f"    %c = arith.constant {cols} : index",
             f"    %v = pto.make_tensor_view %x, shape = [%r, %c], strides = [%c, %c1] : !pto.tensor_view<?x?x{e}>",
             f"    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%r, %c] : !pto.tensor_view<?x?x{e}> -> {view}",
             f"    %t = pto.alloc_tile : {kind}", f"    %i = pto.alloc_tile : {index}", "    //! init %i = iota(start=0, step=1)"]
    load = f"    pto.tload ins(%p : {view}) outs(%t : {kind})"
    store = f"    pto.tstore ins(%t : {kind}) outs(%p : {view})"
    gather = f"    pto.mgather ins(%p, %i : {view}, {index}) outs(%t : {kind})"
    scatter = f"    pto.mscatter ins(%t, %i : {kind}, {index}) outs(%p : {view})"
    body = {"tload": [load, store], "tstore": [load, store], "mgather": [gather, store], "mscatter": [load, scatter]}[row["name"]]
    return "\n".join(lines + body + ["    return", "  }", "}"]) + "\n"


def moves(row, dtype, rows, cols):
    """Instructions that put elements somewhere else; None: this shape is none of theirs."""
    name, t = row["name"], Trace()
    block, size = BLOCK // SIZE[dtype], SIZE[dtype]
    if name in ("tfillpad", "tfillpad_expand", "tfillpad_inplace"):
        t.tile("src", dtype, rows, cols, fill=FILL)
        storage = up(cols, block)
        kind = tile_type(dtype, rows, storage).replace(">", ", pad=1>")
        t.type["dst"] = kind
        t.lines.append(f"%dst = pto.alloc_tile addr = %at : {kind}" if name.endswith("inplace") else f"%dst = pto.alloc_tile : {kind}")
        if name.endswith("inplace"):
            t.type["src"] = tile_type(dtype, rows, storage, (rows, cols))
            t.lines = ["%at = arith.constant 0 : i64", f"%src = pto.alloc_tile addr = %at : {t.type['src']}", f"//! init %src = {FILL}", t.lines[-1]]
        t.op(name, ["src"], ["dst"])
    elif name == "ttrans":
        t.tile("src", dtype, rows, cols, fill=FILL)
        t.tile("dst", dtype, cols, rows)
        t.op(name, ["src"], ["dst"])
    elif name == "tci":
        t.tile("dst", dtype, 1, cols)
        t.op(name, [t.scalar(dtype, 1)], ["dst"])
    elif name == "ttri":
        t.tile("dst", dtype, rows, cols)
        t.op(name, [t.scalar("i32", 1)], ["dst"])
    elif name == "tgather":
        t.tile("src", dtype, rows, cols, fill=FILL)
        t.tile("indices", "i16" if size == 1 else "i32", rows, cols, fill="fill(1)")
        t.tile("dst", dtype, rows, cols)
        t.op(name, ["src", "indices"], ["dst"])
    elif name == "tgatherb":
        t.tile("src", dtype, rows, up(cols, block), fill=FILL)
        t.tile("offsets", "u32", rows, up(cols, block) // block, fill="fill(0)")
        t.tile("dst", dtype, rows, up(cols, block))
        t.op(name, ["src", "offsets"], ["dst"])
    elif name == "tscatter":
        t.tile("src", dtype, rows, cols, fill=FILL)
        t.tile("indices", "i32" if size == 4 else "i16", rows, cols, fill="fill(1)")
        t.tile("dst", dtype, rows, cols)
        t.op(name, ["src", "indices"], ["dst"])
    elif name == "tsort32":
        cols = up(cols, 32)
        t.tile("src", dtype, rows, cols, fill=FILL)
        t.tile("idx", "u32", rows, cols, fill="iota(start=0, step=1)")
        t.tile("dst", dtype, rows, cols * 8 // size)
        t.op(name, ["src", "idx"], ["dst"])
    elif name == "tmrgsort":
        records = 64 * 8 // size
        for k in "ab":
            t.tile(k, dtype, 1, records, fill="fill(1)")
        t.tile("dst", dtype, 1, 2 * records)
        t.tile("tmp", dtype, 1, 2 * records)
        t.op(name, ["a", "b", "tmp"], ["dst"])
    elif name in ("textract", "tinsert"):
        big, small = ("src", "dst") if name == "textract" else ("dst", "src")
        t.tile("src", dtype, *((rows, cols) if big == "src" else (max(1, rows - 1), cols)), fill=FILL)
        t.tile("dst", dtype, *((rows, cols) if big == "dst" else (max(1, rows - 1), cols)), fill=FILL if big == "dst" else None)
        zero = [t.scalar("i32", 0), t.scalar("i32", 0)]
        t.op(name, ["src", *zero], ["dst"])
    elif name == "tconcat":
        t.tile("src0", dtype, rows, cols, fill=FILL)
        t.tile("src1", dtype, rows, cols, fill=FILL)
        t.tile("dst", dtype, rows, 2 * cols)
        t.op(name, ["src0", "src1"], ["dst"])
    elif name in ("tgetval", "tprint"):
        t.tile("src", dtype, rows, cols, fill=FILL)
        if name == "tprint":
            t.op(name, ["src"], [])
        else:
            t.lines.append("%o = arith.constant 0 : index")
            t.lines.append(f"%value = pto.tgetval ins(%src, %o : {t.type['src']}, index) outs : {text_type(dtype)}")
    elif name == "tsetval":
        t.tile("dst", dtype, rows, cols, fill=FILL)
        value = t.scalar(dtype, 1)
        t.lines.append("%o = arith.constant 0 : index")
        t.lines.append(f"pto.tsetval ins(%o, %{value} : index, {t.type[value]}) outs(%dst : {t.type['dst']})")
    else:
        return None
    return t


MOVES = {"tfillpad", "tfillpad_expand", "tfillpad_inplace", "ttrans", "tci", "ttri", "tgather", "tgatherb", "tscatter", "tsort32", "tmrgsort",
         "textract", "tinsert", "tconcat", "tgetval", "tprint", "tsetval"}


def traces(row, target, dtype, rows, cols):
    """Pairs of a name and the text of a trace."""
    name = row["name"]
    if name in ("tload", "tstore", "mgather", "mscatter"):
        return [("", transfers(row, dtype, rows, cols))]
    if name in MOVES:
        t = moves(row, dtype, rows, cols)
        return [("", t.text())] if t else []
    if name.startswith("tpart"):
        return [(f"-{r}-{c}", part(row, dtype, rows, cols, (r, c)).text()) for r, c in ((0, 0), (1, 0), (0, 3), (1, 3))]
    types = {}
    if name in ("tsel", "tsels"): # the listed type is that of the mask
        types = {"src0": "i32", "src1": "i32", "src": "i32", "scalar": "i32", "$scalar": "i32", "dst": "i32"}
    if name in ("tcmp", "tcmps"):
        types = {"dst": "u8"}
    if name == "tcvt":
        types = {"dst": {"f32": "f16", "f16": "f32", "bf16": "f32", "i32": "f32", "i16": "f32", "u8": "f16", "i8": "f16", "i64": "f32", "u32": "i16"}[dtype]}
    if name.startswith(("trowarg", "tcolarg")):
        index = {"f16": "i16", "i16": "i16", "u16": "u16", "bf16": "u16"}.get(dtype, "i32")
        if SIZE[dtype] == 1: # no form with a value
            return [("", by_signature(row, dtype, rows, cols, 0, {"dst": "i32"}).text())]
        return [("", by_signature(row, dtype, rows, cols, 0, {"dst": "i32"}).text()),
                ("-value", by_signature(row, dtype, rows, cols, 1, {"dstIdx": index}).text())]
    return [("", by_signature(row, dtype, rows, cols, 0, types).text())]

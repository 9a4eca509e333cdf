/* Property test of checks, lowerings and execution: random legal instructions on random data must
 * give what the tile-level reference gives, and must leave every byte alone that is not theirs.
 *
 * A failing case is one line with everything in it; NPUSIM_TEST_SEED chooses another sequence.
 */
#include "tests/reference/bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX_TILES = 8, USABLE_UB = 180 * 1024 };

/* One random instruction with its operands, reference result and the bytes it may change. */
typedef struct Case {
    Bed *bed;
    uint64_t rng;
    Instr instr;
    bool max;
    bool overlap;             /* an output lies on a source, somehow */
    Tile tile[MAX_TILES];
    uint32_t room[MAX_TILES]; /* bytes to keep free for the tile: its storage, and its spill */
    int ntile;
    RefArray data[MAX_TILES]; /* contents of sources, expected contents of destinations */
    RefArray alt;             /* other admissible result of out[0]; bits NULL: none */
    char fault[256];
} Case;

static uint32_t below(Case *c, uint32_t n) { return (uint32_t)(bed_random(&c->rng) % n); }
static bool chance(Case *c, uint32_t percent) { return below(c, 100) < percent; }
static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

static uint32_t dimension(Case *c) {
    static const uint32_t edges[] = {1,  2,  3,  4,  5,   6,   7,   8,   9,   15,  16,  17, 31,
                                     32, 33, 63, 64, 65, 127, 128, 129, 254, 255, 256, 257, 300};
    if (chance(c, 20)) return 1 + below(c, 300);
    return edges[below(c, sizeof edges / sizeof edges[0])];
}

static DType pick_type(Case *c, const DType *list, uint32_t n) { return list[below(c, n)]; }
#define PICK(c, ...) pick_type(c, (const DType[]){__VA_ARGS__}, sizeof((const DType[]){__VA_ARGS__}) / sizeof(DType))

/* ---- tiles ---- */

/* Adds a tile. It is dynamic in rows or columns now and then. */
static Tile *add_tile(Case *c, Tile t) {
    bed_dynamic(&t, chance(c, 25), chance(c, 30));
    c->tile[c->ntile] = t;
    c->room[c->ntile] = (uint32_t)tile_bytes(&t);
    return &c->tile[c->ntile++];
}

/* A row-major tile with that valid region and a storage shape that may be larger. */
static Tile *add_matrix(Case *c, DType t, uint32_t rows, uint32_t cols) {
    uint32_t block = 32 / dtype_size(t);
    uint32_t storage = up(cols ? cols : 1, block) + (chance(c, 40) ? block * below(c, 4) : 0);
    uint32_t height = (rows ? rows : 1) + (chance(c, 30) ? below(c, 4) : 0);
    return add_tile(c, bed_tile(t, height, storage, rows, cols));
}

/* One valid column: dn, or the first column of a row-major tile. */
static Tile *add_column(Case *c, DType t, uint32_t rows) {
    uint32_t block = 32 / dtype_size(t);
    if (chance(c, 60)) return add_tile(c, bed_column(t, up(rows, block), rows));
    return add_tile(c, bed_tile(t, rows + below(c, 2), block * (1 + below(c, 3)), rows, 1));
}

/* Random order, random gaps, nothing overlaps. false: no room. */
static bool scatter(Case *c) {
    uint32_t used = 0;
    int order[MAX_TILES];
    for (int k = 0; k < c->ntile; k++) {
        used += up(c->room[k], 32);
        int j = (int)below(c, (uint32_t)k + 1);
        order[k] = order[j];
        order[j] = k;
    }
    if (used > USABLE_UB) return false;
    uint32_t slack = (USABLE_UB - used) / 32, addr = 0;
    for (int k = 0; k < c->ntile; k++) {
        uint32_t gap = below(c, slack / (uint32_t)c->ntile + 1);
        slack -= gap;
        addr += gap * 32;
        c->tile[order[k]].addr = addr;
        addr += up(c->room[order[k]], 32);
    }
    return true;
}

static bool disjoint(const Case *c, const Tile *a, const Tile *b) {
    return a->addr + c->room[a - c->tile] <= b->addr || b->addr + c->room[b - c->tile] <= a->addr;
}

static bool is_input(const Case *c, const Tile *t) {
    for (int k = 0; k < c->instr.nin; k++)
        if (c->instr.in[k] == t) return true;
    return false;
}

/* Moves an output onto a source: same start, a little before or behind, or anywhere inside. What is
 * written stays disjoint. false: that did not work out. */
static bool collide(Case *c) {
    Tile *dst = c->instr.out[below(c, (uint32_t)c->instr.nout)];
    const Tile *src = c->instr.in[below(c, (uint32_t)c->instr.nin)];
    int32_t blocks = (int32_t)(tile_bytes(src) / 32), row = (int32_t)(tile_row_stride(src) * tile_esize(src) / 32);
    const int32_t steps[] = {0, 1, -1, row, -row, (int32_t)below(c, (uint32_t)blocks), -(int32_t)below(c, (uint32_t)blocks)};
    if (is_input(c, dst)) return false;
    dst->addr = src->addr + 32 * steps[below(c, 7)];
    if (dst->addr < 0 || dst->addr + c->room[dst - c->tile] > USABLE_UB) return false;
    for (int k = 0; k < c->instr.nout; k++)
        if (c->instr.out[k] != dst && !disjoint(c, dst, c->instr.out[k])) return false;
    return !c->instr.tmp || disjoint(c, dst, c->instr.tmp);
}

static bool place(Case *c) { return scatter(c) && (!c->overlap || collide(c)); }

/* ---- data ---- */

typedef enum Flavour { NUMBERS, TIES, EDGES, EDGES_NAN, CONSTANT, FLAVOURS } Flavour;

static const uint32_t edge_f32[] = {0, 0x80000000, 0x3F800000, 0xBF800000, 1, 0x80000001, 0x007FFFFF,
                                    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
                                    0x7FC00000, 0xFFC00123, 0x7F800001};
static const uint32_t edge_16[2][14] = {
    {0, 0x8000, 0x3C00, 0xBC00, 1, 0x8001, 0x03FF, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE12, 0x7C01},
    {0, 0x8000, 0x3F80, 0xBF80, 1, 0x8001, 0x007F, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F81}};
enum { FLOAT_NUMBERS = 11, FLOAT_EDGES = 14 };

static uint32_t edge(Case *c, DType t, bool nan) {
    uint32_t k = below(c, nan ? FLOAT_EDGES : FLOAT_NUMBERS);
    if (t == DT_F32) return edge_f32[k];
    if (t == DT_F16) return edge_16[0][k];
    if (t == DT_BF16) return edge_16[1][k];
    uint32_t bits = 8 * dtype_size(t), top = 1u << (bits - 1);
    const uint32_t integers[] = {0, 1, ~0u, top, top - 1, top + 1, ~0u - 1, 100};
    uint32_t v = integers[below(c, 8)];
    return bits == 32 ? v : v & ((1u << bits) - 1);
}

static uint32_t number(Case *c, DType t) {
    uint32_t bits = (uint32_t)bed_random(&c->rng);
    if (dtype_size(t) < 4) bits &= (1u << 8 * dtype_size(t)) - 1;
    return dtype_is_float(t) && ref_is_nan(t, bits) ? edge(c, t, false) : bits;
}

static uint32_t value(Case *c, DType t, Flavour f) {
    switch (f) {
    case NUMBERS: return number(c, t);
    case TIES: return chance(c, 97) ? edge(c, t, false) : number(c, t);
    case EDGES: return chance(c, 10) ? edge(c, t, false) : number(c, t);
    default: return chance(c, 3) ? edge(c, t, true) : number(c, t);
    }
}

static void fill(Case *c, RefArray *a) {
    Flavour f = (Flavour)below(c, FLAVOURS);
    uint32_t constant = edge(c, a->dtype, chance(c, 20));
    for (uint32_t k = 0; k < a->rows * a->cols; k++)
        a->bits[k] = f == CONSTANT ? constant : value(c, a->dtype, f);
}

static RefArray *data_of(Case *c, const Tile *t) { return &c->data[t - c->tile]; }

/* Fills the valid regions of all sources. Where sources share bytes the last one wins. */
static void fill_sources(Case *c) {
    for (int k = 0; k < c->instr.nin; k++) {
        const Tile *t = c->instr.in[k];
        RefArray *a = data_of(c, t);
        ref_free(a);
        *a = ref_new(t->type.dtype, t->vrows, t->vcols);
        fill(c, a);
        bed_write(c->bed, t, a);
    }
    for (int k = 0; k < c->instr.nin; k++) bed_read(c->bed, c->instr.in[k], data_of(c, c->instr.in[k]));
}

/* Takes over the expected contents of an output (which may be a source at the same time). */
static void expect(Case *c, const Tile *t, RefArray want) {
    ref_free(data_of(c, t));
    *data_of(c, t) = want;
}

/* All of UB gets noise: padding is as tempting as data. */
static void noise(Case *c) {
    uint64_t *p = (uint64_t *)(void *)c->bed->machine->ub;
    for (uint32_t k = 0; k < c->bed->machine->ub_size / 8; k++) p[k] = bed_random(&c->rng);
}

/* ---- the four kinds of instruction: operands, data and reference ---- */

static void in(Case *c, Tile *t) { c->instr.in[c->instr.nin++] = t; }
static void out(Case *c, Tile *t) { c->instr.out[c->instr.nout++] = t; }

/* Shapes that the shipped lowering gets wrong, and document conformance repairs: rows further apart
 * than a repeat stride can say, 256 repeats in an 8-bit field. */
static void wide_bins(Case *c, DType t, Tile **src, Tile **dst) {
    uint32_t far = 256 * 32 / dtype_size(t);
    if (chance(c, 50)) {
        uint32_t rows = 2 + below(c, 3), cols = dimension(c);
        *src = add_tile(c, bed_tile(t, rows, far + below(c, 2) * far / 2, rows, cols));
        *dst = chance(c, 50) ? add_matrix(c, t, rows, cols) : *src;
        if (*dst != *src) bed_dynamic(*dst, false, true);
    } else {
        *src = *dst = add_tile(c, bed_tile(t, 2, 256 * 256 / dtype_size(t), 2, 256 * 256 / dtype_size(t)));
        bed_dynamic(*src, false, true);
    }
}

static bool make_bins(Case *c) {
    bool is_950 = c->bed->rules.is_950;
    DType t = is_950 ? PICK(c, DT_U8, DT_I8, DT_U16, DT_I16, DT_U32, DT_I32, DT_F16, DT_F32, DT_BF16)
                     : PICK(c, DT_I32, DT_I16, DT_F16, DT_F32);
    Tile *src, *dst;
    if (!c->bed->rules.library && chance(c, 4)) {
        wide_bins(c, t, &src, &dst);
    } else {
        uint32_t rows = chance(c, 2) ? 0 : dimension(c), cols = chance(c, 1) ? 0 : dimension(c);
        dst = add_matrix(c, t, rows, cols);
        src = chance(c, 20) ? dst : add_matrix(c, t, rows, cols);
        if (is_950 && src != dst && chance(c, 10)) { /* the 950 goes by dst's rows alone */
            src->vrows = 1 + below(c, src->type.rows);
            src->type.vrows = VALID_DYN;
        }
    }
    in(c, src);
    out(c, dst);
    if (!place(c)) return false;
    noise(c);
    c->instr.has_scalar = true;
    c->instr.scalar_type = t;
    c->instr.scalar = chance(c, 10) ? edge(c, t, true) : number(c, t);
    RefArray a = ref_new(t, dst->vrows, dst->vcols);
    fill(c, &a);
    bed_write(c->bed, src, &a);
    RefArray want = ref_new(t, dst->vrows, dst->vcols);
    ref_bins(c->max, &a, (uint32_t)c->instr.scalar, &want);
    ref_free(&a);
    expect(c, dst, want);
    return true;
}

/* The smaller source's valid region inside rows x cols. */
static void smaller(Case *c, uint32_t *rows, uint32_t *cols) {
    uint32_t kind = below(c, 8), r = *rows, n = *cols;
    if (kind == 0) return;
    if (kind <= 5 && kind != 2 && r) *rows = chance(c, 50) ? r - below(c, r < 3 ? r : 3) : below(c, r + 1);
    if (kind >= 2 && kind <= 6 && n) *cols = chance(c, 50) ? n - below(c, n < 3 ? n : 3) : below(c, n + 1);
    if (kind == 7) *rows = chance(c, 50) ? 0 : *rows, *cols = *rows ? 0 : *cols;
}

static bool make_part(Case *c) {
    DType t = c->bed->rules.is_950 ? PICK(c, DT_I8, DT_U8, DT_I16, DT_U16, DT_I32, DT_U32, DT_F16, DT_BF16, DT_F32)
                                   : PICK(c, DT_I32, DT_I16, DT_F16, DT_F32);
    uint32_t rows = chance(c, 2) ? 0 : dimension(c), cols = chance(c, 2) ? 0 : dimension(c);
    uint32_t less_rows = rows, less_cols = cols;
    smaller(c, &less_rows, &less_cols);
    Tile *full = add_matrix(c, t, rows, cols), *part = add_matrix(c, t, less_rows, less_cols);
    Tile *dst = chance(c, 25) ? full : add_matrix(c, t, rows, cols);
    bool swap = chance(c, 50);
    in(c, swap ? part : full);
    in(c, swap ? full : part);
    out(c, dst);
    if (!place(c)) return false;
    noise(c);
    fill_sources(c);
    const RefArray *s[2] = {data_of(c, c->instr.in[0]), data_of(c, c->instr.in[1])};
    RefArray want = ref_new(t, rows, cols);
    c->alt = ref_new(t, rows, cols);
    ref_part(c->max, s[0], s[1], &want);
    ref_part(c->max, s[1], s[0], &c->alt); /* differs where both are NaN: which operand a lowering names first is its own affair */
    expect(c, dst, want);
    return true;
}

/* The shipped lowerings cannot do every pair that the documents list. */
static bool library_refuses(const Case *c, DType val, DType idx, uint32_t cols) {
    if (!c->bed->rules.library || dtype_size(val) == dtype_size(idx)) return false;
    return c->bed->rules.is_950 ? val == DT_F32 : cols > 64;
}

static bool make_partarg(Case *c) {
    DType t = PICK(c, DT_F16, DT_F32);
    DType i = t == DT_F16 || c->bed->rules.is_950 ? PICK(c, DT_I16, DT_U16, DT_I32, DT_U32) : PICK(c, DT_I32, DT_U32);
    uint32_t rows = chance(c, 2) ? 0 : dimension(c), cols = chance(c, 2) ? 0 : dimension(c);
    if (library_refuses(c, t, i, cols)) return false;
    uint32_t less_rows = rows, less_cols = cols;
    smaller(c, &less_rows, &less_cols);
    Tile *full[2] = {add_matrix(c, t, rows, cols), add_matrix(c, i, rows, cols)};
    Tile *part[2] = {add_matrix(c, t, less_rows, less_cols), add_matrix(c, i, less_rows, less_cols)};
    bool in_place = chance(c, 25), swap = chance(c, 50);
    Tile *dst[2] = {in_place ? full[0] : add_matrix(c, t, rows, cols), in_place ? full[1] : add_matrix(c, i, rows, cols)};
    Tile **first = swap ? part : full, **second = swap ? full : part;
    for (int k = 0; k < 2; k++) {
        in(c, first[k]);
        in(c, second[k]);
        out(c, dst[k]);
    }
    if (!place(c)) return false;
    noise(c);
    fill_sources(c);
    RefPair s0 = {*data_of(c, first[0]), *data_of(c, first[1])}, s1 = {*data_of(c, second[0]), *data_of(c, second[1])};
    RefPair want = {ref_new(t, rows, cols), ref_new(i, rows, cols)};
    ref_partarg(c->max, c->bed->rules, &s0, &s1, &want);
    expect(c, dst[0], want.val);
    expect(c, dst[1], want.idx);
    return true;
}

/* Columns on all three paths of a2a3, rows as they fit. */
static void rowarg_shape(Case *c, DType t, uint32_t *rows, uint32_t *cols) {
    uint32_t lanes = 256 / dtype_size(t), kind = below(c, 100);
    *rows = dimension(c);
    if (kind < 45) {
        static const uint32_t tall[] = {255, 256, 300, 510, 511, 600};
        *cols = chance(c, 30) ? lanes : 1 + below(c, lanes);
        if (chance(c, 15)) *rows = tall[below(c, 6)];
    } else if (kind < 92) {
        *cols = chance(c, 50) ? dimension(c) + lanes : lanes + 1 + below(c, 4000);
        if (*cols > 600) *rows = 1 + below(c, 9);
    } else {
        uint32_t most = dtype_size(t) == 4 ? 5000 : 20000, least = lanes * lanes + 1;
        *cols = chance(c, 20) ? least : least + below(c, most - least + 1);
        *rows = 1 + below(c, 3);
    }
}

/* tmp of the documented size, or a little more. */
static void add_tmp(Case *c, const Tile *src, bool with_value) {
    DType t = src->type.dtype;
    uint32_t block = 32 / dtype_size(t), lanes = 8 * block, rows = src->vrows, stride = bed_tmp_stride(t, src->vcols);
    Tile tmp;
    if (c->bed->rules.is_950 || (src->vcols <= lanes && !with_value)) { /* not used */
        if (chance(c, 60)) return;
        tmp = bed_tile(t, 1, block, 1, block);
    } else if (src->vcols > lanes) {
        uint32_t cols = up(stride, block) + (chance(c, 20) ? block : 0);
        tmp = bed_tile(t, src->type.rows, cols, src->type.rows, cols);
    } else if (chance(c, 50)) {
        tmp = bed_column(t, up(2 * rows, block), 2 * rows);
    } else {
        tmp = bed_tile(t, rows, block, rows, 2);
    }
    c->instr.tmp = add_tile(c, tmp);
    uint32_t spill = ((rows - 1) * tmp.type.cols + bed_tmp_touched(t, src->vcols)) * dtype_size(t);
    if (!c->bed->rules.is_950 && src->vcols > lanes * lanes && spill > c->room[c->ntile - 1])
        c->room[c->ntile - 1] = spill;
}

static bool make_rowarg(Case *c) {
    DType t = c->bed->rules.is_950 ? PICK(c, DT_F16, DT_BF16, DT_I16, DT_U16, DT_F32, DT_I32, DT_U32)
                                   : PICK(c, DT_F16, DT_F32, DT_I16, DT_I32);
    bool with_value = chance(c, 55);
    DType i = with_value && dtype_size(t) == 2 ? PICK(c, DT_I16, DT_U16, DT_I32, DT_U32) : PICK(c, DT_I32, DT_U32);
    uint32_t rows, cols;
    rowarg_shape(c, t, &rows, &cols);
    Tile *src = add_matrix(c, t, rows, cols);
    Tile *val = with_value ? add_column(c, t, rows) : NULL, *idx = add_column(c, i, rows);
    add_tmp(c, src, with_value);
    in(c, src);
    if (val) out(c, val);
    out(c, idx);
    if (!place(c)) return false;
    noise(c);
    fill_sources(c);
    *data_of(c, idx) = ref_new(i, rows, 1);
    if (val) *data_of(c, val) = ref_new(t, rows, 1);
    ref_rowarg(c->max, c->bed->rules, data_of(c, src), val ? data_of(c, val) : NULL, data_of(c, idx));
    return true;
}

/* ---- verdict ---- */

/* Bytes that may have changed are taken over, so that the rest can be compared in one go. */
static void forgive(Case *c, int64_t addr, uint64_t bytes) {
    memcpy(c->bed->before + addr, c->bed->machine->ub + addr, bytes);
}

static void check_output(Case *c, int k) {
    const Tile *t = c->instr.out[k];
    const RefArray *want = data_of(c, t);
    RefArray got = ref_new(t->type.dtype, want->rows, want->cols);
    bed_read(c->bed, t, &got);
    for (uint32_t e = 0; e < want->rows * want->cols && !c->fault[0]; e++) {
        bool fine = got.bits[e] == want->bits[e] || (k == 0 && c->alt.bits && got.bits[e] == c->alt.bits[e]);
        if (!fine)
            snprintf(c->fault, sizeof c->fault, "out %d element (%u, %u) is 0x%X, should be 0x%X", k,
                     e / want->cols, e % want->cols, got.bits[e], want->bits[e]);
        forgive(c, tile_elem_addr(t, e / want->cols, e % want->cols), tile_esize(t));
    }
    ref_free(&got);
}

/* On a2a3 the block copies of TPART* move padding inside dst; the stages of TROWARG* use tmp. */
static void check_untouched(Case *c) {
    Bed *b = c->bed;
    bool copies = c->instr.id == I_TPARTMAX || c->instr.id == I_TPARTMIN || c->instr.id == I_TPARTARGMAX ||
                  c->instr.id == I_TPARTARGMIN;
    for (int k = 0; k < c->instr.nout; k++)
        if (copies && !b->rules.is_950) forgive(c, c->instr.out[k]->addr, tile_bytes(c->instr.out[k]));
    const Tile *src = c->instr.in[0], *tmp = c->instr.tmp;
    bool staged = src->vcols > 256 / tile_esize(src) || c->instr.nout == 2;
    if (tmp && staged && !b->rules.is_950) forgive(c, tmp->addr, c->room[tmp - c->tile]);
    if (memcmp(b->before, b->machine->ub, b->machine->ub_size) == 0) return;
    uint32_t a = 0;
    while (b->before[a] == b->machine->ub[a]) a++;
    snprintf(c->fault, sizeof c->fault, "byte 0x%X belongs to no result and changed from 0x%02X to 0x%02X", a,
             b->before[a], b->machine->ub[a]);
}

static void describe_tile(const char *role, const Tile *t) {
    printf(" %s %ux%u %s%s v=%ux%u%s%s @0x%llX", role, t->type.rows, t->type.cols, dtype_name(t->type.dtype),
           t->type.blayout == COL_MAJOR ? " dn" : "", t->vrows, t->vcols, t->type.vrows < 0 ? " dyn-rows" : "",
           t->type.vcols < 0 ? " dyn-cols" : "", (unsigned long long)t->addr);
}

static void report(const Case *c, uint32_t number) {
    printf("seed %llu case %u: %s %s %s", (unsigned long long)bed_seed(), number, c->bed->target->name,
           c->bed->rules.library ? "library" : "document", c->instr.info->name);
    for (int k = 0; k < c->instr.nin; k++) describe_tile("in", c->instr.in[k]);
    if (c->instr.has_scalar) printf(" scalar 0x%llX", (unsigned long long)c->instr.scalar);
    for (int k = 0; k < c->instr.nout; k++) describe_tile("out", c->instr.out[k]);
    if (c->instr.tmp) describe_tile("tmp", c->instr.tmp);
    printf(": %s\n", c->fault);
}

typedef bool (*MakeFn)(Case *c);

static bool aliased(const Bed *b) {
    for (size_t i = 0; i < diag_count(b->diag); i++)
        if (diag_at(b->diag, i)->id == DIAG_ALIAS && diag_at(b->diag, i)->severity == SEV_ERROR) return true;
    return false;
}

/* Overlapping operands are either refused or give the right result. */
static void judge(Case *c) {
    Bed *b = c->bed;
    if (!bed_run(b, &c->instr)) {
        if (c->overlap && aliased(b)) return;
        const char *text = b->machine->fault != ~0u ? "access outside UB" : bed_error(b);
        snprintf(c->fault, sizeof c->fault, "refused: %s", *text ? text : "no error given");
        b->machine->fault = ~0u;
    }
    for (int k = 0; k < c->instr.nout && !c->fault[0]; k++) check_output(c, k);
    if (!c->fault[0]) check_untouched(c);
}

/* false: the dice gave something that does not fit into UB. */
static bool run_case(Bed *b, InstrId id, bool max, MakeFn make, bool overlap, uint32_t number, int *failures) {
    Case c;
    memset(&c, 0, sizeof c);
    c.bed = b;
    c.rng = bed_seed() + ((uint64_t)number << 20) + ((uint64_t)id << 8);
    c.instr = bed_instr(id);
    c.max = max;
    c.overlap = overlap;
    bool made = make(&c);
    if (made) judge(&c);
    if (c.fault[0]) {
        report(&c, number);
        ++*failures;
    }
    for (int k = 0; k < MAX_TILES; k++) ref_free(&c.data[k]);
    ref_free(&c.alt);
    return made;
}

static void run_all(const char *target, const char *conformance, bool overlap, uint32_t cases) {
    static const struct { InstrId id; bool max; MakeFn make; } kinds[] = {
        {I_TMINS, false, make_bins},         {I_TMAXS, true, make_bins},
        {I_TPARTMIN, false, make_part},      {I_TPARTMAX, true, make_part},
        {I_TPARTARGMIN, false, make_partarg}, {I_TPARTARGMAX, true, make_partarg},
        {I_TROWARGMIN, false, make_rowarg},  {I_TROWARGMAX, true, make_rowarg}};
    Bed bed;
    bed_open(&bed, target, conformance);
    int failures = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (uint32_t n = 0, done = 0; done < cases && failures < 20; n++)
            done += run_case(&bed, kinds[k].id, kinds[k].max, kinds[k].make, overlap, n, &failures);
    bed_close(&bed);
    assert_int_equal(failures, 0);
}

static void a2a3_document(void **state) { (void)state; run_all("a2a3", "document", false, 1200); }
static void a2a3_library(void **state) { (void)state; run_all("a2a3", "library", false, 400); }
static void a2a3_overlap(void **state) { (void)state; run_all("a2a3", "document", true, 400); }
static void v950_document(void **state) { (void)state; run_all("950", "document", false, 1200); }
static void v950_library(void **state) { (void)state; run_all("950", "library", false, 400); }
static void v950_overlap(void **state) { (void)state; run_all("950", "document", true, 400); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a2a3_document), cmocka_unit_test(a2a3_library),
                                       cmocka_unit_test(a2a3_overlap),  cmocka_unit_test(v950_document),
                                       cmocka_unit_test(v950_library),  cmocka_unit_test(v950_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

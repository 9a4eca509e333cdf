/* The a2a3 lowerings behind the timing evidence: their micro-op streams as data, and random legal
 * instructions against plain C.
 *
 * A failing random case is one line; NPUSIM_TEST_SEED chooses another sequence.
 */
#include "tests/reference/bed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- streams ---- */

enum { DYN_COLS = 1, COLUMN_DST = 2, COLUMN_SRC = 4, TMP = 8, SCALAR_FIRST = 16, IN_PLACE = 32, LIBRARY = 64 };
enum { ADDR_SRC0 = 0x0, ADDR_SRC1 = 0x10000, ADDR_DST = 0x20000, ADDR_TMP = 0x28000 };

typedef struct Shape2 {
    uint32_t rows, cols;
} Shape2;

typedef struct StreamCase {
    const char *what;
    InstrId id;
    DType from, to;      /* source, destination */
    Shape2 src, dst;     /* storage */
    Shape2 valid;        /* of the source; results of reductions have one column or row */
    unsigned flags;
    const char *want;    /* one line per micro-op; "full" is the mask of all lanes */
} StreamCase;

#include "tests/unit/a2a3_evidence_cases.h"

static bool is_row_reduction(InstrId id) { return id == I_TROWMAX || id == I_TROWMIN || id == I_TROWSUM; }
static bool is_col_reduction(InstrId id) { return id == I_TCOLMAX || id == I_TCOLMIN || id == I_TCOLSUM; }

static Tile case_tile(DType t, Shape2 s, Shape2 valid, bool column, bool dynamic, uint32_t addr) {
    Tile x = column ? bed_column(t, s.rows, valid.rows) : bed_tile(t, s.rows, s.cols, valid.rows, valid.cols);
    bed_dynamic(&x, false, dynamic);
    x.addr = addr;
    return x;
}

static Shape2 result_shape(InstrId id, Shape2 valid) {
    if (is_row_reduction(id)) valid.cols = 1;
    if (is_col_reduction(id)) valid.rows = 1;
    return valid;
}

static void print_stream(const UopBuf *b, StrBuf *text) {
    for (uint32_t k = 0; k < b->n; k++) {
        const Uop *u = &b->uop[k];
        if (u->op == U_SET_MASK && u->imm == ~0ull && u->imm2 == ~0ull) sb_puts(text, "full");
        else uop_print(u, b, text);
        sb_puts(text, "\n");
    }
}

static void check_stream(Bed *b, const StreamCase *s) {
    bool dynamic = s->flags & DYN_COLS;
    Tile src0 = case_tile(s->from, s->src, s->valid, s->flags & COLUMN_SRC, dynamic, ADDR_SRC0), src1 = src0;
    Tile dst = case_tile(s->to, s->dst, result_shape(s->id, s->valid), s->flags & COLUMN_DST, dynamic && !(s->flags & COLUMN_DST), ADDR_DST);
    Tile tmp = case_tile(s->from, s->src, s->src, false, false, ADDR_TMP);
    if (s->id == I_TROWEXPAND) src0.vcols = 1, src0.type.vcols = (int32_t)src0.type.cols;
    src1.addr = ADDR_SRC1;
    if (s->flags & IN_PLACE) dst.addr = src0.addr;
    Instr i = bed_instr(s->id);
    i.nin = instr_signature(s->id)->nin;
    i.in[0] = &src0;
    i.in[1] = &src1;
    i.out[i.nout++] = &dst;
    i.tmp = s->flags & TMP ? &tmp : NULL;
    i.has_scalar = instr_signature(s->id)->scalar;
    i.scalar = dtype_from_double(s->from, 3.0, ROUND_RINT);
    i.scalar_first = s->flags & SCALAR_FIRST;
    i.round = ROUND_FLOOR;
    bool legal = bed_run(b, &i);
    if (legal == !!(s->flags & LIBRARY)) fail_msg("%s: %s", s->what, legal ? "accepted" : bed_error(b));
    StrBuf text = {0};
    if (!legal) instr_lower(&(LowerCtx){.target = b->target, .diag = b->diag, .out = &b->uops}, &i);
    print_stream(&b->uops, &text);
    if (strcmp(text.s ? text.s : "", s->want) != 0) {
        print_error("%s: expected\n%sfound\n%s", s->what, s->want, text.s ? text.s : "");
        sb_free(&text);
        fail();
    }
    sb_free(&text);
}

static void streams(void **state) {
    (void)state;
    Bed document, library;
    bed_open(&document, "a2a3", "document");
    bed_open(&library, "a2a3", "library");
    for (size_t k = 0; k < sizeof stream_cases / sizeof *stream_cases; k++)
        check_stream(stream_cases[k].flags & LIBRARY ? &library : &document, &stream_cases[k]);
    bed_close(&document);
    bed_close(&library);
}

/* ---- plain C: what one element of the result is ---- */

static uint32_t narrow(DType t, double v) { return (uint32_t)dtype_from_double(t, v, ROUND_RINT); }

static uint32_t low_bits(DType t, uint32_t v) { return dtype_size(t) == 4 ? v : v & ((1u << 8 * dtype_size(t)) - 1); }

/* + - * / in the type itself: single precision by the compiler, half rounded from an exact double. */
static uint32_t arith(char op, DType t, uint32_t a, uint32_t b) {
    if (!dtype_is_float(t)) return low_bits(t, op == '+' ? a + b : op == '-' ? a - b : a * b);
    double x = ref_value(t, a), y = ref_value(t, b);
    if (t != DT_F32) return narrow(t, op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y);
    float p = (float)x, q = (float)y, r = op == '+' ? p + q : op == '-' ? p - q : op == '*' ? p * q : p / q;
    uint32_t bits;
    memcpy(&bits, &r, 4);
    return bits;
}

static uint32_t function(InstrId id, DType t, uint32_t a) {
    double x = ref_value(t, a);
    switch (id) {
    case I_TEXP: return narrow(t, exp(x));
    case I_TLOG: return narrow(t, log(x));
    case I_TSQRT: return narrow(t, sqrt(x));
    case I_TRSQRT: return narrow(t, 1 / sqrt(x));
    case I_TABS: return a & (t == DT_F32 ? 0x7fffffffu : 0x7fffu);
    case I_TNEG: return arith('*', t, a, narrow(t, -1));
    default: return ref_extreme(true, t, a, 0); /* TRELU */
    }
}

static uint32_t combine(InstrId id, DType t, uint32_t a, uint32_t b) {
    switch (id) {
    case I_TADD: case I_TADDS: case I_TROWSUM: case I_TCOLSUM: return arith('+', t, a, b);
    case I_TSUB: return arith('-', t, a, b);
    case I_TMUL: case I_TMULS: return arith('*', t, a, b);
    case I_TDIV: case I_TDIVS: return arith('/', t, a, b);
    case I_TMAX: case I_TROWMAX: case I_TCOLMAX: return ref_extreme(true, t, a, b);
    default: return ref_extreme(false, t, a, b);
    }
}

static double rounded(double v, int mode) {
    switch (mode) {
    case ROUND_RINT: return nearbyint(v);
    case ROUND_ROUND: return round(v);
    case ROUND_FLOOR: return floor(v);
    case ROUND_CEIL: return ceil(v);
    default: return trunc(v);
    }
}

/* Float to integer: limits when saturating, else the low bits. */
static uint64_t to_integer(DType to, double v, bool saturate) {
    if (isnan(v)) return 0;
    double lo = dtype_to_double(to, dtype_lowest(to)), hi = dtype_to_double(to, dtype_highest(to));
    if (isinf(v) || saturate) v = v < lo ? lo : v > hi ? hi : v;
    if (v >= 0x1p63) return to == DT_I64 ? INT64_MAX : 0;
    uint64_t bits = (uint64_t)(int64_t)v;
    return dtype_size(to) == 8 ? bits : bits & ((1ull << 8 * dtype_size(to)) - 1);
}

static uint64_t f32_bits(float v) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits;
}

static uint64_t convert(DType to, DType from, uint64_t bits, int mode, bool saturate) {
    int64_t n = dtype_to_int(from, bits);
    if (from == DT_U8) n = (int64_t)bits;
    if (!dtype_is_float(from)) {
        if (to == DT_F32) return f32_bits((float)n);
        if (to == DT_F16) return f64_to_f16((double)n, ROUND_RINT);
        if (saturate && to == DT_I16) n = n < -32768 ? -32768 : n > 32767 ? 32767 : n;
        if (saturate && to == DT_I32) n = n < INT32_MIN ? INT32_MIN : n > INT32_MAX ? INT32_MAX : n;
        return dtype_size(to) == 8 ? (uint64_t)n : (uint64_t)n & ((1ull << 8 * dtype_size(to)) - 1);
    }
    double v = dtype_to_double(from, bits);
    if (to == DT_F16) return f64_to_f16(v, (RoundMode)mode);
    if (mode == ROUND_ODD) mode = dtype_is_float(to) ? ROUND_RINT : ROUND_TRUNC;
    if (to == DT_BF16) return f64_to_bf16(v, (RoundMode)mode);
    if (to == DT_F32 && from != DT_F32) return f32_bits((float)v);
    v = rounded(v, mode);
    return dtype_is_float(to) ? f32_bits((float)v) : to_integer(to, v, saturate);
}

/* ---- random cases ---- */

enum { MAX_ELEMENTS = 9000, USABLE_UB = 180 * 1024 };

typedef struct Random {
    Bed *bed;
    uint64_t rng;
    Instr instr;
    Tile src0, src1, dst, tmp;
    uint32_t R, C;
    uint32_t free;              /* first free byte of UB */
    bool may[256 * 1024];       /* bytes that the instruction may change */
    char what[160];
} Random;

static uint32_t below(Random *x, uint32_t n) { return (uint32_t)(bed_random(&x->rng) % n); }
static bool chance(Random *x, uint32_t percent) { return below(x, 100) < percent; }
static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

static uint32_t dimension(Random *x) {
    static const uint32_t edges[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 191, 192, 200, 254, 255, 256, 300, 510, 520};
    return chance(x, 30) ? 1 + below(x, 300) : edges[below(x, sizeof edges / sizeof *edges)];
}

static void choose_region(Random *x) {
    do {
        x->R = dimension(x);
        x->C = dimension(x) * (chance(x, 10) ? 8 : 1);
    } while (x->R * x->C > MAX_ELEMENTS);
}

static void put(Random *x, Tile *t) {
    t->addr = x->free + 32 * below(x, 20);
    x->free = (uint32_t)(t->addr + (int64_t)tile_bytes(t));
}

/* Storage as wide as the region, or wider; valid columns now and then known at run time only. */
static Tile matrix(Random *x, DType t, uint32_t rows, uint32_t cols, uint32_t wider) {
    uint32_t block = 32 / dtype_size(t);
    Tile m = bed_tile(t, rows + (chance(x, 20) ? below(x, 3) : 0), up(cols, block) + wider * block, rows, cols);
    bed_dynamic(&m, chance(x, 20), chance(x, 30));
    put(x, &m);
    return m;
}

static Tile column(Random *x, DType t, uint32_t rows) {
    uint32_t block = 32 / dtype_size(t);
    if (chance(x, 40)) return matrix(x, t, rows, 1, below(x, 2));
    Tile c = bed_column(t, up(rows, block), rows);
    put(x, &c);
    return c;
}

static uint64_t number(Random *x, DType t) {
    uint64_t bits = bed_random(&x->rng);
    static const double edges[] = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, 65504, 1e-7, 32767.5, -32768.5, 255.5, 127.5, 3e9, -3e9};
    if (dtype_is_float(t)) {
        if (chance(x, 20)) return dtype_from_double(t, edges[below(x, 15)], ROUND_RINT);
        return dtype_from_double(t, ((double)(bits >> 11) / 0x1p53 - 0.5) * ldexp(1, (int)below(x, 40) - 10), ROUND_RINT);
    }
    if (dtype_size(t) < 8) return bits & ((1ull << 8 * dtype_size(t)) - 1);
    if (chance(x, 50)) return bits >> below(x, 60);
    return ((bits & 0xffffff) * 2 + 1) << 37 | below(x, 2); /* half-way between two floats, or just above */
}

static uint64_t get(const Random *x, const Tile *t, uint32_t r, uint32_t c) {
    return dtype_load(t->type.dtype, x->bed->machine->ub + tile_elem_addr(t, r, c));
}

static void fill(Random *x, const Tile *t) {
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t c = 0; c < t->vcols; c++) dtype_store(t->type.dtype, x->bed->machine->ub + tile_elem_addr(t, r, c), number(x, t->type.dtype));
}

static void noise(Random *x) {
    uint64_t *p = (uint64_t *)(void *)x->bed->machine->ub;
    for (uint32_t k = 0; k < x->bed->machine->ub_size / 8; k++) p[k] = bed_random(&x->rng);
}

static void allow(Random *x, uint32_t addr, uint32_t bytes) { memset(x->may + addr, 1, bytes); }

/* A result as wanted; any NaN equals any NaN. */
static void want(Random *x, uint32_t r, uint32_t c, uint64_t bits) {
    DType t = x->dst.type.dtype;
    uint64_t found = get(x, &x->dst, r, c);
    allow(x, tile_elem_addr(&x->dst, r, c), dtype_size(t));
    if (found == bits || (dtype_is_float(t) && dtype_is_nan(t, found) && dtype_is_nan(t, bits))) return;
    fail_msg("%s: element %u,%u is 0x%llx, expected 0x%llx", x->what, r, c, (unsigned long long)found, (unsigned long long)bits);
}

static void want_rest_unchanged(const Random *x) {
    const uint8_t *now = x->bed->machine->ub, *before = x->bed->before;
    for (uint32_t k = 0; k < x->bed->machine->ub_size; k++)
        if (!x->may[k] && now[k] != before[k]) fail_msg("%s: byte 0x%x was changed", x->what, k);
}

static Instr *begin(Random *x, InstrId id) {
    x->instr = bed_instr(id);
    x->instr.in[0] = &x->src0;
    x->instr.nin = 1;
    x->instr.out[0] = &x->dst;
    x->instr.nout = 1;
    x->free = 0;
    memset(x->may, 0, sizeof x->may);
    choose_region(x);
    noise(x);
    return &x->instr;
}

/* Gives the instruction the tmp that it needs, sometimes a larger one. */
static void give_tmp(Random *x, DType t) {
    TmpNeed n = instr_tmp_need(x->bed->target, &x->instr);
    if (!n.rows) return;
    x->tmp = bed_tile(t, n.rows, up(n.real_cols, 32 / dtype_size(t)) + (chance(x, 30) ? 64 : 0), n.rows, n.real_cols);
    put(x, &x->tmp);
    x->instr.tmp = &x->tmp;
    allow(x, (uint32_t)x->tmp.addr, (uint32_t)tile_bytes(&x->tmp));
}

/* false: no room for it. */
static bool run(Random *x) {
    if (x->free > USABLE_UB) return false;
    const Tile *s = &x->src0, *d = &x->dst;
    snprintf(x->what, sizeof x->what, "%s %s->%s %ux%u src %ux%u at 0x%x dst %ux%u at 0x%x", x->instr.info->name, dtype_name(s->type.dtype),
             dtype_name(d->type.dtype), x->R, x->C, s->type.rows, s->type.cols, (unsigned)s->addr, d->type.rows, d->type.cols, (unsigned)d->addr);
    if (!bed_run(x->bed, &x->instr)) fail_msg("%s: refused: %s", x->what, bed_error(x->bed));
    return true;
}

static DType pick(Random *x, const DType *list, uint32_t n) { return list[below(x, n)]; }
#define PICK(x, ...) pick(x, (const DType[]){__VA_ARGS__}, sizeof((const DType[]){__VA_ARGS__}) / sizeof(DType))

static uint64_t before(const Random *x, const Tile *t, uint32_t r, uint32_t c) {
    return dtype_load(t->type.dtype, x->bed->before + tile_elem_addr(t, r, c));
}

/* dst apart from the sources or exactly on the first one. */
static void place_dst(Random *x, DType t, uint32_t wider) {
    if (chance(x, 15)) x->dst = x->src0;
    else x->dst = matrix(x, t, x->R, x->C, wider);
}

static void random_binary(Random *x) {
    static const InstrId ids[] = {I_TADD, I_TSUB, I_TMUL, I_TMAX, I_TMIN, I_TDIV};
    InstrId id = ids[below(x, 6)];
    DType t = id == I_TDIV ? PICK(x, DT_F32, DT_F16) : PICK(x, DT_F32, DT_F16, DT_I32, DT_I16);
    Instr *i = begin(x, id);
    uint32_t wider = chance(x, 40) ? below(x, 4) : 0, same = chance(x, 70);
    x->src0 = matrix(x, t, x->R, x->C, wider);
    x->src1 = matrix(x, t, x->R, x->C, same ? wider : below(x, 3));
    place_dst(x, t, wider);
    i->in[i->nin++] = &x->src1;
    fill(x, &x->src0);
    fill(x, &x->src1);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++)
            want(x, r, c, combine(id, t, (uint32_t)before(x, &x->src0, r, c), (uint32_t)before(x, &x->src1, r, c)));
    want_rest_unchanged(x);
}

static void random_scalar(Random *x) {
    static const InstrId ids[] = {I_TADDS, I_TMULS, I_TDIVS};
    InstrId id = ids[below(x, 3)];
    DType t = id == I_TDIVS ? PICK(x, DT_F32, DT_F16) : PICK(x, DT_F32, DT_F16, DT_I32, DT_I16);
    Instr *i = begin(x, id);
    uint32_t wider = chance(x, 40) ? below(x, 4) : 0;
    x->src0 = matrix(x, t, x->R, x->C, wider);
    if (id == I_TDIVS) x->dst = matrix(x, t, x->R, x->C, below(x, 3));
    else place_dst(x, t, wider);
    fill(x, &x->src0);
    i->has_scalar = true;
    i->scalar = number(x, t);
    i->scalar_first = id == I_TDIVS && chance(x, 50);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint32_t a = (uint32_t)before(x, &x->src0, r, c), b = (uint32_t)i->scalar;
            want(x, r, c, i->scalar_first ? combine(id, t, b, a) : combine(id, t, a, b));
        }
    want_rest_unchanged(x);
}

static void random_unary(Random *x) {
    static const InstrId ids[] = {I_TEXP, I_TLOG, I_TSQRT, I_TRSQRT, I_TABS, I_TRELU, I_TNEG};
    InstrId id = ids[below(x, 7)];
    DType t = id == I_TNEG ? PICK(x, DT_F32, DT_F16, DT_I32, DT_I16) : id == I_TRELU ? PICK(x, DT_F32, DT_F16, DT_I32) : PICK(x, DT_F32, DT_F16);
    Instr *i = begin(x, id);
    bool precise = id == I_TRSQRT && chance(x, 50);
    uint32_t wider = chance(x, 40) ? below(x, 4) : 0;
    x->src0 = matrix(x, t, x->R, x->C, wider);
    place_dst(x, t, chance(x, 50) ? wider : below(x, 3));
    i->tmp = precise ? &x->tmp : NULL;
    give_tmp(x, t);
    fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint32_t a = (uint32_t)before(x, &x->src0, r, c);
            want(x, r, c, precise ? arith('/', t, narrow(t, 1), function(I_TSQRT, t, a)) : function(id, t, a));
        }
    want_rest_unchanged(x);
}

static void random_convert(Random *x) {
    static const DType pairs[][2] = {
        {DT_F32, DT_F16}, {DT_F32, DT_F32}, {DT_F32, DT_BF16}, {DT_F32, DT_I64}, {DT_F32, DT_I32}, {DT_F32, DT_I16}, {DT_F16, DT_F32}, {DT_F16, DT_I32},
        {DT_F16, DT_I16}, {DT_F16, DT_I8}, {DT_F16, DT_U8}, {DT_BF16, DT_F32}, {DT_BF16, DT_I32}, {DT_U8, DT_F16}, {DT_I8, DT_F16}, {DT_I16, DT_F16},
        {DT_I16, DT_F32}, {DT_I32, DT_F32}, {DT_I32, DT_I64}, {DT_I32, DT_I16}, {DT_I32, DT_F16}, {DT_I64, DT_F32}, {DT_I64, DT_I32}};
    const DType *p = pairs[below(x, sizeof pairs / sizeof *pairs)];
    DType from = p[0], to = p[1];
    bool narrows = to == DT_I16 || to == DT_I8 || to == DT_U8 || (from == DT_I64 && to == DT_I32), two_step;
    Instr *i = begin(x, I_TCVT);
    i->round = dtype_is_float(from) ? (int)below(x, 6) : ROUND_RINT;
    i->saturate = chance(x, 50);
    x->src0 = matrix(x, from, x->R, x->C, chance(x, 40) ? below(x, 3) : 0);
    x->dst = matrix(x, to, x->R, x->C, chance(x, 40) ? below(x, 3) : 0);
    i->tmp = chance(x, 50) ? &x->tmp : NULL;
    two_step = instr_tmp_need(x->bed->target, i).rows;
    give_tmp(x, from);
    if (!two_step) i->tmp = NULL;
    fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint64_t v = before(x, &x->src0, r, c);
            if (two_step) v = convert(DT_I32, from, v, i->round, true);
            want(x, r, c, convert(to, two_step ? DT_I32 : from, v, i->round, !narrows || i->saturate));
        }
    want_rest_unchanged(x);
}

/* Order of the additions of a row: neighbouring repeats, then a tree of sums, then a tree of lanes. */
static uint32_t row_sum(DType t, const uint32_t *v, uint32_t n) {
    uint32_t E = 256 / dtype_size(t), full = n / E, rest = n % E;
    static uint32_t s[64][128];
    float lane[128];
    memset(s, 0, sizeof s);
    for (uint32_t e = 0; e < E; e++) {
        for (uint32_t k = 0; k < full / 2; k++) s[k][e] = arith('+', t, v[2 * k * E + e], v[(2 * k + 1) * E + e]);
        if (full == 1) s[0][e] = v[e];
        else if (full % 2) s[0][e] = arith('+', t, s[0][e], v[(full - 1) * E + e]);
        if (e < rest) s[0][e] = full ? arith('+', t, s[0][e], v[full * E + e]) : v[e];
        for (uint32_t m = full / 2; m > 1; m /= 2) {
            for (uint32_t k = 0; k < m / 2; k++) s[k][e] = arith('+', t, s[2 * k][e], s[2 * k + 1][e]);
            if (m % 2) s[m / 2 - 1][e] = arith('+', t, s[m / 2 - 1][e], s[m - 1][e]);
        }
        lane[e] = (float)ref_value(t, s[0][e]);
    }
    for (uint32_t m = E; m > 1; m /= 2)
        for (uint32_t k = 0; k < m / 2; k++) lane[k] = lane[2 * k] + lane[2 * k + 1];
    return narrow(t, lane[0]);
}

static uint32_t reduce_row(Random *x, InstrId id, uint32_t r) {
    DType t = x->src0.type.dtype;
    static uint32_t v[MAX_ELEMENTS];
    for (uint32_t c = 0; c < x->C; c++) v[c] = (uint32_t)before(x, &x->src0, r, c);
    if (id == I_TROWSUM && dtype_is_float(t)) return row_sum(t, v, x->C);
    for (uint32_t c = 1; c < x->C; c++) v[0] = combine(id, t, v[0], v[c]);
    return v[0];
}

/* The chains of group reductions add in another order: data whose sums are exact in any order. */
static void fill_exact(Random *x, const Tile *t) {
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t c = 0; c < t->vcols; c++)
            dtype_store(t->type.dtype, x->bed->machine->ub + tile_elem_addr(t, r, c), dtype_from_double(t->type.dtype, (double)below(x, 9) - 4, ROUND_RINT));
}

static void random_row_reduction(Random *x) {
    static const InstrId ids[] = {I_TROWMAX, I_TROWMIN, I_TROWSUM};
    InstrId id = ids[below(x, 3)];
    DType t = PICK(x, DT_F32, DT_F16, DT_I32, DT_I16);
    begin(x, id);
    bool fast = chance(x, 15);
    if (fast) {
        t = DT_F32;
        x->R = 8u << below(x, 4);
        x->C = 8192 / x->R;
        x->src0 = bed_tile(t, x->R, x->C, x->R, x->C);
        put(x, &x->src0);
        x->dst = bed_column(t, x->R, x->R);
        put(x, &x->dst);
    } else {
        x->src0 = matrix(x, t, x->R, x->C, chance(x, 40) ? below(x, 4) : 0);
        x->dst = column(x, t, x->R);
    }
    give_tmp(x, t);
    if (fast) fill_exact(x, &x->src0);
    else fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++) want(x, r, 0, reduce_row(x, id, r));
    want_rest_unchanged(x);
}

/* Rows one after the other, or pairs of rows and pairs of sums. */
static uint32_t reduce_col(Random *x, InstrId id, uint32_t c, bool tree) {
    DType t = x->src0.type.dtype;
    static uint32_t v[MAX_ELEMENTS];
    for (uint32_t r = 0; r < x->R; r++) v[r] = (uint32_t)before(x, &x->src0, r, c);
    if (!tree) {
        for (uint32_t r = 1; r < x->R; r++) v[0] = combine(id, t, v[0], v[r]);
        return v[0];
    }
    for (uint32_t n = x->R; n > 1; n /= 2) {
        uint32_t last = v[n - 1];
        for (uint32_t k = 0; k < n / 2; k++) v[k] = combine(id, t, v[2 * k], v[2 * k + 1]);
        if (n % 2) v[0] = combine(id, t, v[0], last);
    }
    return v[0];
}

static void random_col_reduction(Random *x) {
    static const InstrId ids[] = {I_TCOLMAX, I_TCOLMIN, I_TCOLSUM};
    InstrId id = ids[below(x, 3)];
    DType t = PICK(x, DT_F32, DT_F16, DT_I32, DT_I16);
    Instr *i = begin(x, id);
    bool tree = id == I_TCOLSUM && chance(x, 50);
    x->src0 = matrix(x, t, x->R, x->C, chance(x, 40) ? below(x, 4) : 0);
    x->dst = matrix(x, t, 1, x->C, 0);
    i->tmp = tree ? &x->tmp : NULL;
    give_tmp(x, t);
    if (x->R == 1) i->tmp = NULL;
    fill(x, &x->src0);
    if (!run(x)) return;
    allow(x, (uint32_t)x->dst.addr, up(x->C * dtype_size(t), 32)); /* the first row is copied in whole blocks */
    for (uint32_t c = 0; c < x->C; c++) want(x, 0, c, reduce_col(x, id, c, tree && x->R > 1));
    want_rest_unchanged(x);
}

static void random_row_expand(Random *x) {
    DType t = PICK(x, DT_F32, DT_F16, DT_BF16, DT_I32, DT_U16, DT_I8, DT_U8);
    uint32_t block = 32 / dtype_size(t);
    begin(x, I_TROWEXPAND);
    if (chance(x, 30)) { /* one block per element */
        x->R = up(1 + below(x, 4000), block);
        x->C = block;
        x->src0 = bed_column(t, x->R, x->R);
        put(x, &x->src0);
        x->dst = bed_tile(t, x->R, x->C, x->R, x->C);
        put(x, &x->dst);
    } else {
        x->src0 = column(x, t, x->R);
        x->dst = matrix(x, t, x->R, x->C, chance(x, 40) ? below(x, 3) : 0);
    }
    fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++) {
        if (dtype_size(t) == 1) allow(x, tile_elem_addr(&x->dst, r, 0), up(x->C, 2)); /* bytes go in pairs */
        for (uint32_t c = 0; c < x->C; c++) want(x, r, c, before(x, &x->src0, r, 0));
    }
    want_rest_unchanged(x);
}

static void run_random(void (*one)(Random *), uint32_t cases) {
    Bed bed;
    bed_open(&bed, "a2a3", "document");
    Random *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->bed = &bed;
    x->rng = bed_seed();
    for (uint32_t k = 0; k < cases; k++) one(x);
    free(x);
    bed_close(&bed);
}

#define RANDOM_TEST(name, cases)                   \
    static void name##_matches_plain_c(void **state) { \
        (void)state;                               \
        run_random(random_##name, cases);          \
    }
RANDOM_TEST(binary, 700)
RANDOM_TEST(scalar, 500)
RANDOM_TEST(unary, 500)
RANDOM_TEST(convert, 700)
RANDOM_TEST(row_reduction, 600)
RANDOM_TEST(col_reduction, 500)
RANDOM_TEST(row_expand, 300)

/* In place the library multiplies by the reciprocal, and says so. */
static void division_in_place_uses_the_reciprocal(void **state) {
    (void)state;
    Bed bed;
    bed_open(&bed, "a2a3", "document");
    Tile t = bed_tile(DT_F32, 1, 8, 1, 8);
    t.addr = 0;
    Instr i = bed_instr(I_TDIVS);
    i.in[i.nin++] = &t;
    i.out[i.nout++] = &t;
    i.has_scalar = true;
    i.scalar = f32_bits(10.0f);
    RefArray a = ref_new(DT_F32, 1, 8);
    for (uint32_t k = 0; k < 8; k++) a.bits[k] = (uint32_t)f32_bits((float)(3 * k));
    bed_write(&bed, &t, &a);
    assert_true(bed_run(&bed, &i));
    assert_int_equal(diag_at(bed.diag, 0)->id, DIAG_LIBRARY_DIFFERS);
    bed_read(&bed, &t, &a);
    for (uint32_t k = 0; k < 8; k++) assert_int_equal(a.bits[k], f32_bits((float)(3 * k) * (1.0f / 10.0f)));
    i.scalar_first = true;
    assert_false(bed_run(&bed, &i));
    assert_int_equal(diag_at(bed.diag, 0)->id, DIAG_ALIAS);
    ref_free(&a);
    bed_close(&bed);
}

/* ---- refusals ---- */

typedef struct Refusal {
    InstrId id;
    DType from, to;
    Shape2 src, dst, tmp;   /* tmp.rows 0: none */
    Shape2 valid, result;   /* valid regions of source and destination */
    uint32_t dst_addr;
    DiagId why;
} Refusal;

static const Refusal refusals[] = {
    {I_TCVT, DT_F16, DT_BF16, {4, 64}, {4, 64}, {0, 0}, {4, 64}, {4, 64}, ADDR_DST, DIAG_DTYPE},
    {I_TCVT, DT_F16, DT_F32, {4, 64}, {4, 64}, {0, 0}, {4, 64}, {4, 64}, ADDR_SRC0, DIAG_ALIAS},
    {I_TCVT, DT_F32, DT_I16, {4, 80}, {4, 80}, {1, 64}, {4, 80}, {4, 80}, ADDR_DST, DIAG_TMP_SMALL},
    {I_TEXP, DT_I32, DT_I32, {4, 64}, {4, 64}, {0, 0}, {4, 64}, {4, 64}, ADDR_DST, DIAG_DTYPE},
    {I_TEXP, DT_F32, DT_F32, {4, 64}, {4, 64}, {0, 0}, {4, 64}, {3, 64}, ADDR_DST, DIAG_VALID_MISMATCH},
    {I_TADD, DT_F32, DT_F32, {4, 64}, {4, 64}, {0, 0}, {4, 64}, {4, 64}, ADDR_SRC0 + 256, DIAG_ALIAS},
    {I_TROWMAX, DT_F32, DT_F32, {4, 128}, {4, 8}, {0, 0}, {4, 100}, {4, 1}, ADDR_DST, DIAG_OPERANDS},
    {I_TROWMAX, DT_F32, DT_F32, {4, 128}, {4, 8}, {4, 56}, {4, 100}, {4, 1}, ADDR_DST, DIAG_TMP_SMALL},
    {I_TROWSUM, DT_F32, DT_F32, {4, 256}, {4, 8}, {3, 128}, {4, 256}, {4, 1}, ADDR_DST, DIAG_TMP_SMALL},
    {I_TROWMIN, DT_F32, DT_F32, {4, 64}, {4, 8}, {0, 0}, {4, 64}, {4, 2}, ADDR_DST, DIAG_VALID_MISMATCH},
    {I_TCOLSUM, DT_F32, DT_F32, {5, 64}, {1, 64}, {1, 64}, {5, 64}, {1, 64}, ADDR_DST, DIAG_TMP_SMALL},
    {I_TCOLMAX, DT_F32, DT_F32, {5, 64}, {2, 64}, {0, 0}, {5, 64}, {2, 64}, ADDR_DST, DIAG_VALID_MISMATCH},
    {I_TROWEXPAND, DT_F32, DT_F32, {5, 8}, {4, 64}, {0, 0}, {5, 1}, {4, 64}, ADDR_DST, DIAG_VALID_MISMATCH},
};

static void illegal_operands_are_refused(void **state) {
    (void)state;
    Bed b;
    bed_open(&b, "a2a3", "document");
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const Refusal *r = &refusals[k];
        Tile src = case_tile(r->from, r->src, r->valid, false, false, ADDR_SRC0), other = src;
        Tile dst = case_tile(r->to, r->dst, r->result, false, false, r->dst_addr);
        Tile tmp = case_tile(r->from, r->tmp, r->tmp, false, false, ADDR_TMP);
        other.addr = ADDR_SRC1;
        Instr i = bed_instr(r->id);
        i.nin = instr_signature(r->id)->nin;
        i.in[0] = &src;
        i.in[1] = &other;
        i.out[i.nout++] = &dst;
        i.tmp = r->tmp.rows ? &tmp : NULL;
        assert_false(bed_run(&b, &i));
        if (diag_at(b.diag, 0)->id != r->why) fail_msg("case %zu: %s", k, diag_at(b.diag, 0)->text);
    }
    bed_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),
        cmocka_unit_test(binary_matches_plain_c),
        cmocka_unit_test(scalar_matches_plain_c),
        cmocka_unit_test(unary_matches_plain_c),
        cmocka_unit_test(convert_matches_plain_c),
        cmocka_unit_test(row_reduction_matches_plain_c),
        cmocka_unit_test(col_reduction_matches_plain_c),
        cmocka_unit_test(row_expand_matches_plain_c),
        cmocka_unit_test(division_in_place_uses_the_reciprocal),
        cmocka_unit_test(illegal_operands_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

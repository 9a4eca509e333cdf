/* Instructions beyond those with timing evidence, on both targets: random legal operands against plain
 * C, bytes that must stay, special values, micro-op streams and the defects of the shipped library.
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

enum { MAX_ELEMENTS = 6000, USABLE_UB = 176 * 1024, UB = 256 * 1024 };

typedef struct Random {
    Bed *bed;
    uint64_t rng;
    Instr instr;
    Tile src0, src1, src2, dst, dst2, tmp;
    uint32_t R, C, free;
    bool may[UB];               /* bytes that the instruction may change */
    char what[200];
} Random;

static uint32_t below(Random *x, uint32_t n) { return (uint32_t)(bed_random(&x->rng) % n); }
static bool chance(Random *x, uint32_t percent) { return below(x, 100) < percent; }
static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }
static bool is_950(const Random *x) { return x->bed->rules.is_950; }

/* ---- operands ---- */

static uint32_t dimension(Random *x) {
    static const uint32_t edges[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 192, 200, 255, 256, 257, 300};
    return chance(x, 30) ? 1 + below(x, 300) : edges[below(x, sizeof edges / sizeof *edges)];
}

static void choose_region(Random *x) {
    do {
        x->R = dimension(x);
        x->C = dimension(x) * (chance(x, 5) ? 8 : 1);
    } while (x->R * x->C > MAX_ELEMENTS);
}

static void put(Random *x, Tile *t) {
    t->addr = x->free + 32 * below(x, 20);
    x->free = (uint32_t)(t->addr + (int64_t)tile_bytes(t));
}

/* Storage as large as the region or larger; valid columns now and then known at run time only. */
static Tile matrix(Random *x, DType t, uint32_t rows, uint32_t cols, uint32_t wider) {
    uint32_t block = 32 / dtype_size(t);
    Tile m = bed_tile(t, rows + (chance(x, 20) ? below(x, 3) : 0), up(cols, block) + wider * block, rows, cols);
    bed_dynamic(&m, chance(x, 20), chance(x, 30));
    put(x, &m);
    return m;
}

static uint32_t gap(Random *x) { return chance(x, 40) ? below(x, 3) : 0; }

static uint64_t low(DType t, uint64_t v) { return dtype_size(t) == 8 ? v : v & ((1ull << 8 * dtype_size(t)) - 1); }

static uint64_t number(Random *x, DType t) {
    static const double edges[] = {0, -0.0, 1, -1, 0.5, -2.5, 3, 65504, 1e-7, INFINITY, -INFINITY};
    if (!dtype_is_float(t)) return low(t, chance(x, 40) ? below(x, 40) - 20u : bed_random(&x->rng));
    if (chance(x, 3)) return t == DT_F32 ? 0x7fc00000 : t == DT_F16 ? 0x7e00 : 0x7fc0;
    if (chance(x, 25)) return dtype_from_double(t, edges[below(x, 11)], ROUND_RINT);
    return dtype_from_double(t, ((double)below(x, 1 << 24) / (1 << 23) - 1) * ldexp(1, (int)below(x, 12) - 4), ROUND_RINT);
}

static uint64_t get(const Random *x, const Tile *t, uint32_t r, uint32_t c) {
    return dtype_load(t->type.dtype, x->bed->machine->ub + tile_elem_addr(t, r, c));
}

static uint64_t before(const Random *x, const Tile *t, uint32_t r, uint32_t c) {
    return dtype_load(t->type.dtype, x->bed->before + tile_elem_addr(t, r, c));
}

static void fill(Random *x, const Tile *t) {
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t c = 0; c < t->vcols; c++) dtype_store(t->type.dtype, x->bed->machine->ub + tile_elem_addr(t, r, c), number(x, t->type.dtype));
}

static void allow(Random *x, uint32_t addr, uint32_t bytes) { memset(x->may + addr, 1, bytes); }

/* Bytes behind the valid columns of every row, up to a multiple of `unit` bytes. */
static void allow_padding(Random *x, const Tile *t, uint32_t unit) {
    for (uint32_t r = 0; r < t->vrows; r++) allow(x, tile_elem_addr(t, r, 0), up(t->vcols * tile_esize(t), unit));
}

static Instr *begin(Random *x, InstrId id) {
    x->instr = bed_instr(id);
    x->instr.in[0] = &x->src0;
    x->instr.in[1] = &x->src1;
    x->instr.in[2] = &x->src2;
    x->instr.nin = instr_signature(id)->nin;
    x->instr.out[0] = &x->dst;
    x->instr.nout = 1;
    x->free = 0;
    memset(x->may, 0, sizeof x->may);
    choose_region(x);
    uint64_t *p = (uint64_t *)(void *)x->bed->machine->ub;
    for (uint32_t k = 0; k < x->bed->machine->ub_size / 8; k++) p[k] = bed_random(&x->rng);
    return &x->instr;
}

static void give_scalar(Random *x, DType t) {
    x->instr.has_scalar = true;
    x->instr.scalar_type = t;
    x->instr.scalar = number(x, t);
}

/* Where the target needs one. t: the type of its elements. */
static void give_tmp(Random *x, DType t) {
    TmpNeed n = instr_tmp_need(x->bed->target, &x->instr);
    if (!n.rows) return;
    uint32_t first = tile_esize(x->instr.nin ? x->instr.in[0] : &x->dst), cols = up(n.real_cols * first, 32) / dtype_size(t);
    x->tmp = bed_tile(t, n.rows, cols + (chance(x, 30) ? 32 / dtype_size(t) : 0), n.rows, cols);
    put(x, &x->tmp);
    x->instr.tmp = &x->tmp;
    allow(x, (uint32_t)x->tmp.addr, (uint32_t)tile_bytes(&x->tmp));
}

/* false: no room for it. */
static bool run(Random *x) {
    if (x->free > USABLE_UB) return false;
    char s[64], d[64];
    tile_describe(x->instr.nin ? &x->src0 : &x->dst, s, sizeof s);
    tile_describe(&x->dst, d, sizeof d);
    snprintf(x->what, sizeof x->what, "%s on %s: %ux%u, %s to %s, mode %d", x->instr.info->name, is_950(x) ? "950" : "a2a3", x->R, x->C, s, d, x->instr.cmp);
    if (!bed_run(x->bed, &x->instr)) fail_msg("%s: refused: %s", x->what, bed_error(x->bed));
    return true;
}

static bool same(DType t, uint64_t a, uint64_t b) { return a == b || (dtype_is_float(t) && dtype_is_nan(t, a) && dtype_is_nan(t, b)); }

static void want_in(Random *x, const Tile *d, uint32_t r, uint32_t c, uint64_t bits) {
    uint64_t found = get(x, d, r, c);
    allow(x, tile_elem_addr(d, r, c), tile_esize(d));
    if (!same(d->type.dtype, found, bits))
        fail_msg("%s: element %u,%u is 0x%llx, expected 0x%llx", x->what, r, c, (unsigned long long)found, (unsigned long long)bits);
}

static void want(Random *x, uint32_t r, uint32_t c, uint64_t bits) { want_in(x, &x->dst, r, c, bits); }

static void want_rest_unchanged(const Random *x) {
    const uint8_t *now = x->bed->machine->ub;
    for (uint32_t k = 0; k < x->bed->machine->ub_size; k++)
        if (!x->may[k] && now[k] != x->bed->before[k]) fail_msg("%s: byte 0x%x was changed", x->what, k);
}

/* ---- plain C: one element ---- */

static uint64_t narrow(DType t, double v) { return dtype_from_double(t, v, ROUND_RINT); }
static double real(DType t, uint64_t bits) { return dtype_to_double(t, bits); }
static int64_t whole(DType t, uint64_t bits) { return dtype_is_signed(t) ? dtype_to_int(t, bits) : (int64_t)bits; }

/* + - * / in the type itself: f32 by the compiler, narrower floats rounded from an exact double. */
static uint64_t arith(char op, DType t, uint64_t a, uint64_t b) {
    if (!dtype_is_float(t)) return low(t, op == '+' ? a + b : op == '-' ? a - b : a * b);
    double p = real(t, a), q = real(t, b);
    if (t != DT_F32) return narrow(t, op == '+' ? p + q : op == '-' ? p - q : op == '*' ? p * q : p / q);
    float f = (float)p, g = (float)q, r = op == '+' ? f + g : op == '-' ? f - g : op == '*' ? f * g : f / g;
    return narrow(DT_F32, (double)r);
}

static uint64_t extreme(bool max, DType t, uint64_t a, uint64_t b) { return ref_extreme(max, t, (uint32_t)a, (uint32_t)b); }

static uint64_t shift(bool left, DType t, uint64_t a, uint64_t n) {
    uint64_t width = 8 * dtype_size(t);
    if (left) return n >= width ? 0 : low(t, a << n);
    int64_t v = whole(t, a);
    return low(t, (uint64_t)(n >= width ? (v < 0 ? -1 : 0) : v >> n));
}

static uint64_t int_remainder(DType t, uint64_t a, uint64_t b) {
    int64_t x = whole(t, a), y = whole(t, b);
    if (!y) return 0;
    int64_t r = x - x / y * y;
    return low(t, (uint64_t)(r != 0 && (r < 0) != (y < 0) ? r + y : r));
}

/* a - round(a / b) * b in f32, every step rounded. */
static float f32_remainder(float a, float b, bool floor_it) {
    float q = a / b, p;
    q = floor_it ? floorf(q) : truncf(q);
    p = q * b;
    return a - p;
}

static uint64_t float_remainder(DType t, uint64_t a, uint64_t b, bool floor_it, bool correct) {
    float r = f32_remainder((float)real(t, a), (float)real(t, b), floor_it);
    uint64_t bits = t == DT_F32 ? narrow(t, (double)r) : dtype_from_double(t, (double)r, ROUND_TRUNC);
    if (correct && real(t, arith('*', t, b, bits)) < 0) bits = arith('+', t, bits, b);
    return bits;
}

static uint64_t remainder_of(const Random *x, DType t, uint64_t a, uint64_t b) {
    InstrId id = x->instr.id;
    if (!dtype_is_float(t)) return int_remainder(t, a, b);
    if (id == I_TFMOD || id == I_TFMODS) return float_remainder(t, a, b, false, false);
    return float_remainder(t, a, b, true, id == I_TREM || !is_950(x));
}

static uint64_t element(const Random *x, DType t, uint64_t a, uint64_t b) {
    switch (x->instr.id) {
    case I_TSUBS: return arith('-', t, a, b);
    case I_TRECIP: return arith('/', t, narrow(t, 1), a);
    case I_TLRELU: case I_TPRELU: return real(t, a) > 0 ? a : arith('*', t, a, b);
    case I_TREM: case I_TREMS: case I_TFMOD: case I_TFMODS: return remainder_of(x, t, a, b);
    case I_TNOT: return low(t, ~a);
    case I_TAND: case I_TANDS: return a & b;
    case I_TOR: case I_TORS: return a | b;
    case I_TXOR: case I_TXORS: return a ^ b;
    case I_TSHL: case I_TSHLS: return shift(true, t, a, b);
    case I_TSHR: case I_TSHRS: return shift(false, t, a, b);
    case I_TROWEXPANDADD: case I_TCOLEXPANDADD: case I_TPARTADD: return arith('+', t, a, b);
    case I_TROWEXPANDSUB: case I_TCOLEXPANDSUB: return arith('-', t, a, b);
    case I_TROWEXPANDDIV: case I_TCOLEXPANDDIV: return arith('/', t, a, b);
    case I_TROWEXPANDMAX: case I_TCOLEXPANDMAX: return extreme(true, t, a, b);
    case I_TROWEXPANDMIN: case I_TCOLEXPANDMIN: return extreme(false, t, a, b);
    case I_TROWEXPANDEXPDIF: case I_TCOLEXPANDEXPDIF: return narrow(t, exp(real(t, arith('-', t, a, b))));
    default: return arith('*', t, a, b); /* products */
    }
}

/* ---- element by element ---- */

/* A type of the row's list, of at most 32 bits. */
static DType any_type(Random *x, InstrId id) {
    DType t;
    do t = (DType)(1 + below(x, DT_COUNT - 1));
    while (dtype_size(t) > 4 || !instr_type_ok(&instr_info[id], x->bed->target->family, t));
    return t;
}

static InstrId pick_id(Random *x, const InstrId *ids, uint32_t n) { return ids[below(x, n)]; }
#define PICK_ID(x, ...) pick_id(x, (const InstrId[]){__VA_ARGS__}, sizeof((const InstrId[]){__VA_ARGS__}) / sizeof(InstrId))

/* dst on the first source where the lowerings of both targets allow that. */
static bool in_place_works(InstrId id) {
    switch (id) {
    case I_TSUBS: case I_TLRELU: case I_TNOT: case I_TAND: case I_TOR: case I_TSHL: case I_TSHR: case I_TSHLS: case I_TSHRS: return true;
    default: return false;
    }
}

/* i32 that f32 holds, and no division by zero. */
static void fill_small(Random *x) {
    x->instr.scalar = 1 + below(x, 1000);
    for (int k = 0; k < x->instr.nin; k++)
        for (uint32_t r = 0; r < x->R; r++)
            for (uint32_t c = 0; c < x->C; c++) {
                uint32_t v = k ? 1 + below(x, 2000) : below(x, 1 << 22);
                dtype_store(DT_I32, x->bed->machine->ub + tile_elem_addr(x->instr.in[k], r, c), chance(x, 50) ? v : low(DT_I32, 0 - (uint64_t)v));
            }
}

static void want_sources_unchanged(const Random *x) {
    for (int k = 0; k < x->instr.nin; k++)
        for (uint32_t r = 0; r < x->R; r++)
            for (uint32_t c = 0; c < x->C; c++) assert_int_equal(get(x, x->instr.in[k], r, c), before(x, x->instr.in[k], r, c));
}

static void random_elements(Random *x) {
    InstrId id = PICK_ID(x, I_TSUBS, I_TRECIP, I_TLRELU, I_TPRELU, I_TREM, I_TREMS, I_TFMOD, I_TFMODS, I_TNOT, I_TAND, I_TANDS, I_TOR, I_TORS, I_TXOR,
                         I_TXORS, I_TSHL, I_TSHR, I_TSHLS, I_TSHRS);
    DType t = any_type(x, id);
    Instr *i = begin(x, id);
    bool by_float = t == DT_I32 && (id == I_TREM || id == I_TREMS) && !is_950(x), shift_by = id == I_TSHLS || id == I_TSHRS;
    uint32_t wider = gap(x);
    x->src0 = matrix(x, t, x->R, x->C, wider);
    if (i->nin > 1) x->src1 = matrix(x, t, x->R, x->C, chance(x, 60) ? wider : gap(x));
    if (in_place_works(id) && chance(x, 15)) x->dst = x->src0;
    else x->dst = matrix(x, t, x->R, x->C, chance(x, 60) ? wider : gap(x));
    if (instr_signature(id)->scalar) give_scalar(x, t);
    if (shift_by && chance(x, 80)) i->scalar = below(x, 8 * dtype_size(t));
    give_tmp(x, id == I_TPRELU && chance(x, 50) ? DT_U8 : t);
    fill(x, &x->src0);
    if (i->nin > 1) fill(x, &x->src1);
    if (by_float) fill_small(x);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++)
            want(x, r, c, element(x, t, before(x, &x->src0, r, c), i->nin > 1 ? before(x, &x->src1, r, c) : i->scalar));
    if (!is_950(x) && dtype_size(t) == 1) allow_padding(x, &x->dst, 2);
    if (by_float) want_sources_unchanged(x);
    want_rest_unchanged(x);
}

static void random_axpy(Random *x) {
    DType t = any_type(x, I_TAXPY);
    begin(x, I_TAXPY);
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->dst = matrix(x, t, x->R, x->C, gap(x));
    give_scalar(x, t);
    fill(x, &x->src0);
    fill(x, &x->dst);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++)
            want(x, r, c, arith('+', t, before(x, &x->dst, r, c), arith('*', t, before(x, &x->src0, r, c), x->instr.scalar)));
    want_rest_unchanged(x);
}

static void random_fill_and_move(Random *x) {
    InstrId id = PICK_ID(x, I_TEXPANDS, I_TMOV, I_TCOLEXPAND);
    DType t = any_type(x, id);
    Instr *i = begin(x, id);
    if (id == I_TEXPANDS && chance(x, 20)) {
        x->C = 1;
        x->dst = bed_column(t, up(x->R, 32 / dtype_size(t)), x->R);
        bed_dynamic(&x->dst, chance(x, 50), false);
        put(x, &x->dst);
    } else {
        x->dst = matrix(x, t, x->R, x->C, gap(x));
    }
    if (id == I_TMOV) {
        x->src0 = x->dst;
        put(x, &x->src0);
    } else if (id == I_TCOLEXPAND) {
        x->src0 = matrix(x, t, 1, x->C, gap(x));
    }
    give_scalar(x, t);
    i->has_scalar = id == I_TEXPANDS;
    if (i->nin) fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++)
            want(x, r, c, id == I_TEXPANDS ? i->scalar : before(x, &x->src0, id == I_TMOV ? r : 0, c));
    if (!is_950(x) && x->dst.type.blayout == ROW_MAJOR) allow_padding(x, &x->dst, id == I_TEXPANDS ? (dtype_size(t) == 1 ? 2 : 1) : 32);
    else if (!is_950(x)) allow(x, (uint32_t)x->dst.addr, up(x->R * dtype_size(t), 2));
    want_rest_unchanged(x);
}

/* ---- one value per row or column ---- */

static void random_row_expand(Random *x) {
    InstrId id = PICK_ID(x, I_TROWEXPANDADD, I_TROWEXPANDSUB, I_TROWEXPANDMUL, I_TROWEXPANDDIV, I_TROWEXPANDMAX, I_TROWEXPANDMIN, I_TROWEXPANDEXPDIF);
    DType t = any_type(x, id);
    Instr *i = begin(x, id);
    uint32_t block = 32 / dtype_size(t);
    bool column = chance(x, 60), swap = chance(x, 30);
    if (chance(x, 20)) { /* batches of rows */
        x->R = 200 + below(x, 400);
        x->C = 1 + below(x, MAX_ELEMENTS / x->R);
    }
    if (swap && x->C == (column ? 1 : block)) x->C++;
    Tile *full = swap ? &x->src1 : &x->src0, *one = swap ? &x->src0 : &x->src1;
    *full = matrix(x, t, x->R, x->C, gap(x));
    *one = column ? bed_column(t, up(x->R, block), x->R) : bed_tile(t, x->R, block, x->R, block);
    put(x, one);
    x->dst = matrix(x, t, x->R, x->C, full->type.cols > up(x->C, block));
    give_tmp(x, t);
    fill(x, full);
    fill(x, one);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint64_t a = before(x, full, r, c), b = before(x, one, r, column ? 0 : c % block);
            want(x, r, c, swap ? element(x, t, b, a) : element(x, t, a, b));
        }
    (void)i;
    want_rest_unchanged(x);
}

static void random_col_expand(Random *x) {
    InstrId id = PICK_ID(x, I_TCOLEXPANDADD, I_TCOLEXPANDSUB, I_TCOLEXPANDMUL, I_TCOLEXPANDDIV, I_TCOLEXPANDMAX, I_TCOLEXPANDMIN, I_TCOLEXPANDEXPDIF);
    DType t = any_type(x, id);
    begin(x, id);
    bool swap = chance(x, 30) && x->R > 1;
    Tile *full = swap ? &x->src1 : &x->src0, *one = swap ? &x->src0 : &x->src1;
    *full = matrix(x, t, x->R, x->C, gap(x));
    *one = matrix(x, t, 1, x->C, gap(x));
    x->dst = matrix(x, t, x->R, x->C, gap(x));
    fill(x, full);
    fill(x, one);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint64_t a = before(x, full, r, c), b = before(x, one, 0, c);
            want(x, r, c, swap ? element(x, t, b, a) : element(x, t, a, b));
        }
    want_rest_unchanged(x);
}

/* ---- bits ---- */

static bool relation(int mode, DType t, uint64_t a, uint64_t b) {
    if (dtype_is_float(t)) {
        double p = real(t, a), q = real(t, b);
        return mode == CMP_EQ ? p == q : mode == CMP_NE ? p != q : mode == CMP_LT ? p < q : mode == CMP_LE ? p <= q : mode == CMP_GT ? p > q : p >= q;
    }
    int64_t p = whole(t, a), q = whole(t, b);
    return mode == CMP_EQ ? p == q : mode == CMP_NE ? p != q : mode == CMP_LT ? p < q : mode == CMP_LE ? p <= q : mode == CMP_GT ? p > q : p >= q;
}

static bool bit(const Random *x, const uint8_t *ub, const Tile *m, uint32_t r, uint32_t c) {
    (void)x;
    return ub[m->addr + r * m->type.cols * tile_esize(m) + c / 8] >> c % 8 & 1;
}

static void random_compare(Random *x) {
    InstrId id = PICK_ID(x, I_TCMP, I_TCMPS);
    DType t = any_type(x, id);
    Instr *i = begin(x, id);
    i->cmp = !is_950(x) && t == DT_I32 ? (int)below(x, 2) : (int)below(x, 6);
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->src1 = matrix(x, t, x->R, x->C, gap(x));
    x->dst = bed_tile(DT_U8, x->R, up((x->C + 7) / 8, 32) + 32 * gap(x), x->R, (x->C + 7) / 8);
    put(x, &x->dst);
    if (id == I_TCMPS) give_scalar(x, t);
    fill(x, &x->src0);
    fill(x, &x->src1);
    for (uint32_t r = 0; r < x->R; r++) /* ties are rare */
        if (chance(x, 60)) dtype_store(t, x->bed->machine->ub + tile_elem_addr(&x->src0, r, 0), id == I_TCMPS ? i->scalar : get(x, &x->src1, r, 0));
    if (!run(x)) return;
    uint32_t lanes = 256 / dtype_size(t), step = is_950(x) && lanes == 64 ? 128 : lanes;
    for (uint32_t r = 0; r < x->R; r++) {
        for (uint32_t c = 0; c < x->C; c++) {
            bool b = relation(i->cmp, t, before(x, &x->src0, r, c), id == I_TCMPS ? i->scalar : before(x, &x->src1, r, c));
            if (bit(x, x->bed->machine->ub, &x->dst, r, c) != b) fail_msg("%s: bit %u of row %u is not %d", x->what, c, r, b);
        }
        allow(x, tile_elem_addr(&x->dst, r, 0), !is_950(x) && i->cmp == CMP_NE ? x->dst.type.cols : up(x->C, step) / 8);
    }
    want_rest_unchanged(x);
}

static void random_select(Random *x) {
    static const DType lanes[] = {DT_I8, DT_U8, DT_F16, DT_BF16, DT_I16, DT_F32, DT_U32, DT_I32};
    InstrId id = PICK_ID(x, I_TSEL, I_TSELS);
    DType t = lanes[is_950(x) ? below(x, 8) : 2 + below(x, 6)];
    Instr *i = begin(x, id);
    x->src0 = bed_tile(DT_U8, x->R, up((x->C + 7) / 8, 32) + 32 * gap(x), x->R, (x->C + 7) / 8);
    put(x, &x->src0);
    x->src1 = matrix(x, t, x->R, x->C, gap(x));
    x->src2 = matrix(x, t, x->R, x->C, gap(x));
    if (chance(x, 15)) x->dst = x->src1;
    else x->dst = matrix(x, t, x->R, x->C, gap(x));
    if (id == I_TSELS) give_scalar(x, t);
    give_tmp(x, DT_U8);
    fill(x, &x->src1);
    fill(x, &x->src2);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint64_t no = id == I_TSELS ? i->scalar : before(x, &x->src2, r, c);
            uint64_t w = bit(x, x->bed->before, &x->src0, r, c) ? before(x, &x->src1, r, c) : no;
            if (get(x, &x->dst, r, c) != w) fail_msg("%s: element %u,%u", x->what, r, c);
            allow(x, tile_elem_addr(&x->dst, r, c), dtype_size(t));
        }
    want_rest_unchanged(x);
}

/* ---- reductions ---- */

/* a2a3: lanes of one block, then one after the other, halves as f32. */
static uint64_t row_product_a2a3(const Random *x, DType t, uint32_t r) {
    uint32_t lanes = 32 / dtype_size(t);
    uint64_t acc[32];
    for (uint32_t k = 0; k < lanes; k++) acc[k] = dtype_is_float(t) ? narrow(t, 1) : 1;
    for (uint32_t c = 0; c < x->C; c++) acc[c % lanes] = arith('*', t, acc[c % lanes], before(x, &x->src0, r, c));
    DType wide = t == DT_F16 ? DT_F32 : t;
    uint64_t p = t == wide ? acc[0] : narrow(wide, real(t, acc[0]));
    for (uint32_t k = 1; k < lanes; k++) p = arith('*', wide, p, t == wide ? acc[k] : narrow(wide, real(t, acc[k])));
    return t == wide ? p : narrow(t, real(wide, p));
}

/* 950: a product per lane, then the upper half onto the lower one. */
static uint64_t row_product_950(const Random *x, DType t, uint32_t r) {
    uint32_t lanes = 256 / dtype_size(t);
    uint64_t acc[128];
    for (uint32_t k = 0; k < lanes; k++) acc[k] = narrow(t, 1);
    for (uint32_t c = 0; c < x->C; c++) acc[c % lanes] = arith('*', t, acc[c % lanes], before(x, &x->src0, r, c));
    for (uint32_t n = lanes; n > 1; n /= 2) { /* neighbours come from both halves of what is left */
        uint64_t next[128];
        for (uint32_t k = 0; k < n / 2; k++) next[k] = arith('*', t, acc[k], acc[k + n / 2]);
        memcpy(acc, next, n / 2 * sizeof *acc);
    }
    return acc[0];
}

/* Factors around one, so that products neither vanish nor overflow at once. */
static void fill_factors(Random *x, const Tile *s) {
    DType t = s->type.dtype;
    for (uint32_t r = 0; r < s->vrows; r++)
        for (uint32_t c = 0; c < s->vcols; c++)
            dtype_store(t, x->bed->machine->ub + tile_elem_addr(s, r, c),
                        dtype_is_float(t) ? narrow(t, (chance(x, 50) ? -1 : 1) * (0.8 + below(x, 400) / 1000.0)) : number(x, t) | 1);
}

static void random_row_product(Random *x) {
    DType t = any_type(x, I_TROWPROD);
    begin(x, I_TROWPROD);
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->dst = bed_column(t, up(x->R, 32 / dtype_size(t)), x->R);
    put(x, &x->dst);
    give_tmp(x, t);
    fill_factors(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++) want(x, r, 0, is_950(x) ? row_product_950(x, t, r) : row_product_a2a3(x, t, r));
    want_rest_unchanged(x);
}

/* Row after row; the 950 multiplies pairs first. */
static uint64_t col_product(const Random *x, DType t, uint32_t c) {
    uint64_t p = before(x, &x->src0, 0, c);
    uint32_t r = 1;
    for (; is_950(x) && r + 1 < x->R; r += 2) p = arith('*', t, p, arith('*', t, before(x, &x->src0, r, c), before(x, &x->src0, r + 1, c)));
    for (; r < x->R; r++) p = arith('*', t, p, before(x, &x->src0, r, c));
    return p;
}

static void random_col_product(Random *x) {
    DType t = any_type(x, I_TCOLPROD);
    begin(x, I_TCOLPROD);
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->dst = matrix(x, t, 1, x->C, 0);
    fill_factors(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t c = 0; c < x->C; c++) want(x, 0, c, col_product(x, t, c));
    if (!is_950(x)) allow_padding(x, &x->dst, 32);
    want_rest_unchanged(x);
}

/* Strictly better rows win, and so does every row behind a NaN on a2a3, where the value stays NaN. */
static uint32_t best_row(const Random *x, bool max, DType t, uint32_t c, uint64_t *value) {
    uint32_t best = 0;
    *value = before(x, &x->src0, 0, c);
    for (uint32_t r = 1; r < x->R; r++) {
        uint64_t v = before(x, &x->src0, r, c);
        bool better = relation(max ? CMP_GT : CMP_LT, t, v, *value), unordered = dtype_is_float(t) && (dtype_is_nan(t, v) || dtype_is_nan(t, *value));
        if (better || (unordered && !is_950(x))) best = r;
        if (!is_950(x)) *value = extreme(max, t, *value, v);
        else if (better) *value = v;
    }
    return best;
}

static void random_col_arg(Random *x) {
    InstrId id = PICK_ID(x, I_TCOLARGMAX, I_TCOLARGMIN);
    DType t = any_type(x, id);
    Instr *i = begin(x, id);
    bool both = chance(x, 50) && dtype_size(t) > 1;
    DType index = both && dtype_size(t) == 2 ? DT_U16 : chance(x, 50) ? DT_I32 : DT_U32;
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->dst = matrix(x, t, 1, x->C, gap(x));
    x->dst2 = matrix(x, index, 1, x->C, gap(x));
    i->out[0] = both ? &x->dst : &x->dst2;
    i->out[1] = &x->dst2;
    i->nout = both ? 2 : 1;
    give_tmp(x, t);
    fill(x, &x->src0);
    if (!run(x)) return;
    for (uint32_t c = 0; c < x->C; c++) {
        uint64_t value;
        want_in(x, &x->dst2, 0, c, best_row(x, id == I_TCOLARGMAX, t, c, &value));
        if (both) want(x, 0, c, value);
    }
    want_rest_unchanged(x);
}

static void random_part(Random *x) {
    InstrId id = PICK_ID(x, I_TPARTADD, I_TPARTMUL);
    DType t = any_type(x, id);
    begin(x, id);
    uint32_t rows = x->R, cols = x->C;
    if (chance(x, 50)) rows = below(x, x->R + 1);
    if (chance(x, 50)) cols = below(x, x->C + 1);
    x->src0 = matrix(x, t, x->R, x->C, gap(x));
    x->src1 = matrix(x, t, rows ? rows : 1, cols ? cols : 1, gap(x));
    x->src1.vrows = rows, x->src1.vcols = cols;
    x->src1.type.vrows = (int32_t)rows, x->src1.type.vcols = (int32_t)cols;
    x->dst = matrix(x, t, x->R, x->C, gap(x));
    fill(x, &x->src0);
    fill(x, &x->src1);
    if (!run(x)) return;
    for (uint32_t r = 0; r < x->R; r++)
        for (uint32_t c = 0; c < x->C; c++) {
            uint64_t a = before(x, &x->src0, r, c);
            want(x, r, c, r < rows && c < cols ? element(x, t, a, before(x, &x->src1, r, c)) : a);
        }
    if (!is_950(x)) allow(x, (uint32_t)x->dst.addr, (uint32_t)tile_bytes(&x->dst)); /* whole rows or blocks are copied */
    want_rest_unchanged(x);
}

/* ---- streams ---- */

enum { DYNAMIC = 1, BLOCK_VALUES = 2, LIBRARY = 4, WITH_VALUE = 8, IN_PLACE = 16, COLUMN_VALUES = 32 };

/* Sources at 0x0, 0x8000, 0x10000, results at 0x18000 and 0x1c000, tmp at 0x20000; scalar 3. */
typedef struct StreamCase {
    const char *what, *target;
    InstrId id;
    DType t;
    uint32_t rows, cols, vrows, vcols;
    unsigned flags;
    int cmp;
    const char *want; /* a line per micro-op, those of a vector function in its place; "full": the mask of all lanes */
} StreamCase;

#include "tests/unit/elementwise_more_cases.h"

static Tile stream_tile(const StreamCase *s, OperandShape shape, DType t, uint32_t addr) {
    uint32_t block = 32 / dtype_size(t);
    Tile x = bed_tile(t, s->rows, s->cols, s->vrows, s->vcols);
    if (shape == SHAPE_COLUMN && s->flags & BLOCK_VALUES) x = bed_tile(t, s->rows, block, s->vrows, block);
    else if (shape == SHAPE_COLUMN || (shape == SHAPE_BLOCK && s->flags & COLUMN_VALUES)) x = bed_column(t, up(s->rows, block), s->vrows);
    else if (shape == SHAPE_ROW) x = bed_tile(t, 1, s->cols, 1, s->vcols);
    else if (shape == SHAPE_BITS) x = bed_tile(DT_U8, s->rows, up(s->cols / 8, 32), s->vrows, (s->vcols + 7) / 8);
    if (s->flags & DYNAMIC && shape == SHAPE_TILE) bed_dynamic(&x, false, true);
    x.addr = addr;
    return x;
}

static void print_stream(const UopBuf *b, StrBuf *text) {
    for (uint32_t k = 0; k < b->n; k++) {
        const Uop *u = &b->uop[k];
        int depth = 1;
        if (u->op == U_SET_MASK && u->imm == ~0ull && u->imm2 == ~0ull) sb_puts(text, "full\n");
        else if (u->op != U_VF) {
            uop_print(u, b, text);
            sb_puts(text, "\n");
        }
        for (uint32_t n = 0; u->op == U_VF && n < u->rep; n++) {
            const VfInstr *v = &b->vf[u->imm + n];
            depth -= v->op == U_END;
            vf_print(v, depth - 1, text);
            depth += v->op == U_LOOP;
            sb_puts(text, "\n");
        }
    }
}

typedef struct Operands {
    Instr i;
    Tile in[3], out[2], tmp;
} Operands;

/* Operands by the signature's shapes. */
static void build(Operands *o, const StreamCase *s) {
    const Signature *sig = instr_signature(s->id);
    int form = s->flags & WITH_VALUE ? 1 : 0;
    Instr *i = &o->i;
    *i = bed_instr(s->id);
    for (; i->nin < sig->nin; i->nin++) {
        o->in[i->nin] = stream_tile(s, sig->in_shape[i->nin], s->t, (uint32_t)i->nin * 0x8000);
        i->in[i->nin] = &o->in[i->nin];
    }
    for (; i->nout < sig->nout[form]; i->nout++) {
        bool index = sig->nout[1] && i->nout == form;
        DType t = !index ? s->t : form && dtype_size(s->t) == 2 ? DT_U16 : DT_U32;
        o->out[i->nout] = stream_tile(s, sig->out_shape[form][i->nout], t, s->flags & IN_PLACE ? 0 : 0x18000 + (uint32_t)i->nout * 0x4000);
        i->out[i->nout] = &o->out[i->nout];
    }
    o->tmp = bed_tile(s->t, s->rows + 8, up(s->cols, 64) * 2, s->rows + 8, up(s->cols, 64) * 2);
    o->tmp.addr = 0x20000;
    i->tmp = sig->tmp ? &o->tmp : NULL;
    i->has_scalar = sig->scalar;
    i->scalar = dtype_from_double(s->t, 3, ROUND_RINT);
    i->cmp = s->cmp;
}

static void check_stream(const StreamCase *s) {
    Bed bed;
    Operands o;
    bed_open(&bed, s->target, s->flags & LIBRARY ? "library" : "document");
    build(&o, s);
    bool legal = bed_run(&bed, &o.i);
    if (legal == !!(s->flags & LIBRARY)) fail_msg("%s: %s", s->what, legal ? "accepted" : bed_error(&bed));
    if (!legal) instr_lower(&(LowerCtx){.target = bed.target, .diag = bed.diag, .out = &bed.uops}, &o.i);
    StrBuf text = {0};
    print_stream(&bed.uops, &text);
    bool equal = strcmp(text.s ? text.s : "", s->want) == 0;
    if (!equal) print_error("%s: expected\n%sfound\n%s", s->what, s->want, text.s ? text.s : "");
    sb_free(&text);
    bed_close(&bed);
    if (!equal) fail();
}

static void streams(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof stream_cases / sizeof *stream_cases; k++) check_stream(&stream_cases[k]);
}

/* ---- defects of the shipped library ---- */

typedef struct DefectCase {
    const char *what, *target;
    InstrId id;
    DType t;
    uint32_t rows, cols, vrows, vcols;
    unsigned flags;
    uint32_t narrower; /* columns less of the second source */
} DefectCase;

static const DefectCase defect_cases[] = {
    {"fill of a region with gaps", "a2a3", I_TEXPANDS, DT_F32, 4, 64, 4, 60, 0, 0},
    {"scalar spread over a region with gaps", "a2a3", I_TORS, DT_U16, 4, 64, 4, 60, 0, 0},
    {"rows behind the region", "a2a3", I_TROWEXPANDADD, DT_F32, 479, 8, 479, 8, 0, 0},
    {"256 rows of a row of values", "a2a3", I_TCOLEXPANDMUL, DT_F32, 256, 8, 256, 8, 0, 0},
    {"rows far apart", "a2a3", I_TCOLEXPANDADD, DT_F32, 2, 2048, 2, 2048, 0, 0},
    {"16-bit integers as halves", "a2a3", I_TCMPS, DT_I16, 4, 64, 4, 64, 0, 0},
    {"unsigned integers as floats", "a2a3", I_TCOLARGMAX, DT_U32, 4, 64, 4, 64, 0, 0},
    {"row numbers in f16", "a2a3", I_TCOLARGMIN, DT_F16, 2050, 16, 2050, 16, 0, 0},
    {"a source left behind as f32", "a2a3", I_TREM, DT_I32, 1, 8, 1, 8, 0, 0},
    {"256 repeats in a row", "a2a3", I_TLRELU, DT_F32, 2, 16384, 2, 16384, DYNAMIC | IN_PLACE, 0},
    {"pitch of the other source", "950", I_TCMP, DT_F32, 4, 128, 4, 64, 0, 64},
};

/* One operand behind the other, the tmp no larger than needed. */
static void pack(Operands *o, const Bed *bed, bool in_place) {
    uint32_t at = 0;
    Instr *i = &o->i;
    TmpNeed n = instr_tmp_need(bed->target, i);
    i->tmp = n.rows ? &o->tmp : NULL;
    o->tmp = bed_tile(o->tmp.type.dtype, n.rows, up(n.real_cols, 16), n.rows, up(n.real_cols, 16));
    Tile *const all[] = {i->nin ? &o->in[0] : NULL, i->nin > 1 ? &o->in[1] : NULL, in_place ? NULL : &o->out[0], n.rows ? &o->tmp : NULL};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!all[k]) continue;
        all[k]->addr = at;
        at += up((uint32_t)tile_bytes(all[k]), 32);
    }
}

/* Document conformance repairs it and says so, library conformance refuses. */
static void defects_are_named(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof defect_cases / sizeof *defect_cases; k++) {
        const DefectCase *f = &defect_cases[k];
        StreamCase s = {f->what, f->target, f->id, f->t, f->rows, f->cols, f->vrows, f->vcols, f->flags, CMP_LT, NULL};
        for (int library = 0; library < 2; library++) {
            Bed bed;
            Operands o;
            bed_open(&bed, f->target, library ? "library" : "document");
            build(&o, &s);
            o.in[1].type.cols -= f->narrower;
            pack(&o, &bed, f->flags & IN_PLACE);
            bool legal = bed_run(&bed, &o.i), said = false;
            for (size_t m = 0; m < diag_count(bed.diag); m++) said |= diag_at(bed.diag, m)->id == (library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS);
            if (legal == library || !said) fail_msg("%s, %s: %s", f->what, library ? "library" : "document", legal ? "accepted" : bed_error(&bed));
            bed_close(&bed);
        }
    }
}

/* ---- refusals ---- */

typedef struct Refusal {
    StreamCase s;
    DiagId why;
} Refusal;

static const Refusal refusals[] = {
    {{"i32 less than", "a2a3", I_TCMP, DT_I32, 4, 64, 4, 64, 0, CMP_LT, ""}, DIAG_DTYPE},
    {{"bytes", "a2a3", I_TSEL, DT_I8, 4, 64, 4, 64, 0, 0, ""}, DIAG_DTYPE},
    {{"32-bit and", "a2a3", I_TAND, DT_I32, 4, 64, 4, 64, 0, 0, ""}, DIAG_DTYPE},
    {{"integer reciprocal", "950", I_TRECIP, DT_I32, 4, 64, 4, 64, 0, 0, ""}, DIAG_DTYPE},
    {{"reciprocal in place", "a2a3", I_TRECIP, DT_F32, 4, 64, 4, 64, IN_PLACE, 0, ""}, DIAG_ALIAS},
    {{"scalar or in place", "a2a3", I_TORS, DT_I16, 4, 64, 4, 64, IN_PLACE, 0, ""}, DIAG_ALIAS},
    {{"mask under dst", "a2a3", I_TSEL, DT_F32, 4, 64, 4, 64, IN_PLACE, 0, ""}, DIAG_ALIAS},
    {{"mask under dst by scalar", "a2a3", I_TSELS, DT_F32, 4, 64, 4, 64, IN_PLACE, 0, ""}, DIAG_ALIAS},
    {{"bytes with a value", "950", I_TCOLARGMAX, DT_U8, 4, 64, 4, 64, WITH_VALUE, 0, ""}, DIAG_DTYPE},
};

static void illegal_operands_are_refused(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        Bed bed;
        Operands o;
        bed_open(&bed, refusals[k].s.target, "document");
        build(&o, &refusals[k].s);
        bool legal = bed_run(&bed, &o.i), said = false;
        for (size_t m = 0; m < diag_count(bed.diag); m++) said |= diag_at(bed.diag, m)->id == refusals[k].why;
        if (legal || !said) fail_msg("%s: %s", refusals[k].s.what, legal ? "accepted" : bed_error(&bed));
        bed_close(&bed);
    }
}

static void run_random(void (*one)(Random *), uint32_t cases) {
    static const char *const targets[] = {"a2a3", "950"};
    for (int k = 0; k < 2; k++) {
        Bed bed;
        bed_open(&bed, targets[k], "document");
        Random *x = calloc(1, sizeof *x);
        assert_non_null(x);
        x->bed = &bed;
        x->rng = bed_seed();
        for (uint32_t n = 0; n < cases; n++) one(x);
        free(x);
        bed_close(&bed);
    }
}

#define RANDOM_TEST(name, cases)                   \
    static void name##_match_plain_c(void **state) { \
        (void)state;                               \
        run_random(random_##name, cases);          \
    }
RANDOM_TEST(elements, 1200)
RANDOM_TEST(axpy, 100)
RANDOM_TEST(fill_and_move, 300)
RANDOM_TEST(row_expand, 400)
RANDOM_TEST(col_expand, 300)
RANDOM_TEST(compare, 250)
RANDOM_TEST(select, 250)
RANDOM_TEST(row_product, 100)
RANDOM_TEST(col_product, 100)
RANDOM_TEST(col_arg, 200)
RANDOM_TEST(part, 200)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),                  cmocka_unit_test(defects_are_named),       cmocka_unit_test(illegal_operands_are_refused),
        cmocka_unit_test(elements_match_plain_c),   cmocka_unit_test(axpy_match_plain_c),       cmocka_unit_test(fill_and_move_match_plain_c),
        cmocka_unit_test(row_expand_match_plain_c), cmocka_unit_test(col_expand_match_plain_c), cmocka_unit_test(compare_match_plain_c),
        cmocka_unit_test(select_match_plain_c),     cmocka_unit_test(row_product_match_plain_c), cmocka_unit_test(col_product_match_plain_c),
        cmocka_unit_test(col_arg_match_plain_c),    cmocka_unit_test(part_match_plain_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

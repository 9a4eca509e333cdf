/* Instructions that move elements, on both targets: random legal operands against plain C, bytes that
 * must stay, special cases, and micro-op streams of a few shapes.
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

enum { AREA = 96 * 1024, GM_BYTES = 64 * 1024, MAX_ELEMENTS = 4000, MAX_LISTS = 4 };

typedef struct Case {
    Bed *bed;
    uint64_t rng;
    Instr instr;
    Tile dst, src, other, tmp, list[MAX_LISTS];
    uint32_t free;
    uint8_t *ub, *want;        /* memory before the run, and as it must be after it */
    uint8_t *gm, *gm_want;
    uint8_t *loose;            /* bytes of UB that may become anything */
    char what[256];
} Case;

static uint32_t below(Case *c, uint32_t n) { return (uint32_t)(bed_random(&c->rng) % n); }
static bool chance(Case *c, uint32_t percent) { return below(c, 100) < percent; }
static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static bool is_950(const Case *c) { return c->bed->rules.is_950; }

static DType pick_type(Case *c, const DType *list, uint32_t n) { return list[below(c, n)]; }
#define PICK(c, ...) pick_type(c, (const DType[]){__VA_ARGS__}, sizeof((const DType[]){__VA_ARGS__}) / sizeof(DType))
static DType any_type(Case *c) { return PICK(c, DT_I8, DT_U8, DT_I16, DT_U16, DT_F16, DT_BF16, DT_I32, DT_U32, DT_F32); }

/* ---- operands ---- */

static uint32_t dimension(Case *c) {
    static const uint32_t edges[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    return chance(c, 30) ? 1 + below(c, 200) : edges[below(c, sizeof edges / sizeof *edges)];
}

static void region(Case *c, uint32_t *rows, uint32_t *cols) {
    do {
        *rows = dimension(c);
        *cols = dimension(c);
    } while (*rows * *cols > MAX_ELEMENTS);
}

static void put(Case *c, Tile *t) {
    t->addr = c->free + 32 * below(c, 10);
    c->free = (uint32_t)t->addr + (uint32_t)tile_bytes(t);
}

/* rows x cols are valid; at least min_rows x min_cols of storage. */
static void matrix(Case *c, Tile *t, DType d, uint32_t rows, uint32_t cols, uint32_t min_rows, uint32_t min_cols) {
    uint32_t block = 32 / dtype_size(d), storage = up(cols > min_cols ? cols : min_cols, block);
    *t = bed_tile(d, (rows > min_rows ? rows : min_rows) + (chance(c, 30) ? below(c, 4) : 0), storage + (chance(c, 40) ? block * below(c, 4) : 0), rows, cols);
    bed_dynamic(t, chance(c, 20), chance(c, 30));
    put(c, t);
}

static void plain(Case *c, Tile *t, DType d, uint32_t rows, uint32_t cols) { matrix(c, t, d, rows, cols, 1, 1); }

static Instr *begin(Case *c, InstrId id) {
    c->instr = bed_instr(id);
    c->instr.out[0] = &c->dst;
    c->instr.in[0] = &c->src;
    c->instr.in[1] = &c->other;
    c->instr.nin = instr_signature(id)->nin;
    c->instr.nout = instr_signature(id)->nout[0];
    c->free = 0;
    for (uint32_t k = 0; k < AREA; k += 8) {
        uint64_t v = bed_random(&c->rng);
        memcpy(c->bed->machine->ub + k, &v, 8);
    }
    return &c->instr;
}

/* As large as needed, if it is. */
static void give_tmp(Case *c) {
    TmpNeed n = instr_tmp_need(c->bed->target, &c->instr);
    if (!n.rows) return;
    DType t = c->instr.in[0]->type.dtype;
    c->tmp = bed_tile(t, n.rows, up(n.real_cols, 32 / dtype_size(t)), n.rows, n.real_cols);
    put(c, &c->tmp);
    c->instr.tmp = &c->tmp;
}

/* ---- memory ---- */

static uint64_t get(const uint8_t *mem, const Tile *t, uint32_t r, uint32_t k) { return dtype_load(t->type.dtype, mem + tile_elem_addr(t, r, k)); }
static void set(uint8_t *mem, const Tile *t, uint32_t r, uint32_t k, uint64_t v) { dtype_store(t->type.dtype, mem + tile_elem_addr(t, r, k), v); }
static void loosen(Case *c, uint32_t addr, uint32_t bytes) { memset(c->loose + addr, 1, bytes); }

/* Operands are in place: what they hold is the start of what is expected. false: no room for them. */
static bool ready(Case *c) {
    if (c->free > AREA) return false;
    memset(c->loose, 0, AREA);
    if (c->instr.tmp) loosen(c, (uint32_t)c->tmp.addr, (uint32_t)tile_bytes(&c->tmp));
    memcpy(c->ub, c->bed->machine->ub, AREA);
    memcpy(c->want, c->ub, AREA);
    char s[64] = "", d[64] = "", x[64] = "";
    if (c->instr.nin) tile_describe(&c->src, s, sizeof s);
    if (c->instr.nout) tile_describe(&c->dst, d, sizeof d);
    if (c->instr.nin > 1) tile_describe(&c->other, x, sizeof x);
    snprintf(c->what, sizeof c->what, "%s on %s: src %s, other %s, dst %s, index %d %d, pattern %d", c->instr.info->name, is_950(c) ? "950" : "a2a3", s, x, d,
             (int)c->instr.index[0], (int)c->instr.index[1], c->instr.pattern);
    return true;
}

/* Input data that the case chooses itself. */
static void give(Case *c, const Tile *t, uint32_t r, uint32_t k, uint64_t v) {
    set(c->bed->machine->ub, t, r, k, v);
    set(c->ub, t, r, k, v);
    set(c->want, t, r, k, v);
}

static void compare(const Case *c) {
    const uint8_t *now = c->bed->machine->ub;
    for (uint32_t k = 0; k < AREA; k++)
        if (!c->loose[k] && now[k] != c->want[k]) fail_msg("%s: byte 0x%x is 0x%02x, expected 0x%02x (dst at 0x%x)", c->what, k, now[k], c->want[k], (unsigned)c->dst.addr);
    if (memcmp(now + AREA, c->bed->before + AREA, c->bed->machine->ub_size - AREA)) fail_msg("%s: wrote far away", c->what);
}

static void run(Case *c) {
    if (!bed_run(c->bed, &c->instr)) fail_msg("%s: refused: %s", c->what, bed_error(c->bed));
    compare(c);
}

/* ---- padding ---- */

static uint64_t pad_value(TilePad p, DType t) {
    if (p == PAD_ZERO) return 0;
    if (dtype_is_float(t)) return dtype_from_double(t, p == PAD_MAX ? INFINITY : -INFINITY, ROUND_RINT);
    uint64_t all = (1ull << 8 * dtype_size(t)) - 1;
    if (!dtype_is_signed(t)) return p == PAD_MAX ? all : 0;
    return p == PAD_MAX ? all >> 1 : (all >> 1) + 1;
}

/* The shipped a2a3 lowering relies on the load for the block that the valid columns end in. */
static uint32_t padded_from(const Case *c) {
    bool loaded = !is_950(c) && c->bed->rules.library && c->src.type.pad == c->dst.type.pad;
    return loaded ? up(c->src.vcols, 32 / tile_esize(&c->src)) : c->src.vcols;
}

static void want_padded(Case *c) {
    const Tile *d = &c->dst, *s = &c->src;
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < d->type.cols; k++) {
            bool pad = r >= s->vrows || k >= padded_from(c);
            set(c->want, d, r, k, pad ? pad_value(d->type.pad, d->type.dtype) : get(c->ub, s, r, k));
        }
}

static void fillpad(Case *c, InstrId id) {
    uint32_t rows, cols;
    DType t = any_type(c);
    begin(c, id);
    region(c, &rows, &cols);
    plain(c, &c->src, t, rows, cols);
    c->dst = c->src;
    bool expand = id == I_TFILLPAD_EXPAND || (id == I_TFILLPAD && chance(c, 30));
    if (expand) matrix(c, &c->dst, t, c->src.type.rows, c->src.type.cols, c->src.type.rows, c->src.type.cols);
    else if (id == I_TFILLPAD && chance(c, 70)) put(c, &c->dst);
    c->dst.vrows = rows + below(c, c->dst.type.rows - rows + 1);
    c->dst.vcols = c->dst.type.cols;
    c->dst.type.pad = (TilePad)(PAD_ZERO + below(c, 3));
    if (chance(c, 30)) c->src.type.pad = c->dst.type.pad;
    if (!ready(c)) return;
    want_padded(c);
    run(c);
}

static void fillpad_any(Case *c) { fillpad(c, I_TFILLPAD); }
static void fillpad_inplace(Case *c) { fillpad(c, I_TFILLPAD_INPLACE); }
static void fillpad_expand(Case *c) { fillpad(c, I_TFILLPAD_EXPAND); }

/* ---- transpose, ramps, triangles ---- */

static void trans(Case *c) {
    uint32_t rows, cols;
    DType t = any_type(c);
    uint32_t step = dtype_size(t) == 1 ? 32 : 16;
    begin(c, I_TTRANS);
    region(c, &rows, &cols);
    plain(c, &c->src, t, rows, cols);
    matrix(c, &c->dst, t, cols, rows, 1, chance(c, 70) ? up(rows, step) : 1);
    give_tmp(c);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < cols; r++) {
        for (uint32_t k = 0; k < rows; k++) set(c->want, &c->dst, r, k, get(c->ub, &c->src, k, r));
        if (c->instr.tmp) /* whole blocks are copied */
            for (uint32_t k = rows; k < up(rows, 32 / dtype_size(t)); k++) loosen(c, tile_elem_addr(&c->dst, r, k), dtype_size(t));
    }
    run(c);
}

static void ci(Case *c) {
    DType t = PICK(c, DT_I16, DT_U16, DT_I32, DT_U32);
    Instr *i = begin(c, I_TCI);
    plain(c, &c->dst, t, 1, dimension(c));
    i->has_scalar = true;
    i->scalar = bed_random(&c->rng) & ((1ull << 8 * dtype_size(t)) - 1);
    i->descending = chance(c, 50);
    if (!ready(c)) return;
    for (uint32_t k = 0; k < c->dst.vcols; k++) set(c->want, &c->dst, 0, k, i->descending ? i->scalar - k : i->scalar + k);
    run(c);
}

static void tri(Case *c) {
    uint32_t rows, cols;
    DType t = is_950(c) ? any_type(c) : PICK(c, DT_I16, DT_U16, DT_I32, DT_U32, DT_F16, DT_F32);
    Instr *i = begin(c, I_TTRI);
    region(c, &rows, &cols);
    plain(c, &c->dst, t, rows, cols);
    i->index[0] = (int64_t)below(c, rows + cols + 4) - rows - 2;
    i->nindex = 1;
    i->upper = chance(c, 50);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++) {
            bool one = i->upper ? k >= r + i->index[0] : k <= r + i->index[0];
            set(c->want, &c->dst, r, k, dtype_from_double(t, one, ROUND_RINT));
        }
    run(c);
}

/* ---- gather, scatter ---- */

static void gather_index(Case *c) {
    uint32_t rows, cols, srows, scols;
    DType t = is_950(c) ? any_type(c) : PICK(c, DT_I16, DT_U16, DT_F16, DT_BF16, DT_I32, DT_U32, DT_F32);
    bool narrow = is_950(c) && (dtype_size(t) == 1 || (dtype_size(t) == 2 && chance(c, 50)));
    begin(c, I_TGATHER);
    region(c, &srows, &scols);
    region(c, &rows, &cols);
    plain(c, &c->src, t, srows, scols);
    matrix(c, &c->other, narrow ? PICK(c, DT_I16, DT_U16) : PICK(c, DT_I32, DT_U32), rows, cols, 1, 1);
    plain(c, &c->dst, t, rows, cols);
    give_tmp(c);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++) {
            uint32_t n = below(c, c->src.type.rows * c->src.type.cols);
            give(c, &c->other, r, k, n);
            set(c->want, &c->dst, r, k, get(c->ub, &c->src, n / c->src.type.cols, n % c->src.type.cols));
        }
    run(c);
}

static bool takes(int pattern, uint32_t k) {
    if (pattern == 7) return true;
    return pattern <= 2 ? k % 2 == (uint32_t)pattern - 1 : k % 4 == (uint32_t)pattern - 3;
}

static void gather_pattern(Case *c) {
    uint32_t rows, cols, n = 0;
    DType t = is_950(c) ? any_type(c) : PICK(c, DT_I16, DT_U16, DT_F16, DT_BF16, DT_I32, DT_U32, DT_F32);
    Instr *i = begin(c, I_TGATHER);
    i->nin = 1;
    i->pattern = 1 + (int)below(c, 7);
    region(c, &rows, &cols);
    plain(c, &c->src, t, rows, cols);
    for (uint32_t k = 0; k < cols; k++) n += rows * takes(i->pattern, k);
    uint32_t width = up(n ? n : 1, 32 / dtype_size(t));
    c->dst = bed_tile(t, 1, width, 1, width);
    put(c, &c->dst);
    if (!ready(c)) return;
    uint32_t at = 0;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++)
            if (takes(i->pattern, k)) set(c->want, &c->dst, 0, at++, get(c->ub, &c->src, r, k));
    if (!is_950(c)) loosen(c, tile_elem_addr(&c->dst, 0, at), (width - at) * dtype_size(t)); /* the rest of a block is not defined */
    run(c);
}

static void gather_blocks(Case *c) {
    uint32_t rows, cols, srows, scols;
    DType t = any_type(c);
    uint32_t per = 32 / dtype_size(t);
    begin(c, I_TGATHERB);
    region(c, &srows, &scols);
    region(c, &rows, &cols);
    plain(c, &c->src, t, srows, scols);
    uint32_t blocks = (cols + per - 1) / per;
    plain(c, &c->other, PICK(c, DT_I32, DT_U32), rows, blocks);
    plain(c, &c->dst, t, rows, cols);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t b = 0; b < blocks; b++) {
            uint32_t n = below(c, (uint32_t)tile_bytes(&c->src) / 32);
            give(c, &c->other, r, b, 32 * n);
            memcpy(c->want + tile_elem_addr(&c->dst, r, b * per), c->ub + c->src.addr + 32 * n, 32);
            if ((b + 1) * per > cols && is_950(c)) loosen(c, tile_elem_addr(&c->dst, r, cols), ((b + 1) * per - cols) * dtype_size(t));
        }
    run(c);
}

static void scatter(Case *c) {
    uint32_t rows, cols, drows, dcols;
    DType t = any_type(c);
    begin(c, I_TSCATTER);
    region(c, &rows, &cols);
    region(c, &drows, &dcols);
    plain(c, &c->src, t, rows, cols);
    plain(c, &c->other, dtype_size(t) == 4 ? PICK(c, DT_I32, DT_U32) : PICK(c, DT_I16, DT_U16), rows, cols);
    plain(c, &c->dst, t, drows, dcols);
    if (!ready(c)) return;
    memset(c->want + c->dst.addr, 0, tile_bytes(&c->dst));
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++) {
            uint32_t n = below(c, c->dst.type.rows * c->dst.type.cols);
            give(c, &c->other, r, k, n);
            set(c->want, &c->dst, n / c->dst.type.cols, n % c->dst.type.cols, get(c->ub, &c->src, r, k));
        }
    run(c);
}

/* ---- sorts ---- */

typedef struct Record {
    int rank; /* NaN of positive sign, numbers, NaN of negative sign */
    double value;
    uint8_t bytes[8];
} Record;

static Record record(DType t, const uint8_t *value, const uint8_t *rest) {
    Record r = {.value = dtype_to_double(t, dtype_load(t, value))};
    unsigned es = dtype_size(t);
    if (isnan(r.value)) {
        r.rank = value[es - 1] >> 7 ? -1 : 1;
        r.value = 0;
    }
    memcpy(r.bytes, value, es);
    memcpy(r.bytes + (8 - 4), rest, 4);
    return r;
}

/* NaN are told apart by their bits; the cases use one pattern per sign. */
static bool before(const Record *a, const Record *b) { return a->rank != b->rank ? a->rank > b->rank : a->value > b->value; }

static void sort_records(Record *r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j && before(&r[j], &r[j - 1]); j--) {
            Record swap = r[j];
            r[j] = r[j - 1];
            r[j - 1] = swap;
        }
}

/* Few different values, so that there are ties. */
static uint64_t sortable(Case *c, DType t) {
    bool f32 = t == DT_F32;
    if (chance(c, 4)) return f32 ? 0x7fc00000 : 0x7e00;
    if (chance(c, 4)) return f32 ? 0xffc00000 : 0xfe00;
    if (chance(c, 4)) return f32 ? 0x80000000 : 0x8000;
    return dtype_from_double(t, (double)below(c, 40) - 20, ROUND_RINT);
}

static void sort32(Case *c) {
    DType t = PICK(c, DT_F16, DT_F32);
    uint32_t rows = 1 + below(c, 4), cols = dimension(c), all = up(cols, 32), es = dtype_size(t);
    begin(c, I_TSORT32);
    matrix(c, &c->src, t, rows, cols, 1, 1);
    matrix(c, &c->other, DT_U32, chance(c, 50) ? 1 : rows, cols, 1, all);
    matrix(c, &c->dst, t, rows, all * 8 / es, 1, 1);
    give_tmp(c);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++) give(c, &c->src, r, k, sortable(c, t));
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t b = 0; b < all; b += 32) {
            Record list[32];
            for (uint32_t k = 0; k < 32; k++) {
                uint8_t pad[4], *value = c->ub + tile_elem_addr(&c->src, r, b + k);
                dtype_store(t, pad, t == DT_F32 ? 0xffc00000 : 0xfe00);
                list[k] = record(t, b + k < cols ? value : pad, c->ub + tile_elem_addr(&c->other, c->other.vrows == 1 ? 0 : r, b + k));
            }
            sort_records(list, 32);
            for (uint32_t k = 0; k < 32; k++) memcpy(c->want + tile_elem_addr(&c->dst, r, 0) + (b + k) * 8, list[k].bytes, 8);
        }
    run(c);
}

/* n sorted records from an address on; appended to a list. */
static void give_list(Case *c, DType t, uint32_t at, uint32_t n, Record *list) {
    for (uint32_t k = 0; k < n; k++) {
        uint8_t value[4];
        uint64_t index = bed_random(&c->rng);
        dtype_store(t, value, sortable(c, t));
        list[k] = record(t, value, (const uint8_t *)&index);
    }
    sort_records(list, n);
    for (uint32_t k = 0; k < n; k++) {
        memcpy(c->bed->machine->ub + at + 8 * k, list[k].bytes, 8);
        memcpy(c->ub + at + 8 * k, list[k].bytes, 8);
        memcpy(c->want + at + 8 * k, list[k].bytes, 8);
    }
}

static void merge_tiles(Case *c) {
    DType t = PICK(c, DT_F16, DT_F32);
    uint32_t es = dtype_size(t), total = 0;
    Record all[4 * 300];
    Instr *i = begin(c, I_TMRGSORT);
    i->nin = 2 + (int)below(c, 3);
    for (int k = 0; k < i->nin; k++) {
        uint32_t n = 4 * (1 + below(c, 40));
        plain(c, &c->list[k], t, 1, n * 8 / es);
        i->in[k] = &c->list[k];
        total += n;
    }
    uint32_t kept = chance(c, 30) ? 4 * (1 + below(c, total / 4)) : total;
    plain(c, &c->dst, t, 1, kept * 8 / es);
    give_tmp(c);
    if (!ready(c)) return;
    total = 0;
    for (int k = 0; k < i->nin; k++) {
        uint32_t n = c->list[k].vcols * es / 8;
        give_list(c, t, (uint32_t)c->list[k].addr, n, all + total);
        total += n;
    }
    sort_records(all, total);
    for (uint32_t k = 0; k < kept; k++) memcpy(c->want + c->dst.addr + 8 * k, all[k].bytes, 8);
    run(c);
}

static void merge_blocks(Case *c) {
    DType t = PICK(c, DT_F16, DT_F32);
    uint32_t es = dtype_size(t), n = 4 * (1 + below(c, 16)), groups = 1 + below(c, 4);
    Record all[4 * 64];
    Instr *i = begin(c, I_TMRGSORT);
    i->nin = 1;
    i->index[0] = n * 8 / es;
    i->nindex = 1;
    plain(c, &c->src, t, 1, 4 * groups * n * 8 / es);
    plain(c, &c->dst, t, 1, 4 * groups * n * 8 / es);
    if (!ready(c)) return;
    for (uint32_t g = 0; g < groups; g++) {
        for (uint32_t k = 0; k < 4; k++) give_list(c, t, (uint32_t)c->src.addr + (4 * g + k) * n * 8, n, all + k * n);
        sort_records(all, 4 * n);
        for (uint32_t k = 0; k < 4 * n; k++) memcpy(c->want + c->dst.addr + (4 * g * n + k) * 8, all[k].bytes, 8);
    }
    run(c);
}

/* ---- parts ---- */

/* The column where a part of n columns begins. a2a3 moves whole blocks and pairs of bytes. */
static uint32_t column(Case *c, const Tile *whole, uint32_t n) {
    uint32_t free = whole->type.cols - n, block = 32 / tile_esize(whole);
    return is_950(c) ? below(c, free + 1) : below(c, free / block + 1) * block;
}

static void part(Case *c, InstrId id) {
    uint32_t rows, cols;
    DType t = any_type(c);
    Instr *i = begin(c, id);
    region(c, &rows, &cols);
    bool extract = id == I_TEXTRACT, single = chance(c, 10);
    if (single) rows = cols = 1;
    else if (dtype_size(t) == 1 && !is_950(c)) cols = up(cols, 2);
    Tile *small = extract ? &c->dst : &c->src, *large = extract ? &c->src : &c->dst;
    plain(c, small, t, rows, cols);
    if (single) small->type.vrows = small->type.vcols = 1;
    matrix(c, large, t, 1, 1, rows + below(c, 5), cols + below(c, 60));
    large->vrows = large->type.rows;
    large->vcols = large->type.cols;
    i->index[0] = below(c, large->type.rows - rows + 1);
    i->index[1] = single ? below(c, large->type.cols) : column(c, large, cols);
    i->nindex = 2;
    if (dtype_size(t) == 1 && rows == 1 && cols == 1 && !single && !is_950(c)) return;
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++) {
            uint32_t row = r + (uint32_t)i->index[0], col = k + (uint32_t)i->index[1];
            if (extract) set(c->want, &c->dst, r, k, get(c->ub, &c->src, row, col));
            else set(c->want, &c->dst, row, col, get(c->ub, &c->src, r, k));
        }
    run(c);
}

static void extract(Case *c) { part(c, I_TEXTRACT); }
static void insert(Case *c) { part(c, I_TINSERT); }

static void concat(Case *c) {
    uint32_t rows, cols, more = dimension(c);
    DType t = any_type(c);
    uint32_t block = 32 / dtype_size(t);
    begin(c, I_TCONCAT);
    region(c, &rows, &cols);
    if (chance(c, 50)) cols = up(cols, block);
    plain(c, &c->src, t, rows, cols);
    plain(c, &c->other, t, rows, more);
    matrix(c, &c->dst, t, rows, cols + more, 1, up(cols, block) + more);
    if (!ready(c)) return;
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t k = 0; k < cols + more; k++) set(c->want, &c->dst, r, k, k < cols ? get(c->ub, &c->src, r, k) : get(c->ub, &c->other, r, k - cols));
        uint32_t from = cols + more, to = cols % block ? up(cols, block) : cols + up(more, block); /* copied in whole blocks */
        if (!is_950(c) && from < to) loosen(c, tile_elem_addr(&c->dst, r, from), (to - from) * dtype_size(t));
    }
    run(c);
}

/* ---- single values ---- */

static void get_value(Case *c) {
    uint32_t rows, cols;
    Instr *i = begin(c, I_TGETVAL);
    region(c, &rows, &cols);
    plain(c, &c->src, any_type(c), rows, cols);
    i->index[0] = below(c, c->src.type.rows * c->src.type.cols);
    if (!ready(c)) return;
    run(c);
    uint64_t found = c->bed->machine->sreg[i->info->variant[c->bed->target->family]];
    assert_int_equal(found, get(c->ub, &c->src, (uint32_t)i->index[0] / c->src.type.cols, (uint32_t)i->index[0] % c->src.type.cols));
}

static void set_value(Case *c) {
    uint32_t rows, cols;
    Instr *i = begin(c, I_TSETVAL);
    region(c, &rows, &cols);
    plain(c, &c->dst, any_type(c), rows, cols);
    i->index[0] = below(c, c->dst.type.rows * c->dst.type.cols);
    i->scalar = bed_random(&c->rng) & ((1ull << 8 * tile_esize(&c->dst)) - 1);
    if (!ready(c)) return;
    set(c->want, &c->dst, (uint32_t)i->index[0] / c->dst.type.cols, (uint32_t)i->index[0] % c->dst.type.cols, i->scalar);
    run(c);
}

/* ---- transfers ---- */


/* A view of random rank, strided, with the tile's valid region inside. dn: columns are contiguous. */
static void random_view(Case *c, GmView *v, const Tile *t, bool dn) {
    bool rows = t->type.blayout == ROW_MAJOR;
    v->rank = 1 + (int)below(c, 5);
    v->dtype = t->type.dtype;
    v->name = "%gm";
    v->dn = dn;
    uint32_t lines = rows ? t->vrows : t->vcols;
    int64_t size[5] = {1, 1, 1, 1, 1}; /* by distance from the last dimension: columns, rows, planes */
    size[0] = t->vcols;
    size[1] = t->vrows;
    if (v->rank > 2) {
        uint32_t planes = 1 + below(c, v->rank == 3 ? 4 : 3);
        size[rows ? 1 : 0] = (lines + planes - 1) / planes;
        size[2] = planes;
        for (int k = 3; k < v->rank; k++) size[k] = 1 + below(c, 2);
    }
    int64_t pitch = 1 + below(c, 3);
    int64_t stride[5];
    stride[dn ? 1 : 0] = 1;
    stride[dn ? 0 : 1] = size[dn ? 1 : 0] + (chance(c, 50) ? pitch : 0);
    stride[2] = stride[dn ? 0 : 1] * size[dn ? 0 : 1] + (chance(c, 50) ? 5 : 0);
    for (int k = 3; k < 5; k++) stride[k] = stride[k - 1] * size[k - 1];
    for (int k = 0; k < v->rank; k++) {
        v->size[v->rank - 1 - k] = size[k];
        v->stride[v->rank - 1 - k] = stride[k];
    }
    v->offset = below(c, 20);
}

/* Where element (r, k) of the tile lies in the view: planes are stacked on the rows of a row-major tile,
 * on the columns of the other. */
static int64_t place_of(const GmView *v, const Tile *t, uint32_t r, uint32_t k) {
    int64_t size[5] = {1, 1, 1, 1, 1}, stride[5] = {0}, at = v->offset;
    bool rows = t->type.blayout == ROW_MAJOR;
    for (int d = 0; d < v->rank; d++) {
        size[d] = v->size[v->rank - 1 - d];
        stride[d] = v->stride[v->rank - 1 - d];
    }
    int64_t line = rows ? r : k, per = size[rows ? 1 : 0];
    at += (rows ? k : r) * stride[rows ? 0 : 1] + line % per * stride[rows ? 1 : 0];
    line /= per;
    for (int d = 2; d < 5; d++) {
        at += line % size[d] * stride[d];
        line /= size[d];
    }
    return at;
}

static bool transfer_operands(Case *c, InstrId id, Tile *t) {
    uint32_t rows, cols;
    Instr *i = begin(c, id);
    DType d = any_type(c);
    bool dn = chance(c, 40);
    region(c, &rows, &cols);
    random_view(c, &i->gm, (plain(c, t, d, rows, cols), t), false);
    if (dn) { /* a column-major tile and a view of contiguous columns */
        uint32_t block = 32 / dtype_size(d);
        *t = bed_tile(d, up(rows, block) + block * below(c, 2), cols + below(c, 3), rows, cols);
        t->type.blayout = COL_MAJOR;
        c->free = 0;
        put(c, t);
        random_view(c, &i->gm, t, true);
        if (i->gm.rank == 1) return false;
    } else if (i->gm.rank == 1 && rows > 1) {
        return false;
    }
    uint64_t elements = 0;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cols; k++)
            if ((uint64_t)place_of(&i->gm, t, r, k) >= elements) elements = (uint64_t)place_of(&i->gm, t, r, k) + 1;
    for (uint32_t k = 0; k < GM_BYTES; k++) c->gm[k] = (uint8_t)bed_random(&c->rng);
    memcpy(c->gm_want, c->gm, GM_BYTES);
    return elements * dtype_size(d) <= GM_BYTES;
}

static void run_transfer(Case *c) {
    GmBuffer buffer = {c->gm, GM_BYTES};
    c->bed->machine->gm = &buffer;
    c->bed->machine->ngm = 1;
    run(c);
    assert_false(c->bed->machine->gm_fault);
    for (uint32_t k = 0; k < GM_BYTES; k++)
        if (c->gm[k] != c->gm_want[k]) fail_msg("%s: byte 0x%x in global memory is 0x%02x, expected 0x%02x", c->what, k, c->gm[k], c->gm_want[k]);
    c->bed->machine->gm = NULL;
    c->bed->machine->ngm = 0;
}

/* Rows, or columns of a column-major tile, are filled up to a whole block. */
static void load(Case *c) {
    Tile *t = &c->dst;
    if (!transfer_operands(c, I_TLOAD, t)) return;
    if (chance(c, 40)) t->type.pad = (TilePad)(PAD_ZERO + below(c, 3));
    if (!ready(c)) return;
    uint32_t es = tile_esize(t), block = 32 / es;
    bool rows = t->type.blayout == ROW_MAJOR;
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t k = 0; k < t->vcols; k++) set(c->want, t, r, k, dtype_load(t->type.dtype, c->gm + place_of(&c->instr.gm, t, r, k) * es));
    for (uint32_t line = 0; t->type.pad != PAD_NULL && line < (rows ? t->vrows : t->vcols); line++)
        for (uint32_t k = rows ? t->vcols : t->vrows; k % block; k++)
            set(c->want, t, rows ? line : k, rows ? k : line, pad_value(t->type.pad, t->type.dtype));
    run_transfer(c);
}

static uint64_t sum(DType t, uint64_t a, uint64_t b) {
    if (!dtype_is_float(t)) return (a + b) & ((1ull << 8 * dtype_size(t)) - 1);
    if (t == DT_F32) return dtype_from_double(t, (double)((float)dtype_to_double(t, a) + (float)dtype_to_double(t, b)), ROUND_RINT);
    return dtype_from_double(t, dtype_to_double(t, a) + dtype_to_double(t, b), ROUND_RINT);
}

static void store(Case *c) {
    Tile *t = &c->src;
    if (!transfer_operands(c, I_TSTORE, t) || !ready(c)) return;
    uint32_t es = tile_esize(t);
    c->instr.accumulate = dtype_size(t->type.dtype) > 1 && chance(c, 30);
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t k = 0; k < t->vcols; k++) {
            uint8_t *at = c->gm_want + place_of(&c->instr.gm, t, r, k) * es;
            if (c->instr.accumulate) { /* numbers, no NaN */
                uint64_t a = dtype_from_double(t->type.dtype, below(c, 100), ROUND_RINT), b = dtype_from_double(t->type.dtype, below(c, 100) / 8.0, ROUND_RINT);
                give(c, t, r, k, a);
                dtype_store(t->type.dtype, c->gm + place_of(&c->instr.gm, t, r, k) * es, b);
                dtype_store(t->type.dtype, at, sum(t->type.dtype, a, b));
            } else {
                dtype_store(t->type.dtype, at, get(c->ub, t, r, k));
            }
        }
    run_transfer(c);
}

/* Rows or elements of a table by index, some of them beyond it. */
static bool table_operands(Case *c, InstrId id, Tile *t) {
    uint32_t rows, cols;
    Instr *i = begin(c, id);
    DType d = any_type(c);
    region(c, &rows, &cols);
    plain(c, t, d, rows, cols);
    Tile *x = &c->other;
    i->by_element = chance(c, 50);
    if (i->by_element) plain(c, x, DT_I32, rows, cols);
    else if (chance(c, 50)) plain(c, x, DT_I32, 1, rows);
    else *x = bed_column(DT_I32, up(rows, 8), rows), put(c, x);
    i->in[id == I_MGATHER ? 0 : 1] = x;
    i->beyond = (int)below(c, BEYOND_ZERO + 1);
    uint32_t pitch = cols + (i->by_element ? 0 : below(c, 4)), n = GM_BYTES / (pitch * dtype_size(d));
    i->gm = (GmView){.dtype = d, .rank = 2, .size = {n, cols}, .stride = {pitch, 1}, .name = "%table"};
    for (uint32_t k = 0; k < GM_BYTES; k++) c->gm[k] = (uint8_t)bed_random(&c->rng);
    memcpy(c->gm_want, c->gm, GM_BYTES);
    return n > 0;
}

/* Byte in the table that the index leads to; -1: none. */
static int64_t give_index(Case *c, const Tile *t, uint32_t row, uint32_t col) {
    const Instr *i = &c->instr;
    uint32_t n = (uint32_t)(i->gm.size[0] * (i->by_element ? i->gm.size[1] : 1)), v = below(c, i->beyond == BEYOND_UNDEFINED ? n : 2 * n);
    bool line = c->other.type.blayout == ROW_MAJOR;
    if (i->by_element) give(c, &c->other, row, col, v);
    else give(c, &c->other, line ? 0 : row, line ? row : 0, v);
    if (i->beyond == BEYOND_ZERO && v >= n) return -1;
    return (int64_t)(i->beyond == BEYOND_WRAP ? v % n : least(v, n - 1)) * (i->by_element ? 1 : i->gm.stride[0]) * tile_esize(t);
}

/* A row, or one element of it. */
static uint32_t moved_bytes(const Case *c, const Tile *t) { return (c->instr.by_element ? 1 : t->vcols) * tile_esize(t); }
static uint32_t moves_of_row(const Case *c, const Tile *t) { return c->instr.by_element ? t->vcols : 1; }

static void gather_by_index(Case *c) {
    const Tile *d = &c->dst;
    if (!table_operands(c, I_MGATHER, &c->dst) || !ready(c)) return;
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < moves_of_row(c, d); k++) {
            int64_t from = give_index(c, d, r, k);
            uint8_t *to = c->want + tile_elem_addr(d, r, k);
            if (from < 0) memset(to, 0, moved_bytes(c, d));
            else memcpy(to, c->gm + from, moved_bytes(c, d));
        }
    run_transfer(c);
}

static void scatter_by_index(Case *c) {
    const Tile *s = &c->src;
    if (!table_operands(c, I_MSCATTER, &c->src) || !ready(c)) return;
    for (uint32_t r = 0; r < s->vrows; r++)
        for (uint32_t k = 0; k < moves_of_row(c, s); k++) {
            int64_t to = give_index(c, s, r, k);
            if (to >= 0) memcpy(c->gm_want + to, c->ub + tile_elem_addr(s, r, k), moved_bytes(c, s));
        }
    run_transfer(c);
}

/* ---- all of them ---- */

static const struct {
    void (*f)(Case *c);
    uint32_t times;
} kinds[] = {
    {fillpad_any, 150}, {fillpad_inplace, 100}, {fillpad_expand, 100}, {trans, 150}, {ci, 40}, {tri, 80}, {gather_index, 120}, {gather_pattern, 150},
    {gather_blocks, 100}, {scatter, 100}, {sort32, 100}, {merge_tiles, 100}, {merge_blocks, 60}, {extract, 150}, {insert, 150}, {concat, 150},
    {get_value, 40}, {set_value, 40}, {load, 200}, {store, 200}, {gather_by_index, 150}, {scatter_by_index, 150},
};

static void random_cases(const char *target, const char *conformance) {
    Bed b;
    bed_open(&b, target, conformance);
    Case c = {.bed = &b, .rng = bed_seed(), .ub = malloc(AREA), .want = malloc(AREA), .gm = malloc(GM_BYTES), .gm_want = malloc(GM_BYTES), .loose = malloc(AREA)};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t n = 0; n < kinds[k].times; n++) kinds[k].f(&c);
    free(c.ub);
    free(c.want);
    free(c.gm);
    free(c.gm_want);
    free(c.loose);
    bed_close(&b);
}

static void results_on_a2a3(void **state) {
    (void)state;
    random_cases("a2a3", "document");
}

static void results_on_the_950(void **state) {
    (void)state;
    random_cases("950", "document");
}

/* ---- streams ---- */

typedef struct Shape4 {
    uint32_t rows, cols, vrows, vcols;
} Shape4;

/* Sources at 0x0 and 0x8000, the result at 0x10000, tmp at 0x18000. */
typedef struct StreamCase {
    const char *what, *target;
    InstrId id;
    DType t, other_type;
    Shape4 src, other, dst;
    int64_t index[2];
    int pattern;
    TilePad pad;
    const char *want; /* a line per micro-op, those of a vector function in its place; "full": the mask of all lanes */
} StreamCase;

#include "tests/unit/movement_cases.h"

typedef struct Operands {
    Instr i;
    Tile src, other, dst, tmp;
} Operands;

static Tile place(DType t, Shape4 s, uint32_t addr) {
    Tile x = bed_tile(t, s.rows, s.cols, s.vrows, s.vcols);
    x.addr = addr;
    return x;
}

static void build(Operands *o, const StreamCase *s) {
    Instr *i = &o->i;
    *i = bed_instr(s->id);
    o->src = place(s->t, s->src, 0);
    o->other = place(s->other_type, s->other, 0x8000);
    o->dst = place(s->t, s->dst, s->id == I_TFILLPAD_INPLACE ? 0 : 0x10000);
    o->tmp = place(s->t, (Shape4){1, 2048, 1, 2048}, 0x18000);
    o->dst.type.pad = s->pad;
    i->in[0] = &o->src;
    i->in[1] = &o->other;
    i->nin = (s->src.rows != 0) + (s->other.rows != 0);
    i->out[i->nout++] = &o->dst;
    i->tmp = instr_signature(s->id)->tmp ? &o->tmp : NULL;
    memcpy(i->index, s->index, sizeof i->index);
    i->pattern = s->pattern;
    i->scalar = 5;
}

static void print_stream(const UopBuf *b, StrBuf *text) {
    for (uint32_t k = 0; k < b->n; k++) {
        const Uop *u = &b->uop[k];
        int depth = 0;
        if (u->op == U_SET_MASK && u->imm == ~0ull && u->imm2 == ~0ull) sb_puts(text, "full\n");
        else if (u->op != U_VF) {
            uop_print(u, b, text);
            sb_puts(text, "\n");
        }
        for (uint32_t n = 0; u->op == U_VF && n < u->rep; n++) {
            const VfInstr *v = &b->vf[u->imm + n];
            depth -= v->op == U_END;
            vf_print(v, depth, text);
            depth += v->op == U_LOOP;
            sb_puts(text, "\n");
        }
    }
}

static bool check_stream(const StreamCase *s) {
    Bed b;
    Operands o;
    StrBuf text = {0};
    bed_open(&b, s->target, "document");
    build(&o, s);
    memset(b.machine->ub, 0, b.machine->ub_size); /* indices */
    if (!bed_run(&b, &o.i)) fail_msg("%s: refused: %s", s->what, bed_error(&b));
    print_stream(&b.uops, &text);
    bool equal = strcmp(text.s ? text.s : "", s->want) == 0;
    if (!equal) print_error("%s: expected\n%sfound\n%s", s->what, s->want, text.s ? text.s : "");
    sb_free(&text);
    bed_close(&b);
    return equal;
}

static void streams(void **state) {
    (void)state;
    bool equal = true;
    for (size_t k = 0; k < sizeof stream_cases / sizeof *stream_cases; k++) equal &= check_stream(&stream_cases[k]);
    assert_true(equal);
}

/* ---- refusals ---- */

typedef struct Refusal {
    StreamCase s;
    DiagId why;
    uint32_t dst_addr; /* 0: where streams have it */
} Refusal;

static const Refusal refusals[] = {
    {{"no pad value", "a2a3", I_TFILLPAD, DT_F32, DT_U32, {4, 64, 4, 60}, {0, 0, 0, 0}, {4, 64, 4, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_OPERANDS, 0},
    {{"fewer rows", "950", I_TFILLPAD, DT_F32, DT_U32, {4, 64, 4, 60}, {0, 0, 0, 0}, {4, 64, 3, 64}, {0, 0}, 0, PAD_MIN, ""}, DIAG_VALID_MISMATCH, 0},
    {{"not transposed", "a2a3", I_TTRANS, DT_F32, DT_U32, {8, 16, 8, 16}, {0, 0, 0, 0}, {8, 16, 8, 16}, {0, 0}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"dst on src", "950", I_TTRANS, DT_F32, DT_U32, {16, 16, 16, 16}, {0, 0, 0, 0}, {16, 16, 16, 16}, {0, 0}, 0, PAD_NULL, ""}, DIAG_ALIAS, 0x40},
    {{"two rows", "a2a3", I_TCI, DT_I32, DT_U32, {0, 0, 0, 0}, {0, 0, 0, 0}, {2, 8, 2, 8}, {0, 0}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"neither indices nor pattern", "a2a3", I_TGATHER, DT_F32, DT_U32, {1, 64, 1, 64}, {0, 0, 0, 0}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_OPERANDS, 0},
    {{"16-bit indices", "a2a3", I_TGATHER, DT_F16, DT_U16, {1, 64, 1, 64}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_DTYPE, 0},
    {{"bytes", "a2a3", I_TGATHER, DT_U8, DT_U32, {1, 64, 1, 64}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_DTYPE, 0},
    {{"more elements than indices", "950", I_TGATHER, DT_U8, DT_U16, {300, 256, 300, 256}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_INDEX_OVERFLOW, 0x20000},
    {{"packed rows with gaps", "950", I_TGATHER, DT_F32, DT_U32, {4, 64, 4, 64}, {0, 0, 0, 0}, {4, 64, 4, 32}, {0, 0}, 1, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"wide indices of halves", "950", I_TSCATTER, DT_F16, DT_U32, {1, 64, 1, 64}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_DTYPE, 0},
    {{"no room for records", "a2a3", I_TSORT32, DT_F32, DT_U32, {1, 64, 1, 64}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"blocks left over", "a2a3", I_TMRGSORT, DT_F32, DT_U32, {1, 512, 1, 320}, {0, 0, 0, 0}, {1, 512, 1, 512}, {64, 0}, 0, PAD_NULL, ""}, DIAG_OPERANDS, 0},
    {{"half a record", "950", I_TMRGSORT, DT_F32, DT_U32, {1, 512, 1, 512}, {0, 0, 0, 0}, {1, 512, 1, 512}, {1, 0}, 0, PAD_NULL, ""}, DIAG_OPERANDS, 0},
    {{"beyond the source", "950", I_TEXTRACT, DT_F32, DT_U32, {8, 64, 8, 64}, {0, 0, 0, 0}, {2, 16, 2, 16}, {7, 0}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"before the destination", "950", I_TINSERT, DT_F32, DT_U32, {2, 16, 2, 16}, {0, 0, 0, 0}, {8, 64, 8, 64}, {0, -1}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"unaligned column", "a2a3", I_TINSERT, DT_F32, DT_U32, {2, 16, 2, 16}, {0, 0, 0, 0}, {8, 64, 8, 64}, {0, 4}, 0, PAD_NULL, ""}, DIAG_ALIGN, 0},
    {{"too long together", "950", I_TCONCAT, DT_F32, DT_F32, {2, 16, 2, 16}, {2, 16, 2, 16}, {2, 24, 2, 24}, {0, 0}, 0, PAD_NULL, ""}, DIAG_VALID_MISMATCH, 0},
    {{"no such element", "a2a3", I_TGETVAL, DT_F32, DT_U32, {2, 16, 2, 16}, {0, 0, 0, 0}, {2, 16, 2, 16}, {32, 0}, 0, PAD_NULL, ""}, DIAG_UB_OOB, 0},
};

static bool says(const Bed *b, DiagId id) {
    bool said = false;
    for (size_t k = 0; k < diag_count(b->diag); k++) said |= diag_at(b->diag, k)->id == id;
    return said;
}

static void illegal_operands_are_refused(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const Refusal *r = &refusals[k];
        Bed b;
        Operands o;
        bed_open(&b, r->s.target, "document");
        build(&o, &r->s);
        if (r->dst_addr) o.dst.addr = r->dst_addr;
        if (r->s.src.rows * r->s.src.cols > 0x8000) o.other.addr = 0x24000, o.tmp.addr = 0x28000;
        bool legal = bed_run(&b, &o.i);
        if (legal || !says(&b, r->why)) fail_msg("%s, %s: %s", r->s.what, o.i.info->name, legal ? "accepted" : bed_error(&b));
        bed_close(&b);
    }
}

/* Document conformance repairs them and says so, library conformance refuses. */
static const StreamCase defects[] = {
    {"rows of the second source as long as those of the first", "a2a3", I_TCONCAT, DT_F32, DT_F32, {2, 8, 2, 8}, {2, 16, 2, 16}, {2, 24, 2, 24}, {0, 0}, 0, PAD_NULL, ""},
    {"offsets of several rows at once", "a2a3", I_TGATHERB, DT_F32, DT_U32, {8, 64, 8, 64}, {2, 16, 2, 9}, {2, 128, 2, 72}, {0, 0}, 0, PAD_NULL, ""},
    {"a whole repeat at the end of a row", "a2a3", I_TGATHERB, DT_F32, DT_U32, {8, 64, 8, 64}, {1, 8, 1, 2}, {1, 16, 1, 16}, {0, 0}, 0, PAD_NULL, ""},
};

static void defects_are_named(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof defects / sizeof *defects; k++)
        for (int library = 0; library < 2; library++) {
            Bed b;
            Operands o;
            bed_open(&b, defects[k].target, library ? "library" : "document");
            memset(b.machine->ub, 0, b.machine->ub_size);
            build(&o, &defects[k]);
            bool legal = bed_run(&b, &o.i);
            if (legal == library || !says(&b, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS))
                fail_msg("%s, %s: %s", defects[k].what, library ? "library" : "document", legal ? "accepted" : bed_error(&b));
            bed_close(&b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_on_a2a3),
        cmocka_unit_test(results_on_the_950),
        cmocka_unit_test(streams),
        cmocka_unit_test(illegal_operands_are_refused),
        cmocka_unit_test(defects_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

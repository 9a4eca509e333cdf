/* Micro-ops that move bytes: marks travel with them, and only what computes with a byte judges it. */
#include <string.h>

#include "isa/check/shadow.h"

enum { MAX_ELEMENT = 8 };

/* ---- order and place ---- */

/* --stale: what an unordered reader will see. */
static void keep_old(Check *c, uint64_t lo, uint64_t hi) {
    for (uint64_t b = lo; b < hi; b++) {
        Stamp s = c->writer[b];
        if (!s || stamp_seq(s) < c->first[stamp_pipe(s)]) c->old[b] = c->ub[b];
    }
}

void shadow_write(Check *c, uint64_t lo, uint64_t hi) {
    if (c->o.stale && c->ub) keep_old(c, lo, hi);
    shadow_write_order(c, lo, hi);
    shadow_write_region(c, lo, hi);
}

static void read_order(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    hi = shadow_cut(c, hi);
    if (lo < hi) shadow_read_order(c, lo, hi);
}

static void write_order(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    hi = shadow_cut(c, hi);
    if (lo < hi) shadow_write(c, lo, hi);
}

static void write_contents(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    write_order(c, lo, hi);
    hi = shadow_cut(c, hi);
    if (lo < hi) memset(c->state + lo, WRITTEN, hi - lo);
}

void shadow_read_somewhere(Check *c, uint64_t addr) {
    const Tile *t = shadow_tile_at(c, addr);
    if (t) shadow_valid_runs(t, read_order, c);
}

void shadow_write_somewhere(Check *c, uint64_t addr) {
    const Tile *t = shadow_tile_at(c, addr);
    if (t) shadow_valid_runs(t, write_contents, c);
}

/* ---- marks ---- */

static void take(const Check *c, uint64_t at, uint32_t n, uint8_t *marks) {
    for (uint32_t i = 0; i < n; i++) marks[i] = at + i < c->size ? c->state[at + i] : UNWRITTEN;
}

static void put(Check *c, uint64_t at, uint32_t n, const uint8_t *marks) {
    for (uint32_t i = 0; i < n && at + i < c->size; i++) c->state[at + i] = marks[i];
}

static uint8_t worst(const uint8_t *marks, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (marks[i] != WRITTEN) return marks[i];
    return WRITTEN;
}

static uint64_t element_at(const Access *a, uint32_t k, uint32_t i) {
    uint32_t per = BLOCK_BYTES / a->esize;
    return (uint64_t)access_addr(a, k, i / per) + i % per * a->esize;
}

static bool lane_on(const Shape *s, uint32_t k, uint32_t i) {
    uint64_t lo, hi;
    shape_mask(s, k, &lo, &hi);
    return mask_from(lo, hi, i) & 1;
}

static void copy_blocks(Check *c, const Access *d, const Access *a, uint32_t k) {
    uint64_t from = access_addr(a, k, 0), to = access_addr(d, k, 0), n = (uint64_t)d->blocks * BLOCK_BYTES;
    if (from + n <= c->size && to + n <= c->size) memmove(c->state + to, c->state + from, n);
}

static void copy_elements(Check *c, const Shape *s, const Access *d, const Access *a, uint32_t k) {
    uint8_t m[MAX_ELEMENT];
    for (uint32_t i = 0; i < (s->elements ? s->elements : s->lanes); i++) {
        if (!s->elements && !lane_on(s, k, i)) continue;
        take(c, element_at(a, k, i), d->esize, m);
        put(c, element_at(d, k, i), d->esize, m);
    }
}

static void spread_elements(Check *c, const Access *d, const Access *a, uint32_t k) {
    uint8_t m[BLOCKS_PER_REPEAT][MAX_ELEMENT], block[BLOCK_BYTES];
    for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) take(c, (uint64_t)access_addr(a, k, 0) + b * d->esize, d->esize, m[b]);
    for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) {
        memset(block, worst(m[b], d->esize), sizeof block);
        put(c, access_addr(d, k, b), BLOCK_BYTES, block);
    }
}

/* Rows that are not there are zeros. */
static void transpose(Check *c, const Access *d, const Access *a, uint32_t k) {
    uint32_t es = d->esize, cols = a->bytes / es;
    uint8_t in[TRANSPOSE_ROWS][BLOCK_BYTES], out[BLOCK_BYTES][2 * BLOCK_BYTES];
    memset(in, WRITTEN, sizeof in);
    for (uint32_t r = 0; r < a->blocks; r++) take(c, access_addr(a, k, r), a->bytes, in[r]);
    for (uint32_t r = 0; r < TRANSPOSE_ROWS; r++)
        for (uint32_t i = 0; i < cols; i++) memcpy(out[i] + r * es, in[r] + i * es, es);
    for (uint32_t i = 0; i < cols; i++) put(c, access_addr(d, k, i), d->bytes, out[i]);
}

static uint8_t lane_mark(const Check *c, const Access *a, uint32_t k, uint32_t i) {
    uint8_t m[MAX_ELEMENT];
    if (!a->used) return WRITTEN;
    take(c, element_at(a, k, i), a->esize, m);
    return worst(m, a->esize);
}

/* A byte of eight results has contents when one of them has. */
static void compare_bits(Check *c, const Shape *s, const Access *d, const Access *a, const Access *b, uint32_t k) {
    uint8_t bits[REPEAT_BYTES / 8] = {0};
    for (uint32_t i = 0; i < s->lanes; i++)
        if (lane_mark(c, a, k, i) == WRITTEN && lane_mark(c, b, k, i) == WRITTEN) bits[i / 8] = WRITTEN;
    put(c, access_addr(d, k, 0), d->bytes, bits);
}

static void set_compare_mask(Check *c, const Uop *u) {
    uint8_t m[sizeof c->cmp_valid];
    take(c, u->src0, sizeof m, m);
    c->cmp_valid[0] = c->cmp_valid[1] = 0;
    for (uint32_t i = 0; i < sizeof m; i++)
        if (m[i] == WRITTEN) c->cmp_valid[i / 8] |= 0xffull << (i % 8 * 8);
}

/* A byte of a bitwise result depends on the same byte of the sources alone. */
static void combine_bytes(Check *c, const Shape *s, const Access *d, const Access *a, const Access *b, uint32_t k) {
    uint8_t m[MAX_ELEMENT], n[MAX_ELEMENT];
    for (uint32_t i = 0; i < s->lanes; i++) {
        if (!lane_on(s, k, i)) continue;
        take(c, element_at(a, k, i), d->esize, m);
        if (b->used) take(c, element_at(b, k, i), d->esize, n);
        for (uint32_t j = 0; b->used && j < d->esize; j++)
            if (m[j] == WRITTEN) m[j] = n[j];
        put(c, element_at(d, k, i), d->esize, m);
    }
}

static bool bitwise(const Uop *u) { return u->op == U_VNOT || u->op == U_VAND || u->op == U_VOR; }

static bool carries(UopClass cls) {
    return cls == UC_COPY || cls == UC_VCOPY || cls == UC_BRCB || cls == UC_TRANSPOSE || cls == UC_CMPV || cls == UC_CMPVS || cls == UC_CMPMASK;
}

bool shadow_carry(Check *c, const Uop *u, const Shape *s) {
    UopClass cls = uop_info[u->op].cls;
    if (!carries(cls) && !bitwise(u)) return false;
    Access d = uop_access(u, s, ROLE_DST), a = uop_access(u, s, ROLE_SRC0), b = uop_access(u, s, ROLE_SRC1);
    shadow_given(c, a.base);
    if (b.used) shadow_given(c, b.base);
    footprint_sources(u, s, read_order, c);
    footprint_runs(u, s, ROLE_DST, 0, s->repeats, write_order, c);
    for (uint32_t k = 0; k < s->repeats; k++) switch (cls) {
        case UC_COPY: copy_blocks(c, &d, &a, k); break;
        case UC_VCOPY: copy_elements(c, s, &d, &a, k); break;
        case UC_BRCB: spread_elements(c, &d, &a, k); break;
        case UC_TRANSPOSE: transpose(c, &d, &a, k); break;
        case UC_CMPMASK: set_compare_mask(c, u); break;
        case UC_BIN: case UC_UN: combine_bytes(c, s, &d, &a, &b, k); break;
        default: compare_bits(c, s, &d, &a, &b, k); break;
        }
    return true;
}

/* The rest of the last block is not defined. */
void shadow_gather_tail(Check *c, const Uop *u, const Shape *s) {
    Access d = uop_access(u, s, ROLE_DST);
    uint64_t end = d.base + (uint64_t)s->repeats * d.rpt, rest = end % BLOCK_BYTES ? BLOCK_BYTES - end % BLOCK_BYTES : 0;
    if (end + rest <= c->size) memset(c->state + end, UNDEFINED, rest);
}

#include "isa/check/footprint.h"

enum { MAX_REPEATS = 65536 };

/* Joins adjacent runs before they are handed on. */
typedef struct Joiner {
    RunFn f;
    void *ctx;
    uint64_t lo, hi;
} Joiner;

static void flush(Joiner *j) {
    if (j->lo < j->hi) j->f(j->ctx, j->lo, j->hi);
    j->lo = j->hi = 0;
}

static void add(Joiner *j, uint64_t lo, uint64_t hi) {
    if (lo == j->hi && j->lo < j->hi) {
        j->hi = hi;
        return;
    }
    flush(j);
    j->lo = lo;
    j->hi = hi;
}

Shape footprint_shape(const Uop *u, const MaskState *m) {
    Shape s = uop_shape(u, m);
    if (s.repeats > MAX_REPEATS) {
        s.repeats = MAX_REPEATS;
        s.last_lanes = s.lanes;
    }
    return s;
}

static void whole_blocks(Joiner *j, const Access *a, uint32_t k) {
    for (uint32_t b = 0; b < a->blocks; b++) {
        uint64_t at = access_addr(a, k, b);
        add(j, at, at + a->bytes);
    }
}

static void active_lanes(Joiner *j, const Access *a, const Shape *s, uint32_t k) {
    uint64_t lo, hi;
    shape_mask(s, k, &lo, &hi);
    uint32_t per = BLOCK_BYTES / a->esize, lanes = a->blocks * per;
    for (uint32_t i = 0; i < lanes && i < 128; i++) {
        if (!(mask_from(lo, hi, i) & 1)) continue;
        uint64_t at = (uint64_t)access_addr(a, k, i / per) + i % per * a->esize;
        add(j, at, at + a->esize);
    }
}

/* Blocks with an active lane give a result each. */
static void group_results(Joiner *j, const Uop *u, const Access *d, const Shape *s, uint32_t k) {
    uint64_t lo, hi;
    shape_mask(s, k, &lo, &hi);
    uint32_t es = dtype_size((DType)u->dtype), per = BLOCK_BYTES / es;
    for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) {
        uint32_t lane = b * per;
        uint64_t on = mask_from(lo, hi, lane) & ((1ull << per) - 1);
        uint64_t at = (uint64_t)access_addr(d, k, 0) + b * es;
        if (on) add(j, at, at + es);
    }
}

/* A number of elements in consecutive blocks. */
static void gathered(Joiner *j, const Access *a, const Shape *s, uint32_t k) {
    uint64_t bytes = (uint64_t)s->elements * a->esize;
    for (uint32_t b = 0; b < a->blocks; b++) {
        uint64_t at = access_addr(a, k, b), left = bytes - (uint64_t)b * BLOCK_BYTES;
        add(j, at, at + (left < BLOCK_BYTES ? left : BLOCK_BYTES));
    }
}

void footprint_runs(const Uop *u, const Shape *s, Role r, uint32_t first, uint32_t end, RunFn f, void *ctx) {
    Access a = uop_access(u, s, r);
    if (!a.used) return;
    Joiner j = {f, ctx, 0, 0};
    UopClass cls = uop_info[u->op].cls;
    if (end > s->repeats) end = s->repeats;
    for (uint32_t k = first; k < end; k++) {
        bool full = !s->partial || (s->last_lanes < s->lanes && k + 1 < s->repeats);
        if (cls == UC_GREDUCE && r == ROLE_DST) group_results(&j, u, &a, s, k);
        else if (s->elements && (cls == UC_VCOPY || r == ROLE_SRC0)) gathered(&j, &a, s, k);
        else if (!a.masked || full) whole_blocks(&j, &a, k);
        else active_lanes(&j, &a, s, k);
    }
    flush(&j);
}

void footprint_sources(const Uop *u, const Shape *s, RunFn f, void *ctx) {
    footprint_runs(u, s, ROLE_SRC0, 0, s->repeats, f, ctx);
    footprint_runs(u, s, ROLE_SRC1, 0, s->repeats, f, ctx);
    for (int k = 2; uop_info[u->op].cls == UC_MERGE && k < u->mode; k++) f(ctx, merge_list(u, k), merge_list(u, k) + merge_records(u, k) * RECORD_BYTES);
}

void footprint_dma(const Dma *d, RunFn f, void *ctx) {
    Joiner j = {f, ctx, 0, 0};
    uint32_t size = dtype_size((DType)d->dtype), len = d->pad ? (d->len + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES : d->len;
    for (uint32_t p = 0; p < d->n1; p++)
        for (uint32_t i = 0; i < d->n0; i++) {
            uint64_t at = d->ub + (uint64_t)(p * d->ub_step1 + i * d->ub_step0);
            if (!d->scatter) add(&j, at, at + len);
            for (uint32_t e = 0; d->scatter && e < d->len / size; e++)
                add(&j, at + (uint64_t)(e * d->ub_elem), at + (uint64_t)(e * d->ub_elem) + size);
        }
    flush(&j);
}

void footprint_indices(const Dma *d, RunFn f, void *ctx) {
    Joiner j = {f, ctx, 0, 0};
    for (uint32_t i = 0; i < d->n0; i++)
        for (uint32_t k = 0; k < d->n1; k++) {
            uint64_t at = d->index_ub + (uint64_t)(i * d->index_ub_step0 + k * d->index_ub_step1);
            add(&j, at, at + dtype_size((DType)d->index_dtype));
        }
    flush(&j);
}

bool footprint_same_walk(const Access *a, const Access *b) {
    return a->used && b->used && a->base == b->base && a->blk == b->blk && a->rpt == b->rpt && a->esize == b->esize && a->bytes == b->bytes;
}

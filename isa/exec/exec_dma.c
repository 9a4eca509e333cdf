#include <string.h>

#include "isa/exec/exec_internal.h"
#include "isa/exec/lanes.h"

static void move(Machine *m, const Dma *d, int64_t gm, int64_t ub, uint32_t n, bool to_ub) {
    const GmBuffer *g = &m->gm[d->buffer];
    uint8_t *p = ub < 0 ? NULL : ub_at(m, (uint64_t)ub, n);
    if (gm < 0 || (uint64_t)gm + n > g->size) {
        m->gm_fault = true;
        return;
    }
    if (!p) return;
    if (m->gm_touched)
        m->gm_touched(m->gm_ctx, d->buffer, dtype_size((DType)d->dtype), (uint64_t)gm, (uint64_t)gm + n, to_ub ? GM_READ : d->atomic_add ? GM_ADD : GM_WRITE);
    if (to_ub) memcpy(p, g->data + gm, n);
    else if (!d->atomic_add) memcpy(g->data + gm, p, n);
    else {
        unsigned size = dtype_size((DType)d->dtype);
        Semantics plain = {.zero_ordered = true};
        uint8_t a[BLOCK_BYTES] = {0}, b[BLOCK_BYTES] = {0};
        for (uint32_t o = 0; o < n; o += size) {
            memcpy(a, g->data + gm + o, size);
            memcpy(b, p + o, size);
            lanes_apply(U_VADD, (DType)d->dtype, a, a, b, BLOCK_BYTES, &plain);
            memcpy(g->data + gm + o, a, size);
        }
    }
}

/* The elements between the end of a burst and the end of its last block. */
static void fill_block(Machine *m, const Dma *d, int64_t ub) {
    unsigned size = dtype_size((DType)d->dtype);
    for (uint32_t o = d->len; o % BLOCK_BYTES; o += size) {
        uint8_t *p = ub_at(m, (uint64_t)ub + o, size);
        if (p) dtype_store((DType)d->dtype, p, d->pad_bits);
    }
}

/* A row beyond the table: zeros, or nothing. */
static void without_table(Machine *m, const Dma *d, bool to_ub) {
    uint8_t *p = to_ub ? ub_at(m, d->ub, d->len) : NULL;
    if (p) memset(p, 0, d->len);
}

/* Place of an index in the table; false: beyond it. */
static bool place_of(const Dma *d, uint64_t *index) {
    if (d->beyond == BEYOND_UNDEFINED || *index < d->limit) return true;
    if (d->beyond == BEYOND_CLAMP) *index = d->limit - 1;
    if (d->beyond == BEYOND_WRAP) *index %= d->limit;
    return d->beyond != BEYOND_ZERO;
}

void exec_simt(Machine *m, const Dma *d, bool to_ub) {
    unsigned size = dtype_size((DType)d->index_dtype);
    Dma one = *d;
    for (uint32_t i = 0; i < d->n0; i++)
        for (uint32_t j = 0; j < d->n1; j++) {
            const uint8_t *x = ub_at(m, (uint64_t)(d->index_ub + i * d->index_ub_step0 + j * d->index_ub_step1), size);
            uint64_t index = x ? dtype_load((DType)d->index_dtype, x) : 0;
            one.ub = (uint32_t)(d->ub + i * d->ub_step0 + j * d->ub_step1);
            if (place_of(d, &index)) move(m, d, d->gm + (int64_t)index * d->index_step, one.ub, d->len, to_ub);
            else without_table(m, &one, to_ub);
        }
}

void exec_dma(Machine *m, const Dma *d, bool to_ub) {
    unsigned size = dtype_size((DType)d->dtype);
    if (d->beyond == BEYOND_ZERO && m->sreg[d->index_reg] >= d->limit) {
        without_table(m, d, to_ub);
        return;
    }
    int64_t base = d->gm + (d->index_reg ? (int64_t)m->sreg[d->index_reg] * d->index_step : 0);
    for (uint32_t j = 0; j < d->n1; j++)
        for (uint32_t i = 0; i < d->n0; i++) {
            int64_t gm = base + j * d->gm_step1 + i * d->gm_step0;
            int64_t ub = (int64_t)d->ub + j * d->ub_step1 + i * d->ub_step0;
            if (!d->scatter) {
                move(m, d, gm, ub, d->len, to_ub);
                if (to_ub && d->pad) fill_block(m, d, ub);
                continue;
            }
            for (uint32_t e = 0; e < d->len / size; e++)
                move(m, d, gm + e * d->gm_elem, ub + e * d->ub_elem, size, to_ub);
        }
}

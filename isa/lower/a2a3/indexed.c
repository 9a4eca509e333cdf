/* MGATHER and MSCATTER: the scalar unit reads each index from UB and issues the transfer of one row, or
 * moves one element itself. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/indexed.h"
#include "isa/lower/move.h"

enum { REG_INDEX = 1, REG_LAST = 2, REG_ELEMENT = 3 };

static void first(LowerCtx *c, const Instr *i) {
    if (i->beyond == BEYOND_CLAMP) emit_s_set(c, REG_LAST, (uint64_t)table_limit(i) - 1);
}

static void read_index(LowerCtx *c, const Instr *i, uint32_t addr) {
    emit_s_load(c, REG_INDEX, DT_U32, addr);
    if (i->beyond == BEYOND_CLAMP) emit_s_binary(c, U_S_MIN, REG_INDEX, DT_U32, REG_INDEX, REG_LAST);
    if (i->beyond == BEYOND_WRAP) emit_s_remainder(c, REG_INDEX, (uint64_t)table_limit(i));
}

static void row(LowerCtx *c, const Instr *i, const Tile *t, const Tile *x, uint32_t r, UopId op) {
    const GmView *v = &i->gm;
    int64_t es = tile_esize(t);
    read_index(c, i, listed_addr(x, r));
    Dma *d = uopbuf_dma(c->out, op);
    d->buffer = v->buffer;
    d->gm = v->offset * es;
    d->index_reg = REG_INDEX;
    d->index_step = table_step(i) * es;
    if (i->beyond == BEYOND_ZERO) {
        d->beyond = BEYOND_ZERO;
        d->limit = (uint64_t)table_limit(i);
    }
    d->ub = tile_elem_addr(t, r, 0);
    d->len = valid_row_bytes(t);
    d->dtype = (uint8_t)t->type.dtype;
    d->atomic_add = i->accumulate;
}

static void elements(LowerCtx *c, const Instr *i, const Tile *t, const Tile *x) {
    DType e = bits_of(tile_esize(t));
    uint64_t base = (uint64_t)i->gm.offset * tile_esize(t), limit = i->beyond == BEYOND_ZERO ? (uint64_t)table_limit(i) : 0;
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t k = 0; k < t->vcols; k++) {
            read_index(c, i, tile_elem_addr(x, r, k));
            if (i->nout) {
                emit_s_gm(c, U_S_GM_LOAD, e, REG_ELEMENT, i->gm.buffer, base, REG_INDEX, limit);
                emit_s_store(c, e, tile_elem_addr(t, r, k), REG_ELEMENT);
            } else {
                emit_s_load(c, REG_ELEMENT, e, tile_elem_addr(t, r, k));
                emit_s_gm(c, U_S_GM_STORE, e, REG_ELEMENT, i->gm.buffer, base, REG_INDEX, limit);
            }
            emit_s_iteration(c);
        }
}

static void by_element(LowerCtx *c, const Instr *i, const Tile *t, const Tile *x) {
    uopbuf_stage(c->out, i->nout ? "gather elements" : "scatter elements");
    if (no_elements(t)) return;
    emit_flag(c, PIPE_V, PIPE_S);
    emit_flag(c, PIPE_MTE3, PIPE_S);
    emit_flag(c, PIPE_MTE2, PIPE_S);
    first(c, i);
    elements(c, i, t, x);
    emit_flag(c, PIPE_S, PIPE_V);
    emit_flag(c, PIPE_S, PIPE_MTE2);
    emit_flag(c, PIPE_S, PIPE_MTE3);
}

void a2a3_mgather(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    if (i->by_element) {
        by_element(c, i, d, i->in[0]);
        return;
    }
    uopbuf_stage(c->out, "gather rows");
    if (no_elements(d)) return;
    emit_flag(c, PIPE_V, PIPE_S);
    emit_flag(c, PIPE_MTE3, PIPE_S);
    first(c, i);
    for (uint32_t r = 0; r < d->vrows; r++) row(c, i, d, i->in[0], r, (UopId)variant);
    emit_flag(c, PIPE_S, PIPE_MTE2);
    emit_flag(c, PIPE_MTE2, PIPE_V);
    emit_flag(c, PIPE_MTE2, PIPE_MTE3);
    emit_flag(c, PIPE_S, PIPE_V);
    emit_flag(c, PIPE_S, PIPE_MTE3);
}

/* Without atomics each row is in memory before the next one is written. */
void a2a3_mscatter(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    if (i->by_element) {
        by_element(c, i, s, i->in[1]);
        return;
    }
    uopbuf_stage(c->out, "scatter rows");
    if (no_elements(s)) return;
    emit_flag(c, PIPE_V, PIPE_S);
    emit_flag(c, PIPE_MTE2, PIPE_S);
    emit_flag(c, PIPE_S, PIPE_MTE3);
    first(c, i);
    for (uint32_t r = 0; r < s->vrows; r++) {
        row(c, i, s, i->in[1], r, (UopId)variant);
        if (!i->accumulate) emit_flag(c, PIPE_MTE3, PIPE_S);
    }
    if (i->accumulate) emit_flag(c, PIPE_MTE3, PIPE_S);
    emit_flag(c, PIPE_MTE3, PIPE_V);
    emit_flag(c, PIPE_MTE3, PIPE_MTE2);
    if (!i->accumulate) return;
    emit_flag(c, PIPE_S, PIPE_V);
    emit_flag(c, PIPE_S, PIPE_MTE2);
}

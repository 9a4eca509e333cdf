/* MGATHER and MSCATTER by rows: the scalar unit reads each index from UB and issues the transfer of one
 * row. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/indexed.h"
#include "isa/lower/move.h"

enum { REG_INDEX = 1, REG_LAST = 2 };

static void row(LowerCtx *c, const Instr *i, const Tile *t, const Tile *x, uint32_t r, UopId op) {
    const GmView *v = &i->gm;
    int64_t es = tile_esize(t);
    emit_s_load(c, REG_INDEX, DT_U32, x->type.blayout == ROW_MAJOR ? tile_elem_addr(x, 0, r) : tile_elem_addr(x, r, 0));
    if (i->oob == OOB_CLAMP) emit_s_binary(c, U_S_MIN, REG_INDEX, DT_U32, REG_INDEX, REG_LAST);
    Dma *d = uopbuf_dma(c->out, op);
    d->buffer = v->buffer;
    d->gm = v->offset * es;
    d->index_reg = REG_INDEX;
    d->index_step = table_stride(v) * es;
    d->ub = tile_elem_addr(t, r, 0);
    d->len = valid_row_bytes(t);
    d->dtype = (uint8_t)t->type.dtype;
    d->atomic_add = i->accumulate;
}

static void last_row(LowerCtx *c, const Instr *i) {
    if (i->oob == OOB_CLAMP) emit_s_set(c, REG_LAST, (uint64_t)table_rows(&i->gm) - 1);
}

void a2a3_mgather(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    uopbuf_stage(c->out, "gather rows");
    if (no_elements(d)) return;
    emit_flag(c, PIPE_V, PIPE_S);
    emit_flag(c, PIPE_MTE3, PIPE_S);
    last_row(c, i);
    for (uint32_t r = 0; r < d->vrows; r++) row(c, i, d, i->in[0], r, (UopId)variant);
    emit_flag(c, PIPE_S, PIPE_MTE2);
    emit_flag(c, PIPE_MTE2, PIPE_V);
    emit_flag(c, PIPE_MTE2, PIPE_MTE3);
}

/* Without atomics each row is in memory before the next one is written. */
void a2a3_mscatter(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    uopbuf_stage(c->out, "scatter rows");
    if (no_elements(s)) return;
    emit_flag(c, PIPE_V, PIPE_S);
    emit_flag(c, PIPE_MTE2, PIPE_S);
    emit_flag(c, PIPE_S, PIPE_MTE3);
    last_row(c, i);
    for (uint32_t r = 0; r < s->vrows; r++) {
        row(c, i, s, i->in[1], r, (UopId)variant);
        if (!i->accumulate) emit_flag(c, PIPE_MTE3, PIPE_S);
    }
    if (i->accumulate) emit_flag(c, PIPE_MTE3, PIPE_S);
    emit_flag(c, PIPE_MTE3, PIPE_V);
    emit_flag(c, PIPE_MTE3, PIPE_MTE2);
}

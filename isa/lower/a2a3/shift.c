/* TSHL, TSHR (TShl, TShr): the vector unit has no shift by a tile; the scalar unit walks the elements. */
#include "isa/lower/a2a3/emit.h"

enum { REG_VALUE = 1, REG_COUNT };

void a2a3_shift(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    DType t = d->type.dtype;
    uopbuf_stage(c->out, "scalar loop");
    emit_flag(c, PIPE_V, PIPE_S);
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < d->vcols; k++) {
            emit_s_load(c, REG_VALUE, t, tile_elem_addr(i->in[0], r, k));
            emit_s_load(c, REG_COUNT, t, tile_elem_addr(i->in[1], r, k));
            emit_s_binary(c, (UopId)variant, REG_VALUE, t, REG_VALUE, REG_COUNT);
            emit_s_store(c, t, tile_elem_addr(d, r, k), REG_VALUE);
            emit_s_iteration(c);
        }
    emit_flag(c, PIPE_S, PIPE_V);
}

/* TSCATTER: the whole destination is cleared, then the scalar unit puts the elements one by one. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_INDEX = 1, REG_ELEMENT = 2 };

static void clear(LowerCtx *c, const Tile *d) {
    DType t = tile_esize(d) == 4 ? DT_U32 : DT_U16;
    emit_mask_count(c);
    emit_count(c, tile_bytes(d) / dtype_size(t));
    emit_dup(c, t, 0, 0, (uint32_t)d->addr, 8);
    emit_mask_norm(c);
    emit_mask_full(c);
    emit_flag(c, PIPE_V, PIPE_S);
}

void a2a3_scatter(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    DType t = bits_of(tile_esize(d)), index = bits_of(tile_esize(x));
    (void)variant;
    uopbuf_stage(c->out, "clear");
    clear(c, d);
    uopbuf_stage(c->out, "scatter");
    for (uint32_t r = 0; r < x->vrows; r++)
        for (uint32_t k = 0; k < x->vcols; k++) {
            emit_s_load(c, REG_INDEX, index, tile_elem_addr(x, r, k));
            emit_s_load(c, REG_ELEMENT, t, tile_elem_addr(s, r, k));
            emit_s_store_indexed(c, t, (uint32_t)d->addr, REG_INDEX, tile_esize(d), REG_ELEMENT);
            emit_s_iteration(c);
        }
    emit_flag(c, PIPE_S, PIPE_V);
}

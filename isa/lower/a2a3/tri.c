/* TTRI: each row is filled, then its first columns once more with the other value. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

void a2a3_tri(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    uint64_t one = dtype_from_double(d->type.dtype, 1, ROUND_RINT), first = i->upper ? 0 : one;
    (void)variant;
    uopbuf_stage(c->out, uop_info[U_VDUP].name);
    if (no_elements(d)) return;
    emit_mask_count(c);
    for (uint32_t r = 0; r < d->vrows; r++) {
        int64_t n = r + i->index[0] + !i->upper; /* columns left of the diagonal, or up to it */
        uint32_t at = tile_elem_addr(d, r, 0);
        emit_count(c, d->vcols);
        emit_dup(c, d->type.dtype, one - first, 1, at, 8);
        emit_barrier(c);
        if (n <= 0) continue;
        emit_count(c, n < d->vcols ? (uint64_t)n : d->vcols);
        emit_dup(c, d->type.dtype, first, 1, at, 8);
        emit_barrier(c);
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

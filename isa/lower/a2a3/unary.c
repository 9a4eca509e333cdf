/* TEXP, TLOG, TSQRT, TRSQRT, TABS, TRELU (TUnaryOp). */
#include "isa/lower/a2a3/tiles.h"

void a2a3_unary(LowerCtx *c, const Instr *i, int variant) { tile_unary(c, (UopId)variant, i->out[0], i->in[0]); }

/* With tmp: square roots row by row, then 1 / root with one block of ones that is read for every block. */
static void precise_rsqrt(LowerCtx *c, const Tile *d, const Tile *s, uint32_t ones) {
    DType t = d->type.dtype;
    emit_mask_count(c);
    emit_count(c, epb(d));
    uopbuf_stage(c->out, "ones");
    emit_dup(c, t, dtype_from_double(t, 1.0, ROUND_RINT), 0, ones, 0);
    uopbuf_stage(c->out, "vsqrt");
    emit_count(c, d->vcols);
    for (uint32_t r = 0; r < d->vrows; r++) emit_vec(c, U_VSQRT, t, 0, tile_elem_addr(d, r, 0), 8, tile_elem_addr(s, r, 0), 8, 0, 0);
    emit_barrier(c);
    uopbuf_stage(c->out, "vdiv");
    for (uint32_t r = 0; r < d->vrows; r++) {
        uint32_t row = tile_elem_addr(d, r, 0);
        emit_vec(c, U_VDIV, t, 0, row, 8, ones, 0, row, 8)->sblk0 = 0;
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_rsqrt(LowerCtx *c, const Instr *i, int variant) {
    if (!i->tmp) a2a3_unary(c, i, variant);
    else precise_rsqrt(c, i->out[0], i->in[0], (uint32_t)i->tmp->addr);
}

/* One block, and only if the form with tmp was chosen. */
TmpNeed tmp_rsqrt(const Target *t, const Instr *i) {
    if (t->family != FAMILY_A2A3 || !i->tmp) return (TmpNeed){0};
    return (TmpNeed){1, epb(i->in[0]), epb(i->in[0])};
}

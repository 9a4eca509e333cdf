/* TMINS, TMAXS, TADDS, TMULS, TLRELU, TSHLS, TSHRS: one machine instruction over the valid region, in
 * the shape that the shipped library chooses (TBinSOp). TNEG multiplies by -1, TSUBS adds the negated
 * scalar. */
#include "isa/lower/a2a3/sweep.h"

static void bins(LowerCtx *c, const Instr *i, UopId op, uint64_t scalar) {
    uopbuf_stage(c->out, uop_info[op].name);
    Sweep w = {.c = c, .op = op, .d = i->out[0], .s0 = i->in[0], .scalar = scalar};
    sweep_run(&w, path_bins(w.d, w.s0));
}

void a2a3_bins(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool mismatch = d->vrows != s->vrows || d->vcols != s->vcols;
    if (mismatch && (variant == U_VMINS || variant == U_VADDS)) return; /* the library returns */
    bins(c, i, (UopId)variant, i->scalar);
}

void a2a3_neg(LowerCtx *c, const Instr *i, int variant) {
    bins(c, i, (UopId)variant, dtype_from_double(i->in[0]->type.dtype, -1.0, ROUND_RINT));
}

void a2a3_subs(LowerCtx *c, const Instr *i, int variant) { bins(c, i, (UopId)variant, negated(i->in[0]->type.dtype, i->scalar)); }

/* TDIVS in both operand orders and TRECIP (TDivS): on every step of the tile-scalar paths the scalar is spread
 * over the destination and divided there. In place there is no room for that, and the library
 * multiplies by the reciprocal. Integers are left to the scalar unit. */
#include "isa/lower/a2a3/sweep.h"
#include "isa/lower/move.h"

static void spread(const Sweep *w, Step s) {
    emit_dup(w->c, w->d->type.dtype, w->scalar, s.rep, tile_elem_addr(w->d, s.row, s.col), step_pitch(s, w->d));
    emit_barrier(w->c);
}

static void tile_by_scalar(const Sweep *w, Step s) {
    spread(w, s);
    sweep_emit(w, s, U_VDIV, w->d, w->s0, w->d);
}

static void scalar_by_tile(const Sweep *w, Step s) {
    spread(w, s);
    sweep_emit(w, s, U_VDIV, w->d, w->d, w->s0);
}

static uint64_t reciprocal(DType t, uint64_t bits) { return dtype_from_double(t, 1.0 / dtype_to_double(t, bits), ROUND_RINT); }

void a2a3_divs(LowerCtx *c, const Instr *i, int variant) {
    if (!dtype_is_float(i->in[0]->type.dtype)) {
        divide_one_by_one(c, i);
        return;
    }
    Sweep w = {.c = c, .op = (UopId)variant, .d = i->out[0], .s0 = i->in[0], .scalar = i->scalar, .step = tile_by_scalar};
    if (i->scalar_first) {
        w.step = scalar_by_tile;
    } else if (w.d->addr == w.s0->addr) {
        w.op = U_VMULS;
        w.scalar = reciprocal(w.d->type.dtype, i->scalar);
        w.step = NULL;
    }
    uopbuf_stage(c->out, uop_info[w.op].name);
    sweep_run(&w, path_bins(w.d, w.s0));
}

void a2a3_recip(LowerCtx *c, const Instr *i, int variant) {
    DType t = i->in[0]->type.dtype;
    Sweep w = {.c = c, .op = (UopId)variant, .d = i->out[0], .s0 = i->in[0], .scalar = dtype_from_double(t, 1.0, ROUND_RINT), .step = scalar_by_tile};
    uopbuf_stage(c->out, uop_info[w.op].name);
    sweep_run(&w, path_bins(w.d, w.s0));
}

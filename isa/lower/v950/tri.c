/* TTRI: lane numbers are compared with the diagonal of the row. */
#include "isa/lower/v950/move.h"

enum { V_ONE, V_ZERO, V_OUT, P_CHUNK = 0, P_LEFT };

void v950_tri(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    DType t = d->type.dtype;
    uint32_t E = epr(d);
    (void)variant;
    vf_open(c, "triangle");
    vf_scalar(c, U_VBR, t, V_ONE, VF_NONE, dtype_from_double(t, 1, ROUND_RINT), VF_NONE);
    vf_scalar(c, U_VBR, t, V_ZERO, VF_NONE, 0, VF_NONE);
    vf_loop(c, d->vrows);
    vf_loop(c, ceil_div(d->vcols, E));
    vf_plt(c, t, P_CHUNK, walk_count(d->vcols, 1, E));
    Walk left = walk_scalar(i->index[0] + !i->upper, 0, 1);
    left.step[1] = -(int32_t)E;
    vf_plt(c, t, P_LEFT, left);
    vf_select(c, t, V_OUT, i->upper ? V_ZERO : V_ONE, i->upper ? V_ONE : V_ZERO, P_LEFT);
    vf_store(c, t, walk_tile(d, 0, 0, 1, E), V_OUT, P_CHUNK);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

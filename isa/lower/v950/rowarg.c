/* TROWARGMAX, TROWARGMIN (TRowReduceIdx): a running best per row; chunks that are strictly better
 * replace it, so the first of equal columns stays. tmp is not used. */
#include "isa/lower/v950/reduce.h"

enum { V_ZERO, V_BEST, V_IDX, V_OFF, V_S, V_T };
enum { P_ONE, P_CHUNK, P_BETTER };

static void store_first(LowerCtx *c, const Tile *d, int v) {
    Walk w = walk_tile(d, 0, 0, 1, 0);
    w.post = true;
    vf_store(c, d->type.dtype, w, v, P_ONE)->dist = DIST_ONEPT;
}

static void chunk(LowerCtx *c, const Tile *s, DType it, bool max) {
    DType t = s->type.dtype;
    uint32_t E = epr(s);
    Walk w = walk_tile(s, 0, 0, 1, E);
    w.post = true;
    vf_plt(c, t, P_CHUNK, walk_count(s->vcols, 1, E));
    vf_load(c, t, V_S, w);
    vf_op(c, max ? U_VCMAX : U_VCMIN, t, V_S, V_S, VF_NONE, P_CHUNK)->imm = reduce_start(max ? U_VCMAX : U_VCMIN, t);
    vf_op(c, U_VDINTLV, t, V_S, V_S, V_ZERO, VF_NONE)->dst2 = V_T;
    vf_op(c, U_VADD, it, V_T, V_T, V_OFF, P_ONE);
    vf_compare(c, max ? U_VCMP_LT : U_VCMP_GT, t, P_BETTER, V_BEST, V_S, P_ONE);
    vf_select(c, t, V_BEST, V_S, V_BEST, P_BETTER);
    vf_select(c, it, V_IDX, V_T, V_IDX, P_BETTER);
    vf_scalar(c, U_VADDS, it, V_OFF, V_OFF, E, P_ONE);
}

void v950_rowarg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0], *idx = i->out[i->nout - 1];
    DType t = s->type.dtype, it = idx->type.dtype;
    bool max = variant == U_VCMAX;
    if (!s->vrows) return;
    vf_open(c, max ? "row maximum" : "row minimum");
    vf_scalar(c, U_VBR, t, V_ZERO, VF_NONE, 0, VF_NONE);
    vf_plt(c, t, P_ONE, walk_count(1, 0, 0));
    vf_loop(c, s->vrows);
    vf_scalar(c, U_VDUPR, t, V_BEST, VF_NONE, reduce_start((UopId)variant, t), P_ONE);
    vf_scalar(c, U_VBR, it, V_IDX, VF_NONE, 0, VF_NONE);
    vf_scalar(c, U_VBR, it, V_OFF, VF_NONE, 0, VF_NONE);
    vf_loop(c, ceil_div(s->vcols, epr(s)));
    chunk(c, s, it, max);
    vf_end(c);
    store_first(c, idx, V_IDX);
    if (i->nout == 2) store_first(c, i->out[0], V_BEST);
    vf_end(c);
    vf_close(c);
}

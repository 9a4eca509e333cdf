/* Element-wise instructions (TBinOp, TBinSOp, TUnaryOp): predicate, loads, one operation, store. */
#include "isa/lower/v950/elementwise.h"

enum { P_CHUNK };
enum { V_SRC0, V_SRC1, V_CONSTANT = 3 };

/* Returns the register of the result. */
static int compute(LowerCtx *c, const Elementwise *e) {
    DType t = e->dst->type.dtype;
    switch (e->form) {
    case FORM_TILES: vf_op(c, e->op, t, 2, V_SRC0, V_SRC1, P_CHUNK); return 2;
    case FORM_SCALAR: vf_scalar(c, e->op, t, 1, V_SRC0, e->scalar, P_CHUNK); return 1;
    case FORM_UNARY: vf_op(c, e->op, t, 1, V_SRC0, VF_NONE, P_CHUNK); return 1;
    case FORM_BY_SCALAR: vf_op(c, e->op, t, 1, V_SRC0, V_CONSTANT, P_CHUNK); return 1;
    case FORM_SCALAR_BY: vf_op(c, e->op, t, 1, V_CONSTANT, V_SRC0, P_CHUNK); return 1;
    case FORM_RSQRT: break;
    }
    vf_op(c, U_VSQRT, t, 1, V_SRC0, VF_NONE, P_CHUNK);
    vf_op(c, U_VDIV, t, 2, V_CONSTANT, 1, P_CHUNK);
    return 2;
}

/* Only the one-dimensional path updates its address registers. */
static Walk place(const Chunks *k, const Tile *t) {
    Walk w = chunks_walk(k, t);
    w.post = k->flat;
    return w;
}

void v950_elementwise(LowerCtx *c, const Elementwise *e) {
    DType t = e->dst->type.dtype;
    Chunks k = chunks_over(e->dst, e->src0, e->src1, epr(e->dst));
    vf_open(c, uop_info[e->op].name);
    if (e->form >= FORM_BY_SCALAR) vf_scalar(c, U_VDUPR, t, V_CONSTANT, VF_NONE, e->scalar, VF_NONE);
    chunks_open(c, &k);
    vf_plt(c, t, P_CHUNK, chunks_count(&k, 0));
    vf_load(c, t, V_SRC0, place(&k, e->src0));
    if (e->src1) vf_load(c, t, V_SRC1, place(&k, e->src1));
    int result = compute(c, e);
    vf_store(c, t, place(&k, e->dst), result, P_CHUNK);
    chunks_close(c, &k);
    vf_close(c);
}

void v950_bins(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, FORM_SCALAR, i->scalar});
}

void v950_binary(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], i->in[1], FORM_TILES, 0});
}

void v950_unary(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, FORM_UNARY, 0});
}

static uint64_t number(const Tile *t, double v) { return dtype_from_double(t->type.dtype, v, ROUND_RINT); }

/* The library negates by multiplication. */
void v950_neg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_SCALAR, number(d, -1)});
}

void v950_rsqrt(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_RSQRT, number(d, 1)});
}

/* The scalar fills a register ahead of the loops, whichever side of the division it stands on. */
void v950_divs(LowerCtx *c, const Instr *i, int variant) {
    ElementForm form = i->scalar_first ? FORM_SCALAR_BY : FORM_BY_SCALAR;
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, form, i->scalar});
}

/* Element-wise instructions (TBinOp, TBinSOp, TUnaryOp): predicate, loads, one operation, store. */
#include "isa/lower/v950/elementwise.h"
#include "isa/lower/move.h"

/* Returns the register of the result. */
static int compute(LowerCtx *c, const Elementwise *e) {
    DType t = e->dst->type.dtype;
    switch (e->form) {
    case FORM_TILES: vf_op(c, e->op, t, 2, V_SRC0, V_SRC1, P_CHUNK); return 2;
    case FORM_SCALAR: vf_scalar(c, e->op, t, 1, V_SRC0, e->scalar, P_CHUNK); return 1;
    case FORM_UNARY: vf_op(c, e->op, t, 1, V_SRC0, VF_NONE, P_CHUNK); return 1;
    case FORM_BY_SCALAR: vf_op(c, e->op, t, 1, V_SRC0, V_CONSTANT, P_CHUNK); return 1;
    case FORM_SCALAR_BY: vf_op(c, e->op, t, 1, V_CONSTANT, V_SRC0, P_CHUNK); return 1;
    case FORM_BODY: return e->body(c, e);
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
    if (e->form >= FORM_BY_SCALAR && e->form <= FORM_RSQRT) vf_scalar(c, U_VDUPR, t, V_CONSTANT, VF_NONE, e->scalar, VF_NONE);
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
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, FORM_SCALAR, i->scalar, NULL});
}

void v950_binary(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], i->in[1], FORM_TILES, 0, NULL});
}

void v950_unary(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, FORM_UNARY, 0, NULL});
}

static uint64_t number(const Tile *t, double v) { return dtype_from_double(t->type.dtype, v, ROUND_RINT); }

/* The library negates by multiplication. */
void v950_neg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_SCALAR, number(d, -1), NULL});
}

void v950_rsqrt(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_RSQRT, number(d, 1), NULL});
}

/* The scalar fills a register ahead of the loops, whichever side of the division it stands on. */
/* The library has no flag back from its loop over integers; ours is there for what follows. */
void v950_divs(LowerCtx *c, const Instr *i, int variant) {
    if (!dtype_is_float(i->in[0]->type.dtype)) {
        divide_one_by_one(c, i);
        return;
    }
    ElementForm form = i->scalar_first ? FORM_SCALAR_BY : FORM_BY_SCALAR;
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, form, i->scalar, NULL});
}

void v950_recip(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_SCALAR_BY, number(d, 1), NULL});
}

void v950_subs(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, i->in[0], NULL, FORM_SCALAR, negated(d->type.dtype, i->scalar), NULL});
}

/* TANDS, TORS, TXORS: the scalar fills a register ahead of the loops. */
void v950_logic_scalar(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, FORM_BY_SCALAR, i->scalar, NULL});
}

/* The scalar form of the library, whose source is the destination: it is loaded for nothing. */
static int fill(LowerCtx *c, const Elementwise *e) {
    vf_scalar(c, e->op, e->dst->type.dtype, V_FREE, VF_NONE, e->scalar, P_CHUNK);
    return V_FREE;
}

void v950_expands(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    v950_elementwise(c, &(Elementwise){(UopId)variant, d, d, NULL, FORM_BODY, i->scalar, fill});
}

/* TAXPY: always row by row; the register of the destination is source and result. A narrower source is
 * spread over the lanes and converted. */
void v950_axpy(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = d->type.dtype, from = s->type.dtype;
    uint32_t E = epr(d);
    bool widen = from != t;
    vf_open(c, uop_info[variant].name);
    vf_loop(c, d->vrows);
    vf_loop(c, ceil_div(d->vcols, E));
    vf_load(c, from, V_SRC0, walk_tile(s, 0, 0, 1, E))->dist = widen ? DIST_UNPK : DIST_NORM;
    vf_load(c, t, V_SRC1, walk_tile(d, 0, 0, 1, E));
    vf_plt(c, t, P_CHUNK, walk_count(d->vcols, 1, E));
    if (widen) vf_op(c, U_VCONV, t, V_FREE, V_SRC0, VF_NONE, P_CHUNK)->dtype2 = (uint8_t)from;
    VfInstr *v = vf_op(c, (UopId)variant, t, V_SRC1, widen ? V_FREE : V_SRC0, VF_NONE, P_CHUNK);
    v->imm = widen ? number(d, dtype_to_double(from, i->scalar)) : i->scalar;
    v->merging = true;
    vf_store(c, t, walk_tile(d, 0, 0, 1, E), V_SRC1, P_CHUNK);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

void v950_mov(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    v950_copy(c, i->out[0], i->in[0], "copy");
}

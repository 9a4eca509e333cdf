/* TPARTARGMAX, TPARTARGMIN (TPartArgBinOps): compare, select value and index under one predicate,
 * merge into the larger source. */
#include "isa/lower/v950/vf.h"

enum { P_DST, P_BOTH, P_SEL, P_DST_I, P_BOTH_I, P_SEL_I };
enum { V0, V1, VR, VBIG, W0, W1, WR, WBIG };

/* How the index lanes relate to the value lanes. */
typedef enum IndexWidth { SAME, WIDER, NARROWER } IndexWidth;

typedef struct PartArg {
    LowerCtx *c;
    UopId compare;
    const Tile *dv, *di, *v0, *v1, *i0, *i1, *vbig, *ibig;
    uint32_t rows, cols, E;
    DType t, it;
    IndexWidth width;
    bool take_second; /* library: the compare selects src1, else src0 */
} PartArg;

static void compare_values(const PartArg *p) {
    if (p->take_second) vf_compare(p->c, p->compare, p->t, P_SEL, V1, V0, P_BOTH);
    else vf_compare(p->c, p->compare, p->t, P_SEL, V0, V1, P_BOTH);
}

static void choose(const PartArg *p, DType t, int out, int a, int b, int sel) {
    if (p->take_second) vf_select(p->c, t, out, b, a, sel);
    else vf_select(p->c, t, out, a, b, sel);
}

static void both_values(const PartArg *p) {
    LowerCtx *c = p->c;
    vf_plt(c, p->t, P_DST, walk_count(p->dv->vcols, 1, p->E));
    vf_plt(c, p->t, P_BOTH, walk_count(p->cols, 1, p->E));
    vf_load(c, p->t, V0, walk_tile(p->v0, 0, 0, 1, p->E));
    vf_load(c, p->t, V1, walk_tile(p->v1, 0, 0, 1, p->E));
    compare_values(p);
    choose(p, p->t, VR, V0, V1, P_SEL);
    vf_load(c, p->t, VBIG, walk_tile(p->vbig, 0, 0, 1, p->E));
    vf_merge(c, p->t, VBIG, VR, P_BOTH);
    vf_store(c, p->t, walk_tile(p->dv, 0, 0, 1, p->E), VBIG, P_DST);
}

/* Selects the indices of columns col .. of each chunk under selector and predicates already set. */
static void both_indices(const PartArg *p, uint32_t col, int sel) {
    LowerCtx *c = p->c;
    vf_load(c, p->it, W0, walk_tile(p->i0, 0, col, 1, p->E));
    vf_load(c, p->it, W1, walk_tile(p->i1, 0, col, 1, p->E));
    choose(p, p->it, WR, W0, W1, sel);
    vf_load(c, p->it, WBIG, walk_tile(p->ibig, 0, col, 1, p->E));
    vf_merge(c, p->it, WBIG, WR, P_BOTH_I);
    vf_store(c, p->it, walk_tile(p->di, 0, col, 1, p->E), WBIG, P_DST_I);
}

static void index_counts(const PartArg *p, uint32_t col) {
    Walk d = walk_count(p->dv->vcols, 1, p->E), s = walk_count(p->cols, 1, p->E);
    d.base -= col;
    s.base -= col;
    vf_plt(p->c, p->it, P_DST_I, d);
    vf_plt(p->c, p->it, P_BOTH_I, s);
}

static void both(const PartArg *p) {
    both_values(p);
    if (p->width == SAME) {
        index_counts(p, 0);
        both_indices(p, 0, P_SEL);
    } else if (p->width == WIDER) { /* two index registers per value register */
        for (uint32_t half = 0; half < 2; half++) {
            index_counts(p, half * p->E / 2);
            vf_predicate(p->c, U_PUNPACK, p->it, P_SEL_I, P_SEL, half);
            both_indices(p, half * p->E / 2, P_SEL_I);
        }
    } else { /* 16-bit indices of 32-bit values: half a register, predicates narrowed */
        vf_predicate(p->c, U_PPACK, p->it, P_SEL_I, P_SEL, 0);
        vf_predicate(p->c, U_PPACK, p->it, P_DST_I, P_DST, 0);
        vf_predicate(p->c, U_PPACK, p->it, P_BOTH_I, P_BOTH, 0);
        both_indices(p, 0, P_SEL_I);
    }
}

static void copy_index(const PartArg *p, uint32_t row, uint32_t col, int pred) {
    vf_load(p->c, p->it, W0, walk_tile(p->ibig, row, col, 1, p->E));
    vf_store(p->c, p->it, walk_tile(p->di, row, col, 1, p->E), W0, pred);
}

static void only_big(const PartArg *p, uint32_t row, uint32_t first) {
    LowerCtx *c = p->c;
    uint32_t col = first * p->E;
    vf_plt(c, p->t, P_DST, walk_count(p->dv->vcols - col, 1, p->E));
    vf_load(c, p->t, V0, walk_tile(p->vbig, row, col, 1, p->E));
    vf_store(c, p->t, walk_tile(p->dv, row, col, 1, p->E), V0, P_DST);
    if (p->width == SAME) {
        copy_index(p, row, col, P_DST);
    } else if (p->width == NARROWER) {
        vf_predicate(p->c, U_PPACK, p->it, P_DST_I, P_DST, 0);
        copy_index(p, row, col, P_DST_I);
    } else {
        for (uint32_t half = 0; half < 2; half++) {
            Walk n = walk_count(p->dv->vcols - col, 1, p->E);
            n.base -= half * p->E / 2;
            vf_plt(c, p->it, P_DST_I, n);
            copy_index(p, row, col + half * p->E / 2, P_DST_I);
        }
    }
}

static void general(const PartArg *p) {
    LowerCtx *c = p->c;
    uint32_t Ks = ceil_div(p->cols, p->E), Kd = ceil_div(p->dv->vcols, p->E);
    vf_open(c, "compare and select");
    vf_loop(c, p->rows);
    vf_loop(c, Ks);
    both(p);
    vf_end(c);
    if (Kd > Ks) {
        vf_loop(c, Kd - Ks);
        only_big(p, 0, Ks);
        vf_end(c);
    }
    vf_end(c);
    if (p->dv->vrows > p->rows) {
        vf_loop(c, p->dv->vrows - p->rows);
        vf_loop(c, Kd);
        only_big(p, p->rows, 0);
        vf_end(c);
        vf_end(c);
    }
    vf_close(c);
}

static bool empty(const Tile *t) { return !t->vrows || !t->vcols; }

void v950_partarg(LowerCtx *c, const Instr *i, int variant) {
    PartArg p = {.c = c, .compare = (UopId)variant, .dv = i->out[0], .di = i->out[1], .v0 = i->in[0], .v1 = i->in[1],
                 .i0 = i->in[2], .i1 = i->in[3], .take_second = c->target->sem.library};
    if (empty(p.dv)) return;
    if (empty(p.v0) || empty(p.v1)) {
        bool second = empty(p.v0);
        v950_copy(c, p.dv, second ? p.v1 : p.v0, "copy values");
        v950_copy(c, p.di, second ? p.i1 : p.i0, "copy indices");
        return;
    }
    bool second = p.v0->vrows < p.v1->vrows || p.v0->vcols < p.v1->vcols;
    p.vbig = second ? p.v1 : p.v0;
    p.ibig = second ? p.i1 : p.i0;
    p.rows = min_u32(p.v0->vrows, p.v1->vrows);
    p.cols = min_u32(p.v0->vcols, p.v1->vcols);
    p.E = epr(p.dv);
    p.t = p.dv->type.dtype;
    p.it = p.di->type.dtype;
    unsigned vs = dtype_size(p.t), is = dtype_size(p.it);
    p.width = is == vs ? SAME : is > vs ? WIDER : NARROWER;
    general(&p);
}

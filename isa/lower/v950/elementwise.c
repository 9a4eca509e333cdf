/* Element-wise instructions: predicate, loads, one operation, store. */
#include "isa/lower/v950/elementwise.h"

static void body(LowerCtx *c, const Elementwise *e, Walk count, Walk d, Walk s0, Walk s1) {
    DType t = e->dst->type.dtype;
    int v = e->src1 ? 2 : 1;
    vf_plt(c, t, 0, count);
    vf_load(c, t, 0, s0);
    if (e->src1) {
        vf_load(c, t, 1, s1);
        vf_op(c, e->op, t, v, 0, 1, 0);
    } else {
        vf_scalar(c, e->op, t, v, 0, e->scalar, 0);
    }
    vf_store(c, t, d, v, 0);
}

void v950_elementwise(LowerCtx *c, const Elementwise *e) {
    const Tile *tiles[3] = {e->dst, e->src0, e->src1};
    uint32_t E = epr(e->dst), rows = e->dst->vrows, cols = e->dst->vcols;
    Walk none = {0};
    vf_open(c, uop_info[e->op].name);
    if (v950_one_dimension(tiles, e->src1 ? 3 : 2)) {
        Walk d = walk_by(e->dst, 0, E), s0 = walk_by(e->src0, 0, E), s1 = e->src1 ? walk_by(e->src1, 0, E) : none;
        d.post = s0.post = s1.post = true;
        vf_loop(c, ceil_div((uint64_t)rows * cols, E));
        body(c, e, walk_count(rows * cols, 0, E), d, s0, s1);
        vf_end(c);
    } else {
        vf_loop(c, rows);
        vf_loop(c, ceil_div(cols, E));
        body(c, e, walk_count(cols, 1, E), walk_tile(e->dst, 0, 0, 1, E), walk_tile(e->src0, 0, 0, 1, E),
             e->src1 ? walk_tile(e->src1, 0, 0, 1, E) : none);
        vf_end(c);
        vf_end(c);
    }
    vf_close(c);
}

void v950_bins(LowerCtx *c, const Instr *i, int variant) {
    v950_elementwise(c, &(Elementwise){(UopId)variant, i->out[0], i->in[0], NULL, i->scalar});
}

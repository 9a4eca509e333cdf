/* TEXTRACT and TINSERT between vec tiles, TCONCAT. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/v950/move.h"

enum { REG_ELEMENT = 1 };

static void one_element(LowerCtx *c, const Region *g) {
    DType t = bits_of(tile_esize(g->d));
    emit_flag(c, PIPE_V, PIPE_S);
    emit_s_load(c, REG_ELEMENT, t, tile_elem_addr(g->s, g->srow, g->scol));
    emit_s_store(c, t, tile_elem_addr(g->d, g->drow, g->dcol), REG_ELEMENT);
    emit_flag(c, PIPE_S, PIPE_V);
}

/* Whole blocks are copied without a vector function. */
void v950_region(LowerCtx *c, const Instr *i, int variant) {
    Region g = region_of(i);
    uint32_t es = tile_esize(g.d), blocks = g.cols * es / BLOCK_BYTES;
    uint32_t dst = tile_elem_addr(g.d, g.drow, g.dcol), src = tile_elem_addr(g.s, g.srow, g.scol);
    (void)variant;
    uopbuf_stage(c->out, "copy");
    if (!g.rows || !g.cols) return;
    if (g.single) one_element(c, &g);
    else if (!g.blocks || dst % BLOCK_BYTES || src % BLOCK_BYTES) v950_copy_region(c, &g);
    else if (g.cols == g.d->type.cols && g.cols == g.s->type.cols) emit_copy(c, 1, g.rows * blocks, dst, 0, src, 0);
    else emit_copy(c, g.rows, blocks, dst, row_blocks(g.d), src, row_blocks(g.s));
}

/* The second source is scattered behind the first. Bytes use 16-bit indices. */
void v950_concat(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *a = i->in[0], *b = i->in[1];
    uint32_t es = tile_esize(d), E = epr(d), lanes = es == 1 ? E / 2 : E;
    DType t = bits_of(es), lane = bits_of(es == 1 ? 2 : es);
    (void)variant;
    vf_open(c, "concatenate");
    vf_loop(c, d->vrows);
    vf_loop(c, ceil_div(a->vcols, E));
    vf_plt(c, t, 0, walk_count(a->vcols, 1, E));
    vf_load(c, t, 0, walk_tile(a, 0, 0, 1, E));
    vf_store(c, t, walk_tile(d, 0, 0, 1, E), 0, 0);
    vf_end(c);
    vf_loop(c, ceil_div(b->vcols, lanes));
    vf_plt(c, lane, 0, walk_count(b->vcols, 1, lanes));
    vf_load(c, t, 1, walk_tile(b, 0, 0, 1, lanes))->dist = t == lane ? DIST_NORM : DIST_UNPK;
    Walk at = walk_scalar(a->vcols, 0, (int32_t)d->type.cols);
    at.step[1] = (int32_t)lanes;
    vf_ramp(c, lane, 2, at);
    vf_scatter(c, t, lane, d, 1, 2, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

/* TFILLPAD: the valid region is copied, the rest of each row is stored at whatever address it begins,
 * the rows below as one run. */
#include "isa/lower/v950/move.h"

enum { V_DATA, V_PAD, P_CHUNK = 0 };

static void copy_valid(LowerCtx *c, const Tile *d, const Tile *s) {
    DType t = d->type.dtype;
    uint32_t E = epr(d);
    vf_loop(c, s->vrows);
    vf_loop(c, ceil_div(s->vcols, E));
    vf_plt(c, t, P_CHUNK, walk_count(s->vcols, 1, E));
    vf_load(c, t, V_DATA, walk_tile(s, 0, 0, 1, E));
    vf_store(c, t, walk_tile(d, 0, 0, 1, E), V_DATA, P_CHUNK);
    vf_end(c);
    vf_end(c);
}

static void right(LowerCtx *c, const Tile *d, const Tile *s) {
    DType t = d->type.dtype;
    uint32_t E = epr(d), cols = d->type.cols - s->vcols;
    vf_loop(c, s->vrows);
    vf_loop(c, ceil_div(cols, E));
    vf_plt(c, t, P_CHUNK, walk_count(cols, 1, E));
    vf_store_any(c, t, walk_tile(d, 0, s->vcols, 1, E), V_PAD, P_CHUNK);
    vf_end(c);
    vf_store_rest(c, t, walk_tile(d, 0, s->vcols, 1, 0));
    vf_end(c);
}

static void below(LowerCtx *c, const Tile *d, const Tile *s) {
    uint32_t n = (d->vrows - s->vrows) * d->type.cols, E = epr(d);
    vf_loop(c, ceil_div(n, E));
    vf_plt(c, d->type.dtype, P_CHUNK, walk_count(n, 0, E));
    Walk to = walk_by(d, 0, E);
    to.base = tile_elem_addr(d, s->vrows, 0);
    vf_store(c, d->type.dtype, to, V_PAD, P_CHUNK);
    vf_end(c);
}

void v950_fillpad(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint64_t pad = 0;
    (void)variant;
    pad_of(i, d, &pad);
    vf_open(c, "pad");
    if (s->addr != d->addr) copy_valid(c, d, s);
    vf_scalar(c, U_VDUPR, d->type.dtype, V_PAD, VF_NONE, pad, VF_NONE);
    right(c, d, s);
    below(c, d, s);
    vf_close(c);
}

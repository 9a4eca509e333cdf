/* TTRANS: a column of the source is gathered into a row of the destination; a source of many rows
 * and few columns is scattered row by row instead. Indices are elements of the tile, in lanes as wide
 * as the data; bytes use 16-bit lanes. */
#include "isa/lower/v950/move.h"

enum { V_INDEX, V_DATA, P_CHUNK = 0 };

typedef struct Trans {
    LowerCtx *c;
    const Tile *d, *s;
    DType t, lane;
    uint32_t lanes;
} Trans;

/* Element numbers of lanes that stand `pitch` elements apart, the first in line `outer`. */
static void indices(const Trans *t, uint32_t n, uint32_t pitch) {
    vf_ramp(t->c, t->lane, V_INDEX, walk_scalar(0, 1, (int32_t)t->lanes));
    vf_scalar(t->c, U_VMINS, t->lane, V_INDEX, V_INDEX, n - 1, P_CHUNK);
    vf_scalar(t->c, U_VMULS, t->lane, V_INDEX, V_INDEX, pitch, P_CHUNK);
    vf_moving(t->c, U_VADDS, t->lane, V_INDEX, V_INDEX, walk_scalar(0, 0, 1), P_CHUNK);
}

static void columns(const Trans *t) {
    vf_loop(t->c, t->s->vcols);
    vf_loop(t->c, ceil_div(t->s->vrows, t->lanes));
    vf_plt(t->c, t->lane, P_CHUNK, walk_count(t->s->vrows, 1, t->lanes));
    indices(t, t->s->vrows, t->s->type.cols);
    vf_gather(t->c, t->t, t->lane, V_DATA, V_INDEX, t->s, P_CHUNK);
    vf_store(t->c, t->lane, walk_tile(t->d, 0, 0, 1, t->lanes), V_DATA, P_CHUNK)->dist = t->t == t->lane ? DIST_NORM : DIST_PK;
    vf_end(t->c);
    vf_end(t->c);
}

static void rows(const Trans *t) {
    vf_loop(t->c, t->s->vrows);
    vf_loop(t->c, ceil_div(t->s->vcols, t->lanes));
    vf_plt(t->c, t->lane, P_CHUNK, walk_count(t->s->vcols, 1, t->lanes));
    vf_load(t->c, t->t, V_DATA, walk_tile(t->s, 0, 0, 1, t->lanes))->dist = t->t == t->lane ? DIST_NORM : DIST_UNPK;
    indices(t, t->s->vcols, t->d->type.cols);
    vf_scatter(t->c, t->t, t->lane, t->d, V_DATA, V_INDEX, P_CHUNK);
    vf_end(t->c);
    vf_end(t->c);
}

void v950_trans(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint32_t es = tile_esize(s);
    Trans t = {c, d, s, bits_of(es), bits_of(es == 1 ? 2 : es), REPEAT_BYTES / (es == 1 ? 2 : es)};
    (void)variant;
    vf_open(c, "transpose");
    if (ceil_div(s->type.rows, epr(s)) > s->type.cols) rows(&t);
    else columns(&t);
    vf_close(c);
}

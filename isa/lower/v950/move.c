#include "isa/lower/v950/move.h"

#include <string.h>

static VfInstr *with_walk(VfInstr *v, Walk w) {
    v->base = w.base;
    memcpy(v->step, w.step, sizeof v->step);
    return v;
}

Walk walk_scalar(int64_t start, int level, int32_t step) {
    Walk w = {.base = start};
    w.step[level] = step;
    return w;
}

static void set_scalar(VfInstr *v, Walk w) {
    v->imm = (uint64_t)w.base;
    w.base = 0;
    with_walk(v, w);
}

void vf_ramp(LowerCtx *c, DType t, int v, Walk w) { set_scalar(vf_op(c, U_VCI, t, v, VF_NONE, VF_NONE, VF_NONE), w); }
void vf_moving(LowerCtx *c, UopId op, DType t, int v, int a, Walk w, int p) { set_scalar(vf_op(c, op, t, v, a, VF_NONE, p), w); }

void vf_gather(LowerCtx *c, DType t, DType lane, int v, int index, const Tile *s, int p) {
    VfInstr *i = vf_op(c, U_VGATHER2, t, v, index, VF_NONE, p);
    i->dtype2 = (uint8_t)lane;
    i->base = s->addr;
    i->imm = tile_bytes(s);
}

void vf_scatter(LowerCtx *c, DType t, DType lane, const Tile *d, int v, int index, int p) {
    VfInstr *i = vf_op(c, U_VSCATTER, t, VF_NONE, v, index, p);
    i->dtype2 = (uint8_t)lane;
    i->base = d->addr;
    i->imm = tile_bytes(d);
}

/* The alignment register takes the block that the access begins in. */
void vf_load_any(LowerCtx *c, DType t, int v, Walk w) {
    with_walk(vf_op(c, U_VLDAS, t, VF_NONE, VF_NONE, VF_NONE, VF_NONE), w)->dist = DIST_BLK;
    with_walk(vf_op(c, U_VLDUS, t, v, VF_NONE, VF_NONE, VF_NONE), w);
}

VfInstr *vf_store_any(LowerCtx *c, DType t, Walk w, int v, int p) {
    return with_walk(vf_op(c, U_VSTUS, t, VF_NONE, v, VF_NONE, p), w);
}

void vf_store_rest(LowerCtx *c, DType t, Walk w) {
    with_walk(vf_op(c, U_VSTAS, t, VF_NONE, VF_NONE, VF_NONE, VF_NONE), w)->dist = DIST_BLK;
}

static bool on_block(const Tile *t, uint32_t row, uint32_t col) { return tile_elem_addr(t, row, col) % BLOCK_BYTES == 0; }

/* Whole chunks of a row under one predicate, its last chunk under another. */
void v950_copy_region(LowerCtx *c, const Region *g) {
    enum { P_FULL, P_LAST };
    DType t = g->d->type.dtype;
    uint32_t E = epr(g->d), whole = (g->cols - 1) / E, rest = g->cols - whole * E;
    bool load_any = !on_block(g->s, g->srow, g->scol), store_any = !on_block(g->d, g->drow, g->dcol);
    vf_open(c, "copy");
    vf_plt(c, t, P_FULL, walk_scalar(E, 0, 0));
    vf_plt(c, t, P_LAST, walk_scalar(rest, 0, 0));
    vf_loop(c, g->rows);
    for (int last = 0; last < 2; last++) {
        uint32_t col = last ? whole * E : 0;
        Walk from = walk_tile(g->s, g->srow, g->scol + col, 1, last ? 0 : E), to = walk_tile(g->d, g->drow, g->dcol + col, 1, last ? 0 : E);
        if (!last && !whole) continue;
        if (!last) vf_loop(c, whole);
        if (load_any) vf_load_any(c, t, 0, from);
        else vf_load(c, t, 0, from);
        if (store_any) vf_store_any(c, t, to, 0, last ? P_LAST : P_FULL);
        else vf_store(c, t, to, 0, last ? P_LAST : P_FULL);
        if (!last) vf_end(c);
    }
    if (store_any) vf_store_rest(c, t, walk_tile(g->d, g->drow, g->dcol + whole * E, 1, 0));
    vf_end(c);
    vf_close(c);
}

#include "isa/lower/v950/vf.h"

#include <string.h>

void vf_open(LowerCtx *c, const char *stage) {
    uopbuf_stage(c->out, stage);
    uopbuf_add(c->out, U_VF)->imm = c->out->nvf;
}

void vf_close(LowerCtx *c) {
    Uop *u = &c->out->uop[c->out->n - 1];
    u->rep = c->out->nvf - (uint32_t)u->imm;
}

void vf_loop(LowerCtx *c, uint32_t trips) { uopbuf_vf(c->out, U_LOOP)->imm = trips; }
void vf_end(LowerCtx *c) { uopbuf_vf(c->out, U_END); }

Walk walk_tile(const Tile *t, uint32_t row, uint32_t col, uint32_t rows, uint32_t cols) {
    int32_t es = (int32_t)tile_esize(t);
    return (Walk){tile_elem_addr(t, row, col),
                  {(int32_t)(rows * tile_row_stride(t)) * es, (int32_t)cols * es, 0, 0}, false};
}

Walk walk_by(const Tile *t, int level, uint32_t elements) {
    Walk w = {.base = t->addr};
    w.step[level] = (int32_t)(elements * tile_esize(t));
    return w;
}

Walk walk_count(uint32_t n, int level, uint32_t lanes) {
    Walk w = {.base = n};
    w.step[level] = -(int32_t)lanes;
    return w;
}

static VfInstr *at(LowerCtx *c, UopId op, DType t, Walk w) {
    VfInstr *v = uopbuf_vf(c->out, op);
    v->dtype = (uint8_t)t;
    v->base = w.base;
    v->post = w.post;
    memcpy(v->step, w.step, sizeof v->step);
    return v;
}

void vf_plt(LowerCtx *c, DType t, int p, Walk n) { at(c, U_PLT, t, n)->pd = (uint8_t)p; }

VfInstr *vf_load(LowerCtx *c, DType t, int v, Walk w) {
    VfInstr *i = at(c, U_VLDS, t, w);
    i->dst = (uint8_t)v;
    return i;
}

VfInstr *vf_store(LowerCtx *c, DType t, Walk w, int v, int p) {
    VfInstr *i = at(c, U_VSTS, t, w);
    i->src0 = (uint8_t)v;
    i->pg = (uint8_t)p;
    return i;
}

/* A mask of 8-bit lanes is as long as a predicate, one of wider lanes is spread over it. */
void vf_load_mask(LowerCtx *c, DType t, int p, Walk w) {
    VfInstr *i = at(c, U_PLDS, t, w);
    i->pd = (uint8_t)p;
    i->dist = dtype_size(t) == 1 ? DIST_NORM : DIST_US;
}

VfInstr *vf_op(LowerCtx *c, UopId op, DType t, int v, int a, int b, int p) {
    VfInstr *i = uopbuf_vf(c->out, op);
    i->dtype = (uint8_t)t;
    i->dst = (uint8_t)v;
    i->src0 = (uint8_t)a;
    i->src1 = (uint8_t)b;
    i->pg = (uint8_t)p;
    return i;
}

void vf_predicate(LowerCtx *c, UopId op, DType t, int p, int q, uint64_t imm) {
    VfInstr *i = vf_op(c, op, t, VF_NONE, VF_NONE, VF_NONE, q);
    i->pd = (uint8_t)p;
    i->imm = imm;
}

void vf_scalar(LowerCtx *c, UopId op, DType t, int v, int a, uint64_t scalar, int p) {
    vf_op(c, op, t, v, a, VF_NONE, p)->imm = scalar;
}

void vf_compare(LowerCtx *c, UopId op, DType t, int pd, int a, int b, int p) {
    vf_op(c, op, t, VF_NONE, a, b, p)->pd = (uint8_t)pd;
}

void vf_select(LowerCtx *c, DType t, int v, int yes, int no, int p) { vf_op(c, U_VSEL, t, v, yes, no, p); }
void vf_merge(LowerCtx *c, DType t, int v, int a, int p) { vf_op(c, U_VMOV, t, v, a, VF_NONE, p)->merging = true; }

Chunks chunks_over(const Tile *dst, const Tile *src0, const Tile *src1, uint32_t lanes) {
    const Tile *tiles[3] = {dst, src0, src1 ? src1 : src0};
    bool full = true, one_row = true;
    for (int k = 0; k < 3; k++) {
        full &= tile_static_full_cols(tiles[k]);
        one_row &= tiles[k]->type.rows == 1;
    }
    return (Chunks){full || one_row, dst->vrows, dst->vcols, lanes};
}

void chunks_open(LowerCtx *c, const Chunks *k) {
    if (!k->flat) vf_loop(c, k->rows);
    vf_loop(c, ceil_div(k->flat ? (uint64_t)k->rows * k->cols : k->cols, k->lanes));
}

void chunks_close(LowerCtx *c, const Chunks *k) {
    if (!k->flat) vf_end(c);
    vf_end(c);
}

Walk chunks_walk(const Chunks *k, const Tile *t) {
    return k->flat ? walk_by(t, 0, k->lanes) : walk_tile(t, 0, 0, 1, k->lanes);
}

Walk chunks_count(const Chunks *k, uint32_t skip) {
    Walk w = k->flat ? walk_count(k->rows * k->cols, 0, k->lanes) : walk_count(k->cols, 1, k->lanes);
    w.base -= skip;
    return w;
}

void v950_copy(LowerCtx *c, const Tile *dst, const Tile *src, const char *stage) {
    uint32_t rows = min_u32(dst->vrows, src->vrows), cols = min_u32(dst->vcols, src->vcols), E = epr(dst);
    DType t = dst->type.dtype;
    vf_open(c, stage);
    vf_loop(c, rows);
    vf_loop(c, ceil_div(cols, E));
    vf_plt(c, t, 0, walk_count(cols, 1, E));
    vf_load(c, t, 0, walk_tile(src, 0, 0, 1, E));
    vf_store(c, t, walk_tile(dst, 0, 0, 1, E), 0, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

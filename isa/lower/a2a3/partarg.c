/* TPARTARGMAX, TPARTARGMIN (TPartArgOp): compare the values, select values and indices. */
#include "isa/lower/a2a3/part.h"

typedef struct PartArg {
    LowerCtx *c;
    UopId compare;
    const Tile *dv, *di, *v0, *v1, *i0, *i1;
    uint32_t rows, cols;
} PartArg;

static void one_chunk(const PartArg *p, uint32_t r, uint32_t col) {
    LowerCtx *c = p->c;
    DType t = p->dv->type.dtype;
    /* vsel exists for f16 and f32 and moves bits: indices go through it as floats of their width. */
    DType it = tile_esize(p->di) == 4 ? DT_F32 : t;
    uint32_t v0 = tile_elem_addr(p->v0, r, col), v1 = tile_elem_addr(p->v1, r, col);
    uopbuf_stage(c->out, "vcmp");
    emit_vec(c, p->compare, t, 1, 0, 0, v0, 0, v1, 0);
    emit_barrier(c);
    uopbuf_stage(c->out, "vsel");
    emit_vec(c, U_VSEL, t, 1, tile_elem_addr(p->dv, r, col), 0, v0, 0, v1, 0);
    emit_vec(c, U_VSEL, it, 1, tile_elem_addr(p->di, r, col), 0, tile_elem_addr(p->i0, r, col), 0, tile_elem_addr(p->i1, r, col), 0);
    emit_barrier(c);
}

static void compare_select(const PartArg *p) {
    if (!p->rows || !p->cols) return;
    LowerCtx *c = p->c;
    bool widened = tile_esize(p->di) != tile_esize(p->dv);
    uint32_t step = epr(p->dv);
    /* The library enables 64 lanes for 32-bit indices but still steps by the 128 of a half value;
     * the repaired form steps by the lanes it enables. */
    if (widened && !c->target->sem.library) step = epr(p->di);
    uopbuf_stage(c->out, "mask");
    emit_mask_norm(c);
    if (widened) emit_mask_lanes(c, 64);
    else emit_mask_full(c);
    uint32_t full = p->cols / step, rem = p->cols % step;
    for (uint32_t k = 0; k < full; k++)
        for (uint32_t r = 0; r < p->rows; r++) one_chunk(p, r, k * step);
    if (rem) {
        emit_mask_lanes(c, rem);
        for (uint32_t r = 0; r < p->rows; r++) one_chunk(p, r, full * step);
    }
    emit_mask_full(c);
}

static UopId library_compare(int strict) { return strict == U_VCMP_LT ? U_VCMP_LE : U_VCMP_GE; }

void a2a3_partarg(LowerCtx *c, const Instr *i, int variant) {
    PartArg p = {c, (UopId)variant, i->out[0], i->out[1], i->in[0], i->in[1], i->in[2], i->in[3], 0, 0};
    if (c->target->sem.library) p.compare = library_compare(variant);
    if (!p.dv->vrows || !p.dv->vcols) return;
    uint32_t r0 = p.v0->vrows, c0 = p.v0->vcols, r1 = p.v1->vrows, c1 = p.v1->vcols;
    p.rows = min_u32(r0, r1);
    p.cols = min_u32(c0, c1);
    if (r0 == r1 && c0 == c1) {
        compare_select(&p);
    } else if (c0 == c1) {
        compare_select(&p);
        part_copy(c, p.dv, r0 > r1 ? p.v0 : p.v1, p.rows, max_u32(r0, r1), c0);
        part_copy(c, p.di, r0 > r1 ? p.i0 : p.i1, p.rows, max_u32(r0, r1), c0);
    } else if ((r0 <= r1 && c0 < c1) || (r1 <= r0 && c1 < c0)) {
        bool first = c0 > c1;
        const Tile *wide = first ? p.v0 : p.v1;
        part_copy(c, p.dv, wide, 0, wide->vrows, wide->vcols);
        part_copy(c, p.di, first ? p.i0 : p.i1, 0, wide->vrows, wide->vcols);
        compare_select(&p);
    }
}

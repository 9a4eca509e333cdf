/* TLOAD and TSTORE: bursts between a region of global memory and a tile. Both targets move the same
 * bytes; their transfer engines differ in cost only. */
#include "isa/lower/transfer.h"

/* The view as planes x rows x columns: leading dimensions are stacked on the rows of the tile. */
static int64_t dim(const GmView *v, int from_end) { return from_end < v->rank ? v->size[v->rank - 1 - from_end] : 1; }
static int64_t step(const GmView *v, int from_end) { return from_end < v->rank ? v->stride[v->rank - 1 - from_end] : 0; }

TransferPlan transfer_plan(const GmView *v, const Tile *t) {
    TransferPlan p = {.rows = t->vrows, .cols = t->vcols, .plane_rows = (uint32_t)dim(v, 1), .esize = tile_esize(t)};
    p.view_rows = dim(v, 1) * dim(v, 2) * dim(v, 3) * dim(v, 4);
    p.view_cols = dim(v, 0);
    bool planes = p.view_rows != dim(v, 1);
    if (t->type.blayout == ROW_MAJOR) {
        if (step(v, 0) == 1 || t->vcols <= 1) p.kind = BURST_ROWS;
    } else if (!planes && (step(v, 1) == 1 || t->vrows <= 1)) {
        p.kind = BURST_COLS;
    }
    return p;
}

static void burst_rows(LowerCtx *c, const Instr *i, const Tile *t, const TransferPlan *p, UopId op) {
    const GmView *v = &i->gm;
    int64_t es = p->esize;
    int64_t outer[3] = {dim(v, 2), dim(v, 3), dim(v, 4)};
    uint32_t row = 0;
    for (int64_t a = 0; a < outer[2]; a++)
        for (int64_t b = 0; b < outer[1]; b++) {
            if (row >= p->rows) return;
            uint32_t left = p->rows - row, planes = (uint32_t)outer[0];
            Dma *d = uopbuf_dma(c->out, op);
            d->n0 = left < p->plane_rows ? left : p->plane_rows;
            d->n1 = d->n0 < p->plane_rows ? 1 : left / p->plane_rows < planes ? left / p->plane_rows : planes;
            d->buffer = v->buffer;
            d->gm = (v->offset + a * step(v, 4) + b * step(v, 3)) * es;
            d->ub = tile_elem_addr(t, row, 0);
            d->len = p->cols * p->esize;
            d->gm_step0 = step(v, 1) * es;
            d->gm_step1 = step(v, 2) * es;
            d->ub_step0 = (int64_t)tile_row_stride(t) * es;
            d->ub_step1 = d->ub_step0 * p->plane_rows;
            d->dtype = (uint8_t)t->type.dtype;
            d->atomic_add = i->accumulate;
            row += d->n0 * d->n1;
        }
}

static void burst_columns(LowerCtx *c, const Instr *i, const Tile *t, const TransferPlan *p, UopId op) {
    const GmView *v = &i->gm;
    int64_t es = p->esize;
    Dma *d = uopbuf_dma(c->out, op);
    d->n0 = p->cols;
    d->buffer = v->buffer;
    d->gm = v->offset * es;
    d->ub = (uint32_t)t->addr;
    d->len = p->rows * p->esize;
    d->gm_step0 = step(v, 0) * es;
    d->ub_step0 = (int64_t)tile_col_stride(t) * es;
    d->dtype = (uint8_t)t->type.dtype;
    d->atomic_add = i->accumulate;
}

static void lower_transfer(LowerCtx *c, const Instr *i, const Tile *t, UopId op) {
    TransferPlan p = transfer_plan(&i->gm, t);
    uopbuf_stage(c->out, uop_info[op].name);
    if (!p.rows || !p.cols) return;
    if (p.kind == BURST_COLS) burst_columns(c, i, t, &p, op);
    else if (p.kind == BURST_ROWS) burst_rows(c, i, t, &p, op);
}

void lower_load(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    lower_transfer(c, i, i->out[0], U_GM_TO_UB);
}

void lower_store(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    lower_transfer(c, i, i->in[0], U_UB_TO_GM);
}

/* TLOAD and TSTORE: bursts between a region of global memory and a tile. Both targets move the same
 * bytes; their transfer engines differ in cost only. */
#include "isa/lower/transfer.h"

#include "isa/lower/move.h"

/* The view as planes x rows x columns. Leading dimensions are stacked on the rows of a row-major tile
 * and on the columns of a column-major one. */
static int64_t dim(const GmView *v, int from_end) { return from_end < v->rank ? v->size[v->rank - 1 - from_end] : 1; }
static int64_t step(const GmView *v, int from_end) { return from_end < v->rank ? v->stride[v->rank - 1 - from_end] : 0; }

TransferPlan transfer_plan(const GmView *v, const Tile *t) {
    TransferPlan p = {.rows = t->vrows, .cols = t->vcols, .esize = tile_esize(t)};
    int64_t planes = dim(v, 2) * dim(v, 3) * dim(v, 4);
    bool rows = t->type.blayout == ROW_MAJOR;
    p.view_rows = dim(v, 1) * (rows ? planes : 1);
    p.view_cols = dim(v, 0) * (rows ? 1 : planes);
    if (rows && (step(v, 0) == 1 || t->vcols <= 1)) p.kind = BURST_ROWS;
    if (!rows && (step(v, 1) == 1 || t->vrows <= 1)) p.kind = BURST_COLS;
    return p;
}

typedef struct Transfer {
    LowerCtx *c;
    const Instr *i;
    const Tile *t;
    UopId op;
    bool rows;                      /* bursts are rows, else columns */
    uint32_t bursts, per_plane;     /* to move; in one plane of the view */
    uint32_t len;
    int64_t gm_step, ub_step;       /* from one burst to the next */
} Transfer;

/* n bursts of a plane, in `planes` planes, from burst `first` on. */
static void descriptor(const Transfer *x, int64_t gm, uint32_t first, uint32_t n, uint32_t planes) {
    const GmView *v = &x->i->gm;
    Dma *d = uopbuf_dma(x->c->out, x->op);
    d->buffer = v->buffer;
    d->gm = gm;
    d->ub = x->rows ? tile_elem_addr(x->t, first, 0) : tile_elem_addr(x->t, 0, first);
    d->len = x->len;
    d->n0 = n;
    d->n1 = planes;
    d->gm_step0 = x->gm_step;
    d->gm_step1 = step(v, 2) * (int64_t)tile_esize(x->t);
    d->ub_step0 = x->ub_step;
    d->ub_step1 = x->ub_step * x->per_plane;
    d->dtype = (uint8_t)x->t->type.dtype;
    d->atomic_add = x->i->accumulate;
    d->pad = x->op == U_GM_TO_UB && pad_of(x->i, x->t, &d->pad_bits);
}

/* Planes of the innermost leading dimension, in one descriptor on the 950, in one each on a2a3. */
static uint32_t inner_planes(const Transfer *x, int64_t gm, uint32_t done) {
    const GmView *v = &x->i->gm;
    bool together = x->c->target->family == FAMILY_950;
    uint32_t left = x->bursts - done, planes = (uint32_t)dim(v, 2), whole = min_u32(left / x->per_plane, planes);
    for (uint32_t p = 0; p < whole; p += together ? whole : 1)
        descriptor(x, gm + p * step(v, 2) * (int64_t)tile_esize(x->t), done + p * x->per_plane, x->per_plane, together ? whole : 1);
    uint32_t moved = whole * x->per_plane;
    if (whole == planes || moved == left) return moved;
    descriptor(x, gm + whole * step(v, 2) * (int64_t)tile_esize(x->t), done + moved, left - moved, 1);
    return left;
}

static void lower_transfer(LowerCtx *c, const Instr *i, const Tile *t, UopId op) {
    TransferPlan p = transfer_plan(&i->gm, t);
    const GmView *v = &i->gm;
    int64_t es = p.esize;
    uopbuf_stage(c->out, uop_info[op].name);
    if (!p.rows || !p.cols || p.kind == BURST_NONE) return;
    bool rows = p.kind == BURST_ROWS;
    Transfer x = {.c = c, .i = i, .t = t, .op = op, .rows = rows, .bursts = rows ? p.rows : p.cols, .per_plane = (uint32_t)dim(v, rows ? 1 : 0),
                  .len = (rows ? p.cols : p.rows) * p.esize, .gm_step = step(v, rows ? 1 : 0) * es,
                  .ub_step = (rows ? tile_row_stride(t) : tile_col_stride(t)) * es};
    uint32_t done = 0;
    if (!x.per_plane) return;
    for (int64_t a = 0; a < dim(v, 4); a++)
        for (int64_t b = 0; b < dim(v, 3) && done < x.bursts; b++) done += inner_planes(&x, (v->offset + a * step(v, 4) + b * step(v, 3)) * es, done);
}

void lower_load(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    lower_transfer(c, i, i->out[0], U_GM_TO_UB);
}

void lower_store(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    lower_transfer(c, i, i->in[0], U_UB_TO_GM);
}

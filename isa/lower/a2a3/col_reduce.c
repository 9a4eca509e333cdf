/* TCOLMAX, TCOLMIN (TColReduceOps) and TCOLSUM (TColSum): rows are combined one after the other in the
 * destination. TCOLSUM with tmp adds pairs of rows, then pairs of sums. */
#include "isa/lower/a2a3/emit.h"

typedef struct ColReduce {
    LowerCtx *c;
    UopId op;
    const Tile *d, *s;
    DType t;
    uint32_t R, C, E;
} ColReduce;

static void copy_row(const ColReduce *w, const Tile *from) {
    uopbuf_stage(w->c->out, "copy");
    uint32_t blocks = ceil_div((uint64_t)w->C * tile_esize(w->d), BLOCK_BYTES);
    emit_copy(w->c, 1, blocks, (uint32_t)w->d->addr, blocks, (uint32_t)from->addr, blocks);
    emit_barrier(w->c);
}

/* Rows 1.. from column col on onto the destination. */
static void fold_rows(const ColReduce *w, uint32_t col, uint32_t rep) {
    uint32_t dst = tile_elem_addr(w->d, 0, col);
    for (uint32_t r = 1; r < w->R; r++) {
        emit_vec(w->c, w->op, w->t, rep, dst, 8, dst, 8, tile_elem_addr(w->s, r, col), 8);
        emit_barrier(w->c);
    }
}

static void fold_counted(const ColReduce *w, uint32_t cols) {
    emit_mask_count(w->c);
    emit_count(w->c, cols);
    fold_rows(w, 0, 0);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

static void extremes(const ColReduce *w) {
    uint32_t rest = w->C % w->E;
    copy_row(w, w->s);
    if (w->R == 1) return;
    uopbuf_stage(w->c->out, uop_info[w->op].name);
    if (w->C >= w->E) fold_counted(w, w->C - rest);
    if (rest) {
        emit_mask_lanes(w->c, rest);
        fold_rows(w, w->C - rest, 1);
        emit_mask_full(w->c);
    }
    emit_barrier(w->c);
}

static void sum_rows(const ColReduce *w) {
    copy_row(w, w->s);
    if (w->R == 1) return;
    uopbuf_stage(w->c->out, uop_info[w->op].name);
    fold_counted(w, w->C);
}

static void add_row(const ColReduce *w, const Tile *d, uint32_t row, const Tile *a, uint32_t row0, const Tile *b, uint32_t row1) {
    emit_vec(w->c, w->op, w->t, 0, tile_elem_addr(d, row, 0), 8, tile_elem_addr(a, row0, 0), 8, tile_elem_addr(b, row1, 0), 8);
}

/* rows of `from` to rows / 2 sums in tmp; an odd row goes onto the first. */
static void pair_rows(const ColReduce *w, const Tile *tmp, const Tile *from, uint32_t rows) {
    emit_mask_count(w->c);
    emit_count(w->c, w->C);
    for (uint32_t r = 0; r < rows / 2; r++) add_row(w, tmp, r, from, 2 * r, from, 2 * r + 1);
    emit_barrier(w->c);
    if (rows % 2) {
        add_row(w, tmp, 0, tmp, 0, from, rows - 1);
        emit_barrier(w->c);
    }
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

static void sum_tree(const ColReduce *w, const Tile *tmp) {
    uopbuf_stage(w->c->out, uop_info[w->op].name);
    pair_rows(w, tmp, w->s, w->R);
    for (uint32_t n = w->R / 2; n > 1; n /= 2) {
        pair_rows(w, tmp, tmp, n);
        emit_barrier(w->c);
    }
    copy_row(w, tmp);
}

void a2a3_col_reduce(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    ColReduce w = {c, (UopId)variant, i->out[0], s, s->type.dtype, s->vrows, s->vcols, epr(s)};
    if (!w.R || !w.C) return;
    if (i->id != I_TCOLSUM) extremes(&w);
    else if (i->tmp && w.R > 1) sum_tree(&w, i->tmp);
    else sum_rows(&w);
}

/* One row per pair, and only if the form with tmp was chosen. */
TmpNeed tmp_col_reduce(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    (void)t;
    if (!i->tmp || s->vrows < 2 || !s->vcols) return (TmpNeed){0};
    return (TmpNeed){s->vrows / 2, s->vcols, s->vcols};
}

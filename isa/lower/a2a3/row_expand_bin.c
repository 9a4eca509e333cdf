/* TROWEXPANDADD and siblings (TRowExpandBinOp): one value per row, spread over one block that every
 * block of the row meets. A column of values becomes blocks by vbrcb, in tmp or in the scratch of the
 * library; a tile one block wide is used as it is. TROWEXPANDEXPDIF is subtraction, then exponential. */
#include "isa/lower/a2a3/tiles.h"

enum { BRCB_ROWS = 8, SCRATCH_ROWS = 256, BATCH = 240 };

typedef struct RowBin {
    LowerCtx *c;
    UopId op;
    const Tile *d, *full, *one;
    bool swap;               /* the value of the row is the first operand */
    uint32_t C, E;
} RowBin;

static bool is_column(const Tile *t) { return t->type.blayout == COL_MAJOR; }

/* rep repeats from (row, col) on; blocks: that of the first row; step: blocks from repeat to repeat. */
static void op(const RowBin *w, uint32_t row, uint32_t col, uint32_t rep, bool rows, uint32_t blocks, uint32_t step) {
    uint32_t dp = rows ? row_blocks(w->d) : 8, fp = rows ? row_blocks(w->full) : 8, full = tile_elem_addr(w->full, row, col);
    Uop *u = emit_vec(w->c, w->op, w->d->type.dtype, rep, tile_elem_addr(w->d, row, col), dp, w->swap ? blocks : full, w->swap ? step : fp,
                      w->swap ? full : blocks, w->swap ? fp : step);
    if (w->swap) u->sblk0 = 0;
    else u->sblk1 = 0;
}

static void by_rows(const RowBin *w, uint32_t blocks) {
    emit_mask_count(w->c);
    emit_count(w->c, w->C);
    for (uint32_t r = 0; r < w->d->vrows; r++) op(w, r, 0, 0, false, blocks + r * BLOCK_BYTES, 0);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

static void by_columns(const RowBin *w, uint32_t row, uint32_t rows, uint32_t blocks) {
    uint32_t full = w->C / w->E, rest = w->C % w->E;
    for (uint32_t k = 0; k < full; k++) op(w, row, k * w->E, rows, true, blocks, 1);
    if (!rest) return;
    emit_mask_lanes(w->c, rest);
    op(w, row, full * w->E, rows, true, blocks, 1);
    emit_mask_full(w->c);
}

static bool far(const RowBin *w) { return row_blocks(w->d) > MAX_REPEAT || row_blocks(w->full) > MAX_REPEAT; }

static void one_batch(const RowBin *w, uint32_t blocks) {
    if (far(w) || w->C / w->E > w->d->vrows) by_rows(w, blocks);
    else by_columns(w, 0, w->d->vrows, blocks);
}

static void make_blocks(const RowBin *w, uint32_t row, uint32_t rows, uint32_t at) {
    uint32_t es = tile_esize(w->one);
    emit_vec(w->c, U_VBRCB, es == 4 ? DT_U32 : DT_U16, ceil_div(rows, BRCB_ROWS), at, 8, tile_elem_addr(w->one, row, 0), 8, 0, 0);
    emit_barrier(w->c);
}

/* Batches of 240 rows. The library works on a last one as if it was full when its rows, rounded up to
 * eight, are a full one. */
static void column_batches(const RowBin *w, uint32_t at) {
    uint32_t R = w->d->vrows;
    for (uint32_t r = 0; r < R; r += BATCH) {
        bool full = ceil_div(R - r, BRCB_ROWS) >= BATCH / BRCB_ROWS;
        uint32_t rows = full && w->c->target->sem.library ? BATCH : min_u32(R - r, BATCH);
        make_blocks(w, r, rows, at);
        by_columns(w, r, rows, at);
        if (full) emit_barrier(w->c);
    }
}

static void block_batches(const RowBin *w) {
    for (uint32_t r = 0; r < w->d->vrows; r += MAX_REPEAT) by_columns(w, r, min_u32(w->d->vrows - r, MAX_REPEAT), tile_elem_addr(w->one, r, 0));
}

void a2a3_row_expand_bin(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    bool swap = d->vrows != i->in[0]->vrows || d->vcols != i->in[0]->vcols, exponential = variant == U_VEXP;
    RowBin w = {c, exponential ? U_VSUB : (UopId)variant, d, i->in[swap], i->in[!swap], swap, d->vcols, epr(d)};
    if (!d->vrows || !d->vcols) return;
    uopbuf_stage(c->out, uop_info[w.op].name);
    bool many = d->vrows > MAX_REPEAT;
    if (!is_column(w.one)) {
        if (many) block_batches(&w);
        else one_batch(&w, (uint32_t)w.one->addr);
    } else {
        uint32_t at = (uint32_t)i->tmp->addr;
        if (!many) make_blocks(&w, 0, d->vrows, at);
        if (many) column_batches(&w, at);
        else one_batch(&w, at);
    }
    if (!exponential) return;
    emit_barrier(c);
    tile_unary(c, U_VEXP, d, d);
}

/* One block per row of a batch. */
TmpNeed tmp_row_expand_bin(const Target *t, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool column = is_column(i->in[0]) || is_column(i->in[1]);
    if (t->family != FAMILY_A2A3 || !column || !d->vrows || !d->vcols) return (TmpNeed){0};
    uint32_t rows = d->vrows < SCRATCH_ROWS ? round_up(d->vrows, BRCB_ROWS) : BATCH;
    return (TmpNeed){1, rows * epb(s), rows * epb(s)};
}

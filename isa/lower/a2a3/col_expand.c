/* TCOLEXPAND (block copies) and TCOLEXPANDADD and siblings (TColExpandBinOp): one row meets every
 * row. Tiles without gaps go by columns of repeats, others row by row. */
#include "isa/lower/a2a3/tiles.h"

void a2a3_col_expand(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint32_t blocks = ceil_div((uint64_t)d->vcols * tile_esize(d), BLOCK_BYTES);
    (void)variant;
    if (!blocks) return;
    uopbuf_stage(c->out, "copy_ubuf_to_ubuf");
    for (uint32_t r = 0; r < d->vrows; r++) emit_copy(c, 1, blocks, tile_elem_addr(d, r, 0), 0, (uint32_t)s->addr, 0);
}

typedef struct ColBin {
    LowerCtx *c;
    UopId op;
    const Tile *d, *full, *one;
    bool swap, exponential;
} ColBin;

/* one_pitch: blocks from repeat to repeat of the row. */
static void step(const ColBin *w, uint32_t row, uint32_t col, uint32_t rep, uint32_t dp, uint32_t fp, uint32_t one_pitch) {
    DType t = w->d->type.dtype;
    uint32_t dst = tile_elem_addr(w->d, row, col), full = tile_elem_addr(w->full, row, col), one = tile_elem_addr(w->one, 0, col);
    emit_vec(w->c, w->op, t, rep, dst, dp, w->swap ? one : full, w->swap ? one_pitch : fp, w->swap ? full : one, w->swap ? fp : one_pitch);
    if (!w->exponential) return;
    emit_barrier(w->c);
    emit_vec(w->c, U_VEXP, t, rep, dst, dp, dst, dp, 0, 0);
}

static void by_rows(const ColBin *w) {
    emit_mask_count(w->c);
    emit_count(w->c, w->d->vcols);
    for (uint32_t r = 0; r < w->d->vrows; r++) step(w, r, 0, 0, 8, 8, 8);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

/* Repeats and pitches are 8-bit numbers; the shipped form does not see to it. */
static void column(const ColBin *w, uint32_t col) {
    uint32_t R = w->d->vrows, dp = row_blocks(w->d), fp = row_blocks(w->full);
    if (w->c->target->sem.library) {
        step(w, 0, col, R & MAX_REPEAT, dp & MAX_REPEAT, fp & MAX_REPEAT, 0);
        return;
    }
    for (uint32_t r = 0; r < R; r += MAX_REPEAT) step(w, r, col, min_u32(R - r, MAX_REPEAT), dp, fp, 0);
}

static void by_columns(const ColBin *w) {
    uint32_t E = epr(w->d), rest = w->d->vcols % E;
    for (uint32_t col = 0; col + E <= w->d->vcols; col += E) column(w, col);
    if (!rest) return;
    emit_mask_lanes(w->c, rest);
    column(w, w->d->vcols - rest);
    emit_mask_full(w->c);
}

const char *col_expand_defect(const Tile *d, const Tile *full) {
    if (!tile_static_full_cols(d) && d->type.rows != 1) return NULL;
    if (d->vrows > MAX_REPEAT) return "the rows do not fit into the 8-bit number of repeats";
    bool far = row_blocks(d) > MAX_REPEAT || row_blocks(full) > MAX_REPEAT;
    return far && d->vrows > 1 ? "the row pitch does not fit into an 8-bit repeat stride" : NULL;
}

void a2a3_col_expand_bin(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    bool swap = d->vrows != i->in[0]->vrows || d->vcols != i->in[0]->vcols, exponential = variant == U_VEXP;
    ColBin w = {c, exponential ? U_VSUB : (UopId)variant, d, i->in[swap], i->in[!swap], swap, exponential};
    if (!d->vrows || !d->vcols) return;
    uopbuf_stage(c->out, uop_info[variant].name);
    bool far = row_blocks(d) > MAX_REPEAT || row_blocks(w.full) > MAX_REPEAT;
    bool columns = tile_static_full_cols(d) || d->type.rows == 1;
    if (columns && (!far || c->target->sem.library || d->vrows == 1)) by_columns(&w);
    else by_rows(&w);
}

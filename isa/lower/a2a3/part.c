/* TPARTMAX and its siblings (TPartOp): the operation where both sources are valid, block copies
 * where only one is. Also the copy that TPARTARG* share. */
#include "isa/lower/a2a3/part.h"

void part_copy(LowerCtx *c, const Tile *dst, const Tile *src, uint32_t first, uint32_t rows, uint32_t cols) {
    if (first >= rows) return;
    uint32_t n = rows - first, es = tile_esize(dst);
    uopbuf_stage(c->out, "copy_ubuf_to_ubuf");
    emit_mask_count(c);
    if (tile_row_stride(dst) == tile_row_stride(src)) { /* whole rows in one run, padding included */
        emit_count(c, (uint64_t)tile_row_stride(dst) * n);
        emit_copy(c, 1, ceil_div((uint64_t)tile_row_stride(dst) * n * es, BLOCK_BYTES), tile_elem_addr(dst, first, 0), 0,
                  tile_elem_addr(src, first, 0), 0);
    } else {
        emit_count(c, cols);
        for (uint32_t r = first; r < rows; r++)
            emit_copy(c, 1, ceil_div((uint64_t)cols * es, BLOCK_BYTES), tile_elem_addr(dst, r, 0), 0, tile_elem_addr(src, r, 0), 0);
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

typedef struct Part {
    LowerCtx *c;
    UopId op;
    const Tile *d, *a, *b;
    uint32_t rows, cols;
} Part;

static void part_count(const Part *p) {
    emit_mask_count(p->c);
    emit_count(p->c, p->cols);
    for (uint32_t r = 0; r < p->rows; r++)
        emit_vec(p->c, p->op, p->d->type.dtype, 0, tile_elem_addr(p->d, r, 0), 8, tile_elem_addr(p->a, r, 0), 8,
                 tile_elem_addr(p->b, r, 0), 8);
    emit_mask_norm(p->c);
    emit_mask_full(p->c);
}

/* One column of repeats, in chunks of 255 rows. */
static void part_column(const Part *p, uint32_t col) {
    for (uint32_t r = 0; r < p->rows; r += MAX_REPEAT)
        emit_vec(p->c, p->op, p->d->type.dtype, min_u32(p->rows - r, MAX_REPEAT), tile_elem_addr(p->d, r, col), row_blocks(p->d),
                 tile_elem_addr(p->a, r, col), row_blocks(p->a), tile_elem_addr(p->b, r, col), row_blocks(p->b));
}

static void part_op(const Part *p) {
    if (!p->rows) return;
    uopbuf_stage(p->c->out, uop_info[p->op].name);
    uint32_t E = epr(p->d);
    uint32_t pitch = max_u32(row_blocks(p->d), max_u32(row_blocks(p->a), row_blocks(p->b)));
    if (pitch > MAX_REPEAT || p->rows < ceil_div(p->cols, E) * ceil_div(p->rows, MAX_REPEAT)) {
        part_count(p);
        return;
    }
    uint32_t full = p->cols / E, rem = p->cols % E;
    for (uint32_t k = 0; k < full; k++) part_column(p, k * E);
    if (!rem) return;
    emit_mask_lanes(p->c, rem);
    part_column(p, full * E);
    emit_mask_full(p->c);
}

static bool same_region(const Tile *x, const Tile *y) { return x->vrows == y->vrows && x->vcols == y->vcols; }

void a2a3_part(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s0 = i->in[0], *s1 = i->in[1];
    if (!d->vrows || !d->vcols) return;
    bool first = same_region(s0, d);
    if (!first && !same_region(s1, d)) return; /* the release library writes nothing */
    const Tile *a = first ? s0 : s1, *b = first ? s1 : s0;
    Part p = {c, (UopId)variant, d, a, b, b->vrows, b->vcols};
    if (b->vrows < d->vrows && b->vcols == d->vcols) {
        part_op(&p);
        part_copy(c, d, a, b->vrows, d->vrows, d->vcols);
    } else if (b->vrows <= d->vrows && b->vcols < d->vcols) {
        part_copy(c, d, a, 0, d->vrows, d->vcols);
        if (!b->vcols) return;
        emit_barrier(c);
        p.a = b;
        p.b = d;
        part_op(&p);
    } else if (same_region(b, d)) {
        part_op(&p);
    }
}

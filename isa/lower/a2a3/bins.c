/* TMINS, TMAXS and the other tile-scalar instructions: one machine instruction over the valid
 * region, in the shape that the shipped library chooses (TBinSOp). */
#include "isa/lower/a2a3/emit.h"

typedef struct Bins {
    LowerCtx *c;
    const Tile *d, *s;
    UopId op;
    DType t;
    uint64_t scalar;
    uint32_t E, ds, ss; /* elements per repeat, row pitches in blocks */
} Bins;

/* rep repeats from element (row, col), repeat pitches in blocks. */
static void op_at(const Bins *b, uint32_t row, uint32_t col, uint32_t rep, uint32_t drpt, uint32_t srpt) {
    emit_vec(b->c, b->op, b->t, rep, tile_elem_addr(b->d, row, col), drpt, tile_elem_addr(b->s, row, col), srpt, 0, 0)->imm = b->scalar;
}

static void one_line(const Bins *b, uint64_t n, bool count) {
    if (count) {
        emit_mask_count(b->c);
        emit_count(b->c, n);
        op_at(b, 0, 0, 0, 8, 8);
        emit_mask_norm(b->c);
        emit_mask_full(b->c);
        return;
    }
    uint32_t head = (uint32_t)(n / b->E), tail = (uint32_t)(n % b->E);
    op_at(b, 0, 0, head, 8, 8);
    if (!tail) return;
    emit_mask_lanes(b->c, tail);
    emit_vec(b->c, b->op, b->t, 1, (uint32_t)b->d->addr + head * REPEAT_BYTES, 8,
             (uint32_t)b->s->addr + head * REPEAT_BYTES, 8, 0, 0)->imm = b->scalar;
    emit_mask_full(b->c);
}

static void per_row_count(const Bins *b) {
    emit_mask_count(b->c);
    emit_count(b->c, b->d->vcols);
    for (uint32_t r = 0; r < b->d->vrows; r++) op_at(b, r, 0, 0, 8, 8);
    emit_mask_norm(b->c);
    emit_mask_full(b->c);
}

/* Few long rows. The library passes the repeats as 8 bits, so that 256 of them become none. */
static void per_row(const Bins *b) {
    uint32_t reps = b->d->vcols / b->E;
    if (b->d->vcols % b->E) {
        per_row_count(b);
        return;
    }
    if (reps > MAX_REPEAT && !b->c->target->sem.library) {
        per_row_count(b);
        return;
    }
    for (uint32_t r = 0; r < b->d->vrows; r++) op_at(b, r, 0, reps & MAX_REPEAT, 8, 8);
}

/* Columns of one repeat, rows as repeats. */
static void rows_as_repeats(const Bins *b) {
    uint32_t full = b->d->vcols / b->E, tail = b->d->vcols % b->E;
    for (uint32_t k = 0; k < full; k++) op_at(b, 0, k * b->E, b->d->vrows, b->ds, b->ss);
    if (!tail) return;
    emit_mask_lanes(b->c, tail);
    op_at(b, 0, full * b->E, b->d->vrows, b->ds, b->ss);
    emit_mask_full(b->c);
}

static void head_rows(const Bins *b) {
    uint32_t head = b->d->vcols / b->E;
    for (uint32_t r = 0; r < b->d->vrows; r++)
        for (uint32_t k = 0; k < head; k += MAX_REPEAT)
            op_at(b, r, k * b->E, min_u32(head - k, MAX_REPEAT), 8, 8);
}

/* The columns from `col` on, n lanes of every row. */
static void tail_rows(const Bins *b, uint32_t col, uint32_t n) {
    if (!n) return;
    bool wide = b->ds > MAX_REPEAT || b->ss > MAX_REPEAT;
    emit_mask_lanes(b->c, n);
    for (uint32_t r = 0; r < b->d->vrows;) {
        uint32_t rows = wide ? 1 : min_u32(b->d->vrows - r, MAX_REPEAT);
        op_at(b, r, col, rows, wide ? 1 : b->ds, wide ? 1 : b->ss);
        r += rows;
    }
    emit_mask_full(b->c);
}

static bool whole_tile(const Tile *d, const Tile *s) {
    return (tile_static_full_cols(d) && tile_static_full_cols(s)) || (d->type.rows == 1 && s->type.rows == 1);
}

void a2a3_bins(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    Bins b = {c, d, s, (UopId)variant, d->type.dtype, i->scalar, epr(d), row_blocks(d), row_blocks(s)};
    bool mismatch = d->vrows != s->vrows || d->vcols != s->vcols || !d->vrows || !d->vcols;
    if (mismatch && (variant == U_VMINS || variant == U_VADDS)) return; /* the library returns */
    uopbuf_stage(c->out, uop_info[variant].name);

    uint32_t chunks = d->type.cols / b.E;
    if (whole_tile(d, s)) {
        bool count = (d->type.cols > b.E && d->type.cols % b.E) ||
                     ceil_div((uint64_t)d->type.rows * d->type.cols, b.E) > MAX_REPEAT;
        one_line(&b, (uint64_t)d->vrows * d->vcols, count);
    } else if (d->type.rows <= chunks && s->type.rows <= chunks) {
        per_row(&b);
    } else if (d->type.rows <= MAX_REPEAT && b.ds <= MAX_REPEAT && b.ss <= MAX_REPEAT) {
        rows_as_repeats(&b);
    } else if (d->type.rows > b.E || !c->target->sem.library) {
        head_rows(&b);
        tail_rows(&b, d->vcols / b.E * b.E, d->vcols % b.E);
    } else { /* the library forgets the head: columns from one repeat on stay untouched */
        tail_rows(&b, 0, d->vcols);
    }
}

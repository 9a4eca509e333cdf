/* TAXPY (TAxpy): with one element type the tile-scalar paths, the destination being source and result. f16
 * added to f32 has two paths of its own; a repeat then reads half as many blocks as it writes. */
#include "isa/lower/a2a3/sweep.h"

static void same_type(const Sweep *w, Step s) { sweep_emit(w, s, w->op, w->d, w->s0, w->d); }

typedef struct Widen {
    LowerCtx *c;
    const Tile *d, *s;
    UopId op;
    uint64_t scalar;
} Widen;

static void widening(const Widen *w, uint32_t row, uint32_t col, uint32_t rep, uint32_t drpt, uint32_t srpt) {
    uint32_t dst = tile_elem_addr(w->d, row, col);
    Uop *u = emit_vec(w->c, w->op, w->d->type.dtype, rep, dst, drpt, tile_elem_addr(w->s, row, col), srpt, dst, drpt);
    u->dtype2 = (uint8_t)w->s->type.dtype;
    u->imm = w->scalar;
}

static void by_count(const Widen *w) {
    emit_mask_count(w->c);
    emit_count(w->c, w->d->vcols);
    for (uint32_t r = 0; r < w->d->vrows; r++) widening(w, r, 0, 0, BLOCKS_PER_REPEAT, BLOCKS_PER_REPEAT / 2);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

/* Columns of a repeat, with rows as repeats. */
static void by_rows(const Widen *w) {
    uint32_t E = epr(w->d), dp = row_blocks(w->d), sp = row_blocks(w->s), rest = w->d->vcols % E;
    for (uint32_t r = 0; r < w->d->vrows; r += MAX_REPEAT) {
        uint32_t rows = min_u32(w->d->vrows - r, MAX_REPEAT);
        for (uint32_t k = 0; k + E <= w->d->vcols; k += E) widening(w, r, k, rows, dp, sp);
        if (!rest) continue;
        emit_mask_lanes(w->c, rest);
        widening(w, r, w->d->vcols - rest, rows, dp, sp);
        emit_mask_full(w->c);
    }
}

void a2a3_axpy(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uopbuf_stage(c->out, uop_info[variant].name);
    if (!d->vrows || !d->vcols) return;
    if (d->type.dtype == s->type.dtype) {
        Sweep w = {.c = c, .op = (UopId)variant, .d = d, .s0 = s, .scalar = i->scalar, .step = same_type};
        sweep_run(&w, path_bins(d, s));
        return;
    }
    Widen w = {c, d, s, (UopId)variant, i->scalar};
    bool far = row_blocks(d) > MAX_REPEAT || row_blocks(s) > MAX_REPEAT;
    if (far || d->vcols / epr(d) > d->vrows) by_count(&w);
    else by_rows(&w);
}

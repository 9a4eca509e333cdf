/* TCOLARGMAX, TCOLARGMIN (TColReduceIdx): one repeat of columns at a time, a running best, its row, and
 * a counter of rows in tmp; a row that does not lose keeps its place. */
#include "isa/lower/a2a3/emit.h"

enum { EXACT_IN_HALF = 2049 }; /* rows whose numbers f16 holds */

typedef struct ColArg {
    LowerCtx *c;
    UopId compare, join;
    const Tile *s, *idx, *val;
    DType t, index, move;    /* compared type; counters; what vsel moves */
    uint32_t R, C, E;
    uint32_t counter, best, rows; /* in UB */
    bool widen;              /* 16-bit rows become 32-bit indices in the end */
    bool by_float;           /* by way of f32 */
} ColArg;

static void each_row(const ColArg *w, uint32_t col) {
    LowerCtx *c = w->c;
    for (uint32_t r = 1; r < w->R; r++) {
        uint32_t row = tile_elem_addr(w->s, r, col);
        emit_vec(c, U_VADDS, w->index, 1, w->counter, 0, w->counter, 0, 0, 0)->imm = 1;
        emit_vec(c, w->compare, w->t, 1, 0, 0, w->best, 0, row, 0);
        emit_barrier(c);
        emit_vec(c, U_VSEL, w->move, 1, w->rows, 0, w->rows, 0, w->counter, 0);
        emit_vec(c, w->join, w->t, 1, w->best, 0, w->best, 0, row, 0);
        emit_barrier(c);
    }
}

/* A whole repeat is copied in blocks, a rest lane by lane. */
static void move_values(const ColArg *w, uint32_t dst, uint32_t src, bool rest) {
    if (rest) emit_vec(w->c, U_VCOPY, w->index, 1, dst, 0, src, 0, 0, 0);
    else emit_copy(w->c, 1, BLOCKS_PER_REPEAT, dst, 0, src, 0);
    emit_barrier(w->c);
}

static void widen_rows(const ColArg *w, uint32_t dst) {
    uint32_t words = 2;
    if (w->by_float) {
        emit_convert(w->c, DT_F32, DT_I16, ROUND_RINT, words, dst, 8, w->rows, 4);
        emit_barrier(w->c);
        emit_convert(w->c, DT_I32, DT_F32, ROUND_RINT, words, dst, 8, dst, 8);
    } else {
        emit_convert(w->c, DT_F16, DT_I16, ROUND_ROUND, 1, w->rows, 0, w->rows, 0);
        emit_barrier(w->c);
        emit_convert(w->c, DT_I32, DT_F16, ROUND_ROUND, words, dst, 8, w->rows, 4);
    }
    emit_barrier(w->c);
}

static void one_repeat(ColArg *w, uint32_t col, uint32_t rest) {
    LowerCtx *c = w->c;
    uint32_t dst = tile_elem_addr(w->idx, 0, col);
    if (!w->widen) w->rows = dst;
    if (rest) {
        emit_mask_count(c);
        emit_count(c, rest);
    }
    emit_dup(c, w->index, 0, 1, w->counter, 0);
    emit_dup(c, w->index, 0, 1, w->rows, 0);
    move_values(w, w->best, tile_elem_addr(w->s, 0, col), rest != 0);
    each_row(w, col);
    if (w->widen) widen_rows(w, dst);
    if (w->val) move_values(w, tile_elem_addr(w->val, 0, col), w->best, rest != 0);
    if (!rest) return;
    emit_mask_norm(c);
    emit_mask_full(c);
    emit_barrier(c);
}

/* Bytes of one of the arrays in tmp. */
static uint32_t array_bytes(const Tile *s) {
    return s->vcols >= epr(s) ? REPEAT_BYTES : round_up(s->vcols * tile_esize(s), BLOCK_BYTES);
}

void a2a3_colarg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    bool max = variant == U_VMAX, narrow = tile_esize(s) == 2, library = c->target->sem.library;
    uint32_t tmp = (uint32_t)i->tmp->addr, gap = array_bytes(s);
    DType move = narrow ? DT_F16 : DT_F32;
    ColArg w = {.c = c, .compare = max ? U_VCMP_GE : U_VCMP_LE, .join = (UopId)variant, .s = s, .idx = i->out[i->nout - 1],
                .val = i->nout == 2 ? i->out[0] : NULL, .t = library ? move : s->type.dtype, .index = narrow ? DT_I16 : DT_I32, .move = move,
                .R = s->vrows, .C = s->vcols, .E = epr(s), .counter = tmp, .best = tmp + gap, .rows = tmp + 2 * gap,
                .widen = narrow && i->nout == 1, .by_float = !library && s->vrows > EXACT_IN_HALF};
    uint32_t rest = w.C % w.E;
    uopbuf_stage(c->out, max ? "column maximum" : "column minimum");
    for (uint32_t col = 0; col + w.E <= w.C; col += w.E) one_repeat(&w, col, 0);
    if (rest) one_repeat(&w, w.C - rest, rest);
}

TmpNeed tmp_colarg(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    if (t->family != FAMILY_A2A3 || !s->vrows || !s->vcols) return (TmpNeed){0};
    uint32_t arrays = i->nout == 1 && tile_esize(s) == 2 ? 3 : 2, n = arrays * array_bytes(s) / tile_esize(s);
    return (TmpNeed){1, n, n};
}

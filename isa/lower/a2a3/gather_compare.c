/* TGATHER by comparison: numbers of the elements of each row that pass, and how many they are. The scalar
 * unit writes the numbers of all elements into tmp; bits of the comparison pick from them. tmp holds, in
 * this order, a row of bits per row of tmp as if its elements were bytes, the numbers, the thresholds. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_VALUE = 1, CHUNK = 240 };

typedef struct Pick {
    LowerCtx *c;
    const Instr *i;
    const Tile *s, *d, *counts, *k; /* k NULL: the scalar for all rows */
    uint32_t pitch, bits, numbers, thresholds;
} Pick;

static void number_elements(const Pick *p) {
    uint32_t n = p->s->type.rows * p->s->type.cols;
    uopbuf_stage(p->c->out, "numbers");
    for (uint32_t j = 0; j < n; j++) {
        emit_s_set(p->c, REG_VALUE, (uint32_t)p->i->index[0] + j);
        emit_s_store(p->c, DT_U32, p->numbers + 4 * j, REG_VALUE);
        emit_s_iteration(p->c);
    }
    emit_flag(p->c, PIPE_S, PIPE_V);
}

static void copy_thresholds(const Pick *p) {
    for (uint32_t r = 0; r < p->s->vrows; r++) {
        emit_s_load(p->c, REG_VALUE, DT_I32, (uint32_t)p->k->addr + 4 * r);
        emit_s_store(p->c, DT_I32, p->thresholds + 4 * r, REG_VALUE);
        emit_s_iteration(p->c);
    }
}

/* To the type of the source. The library converts whole repeats, beyond what it needs of tmp. */
static void convert_thresholds(const Pick *p) {
    DType to = p->s->type.dtype, from = tile_esize(p->k) == 2 ? DT_I16 : DT_I32;
    uint32_t ts = tile_esize(p->s), fs = tile_esize(p->k), wide = max_u32(ts, fs), per = REPEAT_BYTES / wide;
    bool whole = p->c->target->sem.library;
    if (!whole) {
        emit_mask_count(p->c);
        emit_count(p->c, p->s->vrows);
    }
    emit_convert(p->c, to, from, ROUND_RINT, whole ? ceil_div(p->s->vrows, per) : 0, p->thresholds, BLOCKS_PER_REPEAT * ts / wide, (uint32_t)p->k->addr,
                 BLOCKS_PER_REPEAT * fs / wide);
}

static void compare(const Pick *p, uint32_t row, uint32_t first, uint32_t rep) {
    UopId op = p->i->cmp == CMP_GT ? U_VCMPVS_GT : U_VCMPVS_EQ;
    uint32_t E = epr(p->s);
    Uop *u = emit_vec(p->c, op, p->s->type.dtype, rep, p->bits + row * p->pitch + first * E / 8, 8, tile_elem_addr(p->s, row, first * E), 8, 0, 8);
    u->imm = p->k ? REG_VALUE : p->i->scalar;
    u->mode = p->k ? SCALAR_REGISTER : SCALAR_BITS;
}

static void load_threshold(const Pick *p, uint32_t row) {
    if (!p->k) return;
    emit_flag(p->c, PIPE_V, PIPE_S);
    emit_s_load(p->c, REG_VALUE, p->s->type.dtype, p->thresholds + row * tile_esize(p->s));
    emit_flag(p->c, PIPE_S, PIPE_V);
}

/* Chunks of 240 repeats of all rows, then what is left of all rows. */
static void compare_rows(const Pick *p) {
    uint32_t repeats = ceil_div(p->s->vcols, epr(p->s)), chunks = repeats / CHUNK, rest = repeats % CHUNK;
    uopbuf_stage(p->c->out, "compare");
    emit_mask_norm(p->c);
    emit_mask_full(p->c);
    for (uint32_t r = 0; r < p->s->vrows; r++) {
        load_threshold(p, r);
        for (uint32_t k = 0; k < chunks; k++) compare(p, r, k * CHUNK, CHUNK);
    }
    for (uint32_t r = 0; rest && r < p->s->vrows; r++) {
        load_threshold(p, r);
        compare(p, r, chunks * CHUNK, rest);
    }
}

/* The number of elements is known when the vector unit is done. */
static void pick_rows(const Pick *p) {
    uopbuf_stage(p->c->out, "pick");
    emit_barrier(p->c);
    emit_mask_count(p->c);
    emit_count(p->c, p->s->vcols);
    for (uint32_t r = 0; r < p->s->vrows; r++) {
        emit_vec(p->c, U_VREDUCEV2, DT_U32, 1, tile_elem_addr(p->d, r, 0), 0, p->numbers + 4 * r * p->s->type.cols, 8, p->bits + r * p->pitch, 0);
        emit_flag(p->c, PIPE_V, PIPE_S);
        uopbuf_add(p->c->out, U_S_KEPT)->dst = REG_VALUE;
        emit_s_store(p->c, DT_U32, (uint32_t)p->counts->addr + 4 * r, REG_VALUE);
    }
    emit_mask_norm(p->c);
    emit_mask_full(p->c);
}

void a2a3_gather_compare(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *t = i->tmp;
    Pick p = {c, i, s, i->out[0], i->out[1], i->nin > 1 ? i->in[1] : NULL, t->type.cols, (uint32_t)t->addr, 0, 0};
    if (no_elements(s)) return;
    p.numbers = p.bits + t->type.rows * t->type.cols;
    p.thresholds = p.numbers + 4 * s->type.rows * s->type.cols;
    number_elements(&p);
    if (p.k) uopbuf_stage(c->out, "thresholds");
    if (p.k && s->type.dtype == DT_I32) copy_thresholds(&p);
    else if (p.k) convert_thresholds(&p);
    compare_rows(&p);
    pick_rows(&p);
}

uint64_t gather_compare_bytes(const Instr *i, uint64_t tmp_rows, uint64_t tmp_cols) {
    const Tile *s = i->in[0];
    uint64_t thresholds = i->nin > 1 ? (uint64_t)s->vrows * tile_esize(s) : 0;
    return tmp_rows * tmp_cols + 4ull * s->type.rows * s->type.cols + thresholds;
}

/* Rows of bits, and so wide that the rest fits behind them. */
TmpNeed gather_compare_tmp(const Instr *i) {
    const Tile *s = i->in[0];
    uint32_t bits = ceil_div(s->vcols, epr(s)) * (REPEAT_BYTES / tile_esize(s) / 8), spare = s->vrows * (tile_esize(s) - 1);
    if (no_elements(s)) return (TmpNeed){0};
    uint32_t cols = round_up(max_u32(bits, ceil_div(gather_compare_bytes(i, 0, 0), spare)), BLOCK_BYTES);
    return (TmpNeed){s->vrows, cols, cols};
}

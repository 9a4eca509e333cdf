/* TREM, TREMS (TRem, TRemS): a - floor(a / b) * b row by row, plus b where the sign is not that of b.
 * i32 goes through f32; its sources are converted in place and back. TFMOD, TFMODS truncate. */
#include "isa/lower/a2a3/tiles.h"

typedef struct Remainder {
    LowerCtx *c;
    uint32_t C, dst, s0, s1; /* rows at hand */
    bool by_scalar;
    uint64_t x;              /* scalar, as f32 */
    uint32_t tmp, bits, address;
} Remainder;

static void vec(const Remainder *w, UopId op, DType t, uint32_t dst, uint32_t a, uint32_t b) {
    emit_vec(w->c, op, t, 1, dst, 8, a, 8, b, 8);
    emit_barrier(w->c);
}

static void convert(const Remainder *w, DType to, DType from, RoundMode r, uint32_t dst, uint32_t src) {
    emit_convert(w->c, to, from, r, 1, dst, 8, src, 8);
}

/* dst = src * b, or + b. */
static void with_divisor(const Remainder *w, bool add, uint32_t dst, uint32_t src) {
    if (!w->by_scalar) {
        vec(w, add ? U_VADD : U_VMUL, DT_F32, dst, src, w->s1);
        return;
    }
    emit_vec(w->c, add ? U_VADDS : U_VMULS, DT_F32, 1, dst, 8, src, 8, 0, 0)->imm = w->x;
    emit_barrier(w->c);
}

static void quotient(const Remainder *w, RoundMode r, uint32_t at) {
    if (w->by_scalar) {
        emit_dup(w->c, DT_F32, w->x, 1, at, 8);
        emit_barrier(w->c);
    }
    vec(w, U_VDIV, DT_F32, at, w->s0, w->by_scalar ? at : w->s1);
    convert(w, DT_F32, DT_F32, r, at, at);
    emit_barrier(w->c);
}

static void enter_count(const Remainder *w) {
    emit_mask_count(w->c);
    emit_count(w->c, w->C);
}

/* The comparison needs norm mode: its repeats are not derived from a count. */
static void correct_sign(const Remainder *w) {
    with_divisor(w, false, w->tmp, w->dst);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
    emit_vec(w->c, U_VCMPVS_LT, DT_F32, ceil_div(w->C, REPEAT_BYTES / 4), w->bits, 8, w->tmp, 8, 0, 0);
    emit_barrier(w->c);
    enter_count(w);
    with_divisor(w, true, w->tmp, w->dst);
    emit_select_bits(w->c, DT_F32, w->C, w->bits, w->address, w->dst, w->tmp, w->dst);
    emit_barrier(w->c);
}

static void float_row(const Remainder *w) {
    quotient(w, ROUND_FLOOR, w->tmp);
    with_divisor(w, false, w->dst, w->tmp);
    vec(w, U_VSUB, DT_F32, w->dst, w->s0, w->dst);
    correct_sign(w);
}

/* The quotient is rounded as f32, product and difference are exact in i32. The shipped form leaves the
 * second source as f32. */
static void int_row(const Remainder *w) {
    convert(w, DT_F32, DT_I32, ROUND_RINT, w->s0, w->s0);
    convert(w, DT_F32, DT_I32, ROUND_RINT, w->s1, w->s1);
    emit_barrier(w->c);
    vec(w, U_VDIV, DT_F32, w->tmp, w->s0, w->s1);
    convert(w, DT_I32, DT_F32, ROUND_FLOOR, w->tmp, w->tmp);
    emit_barrier(w->c);
    convert(w, DT_I32, DT_F32, ROUND_RINT, w->s0, w->s0);
    convert(w, DT_I32, DT_F32, ROUND_RINT, w->s1, w->s1);
    emit_barrier(w->c);
    vec(w, U_VMUL, DT_I32, w->dst, w->tmp, w->s1);
    vec(w, U_VSUB, DT_I32, w->dst, w->s0, w->dst);
    convert(w, DT_F32, DT_I32, ROUND_RINT, w->dst, w->dst);
    convert(w, DT_F32, DT_I32, ROUND_RINT, w->s1, w->s1);
    emit_barrier(w->c);
    correct_sign(w);
    convert(w, DT_I32, DT_F32, ROUND_TRUNC, w->dst, w->dst);
    if (!w->c->target->sem.library) convert(w, DT_I32, DT_F32, ROUND_RINT, w->s1, w->s1);
    emit_barrier(w->c);
}

static void int_row_by_scalar(const Remainder *w) {
    convert(w, DT_F32, DT_I32, ROUND_RINT, w->s0, w->s0);
    emit_barrier(w->c);
    float_row(w);
    convert(w, DT_I32, DT_F32, ROUND_RINT, w->dst, w->dst);
    convert(w, DT_I32, DT_F32, ROUND_RINT, w->s0, w->s0);
    emit_barrier(w->c);
}

static uint64_t scalar_as_f32(DType t, uint64_t bits) { return dtype_from_double(DT_F32, dtype_to_double(t, bits), ROUND_RINT); }

/* tmp: a row of candidates, their bits, a block for the address of the bits. */
static uint32_t bits_offset(const Tile *d) { return row_bytes(d); }
static uint32_t bits_size(const Tile *d) { return round_up(ceil_div(tile_row_stride(d), 8), BLOCK_BYTES); }

static Remainder open(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    uint32_t tmp = i->tmp ? (uint32_t)i->tmp->addr : 0;
    return (Remainder){.c = c, .C = d->vcols, .by_scalar = i->nin == 1, .x = scalar_as_f32(d->type.dtype, i->scalar), .tmp = tmp,
                       .bits = tmp + bits_offset(d), .address = tmp + bits_offset(d) + bits_size(d)};
}

static void place_row(Remainder *w, const Instr *i, uint32_t r) {
    w->dst = tile_elem_addr(i->out[0], r, 0);
    w->s0 = tile_elem_addr(i->in[0], r, 0);
    w->s1 = i->nin > 1 ? tile_elem_addr(i->in[1], r, 0) : 0;
}

void a2a3_rem(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    Remainder w = open(c, i);
    (void)variant;
    if (!d->vcols) return;
    uopbuf_stage(c->out, "remainder");
    for (uint32_t r = 0; r < d->vrows; r++) {
        place_row(&w, i, r);
        enter_count(&w);
        if (d->type.dtype == DT_F32) float_row(&w);
        else if (w.by_scalar) int_row_by_scalar(&w);
        else int_row(&w);
        emit_mask_norm(c);
        emit_mask_full(c);
    }
}

TmpNeed tmp_rem(const Target *t, const Instr *i) {
    const Tile *d = i->out[0];
    if (t->family != FAMILY_A2A3 || !d->vrows || !d->vcols) return (TmpNeed){0};
    uint32_t n = (bits_offset(d) + bits_size(d) + BLOCK_BYTES) / tile_esize(d);
    return (TmpNeed){1, n, n};
}

void a2a3_fmod(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    Remainder w = open(c, i);
    (void)variant;
    if (!d->vrows || !d->vcols) return;
    uopbuf_stage(c->out, "remainder");
    enter_count(&w);
    for (uint32_t r = 0; r < d->vrows; r++) {
        place_row(&w, i, r);
        quotient(&w, ROUND_TRUNC, w.dst);
        with_divisor(&w, false, w.dst, w.dst);
        vec(&w, U_VSUB, DT_F32, w.dst, w.s0, w.dst);
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

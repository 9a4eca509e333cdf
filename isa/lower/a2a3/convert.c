/* TCVT (TCvt): whole repeats of the wider type row by row, then the rest of all rows as repeats. A
 * tmp tile selects the two-step form of the non-saturating conversions to i16: to i32 with
 * saturation, then the low half. */
#include "isa/lower/a2a3/tiles.h"

typedef struct Convert {
    LowerCtx *c;
    const Tile *d, *s;
    DType to, from;
    RoundMode round;
    bool saturate;
    uint32_t E;       /* elements per repeat, of the wider type */
    uint32_t dp, sp;  /* repeat pitch of both sides inside a row, in blocks */
    bool two_step;
    uint32_t tmp;
} Convert;

/* Conversions that may lose high bits obey satmode; the other ones to integers always saturate. */
static bool narrows(DType to, DType from) {
    if (from == DT_F16) return to == DT_I16 || to == DT_I8 || to == DT_U8;
    return to == DT_I16 || (from == DT_I64 && to == DT_I32);
}

static void vconv(const Convert *v, DType to, DType from, bool saturate, uint32_t rep, uint32_t dst, uint32_t drpt, uint32_t src,
                  uint32_t srpt) {
    Uop *u = emit_vec(v->c, U_VCONV, to, rep, dst, drpt, src, srpt, 0, 0);
    u->dtype2 = (uint8_t)from;
    u->mode = (uint8_t)(dtype_is_float(from) || dtype_is_float(to) ? v->round : ROUND_RINT);
    u->imm = saturate;
}

/* f32: the words in tmp lie as the source does, which the first step leaves alone. */
static void wide_steps(const Convert *v, uint32_t rep, uint32_t dst, uint32_t drpt, uint32_t src, uint32_t srpt) {
    vconv(v, DT_I32, v->from, true, rep, v->tmp, srpt, src, srpt);
    emit_barrier(v->c);
    vconv(v, v->to, DT_I32, false, rep, dst, drpt, v->tmp, srpt);
}

/* f16: half a repeat of every row at a time, because words fill the repeat. lanes: of each row. */
static void half_steps(const Convert *v, uint32_t rep, uint32_t lanes, uint32_t dst, uint32_t drpt, uint32_t src, uint32_t srpt) {
    enum { WORDS = 64, WORD_HALVES = 2 * WORDS };
    for (uint32_t r = 0; r < rep; r++)
        for (uint32_t k = 0; k < lanes; k += WORDS) {
            uint32_t at = k / WORDS * WORD_HALVES;
            emit_mask_lanes(v->c, min_u32(lanes - k, WORDS));
            vconv(v, DT_I32, v->from, true, 1, v->tmp, 8, src + r * srpt * BLOCK_BYTES + at, 8);
            emit_barrier(v->c);
            vconv(v, v->to, DT_I32, false, 1, dst + r * drpt * BLOCK_BYTES + at, 8, v->tmp, 8);
            emit_barrier(v->c);
        }
    emit_mask_full(v->c);
}

static void convert_at(const Convert *v, uint32_t row, uint32_t col, uint32_t rep, uint32_t lanes, uint32_t drpt, uint32_t srpt) {
    uint32_t dst = tile_elem_addr(v->d, row, col), src = tile_elem_addr(v->s, row, col);
    if (v->two_step && v->from == DT_F32) {
        wide_steps(v, rep, dst, drpt, src, srpt);
    } else if (v->two_step) {
        half_steps(v, rep, lanes, dst, drpt, src, srpt);
    } else {
        if (v->from == DT_I32 && v->to == DT_F16) emit_barrier(v->c); /* behind the write of the scale */
        vconv(v, v->to, v->from, v->saturate, rep, dst, drpt, src, srpt);
    }
}

static void head(const Convert *v) {
    uint32_t reps = v->d->vcols / v->E;
    for (uint32_t r = 0; r < v->d->vrows; r++)
        for (uint32_t k = 0; k < reps; k += MAX_REPEAT)
            convert_at(v, r, k * v->E, min_u32(reps - k, MAX_REPEAT), v->E, v->dp, v->sp);
}

static bool far_rows(const Tile *d, const Tile *s) { return row_blocks(d) > MAX_REPEAT || row_blocks(s) > MAX_REPEAT; }

const char *convert_defect(const Tile *d, const Tile *s) {
    bool rest = d->vcols % (REPEAT_BYTES / max_u32(tile_esize(d), tile_esize(s)));
    return rest && d->vrows > 1 && far_rows(d, s) ? "rows are more than 255 blocks apart, which the field of the repeat stride does not hold" : NULL;
}

/* Rows too far apart to be repeats go one by one. */
static void tail(const Convert *v) {
    uint32_t rest = v->d->vcols % v->E, dp = row_blocks(v->d), sp = row_blocks(v->s), most = MAX_REPEAT;
    if (!rest) return;
    if (far_rows(v->d, v->s) && (v->d->vrows == 1 || !v->c->target->sem.library)) {
        dp = v->dp;
        sp = v->sp;
        most = 1;
    }
    emit_mask_lanes(v->c, rest);
    for (uint32_t r = 0; r < v->d->vrows; r += most) convert_at(v, r, v->d->vcols - rest, min_u32(v->d->vrows - r, most), rest, dp, sp);
    emit_mask_full(v->c);
}

static bool uses_tmp(const Instr *i) {
    DType from = i->in[0]->type.dtype;
    return i->tmp && !i->saturate && i->out[0]->type.dtype == DT_I16 && (from == DT_F32 || from == DT_F16);
}

void a2a3_convert(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint32_t ds = tile_esize(d), ss = tile_esize(s), wide = max_u32(ds, ss);
    Convert v = {.c = c, .d = d, .s = s, .to = d->type.dtype, .from = s->type.dtype, .E = REPEAT_BYTES / wide,
                 .dp = BLOCKS_PER_REPEAT * ds / wide, .sp = BLOCKS_PER_REPEAT * ss / wide, .two_step = uses_tmp(i),
                 .tmp = i->tmp ? (uint32_t)i->tmp->addr : 0};
    bool scaled = v.from == DT_I32 && v.to == DT_F16; /* with the nearest value */
    v.round = scaled ? ROUND_RINT : convert_round(v.to, v.from, i->round);
    v.saturate = !dtype_is_float(v.to) && (!narrows(v.to, v.from) || i->saturate);
    uopbuf_stage(c->out, uop_info[variant].name);
    if (!d->vrows || !d->vcols) return;
    head(&v);
    tail(&v);
}

/* In words of f32, or pairs of f16, of the source. */
TmpNeed tmp_convert(const Target *t, const Instr *i) {
    if (t->family != FAMILY_A2A3 || !uses_tmp(i)) return (TmpNeed){0};
    const Tile *s = i->in[0];
    uint32_t n = 128; /* f16: one repeat of words */
    if (s->type.dtype == DT_F32) {
        uint32_t E = epr(s), rows = min_u32(s->vrows, MAX_REPEAT), rest = s->vcols % E;
        uint32_t head_size = min_u32(s->vcols / E, MAX_REPEAT) * E;
        n = max_u32(head_size, rest ? (rows - 1) * s->type.cols + rest : 0);
    }
    return (TmpNeed){1, n, n};
}

/* TROWMAX, TROWMIN, TROWSUM, TROWPROD. Floats (TRowReduceOps): chunks of one repeat are combined in tmp until a
 * row is one repeat wide, which vcmax / vcmin / vcadd reduces; four shapes of f32 have chains of group
 * reductions instead. Integers, and all products, are accumulated in one block and reduced by the
 * scalar unit, which multiplies halves as f32. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/rules.h"

typedef struct RowReduce {
    LowerCtx *c;
    UopId whole, group, pair; /* vcmax, vcgmax, vmax */
    const Tile *d, *s, *tmp;
    DType t;
    uint32_t R, C, E;
} RowReduce;

static uint32_t src_at(const RowReduce *w, uint32_t row, uint32_t chunk) { return tile_elem_addr(w->s, row, chunk * w->E); }
static uint32_t tmp_at(const RowReduce *w, uint32_t row, uint32_t chunk) { return tile_elem_addr(w->tmp, row, chunk * w->E); }

/* ---- one repeat per row to one value ---- */

static void reduce(const RowReduce *w, uint32_t rep, uint32_t dst, uint32_t src, uint32_t pitch) {
    emit_reduce(w->c, w->whole, w->t, ORDER_ONLY_VALUE, rep, dst, w->d->type.cols, src, pitch);
}

static void reduce_all(const RowReduce *w, const Tile *from) {
    uopbuf_stage(w->c->out, uop_info[w->whole].name);
    emit_mask_count(w->c);
    emit_count(w->c, (uint64_t)w->R * w->E);
    reduce(w, 0, (uint32_t)w->d->addr, (uint32_t)from->addr, row_blocks(from));
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
    emit_barrier(w->c);
}

/* Less than a repeat: 255 rows at a time; a row count that is a multiple of 255 ends with repeat 0. */
static void reduce_narrow(const RowReduce *w) {
    uopbuf_stage(w->c->out, uop_info[w->whole].name);
    emit_mask_lanes(w->c, w->C);
    emit_row_loop(w->c);
    for (uint32_t r = 0;; r += MAX_REPEAT) {
        uint32_t rep = min_u32(w->R - r, MAX_REPEAT);
        reduce(w, rep, (uint32_t)w->d->addr + r * w->d->type.cols * tile_esize(w->d), src_at(w, r, 0), row_blocks(w->s));
        emit_barrier(w->c);
        if (rep < MAX_REPEAT) break;
    }
    emit_mask_full(w->c);
}

/* ---- combining chunks in tmp ---- */

/* One side of a combination: a chunk of every row of a tile. */
typedef struct Chunk {
    const Tile *t;
    uint32_t chunk;
} Chunk;

static uint32_t chunk_at(const RowReduce *w, Chunk x, uint32_t row) { return tile_elem_addr(x.t, row, x.chunk * w->E); }

static void pair_rows(const RowReduce *w, uint32_t row, uint32_t rep, Chunk d, Chunk a, Chunk b) {
    emit_vec(w->c, w->pair, w->t, rep, chunk_at(w, d, row), row_blocks(d.t), chunk_at(w, a, row), row_blocks(a.t), chunk_at(w, b, row),
             row_blocks(b.t));
}

static void pair_row_by_row(const RowReduce *w, uint32_t row, uint32_t rows, Chunk d, Chunk a, Chunk b) {
    for (uint32_t r = row; r < row + rows; r++)
        emit_vec(w->c, w->pair, w->t, 1, chunk_at(w, d, r), 0, chunk_at(w, a, r), 0, chunk_at(w, b, r), 0);
}

/* Whether a row pitch of the three does not fit into 8 bits. */
static bool far(Chunk d, Chunk a, Chunk b) {
    return row_blocks(d.t) > MAX_REPEAT || row_blocks(a.t) > MAX_REPEAT || row_blocks(b.t) > MAX_REPEAT;
}

static void pair_all(const RowReduce *w, Chunk d, Chunk a, Chunk b) {
    uopbuf_stage(w->c->out, uop_info[w->pair].name);
    if (far(d, a, b)) {
        pair_row_by_row(w, 0, w->R, d, a, b);
    } else {
        emit_mask_count(w->c);
        emit_count(w->c, (uint64_t)w->R * w->E);
        pair_rows(w, 0, 0, d, a, b);
        emit_mask_norm(w->c);
        emit_mask_full(w->c);
    }
    emit_barrier(w->c);
}

static Chunk in_tmp(const RowReduce *w, uint32_t k) { return (Chunk){w->tmp, k}; }
static Chunk in_src(const RowReduce *w, uint32_t k) { return (Chunk){w->s, k}; }

/* The columns behind the last whole chunk onto the first chunk of tmp. */
static void fold_rest(const RowReduce *w, uint32_t rest) {
    Chunk d = in_tmp(w, 0), b = in_src(w, w->C / w->E);
    uopbuf_stage(w->c->out, "rest");
    emit_mask_lanes(w->c, rest);
    emit_row_loop(w->c);
    for (uint32_t r = 0;; r += MAX_REPEAT) {
        uint32_t rep = min_u32(w->R - r, MAX_REPEAT);
        if (far(d, d, b)) pair_row_by_row(w, r, rep, d, d, b);
        else pair_rows(w, r, rep, d, d, b);
        if (rep < MAX_REPEAT) break;
    }
    emit_mask_full(w->c);
    emit_barrier(w->c);
}

static void copy_first_chunk(const RowReduce *w) {
    uopbuf_stage(w->c->out, "copy");
    emit_copy(w->c, w->R, BLOCKS_PER_REPEAT, tmp_at(w, 0, 0), row_blocks(w->tmp), src_at(w, 0, 0), row_blocks(w->s));
    emit_barrier(w->c);
}

/* Maximum and minimum: chunk after chunk onto the first, the rest in between. */
static void fold_chunks(const RowReduce *w) {
    uint32_t full = w->C / w->E, rest = w->C % w->E;
    if (full >= 2) pair_all(w, in_tmp(w, 0), in_src(w, 0), in_src(w, 1));
    if (rest) fold_rest(w, rest);
    for (uint32_t k = 2; k < full; k++) pair_all(w, in_tmp(w, 0), in_tmp(w, 0), in_src(w, k));
}

/* Sums: neighbours of the source into tmp, then a tree there. An odd chunk goes onto the last sum. */
static void add_tree(const RowReduce *w) {
    uint32_t full = w->C / w->E, rest = w->C % w->E;
    for (uint32_t k = 0; k < full / 2; k++) pair_all(w, in_tmp(w, k), in_src(w, 2 * k), in_src(w, 2 * k + 1));
    if (full != 1 && full % 2) pair_all(w, in_tmp(w, 0), in_tmp(w, 0), in_src(w, full - 1));
    if (rest) fold_rest(w, rest);
    for (uint32_t n = full / 2; n > 1; n /= 2) {
        for (uint32_t k = 0; k < n / 2; k++) pair_all(w, in_tmp(w, k), in_tmp(w, 2 * k), in_tmp(w, 2 * k + 1));
        if (n % 2) pair_all(w, in_tmp(w, n / 2 - 1), in_tmp(w, n / 2 - 1), in_tmp(w, n - 1));
    }
}

static void reduce_wide(const RowReduce *w) {
    if (w->C < 2 * w->E) {
        if (w->tmp->type.cols < w->E) return; /* the library does nothing, and says nothing */
        copy_first_chunk(w);
    }
    if (w->whole == U_VCADD) add_tree(w);
    else fold_chunks(w);
    reduce_all(w, w->tmp);
}

/* ---- f32 shapes of 8192 elements ---- */

/* One value per block of rep repeats. */
static void group(const RowReduce *w, uint32_t rep, uint32_t dst, uint32_t src) {
    uopbuf_stage(w->c->out, uop_info[w->group].name);
    emit_vec(w->c, w->group, w->t, rep, dst, 1, src, BLOCKS_PER_REPEAT, 0, 0);
    emit_barrier(w->c);
}

/* Even blocks of tmp with odd blocks. */
static void pair_blocks(const RowReduce *w, uint32_t rep, uint32_t tmp) {
    uopbuf_stage(w->c->out, uop_info[w->pair].name);
    Uop *u = emit_vec(w->c, w->pair, w->t, rep, tmp, 8, tmp, 16, tmp + BLOCK_BYTES, 16);
    u->sblk0 = u->sblk1 = 2;
    emit_barrier(w->c);
}

static bool is_fast_shape(const Tile *d, const Tile *s) {
    if (s->type.dtype != DT_F32 || d->type.blayout != COL_MAJOR || d->type.vcols != 1) return false;
    if (s->type.vrows != (int32_t)s->type.rows || !tile_static_full_cols(s)) return false;
    return s->type.rows * s->type.cols == 8192 && s->type.rows >= 8 && s->type.rows <= 64;
}

static void reduce_fast(const RowReduce *w) {
    uint32_t tmp = (uint32_t)w->tmp->addr, src = (uint32_t)w->s->addr;
    group(w, w->R * w->C / w->E, tmp, src);
    switch (w->C) {
    case 128: pair_blocks(w, w->R / 8, tmp); break;
    case 256:
        pair_blocks(w, w->R / 4, tmp);
        pair_blocks(w, w->R / 8, tmp);
        break;
    case 512: group(w, w->R, tmp, tmp); break;
    default:
        group(w, w->R * 2, tmp, tmp);
        pair_blocks(w, w->R / 8, tmp);
        break;
    }
    group(w, w->R / 8, (uint32_t)w->d->addr, tmp);
}

/* ---- one block and the scalar unit ---- */

enum { REG_RESULT = 1, REG_LANE };

static uint64_t identity(const RowReduce *w) {
    switch (w->whole) {
    case U_VCMAX: return dtype_lowest(w->t);
    case U_VCMIN: return dtype_highest(w->t);
    case U_VMUL: return dtype_is_float(w->t) ? dtype_from_double(w->t, 1, ROUND_RINT) : 1;
    default: return 0;
    }
}

static void accumulate_block(const RowReduce *w, uint32_t row, uint32_t col) {
    uint32_t tmp = (uint32_t)w->tmp->addr;
    Uop *u = emit_vec(w->c, w->pair, w->t, 1, tmp, 0, tmp, 0, tile_elem_addr(w->s, row, col), 1);
    u->dblk = u->sblk0 = 0;
    emit_barrier(w->c);
}

static void accumulate_row(const RowReduce *w, uint32_t row) {
    uint32_t B = epb(w->s), rest = w->C % B;
    uopbuf_stage(w->c->out, uop_info[w->pair].name);
    emit_count(w->c, B);
    emit_dup(w->c, w->t, identity(w), 1, (uint32_t)w->tmp->addr, 0);
    emit_barrier(w->c);
    for (uint32_t col = 0; col + B <= w->C; col += B) accumulate_block(w, row, col);
    if (!rest) return;
    emit_count(w->c, rest);
    accumulate_block(w, row, w->C - rest);
}

static UopId lane_op(const RowReduce *w) { return w->whole == U_VCMAX ? U_S_MAX : w->whole == U_VCMIN ? U_S_MIN : U_S_MUL; }

static void load_lane(const RowReduce *w, int reg, uint32_t lane) {
    emit_s_load(w->c, reg, w->t, (uint32_t)w->tmp->addr + lane * tile_esize(w->s));
    if (w->t == DT_F16) emit_s_convert(w->c, reg, DT_F32, DT_F16);
}

static void reduce_lanes(const RowReduce *w, uint32_t row) {
    DType t = w->t == DT_F16 ? DT_F32 : w->t;
    uopbuf_stage(w->c->out, "scalar reduction");
    emit_flag(w->c, PIPE_V, PIPE_S);
    load_lane(w, REG_RESULT, 0);
    for (uint32_t k = 1; k < epb(w->s); k++) {
        load_lane(w, REG_LANE, k);
        if (w->whole == U_VCADD) emit_s_madd(w->c, REG_RESULT, t, REG_LANE, 1, REG_RESULT);
        else emit_s_binary(w->c, lane_op(w), REG_RESULT, t, REG_RESULT, REG_LANE);
    }
    if (w->t == DT_F16) emit_s_convert(w->c, REG_RESULT, DT_F16, DT_F32);
    emit_s_store(w->c, w->t, tile_elem_addr(w->d, row, 0), REG_RESULT);
    emit_s_iteration(w->c);
    emit_flag(w->c, PIPE_S, PIPE_V);
}

static void reduce_by_block(const RowReduce *w) {
    emit_mask_count(w->c);
    for (uint32_t r = 0; r < w->R; r++) {
        accumulate_row(w, r);
        reduce_lanes(w, r);
    }
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

/* Whether the lanes of one block are accumulated. */
static bool by_block(DType t, bool product) { return product || !dtype_is_float(t); }

static UopId group_of(int whole) { return whole == U_VCMAX ? U_VCGMAX : whole == U_VCMIN ? U_VCGMIN : U_VCGADD; }
static UopId pair_of(int whole) { return whole == U_VMUL ? U_VMUL : whole == U_VCMAX ? U_VMAX : whole == U_VCMIN ? U_VMIN : U_VADD; }

void a2a3_row_reduce(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    RowReduce w = {.c = c, .whole = (UopId)variant, .group = group_of(variant), .pair = pair_of(variant), .d = i->out[0], .s = s,
                   .tmp = i->tmp, .t = s->type.dtype, .R = s->vrows, .C = s->vcols, .E = epr(s)};
    if (!w.R || !w.C) return;
    if (by_block(w.t, variant == U_VMUL)) reduce_by_block(&w);
    else if (is_fast_shape(w.d, s)) reduce_fast(&w);
    else if (w.C == w.E) reduce_all(&w, s);
    else if (w.C < w.E) reduce_narrow(&w);
    else reduce_wide(&w);
}

TmpNeed tmp_row_reduce(const Target *t, const Instr *i) {
    const Tile *s = i->in[0], *d = i->out[0];
    uint32_t E = epr(s), n;
    if (t->family != FAMILY_A2A3 || no_elements(s)) return (TmpNeed){0};
    if (by_block(s->type.dtype, i->id == I_TROWPROD)) return (TmpNeed){1, epb(s), epb(s)};
    if (is_fast_shape(d, s)) {
        n = s->vrows * s->vcols / epb(s);
        return (TmpNeed){1, n, n};
    }
    if (s->vcols <= E) return (TmpNeed){0};
    n = i->id == I_TROWSUM ? max_u32(s->vcols / E / 2, 1) * E : E;
    return (TmpNeed){s->vrows, n, n};
}

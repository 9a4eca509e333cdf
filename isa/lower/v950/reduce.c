/* TROWMAX, TROWMIN, TROWSUM (TRowReduce), TROWPROD (TRowProd) and TCOLMAX, TCOLMIN, TCOLSUM, TCOLPROD
 * (TColReduceOps, TColSum). */
#include "isa/lower/v950/reduce.h"

uint64_t reduce_start(UopId op, DType t) {
    bool max = op == U_VCMAX;
    if (!dtype_is_float(t)) return max ? dtype_lowest(t) : dtype_highest(t);
    uint64_t inf = t == DT_F32 ? 0x7f800000 : t == DT_F16 ? 0x7c00 : 0x7f80;
    return max ? inf | (1ull << (8 * dtype_size(t) - 1)) : inf;
}

static Walk updated(Walk w) {
    w.post = true;
    return w;
}

/* ---- rows: a reduction per chunk, joined with the row's accumulator in lane 0 ---- */

enum { P_ONE, P_CHUNK, P_ODD };
enum { V_ACC, V_SRC, V_PART, V_EVEN, V_ODD };

typedef struct RowReduce {
    LowerCtx *c;
    const Tile *d, *s;
    UopId reduce, join;
    DType t, acc;      /* of the elements; of the accumulator */
} RowReduce;

static void vcvt(LowerCtx *c, DType to, DType from, int dst, int src, int part, int p) {
    VfInstr *i = vf_op(c, U_VCONV, to, dst, src, VF_NONE, p);
    i->dtype2 = (uint8_t)from;
    i->mode = (uint8_t)(ROUND_RINT | part << 4);
}

static void extreme(const RowReduce *r, DType t, int dst, int src, int p) {
    VfInstr *i = vf_op(r->c, r->reduce, t, dst, src, VF_NONE, p);
    i->mode = ORDER_ONLY_VALUE;
    i->imm = reduce_start(r->reduce, t);
}

/* 8-bit elements are reduced as two registers of 16-bit lanes. The predicate of the bytes enables an
 * odd lane when its even neighbour is valid; without a count of its own, an odd number of columns
 * would let in one element too many, as in the library. */
static void reduce_bytes(const RowReduce *r) {
    LowerCtx *c = r->c;
    DType wide = r->t == DT_U8 ? DT_U16 : DT_F16;
    int odd = P_CHUNK;
    if (!c->target->sem.library) {
        odd = P_ODD;
        vf_plt(c, r->t, P_ODD, walk_count(r->s->vcols - 1, 1, epr(r->s)));
    }
    vcvt(c, wide, r->t, V_EVEN, V_SRC, 0, P_CHUNK);
    vcvt(c, wide, r->t, V_ODD, V_SRC, 1, odd);
    extreme(r, wide, V_EVEN, V_EVEN, P_CHUNK);
    extreme(r, wide, V_ODD, V_ODD, odd);
    vf_op(c, r->join, wide, V_PART, V_EVEN, V_ODD, P_ONE);
    vcvt(c, r->t, wide, V_PART, V_PART, 0, P_ONE);
}

static void row_chunk(const RowReduce *r) {
    LowerCtx *c = r->c;
    uint32_t E = epr(r->s);
    vf_plt(c, r->t, P_CHUNK, walk_count(r->s->vcols, 1, E));
    vf_load(c, r->t, V_SRC, updated(walk_tile(r->s, 0, 0, 1, E)));
    if (tile_esize(r->s) == 1) reduce_bytes(r);
    else if (r->reduce == U_VCADD) vf_op(c, U_VCADD, r->t, V_PART, V_SRC, VF_NONE, P_CHUNK)->dtype2 = (uint8_t)r->acc;
    else extreme(r, r->t, V_PART, V_SRC, P_CHUNK);
    vf_op(c, r->join, r->acc, V_ACC, V_ACC, V_PART, P_ONE);
}

void v950_row_reduce(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    bool sum = variant == U_VCADD;
    RowReduce r = {c, d, s, (UopId)variant, sum ? U_VADD : variant == U_VCMAX ? U_VMAX : U_VMIN,
                   t, sum && t == DT_I16 ? DT_I32 : t};
    vf_open(c, sum ? "row sum" : variant == U_VCMAX ? "row maximum" : "row minimum");
    vf_plt(c, t, P_ONE, walk_count(1, 0, 0));
    vf_loop(c, s->vrows);
    vf_scalar(c, U_VBR, r.acc, V_ACC, VF_NONE, sum ? 0 : reduce_start((UopId)variant, t), VF_NONE);
    vf_loop(c, ceil_div(s->vcols, epr(s)));
    row_chunk(&r);
    vf_end(c);
    if (r.acc != t) vcvt(c, t, r.acc, V_ACC, V_ACC, 0, P_ONE);
    vf_store(c, t, updated(walk_tile(d, 0, 0, 1, 0)), V_ACC, P_ONE)->dist = DIST_ONEPT;
    vf_end(c);
    vf_close(c);
}

/* A product per lane, then as many halvings as lanes have bits: the accumulator is interleaved with
 * ones and both halves are multiplied. */
void v950_row_prod(LowerCtx *c, const Instr *i, int variant) {
    enum { P_LANES, P_LIVE, V_FACTOR = V_SRC, V_ONES = V_ODD + 1 };
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    uint32_t E = epr(s);
    uint64_t one = dtype_from_double(t, 1, ROUND_RINT);
    vf_open(c, "row product");
    vf_scalar(c, U_VBR, t, V_ONES, VF_NONE, one, VF_NONE);
    vf_plt(c, t, P_LANES, walk_count(E, 0, 0));
    vf_loop(c, s->vrows);
    vf_scalar(c, U_VBR, t, V_ACC, VF_NONE, one, VF_NONE);
    vf_loop(c, ceil_div(s->vcols, E));
    vf_plt(c, t, P_LIVE, walk_count(s->vcols, 1, E));
    vf_load(c, t, V_FACTOR, walk_tile(s, 0, 0, 1, E));
    vf_op(c, (UopId)variant, t, V_ACC, V_ACC, V_FACTOR, P_LIVE)->merging = true;
    vf_end(c);
    vf_loop(c, tile_esize(s) == 2 ? 7 : 6);
    vf_op(c, U_VINTLV, t, V_EVEN, V_ACC, V_ONES, VF_NONE)->dst2 = V_ODD;
    vf_op(c, (UopId)variant, t, V_ACC, V_EVEN, V_ODD, P_LANES);
    vf_end(c);
    vf_store(c, t, walk_tile(d, 0, 0, 1, 0), V_ACC, P_LANES)->dist = DIST_ONEPT;
    vf_end(c);
    vf_close(c);
}

/* ---- columns: rows in pairs, each pair joined with the accumulator ---- */

enum { W_ACC, W_FIRST, W_SECOND, W_PAIR };

static void col_pairs(LowerCtx *c, const Instr *i, UopId op) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    uint32_t E = epr(s), pairs = (s->vrows - 1) / 2;
    int32_t chunk = REPEAT_BYTES, two_rows = (int32_t)(2 * tile_row_stride(s) * tile_esize(s));
    Walk first = {tile_elem_addr(s, 1, 0), {chunk, two_rows, 0, 0}, true};
    Walk second = {tile_elem_addr(s, 2, 0), {chunk, two_rows, 0, 0}, true};
    Walk last = {tile_elem_addr(s, s->vrows - 1, 0), {chunk, 0, 0, 0}, false};
    vf_loop(c, ceil_div(s->vcols, E));
    vf_plt(c, t, 0, walk_count(s->vcols, 0, E));
    vf_load(c, t, W_ACC, updated(walk_by(s, 0, E)));
    vf_loop(c, pairs);
    vf_load(c, t, W_FIRST, first);
    vf_load(c, t, W_SECOND, second);
    vf_op(c, op, t, W_PAIR, W_FIRST, W_SECOND, 0);
    vf_op(c, op, t, W_ACC, W_ACC, W_PAIR, 0);
    vf_end(c);
    if (s->vrows % 2 == 0) {
        vf_load(c, t, W_FIRST, last);
        vf_op(c, op, t, W_ACC, W_ACC, W_FIRST, 0);
    }
    vf_store(c, t, updated(walk_by(d, 0, E)), W_ACC, 0);
    vf_end(c);
}

/* Rows of one level of the tree, in the source or in tmp: neighbours into a row of tmp, an odd last
 * one onto the last sum. */
static void tree_level(LowerCtx *c, const Tile *from, const Tile *tmp, uint32_t rows) {
    DType t = from->type.dtype;
    int32_t chunk = from == tmp ? 0 : REPEAT_BYTES, pitch = (int32_t)(tile_row_stride(from) * tile_esize(from));
    int32_t tmp_pitch = (int32_t)(tile_row_stride(tmp) * tile_esize(tmp));
    uint32_t pairs = rows / 2, onto = pairs ? pairs - 1 : 0;
    vf_loop(c, pairs);
    vf_load(c, t, W_FIRST, (Walk){from->addr, {chunk, 2 * pitch, 0, 0}, false});
    vf_load(c, t, W_SECOND, (Walk){from->addr + pitch, {chunk, 2 * pitch, 0, 0}, false});
    vf_op(c, U_VADD, t, W_ACC, W_FIRST, W_SECOND, 0);
    vf_store(c, t, (Walk){tmp->addr, {0, tmp_pitch, 0, 0}, false}, W_ACC, 0);
    vf_end(c);
    if (rows % 2) {
        vf_load(c, t, W_FIRST, (Walk){from->addr + (int64_t)(rows - 1) * pitch, {chunk, 0, 0, 0}, false});
        vf_op(c, U_VADD, t, W_ACC, W_FIRST, W_ACC, 0);
        vf_store(c, t, (Walk){tmp->addr + (int64_t)onto * tmp_pitch, {0, 0, 0, 0}, false}, W_ACC, 0);
    }
}

/* A binary tree through tmp, one chunk of columns after the other. */
static void col_tree(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    uint32_t E = epr(s);
    vf_loop(c, ceil_div(s->vcols, E));
    vf_plt(c, t, 0, walk_count(s->vcols, 0, E));
    vf_scalar(c, U_VBR, t, W_ACC, VF_NONE, 0, VF_NONE);
    tree_level(c, s, i->tmp, s->vrows);
    for (uint32_t rows = s->vrows / 2; rows > 1; rows /= 2) tree_level(c, i->tmp, i->tmp, rows);
    vf_store(c, t, walk_by(d, 0, E), W_ACC, 0);
    vf_end(c);
}

void v950_col_reduce(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    if (!s->vrows || !s->vcols) return;
    vf_open(c, uop_info[variant].name);
    if (i->tmp && s->vrows > 1 && s->type.dtype != DT_F16) col_tree(c, i); /* the library ignores tmp for f16 */
    else col_pairs(c, i, (UopId)variant);
    vf_close(c);
}

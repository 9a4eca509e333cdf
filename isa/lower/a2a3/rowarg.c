/* TROWARGMAX, TROWARGMIN (TRowReduceIdxOps): one, two or three levels of vcmax / vcmin with the
 * intermediate (value, index) pairs in tmp, then a scalar decode. */
#include "isa/lower/a2a3/emit.h"

enum { REG_VALUE = 1, REG_GROUP, REG_INDEX, REG_COLUMN };

typedef struct RowArg {
    LowerCtx *c;
    UopId op;
    const Tile *src, *tmp, *idx, *val; /* val NULL: index only */
    DType t, u, it;                    /* value, pair index (u16/u32), result index */
    uint32_t R, C, E, es, B;           /* rows, columns, elements per repeat, element size, elements per block */
} RowArg;

static uint32_t up(const RowArg *a, uint32_t n) { return round_up(n, a->B); }

static void full_norm(const RowArg *a) {
    emit_mask_norm(a->c);
    emit_mask_full(a->c);
}

/* Rows as repeats, 255 at a time; a row count that is a multiple of 255 ends with repeat 0. */
static void reduce_rows(const RowArg *a, int order, uint32_t dst, uint32_t drpt, uint32_t row_bytes) {
    emit_row_loop(a->c);
    for (uint32_t done = 0;; done += MAX_REPEAT) {
        uint32_t rep = min_u32(a->R - done, MAX_REPEAT);
        emit_reduce(a->c, a->op, a->t, order, rep, dst + done * row_bytes, drpt, tile_elem_addr(a->src, done, 0), row_blocks(a->src));
        emit_barrier(a->c);
        if (rep < MAX_REPEAT) break;
    }
}

/* Case 1, index only: straight to the destination. */
static void one_level_index(const RowArg *a) {
    uint32_t dc = a->idx->type.cols;
    uopbuf_stage(a->c->out, uop_info[a->op].name);
    if (a->C == a->E) {
        emit_mask_count(a->c);
        emit_count(a->c, (uint64_t)a->R * a->E);
        emit_reduce(a->c, a->op, a->t, ORDER_ONLY_INDEX, 0, (uint32_t)a->idx->addr, dc, (uint32_t)a->src->addr, row_blocks(a->src));
        emit_barrier(a->c);
    } else {
        emit_mask_norm(a->c);
        emit_mask_lanes(a->c, a->C);
        reduce_rows(a, ORDER_ONLY_INDEX, (uint32_t)a->idx->addr, dc, 4 * dc);
    }
    full_norm(a);
}

/* Pairs of 2 elements a row, packed in tmp. The library relies on norm mode here. */
static void one_level_pairs(const RowArg *a) {
    uopbuf_stage(a->c->out, uop_info[a->op].name);
    uint32_t tmp = (uint32_t)a->tmp->addr;
    if (a->C == a->E) {
        emit_mask_count(a->c);
        emit_count(a->c, (uint64_t)a->R * a->E);
        emit_reduce(a->c, a->op, a->t, ORDER_VALUE_INDEX, 0, tmp, 1, (uint32_t)a->src->addr, row_blocks(a->src));
        emit_barrier(a->c);
    } else {
        emit_mask_lanes(a->c, a->C);
        reduce_rows(a, ORDER_VALUE_INDEX, tmp, 1, 2 * a->es);
    }
}

/* 16-bit indices under a 32-bit result: widened in place through float. */
static void widen_index(const RowArg *a) {
    uint32_t at = (uint32_t)a->idx->addr;
    uopbuf_stage(a->c->out, "vconv");
    emit_count(a->c, a->R);
    emit_vec(a->c, U_VCONV, DT_F32, 0, at, 8, at, 4, 0, 0)->dtype2 = DT_I16;
    emit_barrier(a->c);
    Uop *u = emit_vec(a->c, U_VCONV, DT_I32, 0, at, 8, at, 8, 0, 0);
    u->dtype2 = DT_F32;
    u->mode = ROUND_TRUNC;
    emit_barrier(a->c);
}

static void scalar_extract(const RowArg *a) {
    uint32_t tmp = (uint32_t)a->tmp->addr;
    uopbuf_stage(a->c->out, "scalar extraction");
    emit_flag(a->c, PIPE_V, PIPE_S);
    if (a->idx->type.cols != 1)
        for (uint32_t r = 0; r < a->R; r++) {
            emit_s_load(a->c, REG_INDEX, a->u, tmp + (2 * r + 1) * a->es);
            emit_s_store(a->c, a->it, tile_elem_addr(a->idx, r, 0), REG_INDEX);
            emit_s_iteration(a->c);
        }
    if (a->val->type.cols != 1)
        for (uint32_t r = 0; r < a->R; r++) {
            emit_s_load(a->c, REG_VALUE, a->t, tmp + 2 * r * a->es);
            emit_s_store(a->c, a->t, tile_elem_addr(a->val, r, 0), REG_VALUE);
            emit_s_iteration(a->c);
        }
    emit_flag(a->c, PIPE_S, PIPE_V);
}

static void one_level_both(const RowArg *a) {
    one_level_pairs(a);
    uint32_t tmp = (uint32_t)a->tmp->addr;
    bool val_column = a->val->type.cols == 1, idx_column = a->idx->type.cols == 1;
    if (val_column || idx_column) {
        uopbuf_stage(a->c->out, "vreducev2");
        emit_mask_count(a->c);
        emit_count(a->c, 2ull * a->R);
        if (val_column) {
            emit_gather(a->c, a->t, 1, (uint32_t)a->val->addr, tmp);
            emit_barrier(a->c);
        }
        if (idx_column) {
            emit_gather(a->c, a->u, 2, (uint32_t)a->idx->addr, tmp);
            emit_barrier(a->c);
            if (tile_esize(a->idx) != a->es) widen_index(a);
        }
    }
    full_norm(a);
    if (!val_column || !idx_column) scalar_extract(a);
}

/* Element offsets inside a row's part of tmp. */
typedef struct Plan {
    uint32_t R1, R2;
    uint32_t V1;     /* level-1 values; level-1 pairs, later indices, start at 0 */
    uint32_t P2, V2; /* level-2 pairs and values (three levels) */
    uint32_t last;   /* final (value, index) pair */
} Plan;

static Plan plan_row(const RowArg *a) {
    Plan p = {.R1 = ceil_div(a->C, a->E)};
    p.V1 = up(a, 2 * p.R1);
    p.last = p.V1;
    if (p.R1 > a->E) {
        p.R2 = ceil_div(p.R1, a->E);
        p.P2 = up(a, p.R1);
        p.last = p.V2 = p.P2 + up(a, 2 * p.R2);
    }
    return p;
}

/* n pairs at `pairs` become n values at `values` and n indices at `pairs`. */
static void split_pairs(const RowArg *a, uint32_t n, uint32_t pairs, uint32_t values, const char *vname, const char *iname) {
    emit_count(a->c, 2ull * n);
    uopbuf_stage(a->c->out, vname);
    emit_gather(a->c, a->t, 1, values, pairs);
    emit_barrier(a->c);
    uopbuf_stage(a->c->out, iname);
    emit_gather(a->c, a->t, 2, pairs, pairs);
    emit_barrier(a->c);
}

/* count elements from src to pairs at dst. */
static void reduce_run(const RowArg *a, uint32_t count, uint32_t dst, uint32_t src, uint32_t rep, uint32_t srpt, const char *name) {
    uopbuf_stage(a->c->out, name);
    emit_count(a->c, count);
    emit_reduce(a->c, a->op, a->t, ORDER_VALUE_INDEX, rep, dst, 1, src, srpt);
    emit_barrier(a->c);
}

static uint32_t tmp_row(const RowArg *a, uint32_t r) {
    return (uint32_t)a->tmp->addr + r * a->tmp->type.cols * tile_esize(a->tmp);
}

static void reduce_row(const RowArg *a, const Plan *p, uint32_t r) {
    bool min = a->op == U_VCMIN;
    uint32_t row = tmp_row(a, r), es = a->es;
    reduce_run(a, a->C, row, tile_elem_addr(a->src, r, 0), 0, 8, min ? "vcmin rows" : "vcmax rows");
    split_pairs(a, p->R1, row, row + p->V1 * es, "vreducev2 values", "vreducev2 indices");
    uint32_t values = p->V1, n = p->R1;
    if (p->R2) {
        reduce_run(a, p->R1, row + p->P2 * es, row + p->V1 * es, 0, 8, min ? "vcmin level 2" : "vcmax level 2");
        split_pairs(a, p->R2, row + p->P2 * es, row + p->V2 * es, "vreducev2 values 2", "vreducev2 indices 2");
        values = p->V2;
        n = p->R2;
    }
    reduce_run(a, n, row + values * es, row + values * es, 1, 0, min ? "vcmin final" : "vcmax final");
}

/* Group numbers lead from the final pair back to the column. */
static void decode_row(const RowArg *a, const Plan *p, uint32_t r) {
    uint32_t row = tmp_row(a, r), es = a->es;
    emit_s_load(a->c, REG_GROUP, a->u, row + (p->last + 1) * es);
    if (p->R2) {
        emit_s_load_indexed(a->c, REG_INDEX, a->u, row + p->P2 * es, REG_GROUP, es);
        emit_s_madd(a->c, REG_GROUP, a->it, REG_GROUP, a->E, REG_INDEX);
    }
    emit_s_load_indexed(a->c, REG_INDEX, a->u, row, REG_GROUP, es);
    emit_s_madd(a->c, REG_COLUMN, a->it, REG_GROUP, a->E, REG_INDEX);
    emit_s_store(a->c, a->it, tile_elem_addr(a->idx, r, 0), REG_COLUMN);
    if (a->val) {
        emit_s_load(a->c, REG_VALUE, a->t, row + p->last * es);
        emit_s_store(a->c, a->t, tile_elem_addr(a->val, r, 0), REG_VALUE);
    }
    emit_s_iteration(a->c);
}

static void more_levels(const RowArg *a) {
    Plan p = plan_row(a);
    uopbuf_stage(a->c->out, "mask");
    emit_mask_count(a->c);
    for (uint32_t r = 0; r < a->R; r++) reduce_row(a, &p, r);
    uopbuf_stage(a->c->out, "mask");
    full_norm(a);
    uopbuf_stage(a->c->out, "scalar decode");
    emit_flag(a->c, PIPE_V, PIPE_S);
    for (uint32_t r = 0; r < a->R; r++) decode_row(a, &p, r);
    emit_flag(a->c, PIPE_S, PIPE_V);
}

void a2a3_rowarg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    bool both = i->nout == 2;
    RowArg a = {.c = c, .op = (UopId)variant, .src = s, .tmp = i->tmp, .idx = i->out[both], .val = both ? i->out[0] : NULL,
                .t = s->type.dtype, .R = s->vrows, .C = s->vcols, .E = epr(s), .es = tile_esize(s), .B = epb(s)};
    a.u = a.es == 4 ? DT_U32 : DT_U16;
    a.it = a.idx->type.dtype;
    if (!a.R || !a.C) return;
    if (a.C > a.E) more_levels(&a);
    else if (both) one_level_both(&a);
    else one_level_index(&a);
}

/* Documented stride formulas of the seeds, and what the stages above really touch. */
TmpNeed tmp_rowarg(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    TmpNeed none = {0};
    if (t->family != FAMILY_A2A3 || !s->vrows || !s->vcols) return none;
    RowArg a = {.C = s->vcols, .E = epr(s), .B = epb(s)};
    if (a.C <= a.E) return i->nout == 2 ? (TmpNeed){1, 2 * s->vrows, 2 * s->vrows} : none;
    Plan p = plan_row(&a);
    TmpNeed n = {.rows = s->vrows, .doc_cols = p.V1 + up(&a, p.R1), .real_cols = p.V1 + max_u32(p.R1, 2)};
    if (p.R2) n.doc_cols = max_u32(p.V1, p.V2) + 2;
    return n;
}

/* TCOLARGMAX, TCOLARGMIN (TColReduceIdx): a running best and its row per lane; a strictly better row
 * replaces it, so the first of equal rows stays. Rows are counted in lanes as wide as the values (bytes:
 * 16 bits) and widened in the end where the index tile is wider. tmp is not used. */
#include "isa/lower/v950/vf.h"

enum { V_BEST, V_NEW, V_ROW, V_COUNT, V_WIDE = 8, V_EVEN = 12, V_ODD };
enum { P_LIVE, P_BETTER = 8, HALVES = 2 };

typedef struct ColArg {
    LowerCtx *c;
    UopId compare;
    const Tile *s, *idx, *val;
    DType t, work, count;   /* of the elements; of what is compared; of the counters */
    uint32_t E, step;       /* elements per register; index elements per register */
} ColArg;

/* Bytes take two sets of registers, for even and odd elements. */
static int sets(const ColArg *w) { return w->work != w->t ? HALVES : 1; }
static int reg(int v, int set) { return v + 4 * set; }

static void vcvt(const ColArg *w, DType to, DType from, int dst, int src, int part) {
    VfInstr *i = vf_op(w->c, U_VCONV, to, dst, src, VF_NONE, VF_NONE);
    i->dtype2 = (uint8_t)from;
    i->mode = (uint8_t)(part << 4);
}

static void load_row(const ColArg *w, int v, Walk at) {
    if (sets(w) == 1) {
        vf_load(w->c, w->t, v, at);
        return;
    }
    vf_load(w->c, w->t, V_EVEN, at);
    for (int k = 0; k < HALVES; k++) vcvt(w, w->work, w->t, reg(v, k), V_EVEN, k);
}

static void better_row(const ColArg *w, int set) {
    int best = reg(V_BEST, set), new = reg(V_NEW, set), row = reg(V_ROW, set), count = reg(V_COUNT, set);
    vf_scalar(w->c, U_VADDS, w->count, count, count, 1, VF_NONE);
    vf_compare(w->c, w->compare, w->work, P_BETTER, new, best, VF_NONE);
    vf_select(w->c, w->count, row, count, row, P_BETTER);
    vf_select(w->c, w->work, best, new, best, P_BETTER);
}

/* Index registers leave in turn; the count of live lanes goes on from one to the next. */
static void store_indices(const ColArg *w, int v, uint32_t part) {
    DType it = w->idx->type.dtype;
    Walk to = walk_by(w->idx, 0, w->E), live = walk_count(w->s->vcols, 0, w->E);
    to.base += part * REPEAT_BYTES;
    live.base -= part * w->step;
    vf_plt(w->c, it, P_LIVE, live);
    vf_store(w->c, it, to, v, P_LIVE);
}

/* 16-bit rows to two registers of 32-bit indices. */
static void widen(const ColArg *w, int rows, uint32_t part) {
    DType it = w->idx->type.dtype;
    vcvt(w, it, DT_I16, V_EVEN, rows, 0);
    vcvt(w, it, DT_I16, V_ODD, rows, 1);
    vf_op(w->c, U_VINTLV, it, V_EVEN, V_EVEN, V_ODD, VF_NONE)->dst2 = V_ODD;
    store_indices(w, V_EVEN, part);
    store_indices(w, V_ODD, part + 1);
}

static void store_rows(const ColArg *w) {
    if (dtype_size(w->count) == tile_esize(w->idx)) {
        store_indices(w, V_ROW, 0);
    } else if (sets(w) == 1) {
        widen(w, V_ROW, 0);
    } else {
        vf_op(w->c, U_VINTLV, DT_I16, V_WIDE + 6, reg(V_ROW, 0), reg(V_ROW, 1), VF_NONE)->dst2 = V_WIDE + 7;
        widen(w, V_WIDE + 6, 0);
        widen(w, V_WIDE + 7, 2);
    }
}

static void store_values(const ColArg *w) {
    vf_plt(w->c, w->t, P_LIVE, walk_count(w->s->vcols, 0, w->E));
    vf_store(w->c, w->t, walk_by(w->val, 0, w->E), V_BEST, P_LIVE);
}

void v950_colarg(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0], *idx = i->out[i->nout - 1];
    DType t = s->type.dtype;
    bool bytes = tile_esize(s) == 1;
    ColArg w = {c, variant == U_VMAX ? U_VCMP_GT : U_VCMP_LT, s, idx, i->nout == 2 ? i->out[0] : NULL, t,
                t == DT_U8 ? DT_U16 : t == DT_I8 ? DT_I16 : t, tile_esize(s) == 4 ? DT_I32 : DT_I16, epr(s), epr(idx)};
    Walk first = walk_by(s, 0, w.E), next = {tile_elem_addr(s, 1, 0), {REPEAT_BYTES, (int32_t)(tile_row_stride(s) * tile_esize(s)), 0, 0}, false};
    vf_open(c, variant == U_VMAX ? "column maximum" : "column minimum");
    vf_loop(c, ceil_div(s->vcols, w.E));
    for (int k = 0; k <= bytes; k++) {
        vf_scalar(c, U_VDUPR, w.count, reg(V_ROW, k), VF_NONE, 0, VF_NONE);
        vf_scalar(c, U_VDUPR, w.count, reg(V_COUNT, k), VF_NONE, 0, VF_NONE);
    }
    load_row(&w, V_BEST, first);
    vf_loop(c, s->vrows - 1);
    load_row(&w, V_NEW, next);
    for (int k = 0; k <= bytes; k++) better_row(&w, k);
    vf_end(c);
    store_rows(&w);
    if (w.val) store_values(&w);
    vf_end(c);
    vf_close(c);
}

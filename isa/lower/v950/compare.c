/* TCMP, TCMPS (TCmp, TCmps): a comparison per register, stored as bits. Two registers of 32-bit lanes
 * share one store. */
#include "isa/lower/v950/vf.h"

enum { P_CHUNK, P_FIRST, P_SECOND, P_BITS };

typedef struct Compare {
    LowerCtx *c;
    const Tile *d, *a, *b; /* b NULL: the scalar */
    uint64_t scalar;
    UopId op;
    DType t;
    uint32_t E;
} Compare;

/* Places of the modes behind "less than" among the micro-ops. */
static const int place_of[] = {[CMP_EQ] = 4, [CMP_NE] = 5, [CMP_LT] = 0, [CMP_LE] = 1, [CMP_GT] = 2, [CMP_GE] = 3};

/* The library reads the second source of the first register with the pitch of the first source, and
 * the first source of the second register with the pitch of the second. */
static Walk source(const Compare *w, const Tile *t, const Tile *pitch, uint32_t col, uint32_t step) {
    Walk walk = walk_tile(t, 0, col, 1, step);
    if (w->c->target->sem.library) walk.step[0] = (int32_t)(tile_row_stride(pitch) * tile_esize(pitch));
    return walk;
}

static void compare(const Compare *w, int v, uint32_t col, uint32_t step, int pd) {
    vf_load(w->c, w->t, v, source(w, w->a, col && w->b ? w->b : w->a, col, step));
    if (w->b) vf_load(w->c, w->t, v + 1, source(w, w->b, col ? w->b : w->a, col, step));
    vf_plt(w->c, w->t, P_CHUNK, walk_count(w->a->vcols - col, 1, step));
    VfInstr *i = vf_op(w->c, w->op, w->t, VF_NONE, v, w->b ? v + 1 : VF_NONE, P_CHUNK);
    i->pd = (uint8_t)pd;
    i->imm = w->scalar;
}

static void store_bits(const Compare *w, int p, DType lanes, uint32_t step) {
    int32_t pitch = (int32_t)(tile_row_stride(w->d) * tile_esize(w->d));
    VfInstr *i = vf_store(w->c, lanes, (Walk){w->d->addr, {pitch, (int32_t)(step / 8), 0, 0}, false}, VF_NONE, p);
    i->op = U_PSTS;
    i->dist = lanes == DT_U8 ? DIST_NORM : DIST_PK;
}

static void one_register(const Compare *w) {
    compare(w, 0, 0, w->E, P_FIRST);
    store_bits(w, P_FIRST, w->t == DT_I8 || w->t == DT_U8 ? DT_U8 : DT_U16, w->E);
}

static void two_registers(const Compare *w) {
    uint32_t step = 2 * w->E;
    compare(w, 0, 0, step, P_FIRST);
    compare(w, 2, w->E, step, P_SECOND);
    VfInstr *i = vf_op(w->c, U_PDINTLV, DT_U8, VF_NONE, VF_NONE, VF_NONE, P_FIRST);
    i->pg2 = P_SECOND;
    i->pd = P_BITS;
    store_bits(w, P_BITS, DT_U16, step);
}

void v950_compare(LowerCtx *c, const Instr *i, int variant) {
    const Tile *a = i->in[0];
    bool tiles = i->nin > 1;
    Compare w = {c, i->out[0], a, tiles ? i->in[1] : NULL, i->scalar, (UopId)((tiles ? U_VCMP_LT : U_VCMPS_LT) + place_of[i->cmp]), a->type.dtype, epr(a)};
    bool pairs = tile_esize(a) == 4;
    (void)variant;
    vf_open(c, "compare");
    vf_loop(c, a->vrows);
    vf_loop(c, ceil_div(a->vcols, pairs ? 2 * w.E : w.E));
    if (pairs) two_registers(&w);
    else one_register(&w);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

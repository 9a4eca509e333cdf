/* TSEL, TSELS: the packed bit mask, lowest bit first, becomes a predicate. The scalar fills a register
 * ahead of the loops. */
#include "isa/lower/v950/vf.h"

enum { P_MASK, P_FIRST, P_SECOND, P_CHUNK };

enum { V_SCALAR = 8 };

typedef struct Select {
    LowerCtx *c;
    const Tile *d, *mask, *s0, *s1; /* s1 NULL: the scalar */
    DType t;
    uint32_t lanes;
} Select;

/* Mask bits of column `col` of each row on, `step` columns more per inner iteration. */
static void load_mask(const Select *s, DType lanes, uint32_t col, uint32_t step) {
    uint32_t pitch = tile_row_stride(s->mask) * tile_esize(s->mask);
    vf_load_mask(s->c, lanes, P_MASK, (Walk){s->mask->addr + col / 8, {(int32_t)pitch, (int32_t)(step / 8), 0, 0}, false});
}

static void load_pair(const Select *s, int v, uint32_t col, uint32_t step) {
    vf_load(s->c, s->t, v, walk_tile(s->s0, 0, col, 1, step));
    if (s->s1) vf_load(s->c, s->t, v + 1, walk_tile(s->s1, 0, col, 1, step));
}

/* From the pair of registers at v. */
static void choose(const Select *s, int out, int v, int p) { vf_select(s->c, s->t, out, v, s->s1 ? v + 1 : V_SCALAR, p); }

static void store(const Select *s, int v, uint32_t col, uint32_t step) {
    vf_plt(s->c, s->t, P_CHUNK, walk_count(s->d->vcols - col, 1, step));
    vf_store(s->c, s->t, walk_tile(s->d, 0, col, 1, step), v, P_CHUNK);
}

/* One mask load serves two chunks of 32-bit lanes. */
static void two_chunks(const Select *s) {
    uint32_t step = 2 * s->lanes;
    load_mask(s, DT_U16, 0, step);
    vf_predicate(s->c, U_PINTLV, DT_U16, P_FIRST, P_MASK, 0);
    vf_predicate(s->c, U_PINTLV, DT_U16, P_SECOND, P_MASK, 1);
    load_pair(s, 0, 0, step);
    load_pair(s, 2, s->lanes, step);
    choose(s, 4, 0, P_FIRST);
    choose(s, 5, 2, P_SECOND);
    store(s, 4, 0, step);
    store(s, 5, s->lanes, step);
}

static void odd_chunk(const Select *s, uint32_t col) {
    load_mask(s, DT_U16, col, 0);
    vf_predicate(s->c, U_PUNPACK, DT_U32, P_FIRST, P_MASK, 0);
    load_pair(s, 0, col, 0);
    choose(s, 2, 0, P_FIRST);
    store(s, 2, col, 0);
}

static void wide_lanes(const Select *s) {
    uint32_t chunks = ceil_div(s->d->vcols, s->lanes), pairs = chunks / 2;
    if (pairs) {
        vf_loop(s->c, s->d->vrows);
        vf_loop(s->c, pairs);
        two_chunks(s);
        vf_end(s->c);
        vf_end(s->c);
    }
    if (chunks % 2) {
        vf_loop(s->c, s->d->vrows);
        odd_chunk(s, 2 * pairs * s->lanes);
        vf_end(s->c);
    }
}

/* TSEL of the library advances the mask of 8-bit lanes like that of 16-bit lanes, by half of what it reads. */
static void narrow_lanes(const Select *s) {
    bool bytes = s->lanes == REPEAT_BYTES, half = bytes && s->s1 && s->c->target->sem.library;
    vf_loop(s->c, s->d->vrows);
    vf_loop(s->c, ceil_div(s->d->vcols, s->lanes));
    load_pair(s, 0, 0, s->lanes);
    load_mask(s, bytes ? DT_U8 : DT_U16, 0, half ? s->lanes / 2 : s->lanes);
    vf_plt(s->c, s->t, P_CHUNK, walk_count(s->d->vcols, 1, s->lanes));
    choose(s, 2, 0, P_MASK);
    vf_store(s->c, s->t, walk_tile(s->d, 0, 0, 1, s->lanes), 2, P_CHUNK);
    vf_end(s->c);
    vf_end(s->c);
}

void v950_sel(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    const Tile *d = i->out[0];
    Select s = {c, d, i->in[0], i->in[1], i->nin > 2 ? i->in[2] : NULL, d->type.dtype, epr(d)};
    vf_open(c, "select");
    if (!s.s1) vf_scalar(c, U_VDUPR, s.t, V_SCALAR, VF_NONE, i->scalar, VF_NONE);
    if (tile_esize(d) == 4) wide_lanes(&s);
    else narrow_lanes(&s);
    vf_close(c);
}

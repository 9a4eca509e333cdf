/* TROWEXPAND: lane 0 of the row's first register fills a register, which is stored over the row.
 * TCOLEXPAND stores a register of the row into every row. TROWEXPANDADD, TCOLEXPANDADD and siblings
 * combine such a register with another tile. */
#include "isa/lower/v950/vf.h"

/* A column whose elements become one block each, and nothing but these blocks: by the types, as on a2a3. */
static bool is_block_shape(const Tile *d, const Tile *s) {
    bool full = tile_static_full_cols(d) && d->type.vrows == (int32_t)d->type.rows && s->type.vrows == (int32_t)s->type.rows;
    return full && tile_esize(s) > 1 && d->type.cols == epb(d) && s->type.blayout == COL_MAJOR && s->type.cols == 1 && s->type.rows == d->type.rows;
}

static void expand_blocks(LowerCtx *c, const Tile *d, const Tile *s) {
    DType t = d->type.dtype;
    vf_plt(c, t, 0, walk_count(epr(d), 0, 0));
    vf_loop(c, d->vrows / BLOCKS_PER_REPEAT);
    vf_load(c, t, 0, walk_by(s, 0, BLOCKS_PER_REPEAT))->dist = DIST_E2B;
    vf_store(c, t, walk_by(d, 0, epr(d)), 0, 0);
    vf_end(c);
}

/* A column-major source is read at the address of each element; the library primes an alignment
 * register for that. */
void v950_row_expand(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = d->type.dtype;
    uint32_t E = epr(d);
    Walk from = walk_tile(s, 0, 0, 1, 0), to = walk_tile(d, 0, 0, 1, E);
    from.post = to.post = s->type.blayout == ROW_MAJOR;
    vf_open(c, "expand rows");
    if (is_block_shape(d, s)) {
        expand_blocks(c, d, s);
        vf_close(c);
        return;
    }
    vf_loop(c, d->vrows);
    vf_load(c, t, 0, from);
    vf_op(c, (UopId)variant, t, 1, 0, VF_NONE, VF_NONE);
    vf_loop(c, ceil_div(d->vcols, E));
    vf_plt(c, t, 0, walk_count(d->vcols, 1, E));
    vf_store(c, t, to, 1, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

void v950_col_expand(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = d->type.dtype;
    uint32_t E = epr(d);
    Walk from = walk_by(s, 0, E), to = {d->addr, {REPEAT_BYTES, (int32_t)(tile_row_stride(d) * tile_esize(d)), 0, 0}, true};
    from.post = true;
    (void)variant;
    vf_open(c, "expand columns");
    vf_loop(c, ceil_div(d->vcols, E));
    vf_load(c, t, 0, from);
    vf_plt(c, t, 0, walk_count(d->vcols, 0, E));
    vf_loop(c, d->vrows);
    vf_store(c, t, to, 0, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

enum { V_FULL, V_ONE, V_RESULT, V_ELEMENT };

typedef struct ExpandBin {
    LowerCtx *c;
    UopId op;
    const Tile *d, *full, *one;
    bool swap; /* the expanded tile is the first operand */
    DType t;
    uint32_t E;
} ExpandBin;

static ExpandBin open_bin(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    bool swap = d->vrows != i->in[0]->vrows || d->vcols != i->in[0]->vcols;
    return (ExpandBin){c, (UopId)variant, d, i->in[swap], i->in[!swap], swap, d->type.dtype, epr(d)};
}

/* f32 has one operation for the exponential of a difference. */
static void combine(const ExpandBin *w) {
    int a = w->swap ? V_ONE : V_FULL, b = w->swap ? V_FULL : V_ONE;
    if (w->op == U_VEXPDIF && w->t != DT_F32) {
        vf_op(w->c, U_VSUB, w->t, V_RESULT, a, b, 0);
        vf_op(w->c, U_VEXP, w->t, V_RESULT, V_RESULT, VF_NONE, 0);
    } else {
        vf_op(w->c, w->op, w->t, V_RESULT, a, b, 0);
    }
}

static void combine_chunk(const ExpandBin *w, int level, Walk full, Walk dst) {
    vf_plt(w->c, w->t, 0, walk_count(w->d->vcols, level, level ? w->E : 0));
    vf_load(w->c, w->t, V_FULL, full);
    combine(w);
    vf_store(w->c, w->t, dst, V_RESULT, 0);
}

static bool gapless(const Tile *d) { return tile_static_full_cols(d) || d->type.rows == 1; }

/* Rows of less than a register: one loop, and a column's value goes through lane 0. */
static void narrow_rows(const ExpandBin *w) {
    bool column = w->one->type.blayout == COL_MAJOR;
    vf_loop(w->c, w->d->vrows);
    vf_load(w->c, w->t, column ? V_ELEMENT : V_ONE, walk_tile(w->one, 0, 0, 1, 0))->dist = column ? DIST_NORM : DIST_BLK;
    if (column) vf_op(w->c, U_VDUPR, w->t, V_ONE, V_ELEMENT, VF_NONE, VF_NONE);
    combine_chunk(w, 0, walk_tile(w->full, 0, 0, 1, 0), walk_tile(w->d, 0, 0, 1, 0));
    vf_end(w->c);
}

static void wide_rows(const ExpandBin *w) {
    vf_loop(w->c, w->d->vrows);
    vf_load(w->c, w->t, V_ONE, walk_tile(w->one, 0, 0, 1, 0))->dist = w->one->type.blayout == COL_MAJOR ? DIST_BRC : DIST_BLK;
    vf_loop(w->c, ceil_div(w->d->vcols, w->E));
    combine_chunk(w, 1, walk_tile(w->full, 0, 0, 1, w->E), walk_tile(w->d, 0, 0, 1, w->E));
    vf_end(w->c);
    vf_end(w->c);
}

void v950_row_expand_bin(LowerCtx *c, const Instr *i, int variant) {
    ExpandBin w = open_bin(c, i, variant);
    vf_open(c, uop_info[variant].name);
    if (w.d->type.cols < w.E && gapless(w.d)) narrow_rows(&w);
    else wide_rows(&w);
    vf_close(c);
}

void v950_col_expand_bin(LowerCtx *c, const Instr *i, int variant) {
    ExpandBin w = open_bin(c, i, variant);
    Walk full = walk_tile(w.full, 0, 0, 1, w.E), dst = walk_tile(w.d, 0, 0, 1, w.E);
    full.post = dst.post = gapless(w.d);
    vf_open(c, uop_info[variant].name);
    vf_loop(c, w.d->vrows);
    vf_loop(c, ceil_div(w.d->vcols, w.E));
    vf_load(c, w.t, V_ONE, walk_by(w.one, 1, w.E));
    combine_chunk(&w, 1, full, dst);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

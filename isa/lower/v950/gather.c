/* TGATHER by indices or by a pattern, TGATHERB, TSCATTER. */
#include "isa/lower/v950/move.h"

/* Lanes are as wide as the index; data of half that width is packed by the store. */
static void by_index(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *x = i->in[1];
    DType t = bits_of(tile_esize(d)), lane = bits_of(tile_esize(x));
    uint32_t lanes = epr(x);
    vf_loop(c, d->vrows);
    vf_loop(c, ceil_div(d->vcols, lanes));
    vf_load(c, lane, 0, walk_tile(x, 0, 0, 1, lanes));
    vf_plt(c, lane, 0, walk_count(d->vcols, 1, lanes));
    vf_gather(c, t, lane, 1, 0, i->in[0], 0);
    vf_store(c, lane, walk_tile(d, 0, 0, 1, lanes), 1, 0)->dist = t == lane ? DIST_NORM : DIST_PK;
    vf_end(c);
    vf_end(c);
}

enum { P_CHUNK, P_PATTERN, P_ALL, P_NONE, P_BOTH };

/* P_PATTERN: lanes that a pattern takes, built from all lanes by interleaving with none: once for every
 * second lane, twice for every fourth. imm of pintlv: 0 lower half; 2: the zeros come first. */
static void pattern_lanes(LowerCtx *c, DType t, int pattern) {
    vf_predicate(c, U_PSET, t, P_PATTERN, VF_NONE, 0);
    if (pattern == 7) return;
    bool every_fourth = pattern > 2;
    int lane = every_fourth ? pattern - 3 : pattern - 1;
    vf_predicate(c, U_PINTLV, t, P_PATTERN, P_PATTERN, (every_fourth ? lane / 2 : lane) ? 2 : 0);
    if (every_fourth) vf_predicate(c, U_PINTLV, t, P_PATTERN, P_PATTERN, lane % 2 ? 2 : 0);
}

/* Elements of a row that a pattern takes of its first n. */
static uint32_t taken(int pattern, uint32_t n) {
    if (pattern == 7) return n;
    uint32_t period = pattern > 2 ? 4 : 2, lane = (uint32_t)(pattern > 2 ? pattern - 3 : pattern - 1);
    return (n + period - 1 - lane) / period;
}

/* Results are packed over all rows: each chunk is stored right behind the one before. */
static void by_pattern(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = bits_of(tile_esize(s));
    uint32_t E = epr(s), es = tile_esize(s);
    Walk to = {.base = d->addr, .step = {(int32_t)(taken(i->pattern, s->vcols) * es), (int32_t)(taken(i->pattern, E) * es)}};
    pattern_lanes(c, t, i->pattern);
    vf_loop(c, s->vrows);
    vf_loop(c, ceil_div(s->vcols, E));
    vf_plt(c, t, P_CHUNK, walk_count(s->vcols, 1, E));
    vf_load(c, t, 0, walk_tile(s, 0, 0, 1, E));
    VfInstr *both = vf_op(c, U_PAND, t, VF_NONE, VF_NONE, VF_NONE, P_PATTERN);
    both->pd = P_BOTH;
    both->pg2 = P_CHUNK;
    vf_op(c, U_VSQZ, t, 1, 0, VF_NONE, P_BOTH);
    vf_store_any(c, t, to, 1, VF_NONE)->op = U_VSTUR;
    vf_end(c);
    vf_end(c);
    vf_store_rest(c, t, (Walk){.base = d->addr + (int64_t)taken(i->pattern, s->vcols) * s->vrows * es});
}

void v950_gather(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    vf_open(c, "gather");
    if (i->pattern) by_pattern(c, i);
    else if (gather_compares(i)) v950_gather_compare(c, i);
    else by_index(c, i);
    vf_close(c);
}

static void gather_chunk(LowerCtx *c, const Instr *i, Walk offsets, Walk to, int p) {
    DType t = bits_of(tile_esize(i->out[0]));
    vf_load(c, DT_U32, 0, offsets);
    VfInstr *v = vf_op(c, U_VGATHERBR, t, 1, 0, VF_NONE, p);
    v->base = i->in[0]->addr;
    v->imm = tile_bytes(i->in[0]);
    vf_store(c, t, to, 1, p);
}

/* Chunks of a register: columns of chunks first, or rows first when rows are long and few. */
void v950_gather_blocks(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *x = i->in[1];
    DType t = bits_of(tile_esize(d));
    uint32_t E = epr(d), chunks = ceil_div(d->vcols, E), last = chunks - 1, rest = d->vcols - last * E;
    bool rows_first = ceil_div(d->type.cols, E) > d->type.rows;
    Walk from = walk_tile(x, 0, 0, 1, 8), to = walk_tile(d, 0, 0, 1, E), swap;
    (void)variant;
    if (!rows_first) {
        swap = from, from.step[0] = swap.step[1], from.step[1] = swap.step[0];
        swap = to, to.step[0] = swap.step[1], to.step[1] = swap.step[0];
    }
    vf_open(c, "gather blocks");
    vf_plt(c, t, 0, walk_scalar(E, 0, 0));
    vf_plt(c, t, 1, walk_scalar(rest, 0, 0));
    Walk last_from = walk_tile(x, 0, 8 * last, 1, 0), last_to = walk_tile(d, 0, last * E, 1, 0);
    vf_loop(c, rows_first ? d->vrows : last);
    vf_loop(c, rows_first ? last : d->vrows);
    gather_chunk(c, i, from, to, 0);
    vf_end(c);
    if (!rows_first) {
        vf_end(c);
        vf_loop(c, d->vrows);
    }
    gather_chunk(c, i, last_from, last_to, 1);
    vf_end(c);
    vf_close(c);
}

static void clear(LowerCtx *c, const Tile *d) {
    DType t = bits_of(tile_esize(d));
    uint32_t E = epr(d);
    vf_open(c, "clear");
    vf_scalar(c, U_VBR, t, 0, VF_NONE, 0, VF_NONE);
    vf_loop(c, d->type.rows);
    vf_loop(c, ceil_div(d->type.cols, E));
    vf_plt(c, t, 0, walk_count(d->type.cols, 1, E));
    vf_store(c, t, walk_tile(d, 0, 0, 1, E), 0, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

void v950_scatter(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    DType t = bits_of(tile_esize(d)), lane = bits_of(tile_esize(x));
    uint32_t lanes = epr(x);
    (void)variant;
    clear(c, d);
    vf_open(c, "scatter");
    vf_loop(c, x->vrows);
    vf_loop(c, ceil_div(x->vcols, lanes));
    vf_load(c, lane, 0, walk_tile(x, 0, 0, 1, lanes));
    vf_plt(c, lane, 0, walk_count(x->vcols, 1, lanes));
    vf_load(c, t, 1, walk_tile(s, 0, 0, 1, lanes))->dist = t == lane ? DIST_NORM : DIST_UNPK;
    vf_scatter(c, t, lane, d, 1, 0, 0);
    vf_end(c);
    vf_end(c);
    vf_close(c);
}

/* TAND, TOR, TNOT on 16-bit lanes, whatever the elements are, and what is composed of them: TXOR is
 * (a or b) and not (a and b); the scalar forms spread the scalar over dst (or tmp) first. */
#include "isa/lower/a2a3/tiles.h"

void a2a3_logic(LowerCtx *c, const Instr *i, int variant) {
    Tile d = tile_as_halves(i->out[0]), a = tile_as_halves(i->in[0]), b = tile_as_halves(i->in[1]);
    tile_binary(c, (UopId)variant, &d, &a, &b);
}

void a2a3_not(LowerCtx *c, const Instr *i, int variant) {
    Tile d = tile_as_halves(i->out[0]), s = tile_as_halves(i->in[0]);
    tile_unary(c, (UopId)variant, &d, &s);
}

static void with_scalar(LowerCtx *c, UopId op, const Tile *d, const Tile *s, uint64_t scalar) {
    tile_fill(c, d, scalar);
    emit_barrier(c);
    Tile h = tile_as_halves(d), a = tile_as_halves(s);
    tile_binary(c, op, &h, &a, &h);
}

void a2a3_logic_scalar(LowerCtx *c, const Instr *i, int variant) { with_scalar(c, (UopId)variant, i->out[0], i->in[0], i->scalar); }

/* d holds a and b, either what a or b is. */
static void finish_xor(LowerCtx *c, const Tile *d, const Tile *either) {
    emit_barrier(c);
    tile_unary(c, U_VNOT, d, d);
    emit_barrier(c);
    tile_binary(c, U_VAND, d, d, either);
}

/* tmp with the valid region of the destination. */
static Tile region_of(const Tile *tmp, const Tile *d) {
    Tile t = *tmp;
    t.type.dtype = d->type.dtype;
    t.type.vrows = d->type.vrows;
    t.type.vcols = d->type.vcols;
    t.vrows = d->vrows;
    t.vcols = d->vcols;
    return t;
}

void a2a3_xor(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    Tile room = region_of(i->tmp, i->out[0]);
    Tile d = tile_as_halves(i->out[0]), a = tile_as_halves(i->in[0]), b = tile_as_halves(i->in[1]), tmp = tile_as_halves(&room);
    tile_binary(c, U_VOR, &tmp, &a, &b);
    emit_barrier(c);
    tile_binary(c, U_VAND, &d, &a, &b);
    finish_xor(c, &d, &tmp);
}

void a2a3_xor_scalar(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    Tile room = region_of(i->tmp, i->out[0]), d = tile_as_halves(i->out[0]), tmp = tile_as_halves(&room);
    with_scalar(c, U_VOR, &room, i->in[0], i->scalar);
    emit_barrier(c);
    with_scalar(c, U_VAND, i->out[0], i->in[0], i->scalar);
    finish_xor(c, &d, &tmp);
}

TmpNeed tmp_xor(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    if (t->family != FAMILY_A2A3 || !s->vrows || !s->vcols) return (TmpNeed){0};
    return (TmpNeed){s->vrows, s->vcols, round_up(s->vcols, 2)};
}

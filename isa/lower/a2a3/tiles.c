#include "isa/lower/a2a3/tiles.h"

Tile tile_as_halves(const Tile *t) {
    uint32_t es = tile_esize(t);
    Tile h = *t;
    h.type.dtype = DT_U16;
    h.type.cols = t->type.cols * es / 2;
    h.vcols = ceil_div((uint64_t)t->vcols * es, 2);
    if (t->type.vcols >= 0) h.type.vcols = (int32_t)h.vcols;
    return h;
}

void tile_binary(LowerCtx *c, UopId op, const Tile *d, const Tile *s0, const Tile *s1) {
    uopbuf_stage(c->out, uop_info[op].name);
    Sweep w = {.c = c, .op = op, .d = d, .s0 = s0, .s1 = s1};
    sweep_run(&w, path_binary(d, s0, s1));
}

void tile_unary(LowerCtx *c, UopId op, const Tile *d, const Tile *s) {
    uopbuf_stage(c->out, uop_info[op].name);
    Sweep w = {.c = c, .op = op, .d = d, .s0 = s};
    sweep_run(&w, path_unary(d, s));
}

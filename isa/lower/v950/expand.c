/* TROWEXPAND: lane 0 of the row's first register fills a register, which is stored over the row. */
#include "isa/lower/v950/vf.h"

/* A column-major source is read at the address of each element; the library primes an alignment
 * register for that. */
void v950_row_expand(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = d->type.dtype;
    uint32_t E = epr(d);
    Walk from = walk_tile(s, 0, 0, 1, 0), to = walk_tile(d, 0, 0, 1, E);
    from.post = to.post = s->type.blayout == ROW_MAJOR;
    vf_open(c, "expand rows");
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

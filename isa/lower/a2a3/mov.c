/* TMOV between tiles of the unified buffer (TMov): whole rows in one copy, else row by row in whole
 * blocks. */
#include "isa/lower/a2a3/emit.h"

void a2a3_mov(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint32_t rows = min_u32(d->vrows, s->vrows), cols = min_u32(d->vcols, s->vcols), es = tile_esize(d);
    (void)variant;
    if (!rows || !cols) return;
    uopbuf_stage(c->out, "copy_ubuf_to_ubuf");
    if (tile_static_full_cols(d) || cols == d->type.cols) {
        emit_copy(c, 1, ceil_div((uint64_t)d->type.cols * rows * es, BLOCK_BYTES), (uint32_t)d->addr, 0, (uint32_t)s->addr, 0);
        return;
    }
    for (uint32_t r = 0; r < rows; r++)
        emit_copy(c, 1, ceil_div((uint64_t)cols * es, BLOCK_BYTES), tile_elem_addr(d, r, 0), 0, tile_elem_addr(s, r, 0), 0);
}

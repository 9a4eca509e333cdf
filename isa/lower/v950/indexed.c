/* MGATHER and MSCATTER: threads of the vector core, one per element, read the index and move the element. Those of a
 * warp that read one row after the other share an access to global memory. */
#include "isa/lower/indexed.h"
#include "isa/lower/move.h"

enum { WARP = 32 };

void v950_indexed(LowerCtx *c, const Instr *i, int variant) {
    const Tile *t = i->nout ? i->out[0] : i->in[0], *x = i->in[i->nin - 1];
    int64_t es = tile_esize(t), xs = tile_esize(x);
    uopbuf_stage(c->out, uop_info[variant].name);
    if (no_elements(t)) return;
    Dma *d = uopbuf_dma(c->out, (UopId)variant);
    Uop *u = &c->out->uop[c->out->n - 1];
    u->dtype = (uint8_t)t->type.dtype;
    u->rep = t->vrows * (i->by_element ? t->vcols : ceil_div(t->vcols, WARP));
    d->buffer = i->gm.buffer;
    d->gm = i->gm.offset * es;
    d->ub = tile_elem_addr(t, 0, 0);
    d->len = i->by_element ? (uint32_t)es : valid_row_bytes(t);
    d->n0 = t->vrows;
    d->n1 = i->by_element ? t->vcols : 1;
    d->ub_step0 = tile_row_stride(t) * es;
    d->ub_step1 = tile_col_stride(t) * es;
    d->dtype = (uint8_t)t->type.dtype;
    d->atomic_add = i->accumulate;
    d->index_step = table_step(i) * es;
    d->index_dtype = (uint8_t)x->type.dtype;
    d->index_ub = tile_elem_addr(x, 0, 0);
    d->index_ub_step0 = i->by_element ? tile_row_stride(x) * xs : t->vrows > 1 ? listed_addr(x, 1) - (int64_t)d->index_ub : 0;
    d->index_ub_step1 = i->by_element ? tile_col_stride(x) * xs : 0;
    d->beyond = (uint8_t)i->beyond;
    d->limit = (uint64_t)table_limit(i);
}

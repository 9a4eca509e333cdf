/* What the scalar unit does in UB, on both targets: TCI element by element, single values, TPRINT. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_VALUE = 1 };

void lower_ci(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0];
    DType t = bits_of(tile_esize(d));
    (void)variant;
    uopbuf_stage(c->out, "ramp");
    for (uint32_t k = 0; k < d->vcols; k++) {
        emit_s_set(c, REG_VALUE, i->descending ? i->scalar - k : i->scalar + k);
        emit_s_store(c, t, tile_elem_addr(d, 0, k), REG_VALUE);
        emit_s_iteration(c);
    }
}

/* Offsets count elements from the start of the tile. */
static uint32_t place(const Tile *t, const Instr *i) { return (uint32_t)(t->addr + i->index[0] * tile_esize(t)); }

void lower_getval(LowerCtx *c, const Instr *i, int variant) {
    uopbuf_stage(c->out, uop_info[U_S_LOAD].name);
    emit_s_load(c, variant, i->in[0]->type.dtype, place(i->in[0], i));
}

void lower_setval(LowerCtx *c, const Instr *i, int variant) {
    uopbuf_stage(c->out, uop_info[U_S_STORE].name);
    emit_s_set(c, variant, i->scalar);
    emit_s_store(c, bits_of(tile_esize(i->out[0])), place(i->out[0], i), variant);
}

/* All pipes are drained; the scalar unit reads the valid region. What formatting costs is not modelled. */
void lower_print(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    (void)variant;
    uopbuf_stage(c->out, "print");
    uopbuf_add(c->out, U_BARRIER)->src0 = PIPE_ALL;
    for (uint32_t r = 0; r < s->vrows; r++)
        for (uint32_t k = 0; k < s->vcols; k++) emit_s_load(c, REG_VALUE, s->type.dtype, tile_elem_addr(s, r, k));
}

/* What the scalar unit does in UB, on both targets: TCI element by element, single values, TPRINT. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/indexed.h"
#include "isa/lower/move.h"

enum { REG_VALUE = 1, REG_SCALAR = 2 };

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

void divide_one_by_one(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    uopbuf_stage(c->out, "divide by element");
    emit_flag(c, PIPE_V, PIPE_S);
    emit_s_set(c, REG_SCALAR, i->scalar);
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < d->vcols; k++) {
            emit_s_load(c, REG_VALUE, t, tile_elem_addr(s, r, k));
            if (i->scalar_first) emit_s_binary(c, U_S_DIV, REG_VALUE, t, REG_SCALAR, REG_VALUE);
            else emit_s_binary(c, U_S_DIV, REG_VALUE, t, REG_VALUE, REG_SCALAR);
            emit_s_store(c, bits_of(tile_esize(d)), tile_elem_addr(d, r, k), REG_VALUE);
            emit_s_iteration(c);
        }
    emit_flag(c, PIPE_S, PIPE_V);
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

static void print_view(LowerCtx *c, const GmView *v) {
    uint64_t es = dtype_size(v->dtype);
    for (int64_t n = 0; n < view_elements(v); n++) emit_s_gm(c, U_S_GM_LOAD, v->dtype, REG_VALUE, v->buffer, (uint64_t)view_element(v, n) * es, 0, 0);
}

/* All pipes are drained; the scalar unit reads the valid region. What formatting costs is not modelled. */
void lower_print(LowerCtx *c, const Instr *i, int variant) {
    const Tile *s = i->in[0];
    (void)variant;
    uopbuf_stage(c->out, "print");
    uopbuf_add(c->out, U_BARRIER)->src0 = PIPE_ALL;
    if (!i->nin) {
        print_view(c, &i->gm);
        return;
    }
    for (uint32_t r = 0; r < s->vrows; r++)
        for (uint32_t k = 0; k < s->vcols; k++) emit_s_load(c, REG_VALUE, s->type.dtype, tile_elem_addr(s, r, k));
}

/* TCMP, TCMPS (TCmp, TCmps): whole repeats of every row give packed bits, those behind the valid
 * columns too. There is no unequal: the bits of equal are inverted, over whole rows of dst. */
#include "isa/lower/a2a3/tiles.h"

enum { REPEATS = 240 };

/* Places of the modes behind "less than" among the micro-ops. */
static const int place_of[] = {[CMP_EQ] = 4, [CMP_NE] = 4, [CMP_LT] = 0, [CMP_LE] = 1, [CMP_GT] = 2, [CMP_GE] = 3};

static void compare_row(const Compare *w, uint32_t r) {
    uint32_t E = epr(w->a), repeats = ceil_div(w->a->vcols, E);
    UopId op = (UopId)((w->b ? U_VCMPV_LT : U_VCMPVS_LT) + place_of[w->mode]);
    for (uint32_t k = 0; k < repeats; k += REPEATS)
        emit_vec(w->c, op, w->t, min_u32(repeats - k, REPEATS), (uint32_t)w->d->addr + r * row_bytes(w->d) + k * E / 8, 8,
                 tile_elem_addr(w->a, r, k * E), 8, w->b ? tile_elem_addr(w->b, r, k * E) : 0, 8)->imm = w->scalar;
}

static void invert(const Compare *w) {
    uint32_t d = (uint32_t)w->d->addr;
    emit_barrier(w->c);
    uopbuf_stage(w->c->out, uop_info[U_VNOT].name);
    emit_mask_count(w->c);
    emit_count(w->c, (uint64_t)w->a->vrows * row_bytes(w->d) / 2);
    emit_vec(w->c, U_VNOT, DT_U16, 0, d, 8, d, 8, 0, 0);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

void tile_compare(const Compare *w) {
    uopbuf_stage(w->c->out, "compare");
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
    for (uint32_t r = 0; r < w->a->vrows; r++) compare_row(w, r);
    if (w->mode == CMP_NE) invert(w);
}

/* 16-bit integers are compared as if they were f16. */
static DType machine_type(const LowerCtx *c, DType t) {
    return c->target->sem.library && dtype_size(t) == 2 ? DT_F16 : t;
}

void a2a3_compare(LowerCtx *c, const Instr *i, int variant) {
    const Tile *a = i->in[0];
    (void)variant;
    if (!a->vrows || !a->vcols) return;
    tile_compare(&(Compare){c, i->cmp, machine_type(c, a->type.dtype), i->out[0], a, i->nin > 1 ? i->in[1] : NULL, i->scalar});
}

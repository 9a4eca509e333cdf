/* TSEL, TSELS (TSel, TSels) and TPRELU. The compare mask register tells vsel where the bits are; the
 * scalar form keeps the scalar there. */
#include "isa/lower/a2a3/tiles.h"

enum { REG_SCALAR = 1 };

static DType lanes_of(const Tile *d) { return tile_esize(d) == 4 ? DT_F32 : DT_F16; }

static uint32_t bits_at(const Tile *mask, uint32_t row) { return (uint32_t)mask->addr + row * row_bytes(mask); }

void tile_select(LowerCtx *c, const Tile *d, const Tile *mask, const Tile *yes, const Tile *no, uint32_t scratch) {
    uopbuf_stage(c->out, uop_info[U_VSEL].name);
    emit_mask_count(c);
    for (uint32_t r = 0; r < d->vrows; r++)
        emit_select_bits(c, lanes_of(d), d->vcols, bits_at(mask, r), scratch, tile_elem_addr(d, r, 0), tile_elem_addr(yes, r, 0),
                         tile_elem_addr(no, r, 0));
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_sel(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    tile_select(c, i->out[0], i->in[0], i->in[1], i->in[2], (uint32_t)i->tmp->addr);
}

void a2a3_sels(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *mask = i->in[0], *s = i->in[1];
    uint32_t scratch = (uint32_t)i->tmp->addr;
    uopbuf_stage(c->out, uop_info[variant].name);
    emit_s_set(c, REG_SCALAR, i->scalar);
    emit_s_store(c, d->type.dtype, scratch, REG_SCALAR);
    emit_mask_count(c);
    emit_count(c, d->vcols);
    emit_flag(c, PIPE_S, PIPE_V);
    emit_cmpmask(c, scratch);
    emit_barrier(c);
    for (uint32_t r = 0; r < d->vrows; r++)
        emit_vec(c, (UopId)variant, lanes_of(d), 1, tile_elem_addr(d, r, 0), 8, tile_elem_addr(s, r, 0), 8, bits_at(mask, r), 8)->mode = SEL_SCALAR;
    emit_mask_norm(c);
    emit_mask_full(c);
}

/* One block. */
TmpNeed tmp_sel(const Target *t, const Instr *i) {
    if (t->family != FAMILY_A2A3) return (TmpNeed){0};
    return (TmpNeed){1, epb(i->in[0]), epb(i->in[0])};
}

/* Where the product is not wanted, the source is put back: src0 > 0 ? src0 : src0 * src1. tmp holds a
 * row of bits per row and, behind those of the first one, the block for their address. */
static uint32_t bits_bytes(const Tile *s) { return round_up(ceil_div(s->vcols, epr(s)) * epr(s) / 8, BLOCK_BYTES); }

void a2a3_prelu(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    Tile bits = *i->tmp;
    if (!d->vrows || !d->vcols) return;
    tile_binary(c, (UopId)variant, d, s, i->in[1]);
    emit_barrier(c);
    tile_compare(&(Compare){c, CMP_GT, s->type.dtype, &bits, s, NULL, 0});
    emit_barrier(c);
    tile_select(c, d, &bits, s, d, (uint32_t)bits.addr + bits_bytes(s));
}

TmpNeed tmp_prelu(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    if (t->family != FAMILY_A2A3 || !s->vrows || !s->vcols) return (TmpNeed){0};
    uint32_t cols = (bits_bytes(s) + BLOCK_BYTES) / tile_esize(s);
    return (TmpNeed){s->vrows, cols, cols};
}

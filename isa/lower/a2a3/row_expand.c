/* TROWEXPAND (TRowExpand): one element per row is read by the scalar unit and spread over the row. A
 * single row or column of elements that become one block each goes through vbrcb. */
#include "isa/lower/a2a3/emit.h"

enum { REG_VALUE = 1, REG_ZERO = 0, BRCB_ELEMENTS = 8, BRCB_REPEATS = MAX_REPEAT - 1 /* keeps the source on 32 bytes */ };

static bool is_static_full(const Tile *t) { return tile_static_full_cols(t) && t->type.vrows == (int32_t)t->type.rows; }

static bool is_block_shape(const Tile *d, const Tile *s) {
    if (tile_esize(s) == 1 || !is_static_full(d) || !is_static_full(s) || d->type.cols != epb(d)) return false;
    if (s->type.blayout == ROW_MAJOR) return s->type.rows == 1 && s->type.cols == d->type.rows;
    return s->type.cols == 1 && s->type.rows == d->type.rows;
}

static void expand_blocks(LowerCtx *c, const Tile *d, const Tile *s) {
    uint32_t repeats = d->type.rows / BRCB_ELEMENTS, es = tile_esize(s);
    uopbuf_stage(c->out, "vbrcb");
    for (uint32_t k = 0; k < repeats; k += BRCB_REPEATS)
        emit_vec(c, U_VBRCB, es == 4 ? DT_U32 : DT_U16, min_u32(repeats - k, BRCB_REPEATS), (uint32_t)d->addr + k * REPEAT_BYTES, 8,
                 (uint32_t)s->addr + k * BRCB_ELEMENTS * es, 8, 0, 0);
}

/* Bytes are spread in pairs: the value times 257. */
static void load_value(LowerCtx *c, const Tile *s, uint32_t row) {
    bool byte = tile_esize(s) == 1;
    emit_s_load(c, REG_VALUE, byte ? DT_U8 : s->type.dtype, tile_elem_addr(s, row, 0));
    if (byte) emit_s_madd(c, REG_VALUE, DT_U16, REG_VALUE, 257, REG_ZERO);
}

static void expand_rows(LowerCtx *c, const Tile *d, const Tile *s) {
    bool byte = tile_esize(d) == 1;
    DType t = byte ? DT_I16 : d->type.dtype;
    emit_mask_count(c);
    emit_count(c, byte ? ceil_div(d->vcols, 2) : d->vcols);
    uopbuf_stage(c->out, uop_info[U_VDUP].name);
    for (uint32_t r = 0; r < d->vrows; r++) {
        emit_flag(c, PIPE_V, PIPE_S);
        load_value(c, s, r);
        emit_flag(c, PIPE_S, PIPE_V);
        emit_dup_register(c, t, REG_VALUE, 0, tile_elem_addr(d, r, 0), 8);
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_row_expand(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s = i->in[0];
    (void)variant;
    if (!d->vrows || !d->vcols || !s->vrows || !s->vcols) return;
    if (is_block_shape(d, s)) expand_blocks(c, d, s);
    else expand_rows(c, d, s);
}

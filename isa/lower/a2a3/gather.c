/* TGATHER: by indices, which become byte offsets row by row (32-bit data: in dst itself), or the
 * elements that a pattern selects, packed. TGATHERB: blocks by byte offsets. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

static void by_index(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    uint32_t es = tile_esize(d), pitch = d->type.cols * 4, offsets = es == 4 ? (uint32_t)d->addr : (uint32_t)i->tmp->addr;
    emit_mask_count(c);
    for (uint32_t r = 0; r < d->vrows; r++, offsets += pitch) {
        emit_count(c, d->vcols);
        emit_vec(c, U_VMULS, DT_I32, 1, offsets, 8, tile_elem_addr(x, r, 0), 8, 0, 0)->imm = es;
        emit_barrier(c);
        Uop *u = emit_vec(c, U_VGATHER, bits_of(es), 1, tile_elem_addr(d, r, 0), 8, offsets, 32 / es, (uint32_t)s->addr, 0);
        u->imm2 = tile_bytes(s);
    }
    emit_mask_norm(c);
    emit_mask_full(c);
}

static void by_pattern(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    emit_mask_count(c);
    emit_count(c, s->vcols);
    Uop *u = emit_vec(c, U_VREDUCEV2, bits_of(tile_esize(s)), s->vrows, (uint32_t)d->addr, 0, (uint32_t)s->addr, row_blocks(s), (uint32_t)s->addr, 0);
    u->mode = (uint8_t)i->pattern;
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_gather(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    uopbuf_stage(c->out, "gather");
    if (no_elements(i->out[0]) || no_elements(i->in[0])) return;
    if (i->pattern) by_pattern(c, i);
    else if (gather_compares(i)) a2a3_gather_compare(c, i);
    else by_index(c, i);
}

/* Offsets of 16-bit data: words in rows as long as those of dst. In elements of the source. */
TmpNeed tmp_gather(const Target *t, const Instr *i) {
    const Tile *d = i->out[0];
    if (t->family == FAMILY_A2A3 && gather_compares(i)) return gather_compare_tmp(i);
    if (t->family != FAMILY_A2A3 || i->pattern || tile_esize(d) != 2 || no_elements(d)) return (TmpNeed){0};
    uint32_t n = 2 * ((d->vrows - 1) * d->type.cols + d->vcols);
    return (TmpNeed){1, n, n};
}

static void blocks(LowerCtx *c, const Instr *i, uint32_t rep, uint32_t n, uint32_t dst, uint32_t drpt, uint32_t offsets) {
    Uop *u = emit_vec(c, U_VGATHERB, bits_of(tile_esize(i->out[0])), rep, dst, drpt, offsets, 1, (uint32_t)i->in[0]->addr, 0);
    u->imm = n;
    u->imm2 = tile_bytes(i->in[0]);
}

/* Whole repeats row by row, then what rows leave over. The library takes rows as repeats there, which
 * reads one row's offsets right behind the other's, and writes whole repeats. */
void a2a3_gather_blocks(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *x = i->in[1];
    uint32_t E = epr(d), full = d->vcols / E, rest = ceil_div(d->vcols % E, epb(d));
    bool together = c->target->sem.library || (x->type.cols == BLOCKS_PER_REPEAT && !full);
    uopbuf_stage(c->out, uop_info[variant].name);
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < full; k += MAX_REPEAT)
            blocks(c, i, min_u32(full - k, MAX_REPEAT), BLOCKS_PER_REPEAT, tile_elem_addr(d, r, k * E), 8, tile_elem_addr(x, r, 8 * k));
    if (c->target->sem.library && rest) rest = BLOCKS_PER_REPEAT;
    for (uint32_t r = 0; rest && r < d->vrows;) {
        uint32_t n = together ? min_u32(d->vrows - r, MAX_REPEAT) : 1;
        blocks(c, i, n, rest, tile_elem_addr(d, r, full * E), row_blocks(d), tile_elem_addr(x, r, 8 * full));
        r += n;
    }
}

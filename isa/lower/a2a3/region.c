/* TEXTRACT and TINSERT between vec tiles, TCONCAT: copies of whole blocks; what rows have beyond them
 * is copied by 16-bit elements, or by the scalar unit. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_ELEMENT = 1 };

static void one_element(LowerCtx *c, const Region *g) {
    DType t = bits_of(tile_esize(g->d));
    emit_flag(c, PIPE_V, PIPE_S);
    emit_s_load(c, REG_ELEMENT, t, tile_elem_addr(g->s, g->srow, g->scol));
    emit_s_store(c, t, tile_elem_addr(g->d, g->drow, g->dcol), REG_ELEMENT);
    emit_flag(c, PIPE_S, PIPE_V);
}

static void rest_of_rows(LowerCtx *c, const Region *g, uint32_t whole, uint32_t rest) {
    emit_mask_count(c);
    emit_count(c, rest / 2);
    emit_rows(c, DT_U16, g->rows, tile_elem_addr(g->d, g->drow, g->dcol) + whole, row_blocks(g->d), tile_elem_addr(g->s, g->srow, g->scol) + whole,
              row_blocks(g->s));
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_region(LowerCtx *c, const Instr *i, int variant) {
    Region g = region_of(i);
    uint32_t es = tile_esize(g.d), bytes = g.cols * es, whole = bytes / BLOCK_BYTES;
    uint32_t dst = tile_elem_addr(g.d, g.drow, g.dcol), src = tile_elem_addr(g.s, g.srow, g.scol);
    (void)variant;
    uopbuf_stage(c->out, "copy");
    if (!g.rows || !g.cols) return;
    if (g.single) one_element(c, &g);
    else if (g.blocks && g.cols == g.d->type.cols && g.cols == g.s->type.cols) emit_copy(c, 1, g.rows * whole, dst, 0, src, 0);
    else if (whole) emit_copy(c, g.rows, whole, dst, row_blocks(g.d), src, row_blocks(g.s));
    if (!g.single && bytes % BLOCK_BYTES) rest_of_rows(c, &g, whole * BLOCK_BYTES, bytes % BLOCK_BYTES);
}

/* Row by row. The library takes the length of the first source's rows for both. */
static void concat_rows(LowerCtx *c, const Tile *d, uint32_t col, const Tile *s, uint32_t blocks) {
    for (uint32_t r = 0; r < d->vrows; r++) emit_copy(c, 1, blocks, tile_elem_addr(d, r, col), 0, tile_elem_addr(s, r, 0), 0);
}

static void concat_elements(LowerCtx *c, const Tile *d, uint32_t col, const Tile *s) {
    DType t = bits_of(tile_esize(d));
    emit_flag(c, PIPE_V, PIPE_S);
    for (uint32_t r = 0; r < d->vrows; r++)
        for (uint32_t k = 0; k < s->vcols; k++) {
            emit_s_load(c, REG_ELEMENT, t, tile_elem_addr(s, r, k));
            emit_s_store(c, t, tile_elem_addr(d, r, col + k), REG_ELEMENT);
            emit_s_iteration(c);
        }
    emit_flag(c, PIPE_S, PIPE_V);
}

void a2a3_concat(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *a = i->in[0], *b = i->in[1];
    uint32_t first = ceil_div(valid_row_bytes(a), BLOCK_BYTES), second = ceil_div(valid_row_bytes(b), BLOCK_BYTES);
    (void)variant;
    uopbuf_stage(c->out, "first source");
    concat_rows(c, d, 0, a, first);
    uopbuf_stage(c->out, "second source");
    if (valid_row_bytes(a) % BLOCK_BYTES) concat_elements(c, d, a->vcols, b);
    else concat_rows(c, d, a->vcols, b, c->target->sem.library ? first : second);
}

/* TFILLPAD: whole rows of the source are copied, then the rest of the block that holds the last valid
 * column, the blocks behind it and the rows below are overwritten with the pad value. Bytes go in
 * pairs, except for the rest of a block, which the scalar unit writes. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_PAD = 1 };

typedef struct Fill {
    LowerCtx *c;
    const Tile *d, *s;
    DType t;                /* of the vector operations: bytes in pairs */
    uint32_t es;
    uint64_t pad;           /* one element; of the vector operations: wide */
    uint64_t wide;
    uint32_t valid, aligned, row; /* bytes of a row: valid, to the end of their last block, all */
} Fill;

/* Rows of the block that the valid columns end in. The repeat stride has 8 bits: rows further apart than it can say
 * are filled one by one, which the shipped form does not. */
static void rest_of_block(const Fill *f, uint32_t first) {
    uint32_t per = BLOCK_BYTES / f->es, used = f->valid % BLOCK_BYTES / f->es;
    uint64_t lanes = used ? ((1ull << per) - 1) & ~((1ull << used) - 1) : 0;
    uint32_t pitch = f->row / BLOCK_BYTES, rows = lanes && pitch > MAX_REPEAT && !f->c->target->sem.library ? 1 : MAX_REPEAT;
    emit_mask_norm(f->c);
    Uop *mask = uopbuf_add(f->c->out, U_SET_MASK);
    mask->imm = lanes;
    for (uint32_t r = 0; r < f->s->vrows; r += rows)
        emit_dup(f->c, f->t, f->wide, min_u32(f->s->vrows - r, rows), first + r * f->row, pitch);
    emit_barrier(f->c);
}

static void rest_of_block_bytes(const Fill *f, uint32_t first) {
    emit_flag(f->c, PIPE_V, PIPE_S);
    emit_s_set(f->c, REG_PAD, f->pad);
    for (uint32_t r = 0; r < f->s->vrows; r++)
        for (uint32_t b = f->valid; b < f->aligned; b++) {
            emit_s_store(f->c, DT_U8, first + r * f->row + b, REG_PAD);
            emit_s_iteration(f->c);
        }
}

/* Loads fill the block that the valid columns end in when the tile type has the pad value already. */
static bool block_is_padded(const Fill *f) {
    return f->d->type.pad == f->s->type.pad && (f->c->target->sem.library || f->valid == f->aligned);
}

/* The first row is filled and serves the others as source. */
static void right(const Fill *f, uint32_t base) {
    uint32_t at = base + f->aligned, n = (f->row - f->aligned) / dtype_size(f->t), pitch = f->row / BLOCK_BYTES;
    emit_mask_count(f->c);
    emit_count(f->c, n);
    emit_dup(f->c, f->t, f->wide, 1, at, 8);
    emit_barrier(f->c);
    for (uint32_t r = 1; r < f->s->vrows; r += MAX_REPEAT)
        emit_vec(f->c, U_VCOPY, f->t, min_u32(f->s->vrows - r, MAX_REPEAT), at + r * f->row, pitch, at, 0, 0, 0)->sblk0 = 0;
}

static void below(const Fill *f, uint32_t base) {
    uint32_t rows = f->d->vrows - f->s->vrows;
    if (!rows) return;
    emit_count(f->c, (uint64_t)rows * f->row / dtype_size(f->t));
    emit_dup(f->c, f->t, f->wide, 1, base + f->s->vrows * f->row, 8);
}

void a2a3_fillpad(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    Fill f = {.c = c, .d = i->out[0], .s = i->in[0]};
    if (no_elements(f.d)) return;
    f.es = tile_esize(f.d);
    f.t = f.es == 4 ? DT_U32 : DT_U16;
    pad_of(i, f.d, &f.pad);
    f.wide = f.es == 1 ? f.pad * 257 : f.pad;
    f.valid = valid_row_bytes(f.s);
    f.aligned = round_up(f.valid, BLOCK_BYTES);
    f.row = f.d->type.cols * f.es;
    uint32_t base = (uint32_t)f.d->addr;
    if (f.s->addr != f.d->addr) {
        uopbuf_stage(c->out, "copy");
        emit_mask_count(c);
        emit_count(c, f.s->type.cols * f.es / dtype_size(f.t));
        emit_rows(c, f.t, f.s->vrows, base, row_blocks(f.d), (uint32_t)f.s->addr, row_blocks(f.s));
    }
    uopbuf_stage(c->out, "pad");
    if (!block_is_padded(&f)) {
        if (f.es == 1) rest_of_block_bytes(&f, base);
        else rest_of_block(&f, base + f.aligned - (f.aligned ? BLOCK_BYTES : 0));
    }
    right(&f, base);
    below(&f, base);
    emit_mask_norm(c);
    emit_mask_full(c);
}

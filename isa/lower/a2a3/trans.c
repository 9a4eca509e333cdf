/* TTRANS: strips of one block of columns are transposed into tmp, whose rows are the source's rows
 * rounded up to 16 (32 for bytes), and copied to dst. A destination whose rows are no multiple of
 * that goes element by element through the scalar unit. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"

enum { REG_ELEMENT = 1, SUB_ROWS = 16 };

static uint32_t tile_step(const Tile *t) { return tile_esize(t) == 1 ? 2 * SUB_ROWS : SUB_ROWS; }

static bool by_elements(const Tile *d) { return d->type.cols % tile_step(d) != 0; }

typedef struct Trans {
    LowerCtx *c;
    const Tile *d, *s;
    uint32_t es, tmp, pitch; /* tmp: its rows are so many bytes apart */
} Trans;

static void element_by_element(const Trans *t) {
    DType e = bits_of(t->es);
    emit_flag(t->c, PIPE_V, PIPE_S);
    for (uint32_t r = 0; r < t->s->vrows; r++)
        for (uint32_t k = 0; k < t->s->vcols; k++) {
            emit_s_load(t->c, REG_ELEMENT, e, tile_elem_addr(t->s, r, k));
            emit_s_store(t->c, e, tile_elem_addr(t->d, k, r), REG_ELEMENT);
            emit_s_iteration(t->c);
        }
    emit_flag(t->c, PIPE_S, PIPE_V);
}

/* rows source rows from src on, n times; steps in blocks. */
static void conv(const Trans *t, uint32_t n, uint32_t rows, int halves, uint32_t dst, uint32_t dstep, uint32_t src, uint32_t sstep) {
    for (uint32_t k = 0; k < n; k += MAX_REPEAT) {
        Uop *u = emit_vec(t->c, U_VNCHWCONV, bits_of(t->es), min_u32(n - k, MAX_REPEAT), dst + k * dstep * BLOCK_BYTES, n > 1 ? dstep : 0,
                          src + k * sstep * BLOCK_BYTES, n > 1 ? sstep : 0, 0, 0);
        u->mode = (uint8_t)halves;
        u->imm = rows;
        u->dblk = (uint16_t)(t->pitch / BLOCK_BYTES);
        u->sblk0 = (uint16_t)row_blocks(t->s);
    }
}

/* Bytes: the four quarters of 32 x 32. Rows beyond those that are there read as zeros. */
static void sub_tiles(const Trans *t, uint32_t n, uint32_t rows, uint32_t dst, uint32_t dstep, uint32_t src, uint32_t sstep) {
    uint32_t upper = min_u32(rows, SUB_ROWS), lower = rows - upper;
    if (t->es != 1) {
        conv(t, n, rows, 0, dst, dstep, src, sstep);
        return;
    }
    uint32_t dst16 = dst + SUB_ROWS * t->pitch, src16 = src + SUB_ROWS * row_blocks(t->s) * BLOCK_BYTES;
    conv(t, n, upper, 0, dst, dstep, src, sstep);
    conv(t, n, upper, TRANSPOSE_SRC_HIGH, dst16, dstep, src, sstep);
    conv(t, n, lower, TRANSPOSE_DST_HIGH, dst, dstep, src16, sstep);
    conv(t, n, lower, TRANSPOSE_DST_HIGH | TRANSPOSE_SRC_HIGH, dst16, dstep, src16, sstep);
}

static void strips(const Trans *t) {
    uint32_t step = tile_step(t->s), down = t->s->vrows / step, rest = t->s->vrows % step, per = BLOCK_BYTES / t->es;
    uint32_t across = ceil_div(t->s->vcols, per), src = (uint32_t)t->s->addr;
    for (uint32_t x = 0; down && x < across; x++) {
        emit_s_iteration(t->c);
        sub_tiles(t, down, step, t->tmp + x * per * t->pitch, step * t->es / BLOCK_BYTES, src + x * BLOCK_BYTES, step * row_blocks(t->s));
    }
    if (rest)
        sub_tiles(t, across, rest, t->tmp + down * step * t->es, per * t->pitch / BLOCK_BYTES, tile_elem_addr(t->s, down * step, 0), 1);
}

void a2a3_trans(LowerCtx *c, const Instr *i, int variant) {
    Trans t = {.c = c, .d = i->out[0], .s = i->in[0], .es = tile_esize(i->in[0])};
    uopbuf_stage(c->out, uop_info[variant].name);
    if (no_elements(t.s)) return;
    if (by_elements(t.d)) {
        element_by_element(&t);
        return;
    }
    t.tmp = (uint32_t)i->tmp->addr;
    t.pitch = round_up(t.s->vrows, tile_step(t.s)) * t.es;
    strips(&t);
    emit_barrier(c);
    emit_copy(c, t.s->vcols, ceil_div((uint64_t)t.s->vrows * t.es, BLOCK_BYTES), (uint32_t)t.d->addr, row_blocks(t.d), t.tmp, t.pitch / BLOCK_BYTES);
}

/* As many rows as whole strips have columns. */
TmpNeed tmp_trans(const Target *t, const Instr *i) {
    const Tile *s = i->in[0];
    if (t->family != FAMILY_A2A3 || no_elements(s) || by_elements(i->out[0])) return (TmpNeed){0};
    uint32_t n = round_up(s->vcols, epb(s)) * round_up(s->vrows, tile_step(s));
    return (TmpNeed){1, n, n};
}

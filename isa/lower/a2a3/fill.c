/* TEXPANDS (TExpandS): one run, or row by row (column by column for a column-major tile). Bytes are
 * written in pairs. */
#include "isa/lower/a2a3/tiles.h"

/* The tile as lines along its contiguous direction. */
typedef struct Lines {
    uint32_t n, len;        /* valid lines and valid elements of one */
    uint32_t lines, pitch;  /* of the storage */
    int32_t len_type;       /* valid length as the type says it */
} Lines;

static Lines lines_of(const Tile *d) {
    const TileType *t = &d->type;
    if (t->blayout == ROW_MAJOR) return (Lines){d->vrows, d->vcols, t->rows, t->cols, t->vcols};
    return (Lines){d->vcols, d->vrows, t->cols, t->rows, t->vrows};
}

/* The library compares the valid length with the one that the type says, where the storage is meant. */
static bool taken_for_run(const Lines *l) { return l->lines == 1 || l->len_type == (int32_t)l->pitch || l->n == 1 || (int32_t)l->len == l->len_type; }
static bool is_run(const Lines *l) { return l->n == 1 || l->len == l->pitch; }

bool fill_defect(const Tile *d) {
    Lines l = lines_of(d);
    return taken_for_run(&l) && !is_run(&l) && l.n;
}

void tile_fill(LowerCtx *c, const Tile *d, uint64_t bits) {
    Lines l = lines_of(d);
    uint32_t es = tile_esize(d), per = es == 1 ? 2 : 1;
    DType t = es == 1 ? DT_U16 : d->type.dtype;
    bool run = taken_for_run(&l) && (is_run(&l) || c->target->sem.library);
    if (!l.n || !l.len) return;
    if (es == 1) bits = (bits & 0xff) * 257;
    uopbuf_stage(c->out, uop_info[U_VDUP].name);
    emit_mask_count(c);
    emit_count(c, ceil_div(run ? (uint64_t)l.n * l.len : l.len, per));
    for (uint32_t k = 0; k < (run ? 1 : l.n); k++) emit_dup(c, t, bits, 0, (uint32_t)d->addr + k * l.pitch * es, 8);
    emit_mask_norm(c);
    emit_mask_full(c);
}

void a2a3_expands(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    tile_fill(c, i->out[0], i->scalar);
}

/* Bitwise instructions, shifts, fills, remainders and what else is element by element. a2a3 sees bytes
 * two by two, and words as halves where it has 16-bit lanes only. */
#include "isa/lower/a2a3/tiles.h"
#include "isa/lower/rules.h"

static bool is_a2a3(const LowerCtx *c) { return c->target->family == FAMILY_A2A3; }

static bool rule_path(LowerCtx *c, const Instr *i, Path p, const Tile *d) {
    return !is_a2a3(c) || no_elements(d) || rule_defect(c, i, path_defect(p, d));
}

static bool check_sources(LowerCtx *c, const Instr *i) {
    static const char *const names[] = {"src0", "src1"};
    const Tile *d = i->out[0];
    bool ok = rule_row_major(c, i, d, "dst");
    for (int k = 0; k < i->nin; k++) ok &= rule_source(c, i, i->in[k], i->nin == 1 ? "src" : names[k], d);
    return ok;
}

static bool rule_fill(LowerCtx *c, const Instr *i, const Tile *d) {
    return !is_a2a3(c) || !fill_defect(d) || rule_defect(c, i, "a region with gaps is filled as one run");
}

static bool rule_tmp_like(LowerCtx *c, const Instr *i, const Tile *d) {
    return rule_tmp(c, i) && (!instr_tmp_need(c->target, i).rows || rule_same_type(c, i, d, "dst", i->tmp, "tmp"));
}

/* One or two sources, the second may be a scalar that is spread over dst. */
bool check_logic(LowerCtx *c, const Instr *i) {
    if (!check_sources(c, i)) return false;
    Tile d = tile_as_halves(i->out[0]), a = tile_as_halves(i->in[0]), b = i->nin > 1 ? tile_as_halves(i->in[1]) : d;
    note_byte_pair(c, i, i->out[0]);
    bool ok = rule_path(c, i, i->id == I_TNOT ? path_unary(&d, &a) : path_binary(&d, &a, &b), &d);
    return ok && (!i->has_scalar || rule_fill(c, i, i->out[0]));
}

bool check_xor(LowerCtx *c, const Instr *i) { return check_logic(c, i) && rule_tmp_like(c, i, i->out[0]); }

bool check_shift(LowerCtx *c, const Instr *i) { return check_sources(c, i); }

bool check_recip(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    return check_sources(c, i) && rule_path(c, i, path_bins(d, i->in[0]), d);
}

bool check_expands(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    if (!is_a2a3(c) && d->type.blayout == COL_MAJOR && d->type.cols != 1) return rule_row_major(c, i, d, "dst");
    note_byte_pair(c, i, d);
    return rule_fill(c, i, d);
}

/* A row of bits per row, and a block behind the first row's. */
bool check_prelu(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *t = i->tmp;
    TmpNeed n = instr_tmp_need(c->target, i);
    uint32_t bytes = n.real_cols * tile_esize(d);
    if (!check_sources(c, i) || !rule_path(c, i, path_binary(d, i->in[0], i->in[1]), d) || !rule_tmp(c, i)) return false;
    if (!n.rows || row_bytes(t) >= bytes) return true;
    diag(c->diag, DIAG_TMP_SMALL, i->loc, "%s: tmp %s: needs rows of %u bytes (packed bits, and a block for their address), the tile has %u", i->info->name,
         t->name, bytes, row_bytes(t));
    return false;
}

static void note_by_float(LowerCtx *c, const Instr *i) {
    if (!is_a2a3(c) || i->in[0]->type.dtype != DT_I32) return;
    diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: i32 is computed as f32, the sources are converted in place and back: exact while every value is below 2^24",
         i->info->name);
}

bool check_rem(LowerCtx *c, const Instr *i) {
    if (!check_sources(c, i) || !rule_tmp_like(c, i, i->out[0])) return false;
    note_by_float(c, i);
    bool kept = !is_a2a3(c) || i->nin == 1 || i->in[0]->type.dtype != DT_I32;
    return kept || rule_defect(c, i, "src1 is left behind as f32");
}

bool check_fmod(LowerCtx *c, const Instr *i) { return check_sources(c, i); }

/* Both tiles row by row, or both one column. */
static bool same_layout(const Tile *a, const Tile *b) {
    return a->type.blayout == b->type.blayout && (a->type.blayout == ROW_MAJOR || (a->type.cols == 1 && b->type.cols == 1));
}

bool check_mov(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool shape = d->type.rows == s->type.rows && d->type.cols == s->type.cols;
    if (tile_esize(d) != tile_esize(s))
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: src and dst must have elements of one width, found %s (%s) and %s (%s)", i->info->name, dtype_name(s->type.dtype),
             s->name, dtype_name(d->type.dtype), d->name);
    else if (is_a2a3(c) && !shape)
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src and dst must have the same shape, found %ux%u (%s) and %ux%u (%s)", i->info->name, s->type.rows,
             s->type.cols, s->name, d->type.rows, d->type.cols, d->name);
    else if (!same_layout(d, s))
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s and %s must both be row-major, or both one column", i->info->name, s->name, d->name);
    else {
        if (d->type.blayout == ROW_MAJOR) note_block_padding(c, i, d);
        return true;
    }
    return false;
}

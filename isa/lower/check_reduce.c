#include "isa/lower/rules.h"

static bool check_tmp_type(LowerCtx *c, const Instr *i, const Tile *s) {
    return !instr_tmp_need(c->target, i).rows || rule_same_type(c, i, s, "src", i->tmp, "tmp");
}

static bool check_not_empty(LowerCtx *c, const Instr *i, const Tile *s) {
    if (!no_elements(s)) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src %s: expected a valid region with rows and columns, found %ux%u", i->info->name, s->name,
         s->vrows, s->vcols);
    return false;
}

/* The 950 reduces bytes as even and odd 16-bit lanes under one predicate of bytes. */
static bool check_odd_bytes(LowerCtx *c, const Instr *i, const Tile *s) {
    if (tile_esize(s) != 1 || s->vcols % 2 == 0) return true;
    bool library = c->target->sem.library;
    diag(c->diag, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS, i->loc,
         "%s: %s with an odd number of columns: the shipped lowering lets column %u, outside the valid region, take part%s", i->info->name,
         dtype_name(s->type.dtype), s->vcols, library ? "" : "; repaired here");
    return !library;
}

bool check_row_reduce(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *d = i->out[0];
    if (!check_not_empty(c, i, s)) return false;
    bool ok = rule_same_type(c, i, s, "src", d, "dst");
    ok &= rule_row_major(c, i, s, "src");
    ok &= rule_column(c, i, d, "dst");
    if (s->vrows != d->vrows) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src and dst must have the same valid rows, found %u (%s) and %u (%s)", i->info->name, s->vrows,
             s->name, d->vrows, d->name);
        ok = false;
    }
    return ok && rule_tmp(c, i) && check_tmp_type(c, i, s) && check_odd_bytes(c, i, s);
}

bool check_col_reduce(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *d = i->out[0];
    if (!check_not_empty(c, i, s)) return false;
    bool ok = rule_same_type(c, i, s, "src", d, "dst");
    ok &= rule_row_major(c, i, s, "src");
    ok &= rule_row_major(c, i, d, "dst");
    if (s->vcols != d->vcols || d->vrows != 1) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: dst must have one valid row of src's valid columns, found %ux%u (%s) and %ux%u (%s)", i->info->name,
             d->vrows, d->vcols, d->name, s->vrows, s->vcols, s->name);
        ok = false;
    }
    if (!ok || !rule_tmp(c, i) || !check_tmp_type(c, i, s)) return false;
    note_block_padding(c, i, d); /* of the first row */
    return true;
}

/* One element per row, side by side: only the shape that becomes one block per element takes it. */
static bool is_line(const Tile *s, const Tile *d) {
    return s->type.blayout == ROW_MAJOR && s->type.rows == 1 && tile_static_full_cols(s) && s->vcols == d->vrows && tile_static_full_cols(d) &&
           d->type.vrows == (int32_t)d->type.rows && d->type.cols == epb(d) && tile_esize(d) > 1;
}

bool check_row_expand(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *d = i->out[0];
    if (!check_not_empty(c, i, s)) return false;
    bool ok = rule_same_type(c, i, s, "src", d, "dst");
    ok &= rule_row_major(c, i, d, "dst");
    if (s->vrows != d->vrows && !(c->target->family == FAMILY_A2A3 && is_line(s, d))) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src and dst must have the same valid rows, found %u (%s) and %u (%s)", i->info->name, s->vrows,
             s->name, d->vrows, d->name);
        ok = false;
    }
    if (!ok) return false;
    note_byte_pair(c, i, d);
    return true;
}

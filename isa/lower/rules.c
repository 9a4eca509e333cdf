#include "isa/lower/rules.h"

#include <inttypes.h>

bool rule_same_type(LowerCtx *c, const Instr *i, const Tile *a, const char *na, const Tile *b, const char *nb) {
    if (a->type.dtype == b->type.dtype) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s: %s and %s must have the same element type, found %s (%s) and %s (%s)", i->info->name, na, nb,
         dtype_name(a->type.dtype), a->name, dtype_name(b->type.dtype), b->name);
    return false;
}

bool rule_same_valid(LowerCtx *c, const Instr *i, const Tile *a, const char *na, const Tile *b, const char *nb) {
    if (same_valid(a, b)) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s and %s must have the same valid region, found %ux%u (%s) and %ux%u (%s)",
         i->info->name, na, nb, a->vrows, a->vcols, a->name, b->vrows, b->vcols, b->name);
    return false;
}

bool rule_row_major(LowerCtx *c, const Instr *i, const Tile *t, const char *name) {
    if (t->type.blayout == ROW_MAJOR) return true;
    diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s %s: expected a row-major tile, found column-major", i->info->name, name, t->name);
    return false;
}

/* The library assumes rows everywhere; the document of TPARTMAX and TPARTMIN asks for them on a2a3 only, that of
 * the others nowhere. */
static bool on_columns(const LowerCtx *c, const Instr *i) {
    if (!i->nin || !i->nout || i->out[0]->type.blayout == ROW_MAJOR || c->target->sem.library) return false;
    CheckFn f = i->info->check;
    if (f != check_bins && f != check_divs && f != check_partarg && (f != check_part || c->target->family == FAMILY_A2A3)) return false;
    for (int k = 0; k < i->nin; k++)
        if (i->in[k]->type.blayout == ROW_MAJOR) return false;
    return i->nout == 1 || i->out[1]->type.blayout == COL_MAJOR;
}

bool rule_columns(LowerCtx *c, const Instr *i) {
    if (!on_columns(c, i)) return false;
    diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: column-major tiles: the document allows them, the shipped library takes them for rows", i->info->name);
    return true;
}

static Tile *turn(Tile *to, const Tile *t) {
    *to = *t;
    to->type.blayout = ROW_MAJOR;
    to->type.rows = t->type.cols;
    to->type.cols = t->type.rows;
    to->type.vrows = t->type.vcols;
    to->type.vcols = t->type.vrows;
    to->vrows = t->vcols;
    to->vcols = t->vrows;
    return to;
}

const Instr *as_rows(const LowerCtx *c, const Instr *i, Turned *t) {
    if (!on_columns(c, i)) return i;
    t->instr = *i;
    for (int k = 0; k < i->nin; k++) t->instr.in[k] = turn(&t->tile[k], i->in[k]);
    for (int k = 0; k < i->nout; k++) t->instr.out[k] = turn(&t->tile[MAX_IN + k], i->out[k]);
    return &t->instr;
}

bool rule_source(LowerCtx *c, const Instr *i, const Tile *s, const char *name, const Tile *d) {
    bool ok = rule_same_type(c, i, s, name, d, "dst");
    ok &= rule_row_major(c, i, s, name);
    return rule_same_valid(c, i, s, name, d, "dst") && ok;
}

bool rule_defect(LowerCtx *c, const Instr *i, const char *what) {
    bool library = c->target->sem.library;
    if (!what) return true;
    diag(c->diag, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS, i->loc, "%s: the shipped lowering is wrong here: %s%s", i->info->name, what,
         library ? "" : "; repaired here");
    return !library;
}

void note_byte_pair(LowerCtx *c, const Instr *i, const Tile *d) {
    if (c->target->family == FAMILY_A2A3 && tile_esize(d) == 1 && d->vcols % 2)
        diag(c->diag, DIAG_PAD_WRITE, i->loc, "%s: bytes are written in pairs, column %u of %s too, outside the valid region", i->info->name, d->vcols, d->name);
}

void note_block_padding(LowerCtx *c, const Instr *i, const Tile *d) {
    if (c->target->family == FAMILY_A2A3 && d->vcols % epb(d))
        diag(c->diag, DIAG_PAD_WRITE, i->loc, "%s: the block copy also writes columns %u..%u of %s, outside the valid region", i->info->name, d->vcols,
             round_up(d->vcols, epb(d)) - 1, d->name);
}

bool rule_column(LowerCtx *c, const Instr *i, const Tile *t, const char *name) {
    if (t->type.blayout == COL_MAJOR && t->type.cols != 1) {
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s %s: a column-major result has one column, found %u", i->info->name, name, t->name, t->type.cols);
        return false;
    }
    if (t->vcols == 1) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected one valid column, found %u", i->info->name, name, t->name, t->vcols);
    return false;
}

static bool tmp_fits(const Instr *i, const TmpNeed *n) {
    const Tile *t = i->tmp;
    if (n->rows > 1) return t->type.rows >= n->rows && t->type.cols >= n->real_cols;
    return tile_bytes(t) >= (uint64_t)n->real_cols * tile_esize(i->in[0]);
}

bool rule_tmp(LowerCtx *c, const Instr *i) {
    TmpNeed n = instr_tmp_need(c->target, i);
    const Tile *t = i->tmp;
    if (!n.rows) {
        if (t && c->target->family == FAMILY_950)
            diag(c->diag, DIAG_TMP_IGNORED, i->loc, "%s: tmp %s is accepted and not used on %s", i->info->name, t->name, c->target->name);
        return true;
    }
    if (!t) {
        diag(c->diag, DIAG_OPERANDS, i->loc, "%s: a tmp tile is needed on %s", i->info->name, c->target->name);
        return false;
    }
    if (!check_tile(c, i, t, "tmp") || !rule_row_major(c, i, t, "tmp")) return false;
    if (tmp_fits(i, &n)) return true;
    diag(c->diag, DIAG_TMP_SMALL, i->loc, "%s: tmp %s: needs %u row%s of %u elements of %s, the tile has %ux%u (%" PRIu64 " bytes)", i->info->name,
         t->name, n.rows, n.rows == 1 ? "" : "s", n.real_cols, dtype_name(i->in[0]->type.dtype), t->type.rows, t->type.cols, tile_bytes(t));
    return false;
}

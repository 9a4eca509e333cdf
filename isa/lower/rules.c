#include "isa/lower/rules.h"

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

bool rule_column(LowerCtx *c, const Instr *i, const Tile *t, const char *name) {
    if (t->type.blayout == COL_MAJOR && t->type.cols != 1) {
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s %s: a column-major result has one column, found %u", i->info->name, name, t->name, t->type.cols);
        return false;
    }
    if (t->vcols == 1) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected one valid column, found %u", i->info->name, name, t->name, t->vcols);
    return false;
}

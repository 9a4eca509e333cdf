#include "isa/lower/a2a3/sweep.h"
#include "isa/lower/rules.h"

/* The shipped a2a3 lowering takes a path that does not cover the region. */
static bool check_path(LowerCtx *c, const Instr *i, Path p) {
    const char *defect = c->target->family == FAMILY_A2A3 && !no_elements(i->out[0]) ? path_defect(p, i->out[0]) : NULL;
    if (!defect) return true;
    bool library = c->target->sem.library;
    diag(c->diag, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS, i->loc, "%s: the shipped lowering of %ux%u in tiles of %ux%u is wrong: %s%s",
         i->info->name, i->out[0]->vrows, i->out[0]->vcols, i->out[0]->type.rows, i->out[0]->type.cols, defect, library ? "" : "; repaired here");
    return !library;
}

bool check_bins(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool ok = rule_same_type(c, i, s, "src", d, "dst");
    bool columns = rule_columns(c, i);
    ok &= columns || rule_row_major(c, i, s, "src");
    ok &= columns || rule_row_major(c, i, d, "dst");
    if (!ok) return false;
    if (c->target->family == FAMILY_A2A3) return rule_same_valid(c, i, s, "src", d, "dst") && (columns || check_path(c, i, path_bins(d, s)));
    if (s->vcols != d->vcols) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src and dst must have the same valid columns, found %u (%s) and %u (%s)",
             i->info->name, s->vcols, s->name, d->vcols, d->name);
        return false;
    }
    if (s->vrows < d->vrows)
        diag(c->diag, DIAG_VALID_READ, i->loc, "%s: dst %s has %u valid rows, src %s only %u: rows %u..%u are read outside the source's valid region",
             i->info->name, d->name, d->vrows, s->name, s->vrows, s->vrows, d->vrows - 1);
    return true;
}

/* The source may be f16 for an f32 destination. */
bool check_axpy(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    if (s->type.dtype != DT_F16 || d->type.dtype != DT_F32) return check_bins(c, i);
    bool ok = rule_row_major(c, i, s, "src");
    ok &= rule_row_major(c, i, d, "dst");
    return rule_same_valid(c, i, s, "src", d, "dst") && ok;
}

bool check_binary(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s0 = i->in[0], *s1 = i->in[1];
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_source(c, i, s0, "src0", d);
    ok &= rule_source(c, i, s1, "src1", d);
    return ok && check_path(c, i, path_binary(d, s0, s1));
}

bool check_unary(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_source(c, i, s, "src", d);
    return ok && check_path(c, i, i->id == I_TNEG ? path_bins(d, s) : path_unary(d, s));
}

bool check_rsqrt(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0], *t = i->tmp;
    if (!t || c->target->family != FAMILY_A2A3) return check_unary(c, i) && rule_tmp(c, i);
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_source(c, i, s, "src", d);
    return ok && rule_tmp(c, i) && rule_same_type(c, i, s, "src", t, "tmp");
}

static void note_reciprocal(LowerCtx *c, const Instr *i, const Tile *s, const Tile *d) {
    if (c->target->family == FAMILY_A2A3 && !i->scalar_first && !no_elements(d) && s->addr == d->addr)
        diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: in place the shipped library multiplies by the reciprocal of the scalar: the last bit may differ from the quotient",
             i->info->name);
}

bool check_divs(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    if (!dtype_is_float(d->type.dtype)) return rule_row_major(c, i, d, "dst") && rule_source(c, i, i->in[0], "src", d);
    if (!check_bins(c, i)) return false;
    note_reciprocal(c, i, i->in[0], d);
    return true;
}

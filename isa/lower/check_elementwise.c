#include "isa/lower/rules.h"

bool check_bins(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool ok = rule_same_type(c, i, s, "src", d, "dst");
    ok &= rule_row_major(c, i, s, "src");
    ok &= rule_row_major(c, i, d, "dst");
    if (!ok) return false;
    if (c->target->family == FAMILY_A2A3) return rule_same_valid(c, i, s, "src", d, "dst");
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

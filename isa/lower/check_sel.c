#include "isa/lower/rules.h"

/* One bit per column, lowest bit first, rows as wide as the mask tile. */
static bool check_mask(LowerCtx *c, const Instr *i, const Tile *m, const Tile *d) {
    uint32_t bits = 8 * m->type.cols * tile_esize(m);
    if (bits >= d->vcols && m->type.rows >= d->vrows) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: mask %s holds %u rows of %u bits, dst %s has %ux%u valid elements", i->info->name, m->name,
         m->type.rows, bits, d->name, d->vrows, d->vcols);
    return false;
}

static bool check_bytes(LowerCtx *c, const Instr *i, const Tile *d) {
    if (tile_esize(d) != 1 || d->vcols <= REPEAT_BYTES) return true;
    bool library = c->target->sem.library;
    diag(c->diag, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS, i->loc,
         "%s: 8-bit elements beyond %d columns: the shipped lowering advances the mask by half of what it has used, columns %d..%u get wrong bits%s",
         i->info->name, REPEAT_BYTES, REPEAT_BYTES, d->vcols - 1, library ? "" : "; repaired here");
    return !library;
}

bool check_sel(LowerCtx *c, const Instr *i) {
    static const char *const names[] = {"mask", "src0", "src1"};
    const Tile *d = i->out[0];
    bool ok = rule_row_major(c, i, d, "dst");
    for (int k = 0; k < 3; k++) ok &= rule_row_major(c, i, i->in[k], names[k]);
    for (int k = 1; k < 3; k++) {
        ok &= rule_same_type(c, i, i->in[k], names[k], d, "dst");
        ok &= rule_same_valid(c, i, i->in[k], names[k], d, "dst");
    }
    if (!ok || !check_mask(c, i, i->in[0], d)) return false;
    ok = rule_in_place(c, i, i->in[1], "src0", d);
    ok &= rule_in_place(c, i, i->in[2], "src1", d);
    ok &= rule_apart(c, i, i->in[0], "mask", d, "dst", "results destroy mask bits that are still to be read");
    return ok && rule_tmp(c, i) && check_bytes(c, i, d);
}

TmpNeed tmp_sel(const Target *t, const Instr *i) {
    (void)t;
    (void)i;
    return (TmpNeed){0};
}

/* TSEL, TSELS. */
#include "isa/lower/rules.h"

static uint32_t bits_per_row(const Tile *m) { return 8 * m->type.cols * tile_esize(m); }

/* TSEL finds the mask by an address in UB: no operand field shows the read. */
static bool rule_mask_apart(LowerCtx *c, const Instr *i, const Tile *m, const Tile *d) {
    if (c->target->family != FAMILY_A2A3 || i->nin < 3 || no_elements(d) || !tiles_overlap(c, m, d)) return true;
    diag(c->diag, DIAG_ALIAS, i->loc, "%s: dst %s overlaps mask %s: results overwrite bits before they are read", i->info->name, d->name, m->name);
    return false;
}

static bool rule_width(LowerCtx *c, const Instr *i, const Tile *d) {
    if (c->target->family != FAMILY_A2A3 || tile_esize(d) > 1) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s on %s: expected elements of 16 or 32 bits, found %s (%s)", i->info->name, c->target->name, dtype_name(d->type.dtype),
         d->name);
    return false;
}

/* Mask, one or two sources, destination. */
bool check_sel(LowerCtx *c, const Instr *i) {
    static const char *const names[] = {"mask", "src0", "src1"};
    const Tile *d = i->out[0], *m = i->in[0];
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_row_major(c, i, m, "mask");
    for (int k = 1; k < i->nin; k++) ok &= rule_source(c, i, i->in[k], i->nin == 2 ? "src" : names[k], d);
    if (!ok) return false;
    if (bits_per_row(m) < d->vcols || m->type.rows < d->vrows) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: mask %s holds %u rows of %u bits, dst %s has %ux%u valid elements", i->info->name, m->name,
             m->type.rows, bits_per_row(m), d->name, d->vrows, d->vcols);
        return false;
    }
    if (!rule_width(c, i, d) || !rule_tmp(c, i) || !rule_mask_apart(c, i, m, d)) return false;
    bool bytes = c->target->family == FAMILY_950 && i->nin == 3 && tile_esize(d) == 1 && d->vcols > REPEAT_BYTES;
    return !bytes || rule_defect(c, i, "8-bit elements beyond 256 columns get the bits of others: the mask advances by half of what was used");
}

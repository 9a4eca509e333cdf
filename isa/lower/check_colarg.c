/* TCOLARGMAX, TCOLARGMIN. */
#include "isa/lower/rules.h"

static bool check_line(LowerCtx *c, const Instr *i, const Tile *d, const char *name) {
    const Tile *s = i->in[0];
    if (!rule_row_major(c, i, d, name)) return false;
    if (d->vrows == 1 && d->vcols == s->vcols) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected one valid row of %u columns, found %ux%u", i->info->name, name, d->name, s->vcols, d->vrows,
         d->vcols);
    return false;
}

/* Alone an index has 32 bits, beside a value the width of the value. */
static bool check_index(LowerCtx *c, const Instr *i, const Tile *x) {
    uint32_t want = i->nout == 2 ? tile_esize(i->in[0]) : 4;
    if (want > 1 && !dtype_is_float(x->type.dtype) && tile_esize(x) == want) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s: expected an index tile of %s, found %s (%s)", i->info->name,
         want == 1 ? "no type: values of 8 bits have no form with a value" : want == 2 ? "i16 or u16" : "i32 or u32", dtype_name(x->type.dtype), x->name);
    return false;
}

static bool check_shipped(LowerCtx *c, const Instr *i, const Tile *s) {
    if (c->target->family != FAMILY_A2A3) return true;
    if (!dtype_is_float(s->type.dtype) && !rule_defect(c, i, "unsigned integers are compared as if they were floats")) return false;
    bool rounded = i->nout == 1 && tile_esize(s) == 2 && s->vrows > 2049;
    return !rounded || rule_defect(c, i, "rows beyond 2048 pass through f16, which cannot hold them all");
}

bool check_colarg(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *x = i->out[i->nout - 1];
    bool both = i->nout == 2;
    if (no_elements(s)) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src %s: expected a valid region with rows and columns, found %ux%u", i->info->name, s->name, s->vrows, s->vcols);
        return false;
    }
    bool ok = rule_row_major(c, i, s, "src");
    ok &= check_index(c, i, x);
    ok &= check_line(c, i, x, both ? "dstIdx" : "dst");
    if (both) {
        ok &= rule_same_type(c, i, s, "src", i->out[0], "dstVal");
        ok &= check_line(c, i, i->out[0], "dstVal");
    }
    if (!ok || !rule_tmp(c, i)) return false;
    if (instr_tmp_need(c->target, i).rows && !rule_same_type(c, i, s, "src", i->tmp, "tmp")) return false;
    return check_shipped(c, i, s);
}

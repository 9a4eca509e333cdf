/* TCMP, TCMPS. */
#include "isa/lower/rules.h"

static uint32_t bits_per_row(const Tile *m) { return 8 * m->type.cols * tile_esize(m); }

/* Integers of 32 bits are compared for equality only; those of 16 bits as halves. */
static bool check_machine(LowerCtx *c, const Instr *i, DType t) {
    if (c->target->family != FAMILY_A2A3 || dtype_is_float(t)) return true;
    if (dtype_size(t) == 2) return rule_defect(c, i, "16-bit integers are compared as if they were f16");
    if (i->cmp == CMP_EQ || i->cmp == CMP_NE) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s: %s has equality of i32 only (cmpMode eq or ne)", i->info->name, c->target->name);
    return false;
}

static bool check_pitch(LowerCtx *c, const Instr *i) {
    const Tile *a = i->in[0];
    if (c->target->family != FAMILY_950 || i->nin < 2 || tile_esize(a) != 4 || a->vrows < 2 || tile_row_stride(a) == tile_row_stride(i->in[1])) return true;
    return rule_defect(c, i, "sources of different row pitch are read with each other's pitch");
}

bool check_compare(LowerCtx *c, const Instr *i) {
    static const char *const names[] = {"src0", "src1"};
    const Tile *d = i->out[0], *a = i->in[0];
    bool ok = rule_row_major(c, i, d, "dst");
    for (int k = 0; k < i->nin; k++) ok &= rule_row_major(c, i, i->in[k], i->nin == 1 ? "src" : names[k]);
    if (i->nin > 1) {
        ok &= rule_same_type(c, i, a, "src0", i->in[1], "src1");
        ok &= rule_same_valid(c, i, a, "src0", i->in[1], "src1");
    }
    if (bits_per_row(d) < a->vcols || d->type.rows < a->vrows) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: dst %s holds %u rows of %u bits, the sources have %ux%u valid elements", i->info->name, d->name, d->type.rows,
             bits_per_row(d), a->vrows, a->vcols);
        ok = false;
    }
    return ok && check_machine(c, i, a->type.dtype) && check_pitch(c, i);
}

/* TROWEXPANDADD, TCOLEXPAND, TCOLEXPANDADD and siblings. */
#include "isa/lower/rules.h"

const char *col_expand_defect(const Tile *d, const Tile *full); /* isa/lower/a2a3/col_expand.c */

/* The source with dst's region, and the one that is expanded. Either may come first. */
typedef struct Pair {
    const Tile *full, *one;
    const char *full_name, *one_name;
} Pair;

static Pair pair_of(const Instr *i) {
    bool second = !same_valid(i->in[0], i->out[0]);
    return (Pair){i->in[second], i->in[!second], second ? "src1" : "src0", second ? "src0" : "src1"};
}

static bool check_pair(LowerCtx *c, const Instr *i, const Pair *p) {
    const Tile *d = i->out[0];
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_source(c, i, p->full, p->full_name, d);
    return rule_same_type(c, i, p->one, p->one_name, d, "dst") && ok;
}

/* One value per row: a column, or one block per row, whose elements meet those of each block. */
static bool check_row_values(LowerCtx *c, const Instr *i, const Tile *one, const char *name) {
    const Tile *d = i->out[0];
    bool column = one->type.blayout == COL_MAJOR && one->type.cols == 1 && one->vcols == 1;
    bool block = one->type.blayout == ROW_MAJOR && one->type.cols == epb(one) && one->vcols == epb(one);
    if ((column || block) && one->vrows == d->vrows) return true;
    char text[80];
    tile_describe(one, text, sizeof text);
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected one value per row, as a column-major column or as one full block of %u elements, of %u rows; found %s",
         i->info->name, name, one->name, epb(one), d->vrows, text);
    return false;
}

bool check_row_expand_bin(LowerCtx *c, const Instr *i) {
    Pair p = pair_of(i);
    const Tile *d = i->out[0];
    if (!check_pair(c, i, &p) || !check_row_values(c, i, p.one, p.one_name) || !rule_tmp(c, i)) return false;
    bool batches = c->target->family == FAMILY_A2A3 && p.one->type.blayout == COL_MAJOR && d->vrows > MAX_REPEAT;
    bool over = batches && d->vrows % 240 > 232 && d->vcols;
    return !over || rule_defect(c, i, "rows behind the valid region are computed too");
}

static bool check_row(LowerCtx *c, const Instr *i, const Tile *one, const char *name) {
    const Tile *d = i->out[0];
    if (!rule_row_major(c, i, one, name)) return false;
    if (one->vrows >= 1 && one->vcols == d->vcols) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected a row of %u valid columns, found %ux%u", i->info->name, name, one->name, d->vcols, one->vrows,
         one->vcols);
    return false;
}

bool check_col_expand(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool ok = rule_row_major(c, i, d, "dst");
    ok &= rule_same_type(c, i, s, "src", d, "dst");
    if (!ok || !check_row(c, i, s, "src")) return false;
    note_block_padding(c, i, d);
    return true;
}

bool check_col_expand_bin(LowerCtx *c, const Instr *i) {
    Pair p = pair_of(i);
    const Tile *d = i->out[0];
    if (!check_pair(c, i, &p) || !check_row(c, i, p.one, p.one_name)) return false;
    return c->target->family != FAMILY_A2A3 || no_elements(d) || rule_defect(c, i, col_expand_defect(d, p.full));
}

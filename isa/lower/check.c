/* Rules that hold for every instruction, and the walk over an instruction's own rules. */
#include <inttypes.h>
#include <stdio.h>

#include "isa/check/alias.h"
#include "isa/lower/rules.h"

/* The scratch that the library keeps in the reserved top for instructions without tmp. */
static bool own_scratch(const Instr *i, const Tile *t) { return t == i->tmp && t->addr == instr_tmp_place(i); }

static bool check_storage(LowerCtx *c, const Instr *i, const Tile *t, const char *role) {
    bool ok = true;
    uint64_t ub = (uint64_t)c->target->ub.bytes.v, top = ub - (uint64_t)c->target->ub.reserved_top.v;
    uint64_t end = (uint64_t)t->addr + tile_bytes(t);
    uint32_t es = tile_esize(t);
    if (t->addr % BLOCK_BYTES) {
        diag(c->diag, DIAG_ALIGN, i->loc, "%s: %s %s at 0x%" PRIx64 ": the address must be a multiple of 32 bytes, it is %d mod 32",
             i->info->name, role, t->name, (uint64_t)t->addr, (int)(t->addr % BLOCK_BYTES));
        ok = false;
    }
    bool row = t->type.blayout == ROW_MAJOR;
    uint32_t pitch = (row ? t->type.cols : t->type.rows) * es;
    if (pitch % BLOCK_BYTES) {
        diag(c->diag, DIAG_ROW_PITCH, i->loc, "%s: %s %s: the %s pitch must be a multiple of 32 bytes, %u x %s is %u bytes",
             i->info->name, role, t->name, row ? "row" : "column", row ? t->type.cols : t->type.rows, dtype_name(t->type.dtype), pitch);
        ok = false;
    }
    if (end > ub) {
        diag(c->diag, DIAG_UB_OOB, i->loc, "%s: %s %s occupies 0x%" PRIx64 "..0x%" PRIx64 ", the unified buffer of %s ends at 0x%" PRIx64,
             i->info->name, role, t->name, (uint64_t)t->addr, end - 1, c->target->name, ub);
        ok = false;
    } else if (end > top && !own_scratch(i, t)) {
        diag(c->diag, DIAG_UB_RESERVED_TOP, i->loc, "%s: %s %s ends at 0x%" PRIx64 ", the top of the unified buffer from 0x%" PRIx64 " is reserved",
             i->info->name, role, t->name, end, top);
    }
    return ok;
}

bool check_tile(LowerCtx *c, const Instr *i, const Tile *t, const char *role) {
    bool ok = true;
    if (t->type.loc != LOC_VEC) {
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s %s: expected a tile in the unified buffer (vec), found another memory", i->info->name, role, t->name);
        return false;
    }
    if (t->type.slayout != NONE_BOX) {
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: %s %s: expected slayout none_box, found a boxed (fractal) layout", i->info->name, role, t->name);
        ok = false;
    }
    if (t->vrows > t->type.rows || t->vcols > t->type.cols) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: the valid region %ux%u does not fit into the tile of %ux%u",
             i->info->name, role, t->name, t->vrows, t->vcols, t->type.rows, t->type.cols);
        ok = false;
    }
    return check_storage(c, i, t, role) && ok;
}

static bool check_type(LowerCtx *c, const Instr *i) {
    const Tile *t = i->nin ? i->in[0] : i->nout ? i->out[0] : NULL;
    Family f = c->target->family;
    if (!i->info->lower[f]) {
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: not available on %s", i->info->name, c->target->name);
        return false;
    }
    if (!t || instr_type_ok(i->info, f, t->type.dtype)) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s on %s: expected an element type of %s, found %s (%s)", i->info->name, c->target->name,
         i->info->types[f], dtype_name(t->type.dtype), t->name);
    return false;
}

bool instr_check(LowerCtx *c, const Instr *i) {
    const Signature *s = instr_signature(i->id);
    bool ok = check_type(c, i);
    int out_form = s->nout[1] == i->nout && s->nout[0] != i->nout;
    for (int k = 0; k < i->nin; k++) ok &= check_tile(c, i, i->in[k], s->in_name[k]);
    for (int k = 0; k < i->nout; k++) ok &= check_tile(c, i, i->out[k], s->out_name[out_form][k]);
    return ok && (!i->info->check || i->info->check(c, i)) && check_alias(c, i);
}

TmpNeed instr_tmp_need(const Target *t, const Instr *i) {
    return i->info->tmp ? i->info->tmp(t, i) : (TmpNeed){0};
}

/* TROWEXPANDADD and siblings: 8 KiB at 184 KiB of a2a3. */
int64_t instr_tmp_place(const Instr *i) { return i->info->tmp == tmp_row_expand_bin ? 184 * 1024 : -1; }

void instr_lower(LowerCtx *c, const Instr *i) {
    uopbuf_clear(c->out);
    LowerFn f = i->info->lower[c->target->family];
    Turned t;
    if (f) f(c, as_rows(c, i, &t), i->info->variant[c->target->family]);
}

#include "isa/lower/rules.h"

/* One source covers the destination exactly and the other does not exceed it. */
static bool covers(const Tile *d, const Tile *full, const Tile *part) {
    return same_valid(d, full) && part->vrows <= d->vrows && part->vcols <= d->vcols;
}

static bool check_regions(LowerCtx *c, const Instr *i, const Tile *d, const Tile *a, const Tile *b) {
    if (no_elements(d) || covers(d, a, b) || covers(d, b, a)) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc,
         "%s: implementation-defined valid regions: one source must have dst's region %ux%u and the other must not exceed it, found %ux%u (%s) and %ux%u (%s)",
         i->info->name, d->vrows, d->vcols, a->vrows, a->vcols, a->name, b->vrows, b->vcols, b->name);
    return false;
}

/* a2a3 copies the wide source over dst before it reads the narrow one. */
static void note_alias(LowerCtx *c, const Instr *i, const Tile *d, const Tile *narrow, const char *name) {
    if (c->target->family == FAMILY_A2A3 || no_elements(d) || no_elements(narrow) || narrow->vcols >= d->vcols || !tiles_overlap(c, d, narrow)) return;
    diag_sev(c->diag, DIAG_ALIAS, SEV_NOTE, i->loc, "%s: dst %s overlaps %s %s, which has fewer columns: a2a3 would destroy it, %s loads each register before it is stored",
             i->info->name, d->name, name, narrow->name, c->target->name);
}

static void note_padding(LowerCtx *c, const Instr *i, const Tile *d, const Tile *full, const Tile *part) {
    if (c->target->family != FAMILY_A2A3 || no_elements(d) || same_valid(d, part)) return;
    uint32_t es = tile_esize(d);
    bool rows = tile_row_stride(d) == tile_row_stride(full);
    uint32_t end = rows ? tile_row_stride(d) : round_up(d->vcols * es, BLOCK_BYTES) / es;
    if (end > d->vcols)
        diag(c->diag, DIAG_PAD_WRITE, i->loc, "%s: the block copy from %s also writes columns %u..%u of %s, outside the valid region", i->info->name,
             full->name, d->vcols, end - 1, d->name);
}

bool check_part(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *a = i->in[0], *b = i->in[1];
    bool ok = rule_same_type(c, i, a, "src0", b, "src1");
    ok &= rule_same_type(c, i, a, "src0", d, "dst");
    if (!rule_columns(c, i)) {
        ok &= rule_row_major(c, i, a, "src0");
        ok &= rule_row_major(c, i, b, "src1");
        ok &= rule_row_major(c, i, d, "dst");
    }
    if (!ok || !check_regions(c, i, d, a, b)) return false;
    Turned t;
    i = as_rows(c, i, &t);
    d = i->out[0], a = i->in[0], b = i->in[1];
    bool first = same_valid(a, d);
    note_alias(c, i, d, first ? b : a, first ? "src1" : "src0");
    note_padding(c, i, d, first ? a : b, first ? b : a);
    return true;
}

static bool check_index_type(LowerCtx *c, const Instr *i, DType value, DType index) {
    bool i32 = index == DT_I32 || index == DT_U32, i16 = index == DT_I16 || index == DT_U16;
    if (i32 || (i16 && value == DT_F16)) return true;
    if (i16 && value == DT_F32 && c->target->family == FAMILY_950) {
        if (!c->target->sem.library) {
            diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: f32 values with %s indices: listed by the document, refused by the shipped library; lowered with narrowed predicates, timing assumed",
                 i->info->name, dtype_name(index));
            return true;
        }
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: f32 values with %s indices: the shipped library takes i32 and u32 indices only", i->info->name, dtype_name(index));
        return false;
    }
    diag(c->diag, DIAG_DTYPE, i->loc, "%s: %s values take index tiles of %s, found %s", i->info->name, dtype_name(value),
         value == DT_F16 ? "i16, u16, i32 or u32" : c->target->family == FAMILY_950 ? "i16, u16, i32 or u32" : "i32 or u32", dtype_name(index));
    return false;
}

/* Half values with 32-bit indices: the shipped a2a3 lowering leaves columns 64..127 of each 128 out. */
static bool check_half_index(LowerCtx *c, const Instr *i, const Tile *v, const Tile *x) {
    if (c->target->family != FAMILY_A2A3 || tile_esize(v) == tile_esize(x) || v->vcols <= 64 || !v->vrows) return true;
    if (!c->target->sem.library) {
        diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: f16 values with 32-bit indices beyond 64 columns: the shipped lowering writes only 64 of each 128 columns; repaired here",
             i->info->name);
        return true;
    }
    diag(c->diag, DIAG_LIBRARY_DEFECT, i->loc, "%s: f16 values with 32-bit indices: the shipped lowering enables 64 lanes and steps by 128, columns 64..%u are not all written",
         i->info->name, v->vcols - 1);
    return false;
}

bool check_partarg(LowerCtx *c, const Instr *i) {
    const Tile *dv = i->out[0], *di = i->out[1];
    static const char *const names[] = {"src0Val", "src1Val", "src0Idx", "src1Idx"};
    bool ok = rule_same_type(c, i, i->in[0], "src0Val", i->in[1], "src1Val");
    ok &= rule_same_type(c, i, i->in[0], "src0Val", dv, "dstVal");
    ok &= rule_same_type(c, i, i->in[2], "src0Idx", i->in[3], "src1Idx");
    ok &= rule_same_type(c, i, i->in[2], "src0Idx", di, "dstIdx");
    ok = ok && check_index_type(c, i, dv->type.dtype, di->type.dtype);
    if (!rule_columns(c, i)) {
        for (int k = 0; k < 4; k++) ok &= rule_row_major(c, i, i->in[k], names[k]);
        ok &= rule_row_major(c, i, dv, "dstVal");
        ok &= rule_row_major(c, i, di, "dstIdx");
    }
    ok &= rule_same_valid(c, i, i->in[0], "src0Val", i->in[2], "src0Idx");
    ok &= rule_same_valid(c, i, i->in[1], "src1Val", i->in[3], "src1Idx");
    ok &= rule_same_valid(c, i, dv, "dstVal", di, "dstIdx");
    if (!ok || !check_regions(c, i, dv, i->in[0], i->in[1])) return false;
    Turned t;
    i = as_rows(c, i, &t);
    dv = i->out[0], di = i->out[1];
    bool first = same_valid(i->in[0], dv);
    note_alias(c, i, dv, i->in[first], names[first]);
    note_alias(c, i, di, i->in[2 + first], names[2 + first]);
    note_padding(c, i, dv, i->in[!first], i->in[first]);
    return check_half_index(c, i, dv, di);
}

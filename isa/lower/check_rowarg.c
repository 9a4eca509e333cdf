#include <inttypes.h>

#include "isa/lower/rules.h"

static bool check_index(LowerCtx *c, const Instr *i, const Tile *s, const Tile *x) {
    DType t = x->type.dtype;
    bool both = i->nout == 2;
    if (dtype_is_float(t)) {
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: the index tile %s is of type %s; an index tile has an integer type (the float index tile in the document's own example is a slip)",
             i->info->name, x->name, dtype_name(t));
        return false;
    }
    bool i32 = t == DT_I32 || t == DT_U32, i16 = t == DT_I16 || t == DT_U16;
    if (!i32 && !(i16 && both && tile_esize(s) == 2)) {
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: expected an index tile of %s, found %s (%s)", i->info->name,
             both && tile_esize(s) == 2 ? "i16, u16, i32 or u32" : "i32 or u32", dtype_name(t), x->name);
        return false;
    }
    if (both && i32 && tile_esize(s) == 2)
        diag_sev(c->diag, DIAG_DTYPE_UNDOC, SEV_WARNING, i->loc, "%s: a 32-bit index with %s values: the library accepts it, the document lists 16-bit indices only",
                 i->info->name, dtype_name(s->type.dtype));
    uint64_t most = t == DT_I16 ? 32767 : t == DT_U16 ? 65535 : 0x7fffffff;
    if (s->vcols - 1 > most) {
        diag(c->diag, DIAG_INDEX_OVERFLOW, i->loc, "%s: index type %s holds columns up to %" PRIu64 ", the last column is %u: the index wraps",
             i->info->name, dtype_name(t), most, s->vcols - 1);
        return false;
    }
    return true;
}

static void note_source(LowerCtx *c, const Instr *i, const Tile *s) {
    DType t = s->type.dtype;
    if (c->target->family == FAMILY_A2A3 && !dtype_is_float(t))
        diag(c->diag, DIAG_DTYPE_UNDOC, i->loc, "%s: %s source: the vendor documents vcmax and vcmin for f16 and f32 only; compared as signed integers here",
             i->info->name, dtype_name(t));
    if (c->target->family == FAMILY_950 && t == DT_BF16)
        diag_sev(c->diag, DIAG_DTYPE_UNDOC, SEV_NOTE, i->loc, "%s: %s source: accepted as the document says, the vendor lists no such reduction",
                 i->info->name, dtype_name(t));
}

/* The formulas count elements of the source. tmp may be of any type; its rows are as long as its own type says. */
static uint32_t tmp_row_elements(const Instr *i) { return i->tmp->type.cols * tile_esize(i->tmp) / tile_esize(i->in[0]); }

/* Columns of tmp that hold so many elements of the source. */
static uint32_t tmp_columns(const Instr *i, uint32_t elements) {
    return round_up(ceil_div((uint64_t)elements * tile_esize(i->in[0]), tile_esize(i->tmp)), epb(i->tmp));
}

/* Both numbers of a case-3 tmp: what the document says and what the stages touch. */
static bool check_spill(LowerCtx *c, const Instr *i, const TmpNeed *n) {
    const Tile *t = i->tmp, *s = i->in[0];
    uint32_t es = tile_esize(s), E = epr(s), R1 = ceil_div(s->vcols, E), have = tmp_row_elements(i), give = tmp_columns(i, n->real_cols);
    uint64_t end = (uint64_t)t->addr + ((uint64_t)(n->rows - 1) * have + n->real_cols) * es;
    uint64_t own = (uint64_t)t->addr + tile_bytes(t), ub = (uint64_t)c->target->ub.bytes.v;
    if (end <= own) return true;
    const Tile *hit = c->written_tile ? c->written_tile(c->ctx, i, (uint32_t)own, (uint32_t)end) : NULL;
    if (hit || end > ub) {
        uint64_t lo = hit && (uint64_t)hit->addr > own ? (uint64_t)hit->addr : own;
        diag(c->diag, hit ? DIAG_TMP_SMALL : DIAG_UB_OOB, i->loc,
             "%s: tmp %s: the stages need %u elements per row (2 x %u pairs + %u values), the tile has %u: the last row runs on to 0x%" PRIx64 " and %s %s from 0x%" PRIx64 "\ngive tmp %u columns",
             i->info->name, t->name, n->real_cols, R1, R1, have, end, hit ? "overwrites" : "leaves",
             hit ? hit->name : "the unified buffer", hit ? lo : ub, give);
        return false;
    }
    diag(c->diag, DIAG_TMP_SPILL, i->loc,
         "%s: tmp %s has the documented %u elements per row, the stages touch %u: the last row runs %" PRIu64 " bytes past the tile, to 0x%" PRIx64 "\ngive tmp %u columns",
         i->info->name, t->name, have, n->real_cols, end - own, end, give);
    return true;
}

static bool check_tmp(LowerCtx *c, const Instr *i) {
    TmpNeed n = instr_tmp_need(c->target, i);
    const Tile *t = i->tmp;
    if (!n.rows) {
        if (t && c->target->family == FAMILY_950)
            diag(c->diag, DIAG_TMP_IGNORED, i->loc, "%s: tmp %s is accepted and not used on %s", i->info->name, t->name, c->target->name);
        return true;
    }
    if (!t) {
        diag(c->diag, DIAG_OPERANDS, i->loc, "%s: a tmp tile is needed on %s", i->info->name, c->target->name);
        return false;
    }
    if (!check_tile(c, i, t, "tmp")) return false;
    if (n.rows == 1 && n.doc_cols == n.real_cols && i->in[0]->vcols <= epr(i->in[0])) { /* packed pairs: one run */
        uint64_t have = tile_bytes(t) / tile_esize(i->in[0]);
        if (have >= n.doc_cols) return true;
        diag(c->diag, DIAG_TMP_SMALL, i->loc, "%s: tmp %s: needs %u elements (2 x %u rows), the tile has %" PRIu64, i->info->name, t->name, n.doc_cols,
             i->in[0]->vrows, have);
        return false;
    }
    uint32_t E = epr(i->in[0]), R1 = ceil_div(i->in[0]->vcols, E);
    if (t->type.rows < n.rows || tmp_row_elements(i) < n.doc_cols) {
        diag(c->diag, DIAG_TMP_SMALL, i->loc,
             "%s: tmp %s: needs %u rows of %u elements of %s (the stages touch %u: 2 x %u pairs + %u values), the tile has %ux%u",
             i->info->name, t->name, n.rows, n.doc_cols, dtype_name(i->in[0]->type.dtype), n.real_cols, R1, R1, t->type.rows, tmp_row_elements(i));
        return false;
    }
    return check_spill(c, i, &n);
}

static bool check_rows(LowerCtx *c, const Instr *i, const Tile *s, const Tile *d, const char *name) {
    if (s->vrows == d->vrows) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src and %s must have the same valid rows, found %u (%s) and %u (%s)", i->info->name, name,
         s->vrows, s->name, d->vrows, d->name);
    return false;
}

bool check_rowarg(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *x = i->out[i->nout - 1];
    bool ok = rule_row_major(c, i, s, "src");
    if (no_elements(s)) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: src %s: expected a valid region with rows and columns, found %ux%u", i->info->name, s->name, s->vrows, s->vcols);
        return false;
    }
    ok &= check_index(c, i, s, x);
    ok &= rule_column(c, i, x, i->nout == 2 ? "dstIdx" : "dst");
    ok &= check_rows(c, i, s, x, i->nout == 2 ? "dstIdx" : "dst");
    if (i->nout == 2) {
        ok &= rule_same_type(c, i, s, "src", i->out[0], "dstVal");
        ok &= rule_column(c, i, i->out[0], "dstVal");
        ok &= check_rows(c, i, s, i->out[0], "dstVal");
    }
    if (ok) note_source(c, i, s);
    return ok && check_tmp(c, i);
}

/* Rules of the instructions that move elements. */
#include <inttypes.h>

#include "isa/lower/indexed.h"
#include "isa/lower/move.h"
#include "isa/lower/rules.h"

static bool refuse(LowerCtx *c, const Instr *i, DiagId id, const char *what) {
    diag(c->diag, id, i->loc, "%s: %s", i->info->name, what);
    return false;
}

/* The shipped lowering gets this wrong; document conformance repairs it. */
static bool defect(LowerCtx *c, const Instr *i, const char *what) {
    bool library = c->target->sem.library;
    diag(c->diag, library ? DIAG_LIBRARY_DEFECT : DIAG_LIBRARY_DIFFERS, i->loc, "%s: the shipped lowering is wrong: %s%s", i->info->name, what,
         library ? "" : "; repaired here");
    return !library;
}

/* Results land anywhere, or elements are read anywhere, as data decide: no operand may share memory
 * with them. What the micro-ops show by themselves is left to the general check. */
static bool apart(LowerCtx *c, const Instr *i, const Tile *a, const Tile *b) {
    if (!a || !b || !tiles_overlap(c, a, b)) return true;
    diag(c->diag, DIAG_ALIAS, i->loc, "%s: %s and %s overlap: elements are overwritten before they are read", i->info->name, a->name, b->name);
    return false;
}

static bool sources_apart(LowerCtx *c, const Instr *i) {
    bool ok = true;
    for (int k = 0; k < i->nin; k++) {
        ok &= apart(c, i, i->out[0], i->in[k]);
        ok &= !instr_tmp_need(c->target, i).rows || apart(c, i, i->tmp, i->in[k]);
    }
    return ok;
}

static bool all_row_major(LowerCtx *c, const Instr *i) {
    bool ok = rule_row_major(c, i, i->out[0], "dst");
    for (int k = 0; k < i->nin; k++) ok &= rule_row_major(c, i, i->in[k], "src");
    return ok;
}

static bool fits(LowerCtx *c, const Instr *i, const Tile *t, const char *name, uint64_t rows, uint64_t cols) {
    if (t->type.rows >= rows && t->type.cols >= cols) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected at least %" PRIu64 "x%" PRIu64 " elements, the tile has %ux%u", i->info->name, name,
         t->name, rows, cols, t->type.rows, t->type.cols);
    return false;
}

static bool expect_valid(LowerCtx *c, const Instr *i, const Tile *t, const char *name, uint32_t rows, uint32_t cols) {
    if (t->vrows == rows && t->vcols == cols) return true;
    diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %s %s: expected a valid region of %ux%u, found %ux%u", i->info->name, name, t->name, rows, cols,
         t->vrows, t->vcols);
    return false;
}

static bool index_type(LowerCtx *c, const Instr *i, const Tile *x, bool narrow, bool wide) {
    DType t = x->type.dtype;
    bool ok = !dtype_is_float(t) && ((wide && dtype_size(t) == 4) || (narrow && dtype_size(t) == 2));
    if (!ok)
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: expected an index tile of %s, found %s (%s)", i->info->name,
             narrow && wide ? "i16, u16, i32 or u32" : wide ? "i32 or u32" : "i16 or u16", dtype_name(t), x->name);
    return ok;
}

/* Indices in 16-bit lanes. */
static bool reachable(LowerCtx *c, const Instr *i, const Tile *t) {
    uint64_t n = (uint64_t)t->type.rows * t->type.cols;
    if (n <= 65536) return true;
    diag(c->diag, DIAG_INDEX_OVERFLOW, i->loc, "%s: %s has %" PRIu64 " elements, the indices have 16 bits", i->info->name, t->name, n);
    return false;
}

/* a2a3: the rest of the block that the valid columns end in is filled apart from what lies behind it. */
static bool check_block_rest(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool loaded = d->type.pad == s->type.pad;
    uint32_t last = round_up(s->vcols, epb(s));
    if (c->target->family != FAMILY_A2A3 || no_elements(d) || no_elements(s) || s->vcols == last) return true;
    if (loaded)
        diag(c->diag, DIAG_LIBRARY_DIFFERS, i->loc, "%s: src and dst have the same pad value: the shipped lowering takes columns %u..%u for filled by the load; %s", i->info->name,
             s->vcols, last - 1, c->target->sem.library ? "it leaves them as they are in src" : "filled here");
    bool far = row_blocks(d) > MAX_REPEAT && s->vrows > 1 && tile_esize(d) > 1;
    return !far || loaded || defect(c, i, "rows more than 255 blocks apart are too far for the repeat stride of vector_dup");
}

bool check_fillpad(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    uint64_t pad;
    if (!rule_same_type(c, i, s, "src", d, "dst") || !all_row_major(c, i)) return false;
    if (!pad_of(i, d, &pad)) return refuse(c, i, DIAG_OPERANDS, "the type of dst gives no pad value (pad=1 zero, 2 max, 3 min)");
    if (i->id == I_TFILLPAD_INPLACE && d->addr != s->addr && !c->timing_only) return refuse(c, i, DIAG_ALIAS, "src and dst must be the same memory");
    if (d->addr == s->addr && d->type.cols != s->type.cols && !c->timing_only)
        return refuse(c, i, DIAG_VALID_MISMATCH, "in place the rows of src and dst must have the same length");
    return fits(c, i, d, "dst", s->type.rows, s->type.cols) &&
           (s->vrows <= d->vrows || refuse(c, i, DIAG_VALID_MISMATCH, "dst has fewer valid rows than src")) && check_block_rest(c, i);
}

bool check_trans(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    if (!rule_same_type(c, i, s, "src", d, "dst") || !all_row_major(c, i) || !expect_valid(c, i, d, "dst", s->vcols, s->vrows)) return false;
    bool narrow = c->target->family == FAMILY_950 && tile_esize(s) < 4;
    if (narrow && (!reachable(c, i, s) || !reachable(c, i, d))) return false;
    return rule_tmp(c, i) && (c->target->family == FAMILY_A2A3 || sources_apart(c, i));
}

bool check_ci(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    if (!rule_row_major(c, i, d, "dst")) return false;
    return d->vrows <= 1 || refuse(c, i, DIAG_VALID_MISMATCH, "dst must have one valid row: the library fills the first one alone");
}

bool check_tri(LowerCtx *c, const Instr *i) { return rule_row_major(c, i, i->out[0], "dst"); }

static uint32_t taken_by(int pattern, uint32_t n) {
    if (pattern == 7) return n;
    uint32_t period = pattern > 2 ? 4 : 2, lane = (uint32_t)(pattern > 2 ? pattern - 3 : pattern - 1);
    return (n + period - 1 - lane) / period;
}

/* Results are packed without gaps: rows of dst must be as long as what a row of the source gives. */
static bool check_pattern(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    if (tile_esize(d) != tile_esize(s)) return rule_same_type(c, i, s, "src", d, "dst");
    uint64_t n = (uint64_t)taken_by(i->pattern, s->vcols) * s->vrows;
    if (n * tile_esize(d) > tile_bytes(d)) return fits(c, i, d, "dst", s->vrows, taken_by(i->pattern, s->vcols));
    if (d->vcols != d->type.cols && d->vrows > 1) return refuse(c, i, DIAG_VALID_MISMATCH, "results are packed: the rows of dst must be valid from end to end");
    return sources_apart(c, i);
}

/* Values of one row or one column, one behind the other. */
static uint32_t listed(const Tile *t) {
    return t->type.blayout == ROW_MAJOR ? t->vrows == 1 ? t->vcols : t->vrows && t->type.cols == 1 ? t->vrows : 0 : t->vcols == 1 ? t->vrows : 0;
}

static const char *compare_defect(const LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *k = i->nin > 1 ? i->in[1] : NULL;
    DType t = s->type.dtype;
    bool is_950 = c->target->family == FAMILY_950;
    if (is_950 && t == DT_F32) return "elements are rounded to integers and compared as unsigned";
    if (is_950 && t == DT_I32) return "elements are compared as unsigned";
    if (is_950 && tile_esize(s) == 2 && (t != DT_F16 || s->vcols % epr(i->out[0])))
        return t == DT_F16 ? "elements behind the last column are looked at too" : "16-bit integers are compared with the bits of a float";
    return !is_950 && k && t == DT_F16 && tile_esize(k) == 4 ? "32-bit thresholds are read as 16-bit ones" : NULL;
}

static bool compare_types(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = s->type.dtype;
    bool is_950 = c->target->family == FAMILY_950, narrow = tile_esize(s) == 2;
    if (t != DT_F32 && t != DT_F16 && t != DT_I32 && !(is_950 && (t == DT_I16 || t == DT_U16 || t == DT_U32))) {
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: expected elements of %s to compare, found %s (%s)", i->info->name, is_950 ? "f32 f16 i32 u32 i16 u16" : "f32 f16 i32",
             dtype_name(t), s->name);
        return false;
    }
    if (i->cmp != CMP_EQ && i->cmp != CMP_GT) return refuse(c, i, DIAG_OPERANDS, "only cmpMode eq and gt are there");
    if (!is_950 && t == DT_I32 && i->cmp != CMP_EQ) return refuse(c, i, DIAG_OPERANDS, "i32 is compared by eq alone on this target");
    return index_type(c, i, d, false, true) && rule_same_type(c, i, d, "dst", i->out[1], "counts") && (i->nin == 1 || index_type(c, i, i->in[1], narrow, true));
}

/* tmp may have elements of any type. */
static bool compare_tmp(LowerCtx *c, const Instr *i) {
    TmpNeed n = instr_tmp_need(c->target, i);
    const Tile *t = i->tmp;
    if (!n.rows) return rule_tmp(c, i);
    if (!t) return refuse(c, i, DIAG_OPERANDS, "a tmp tile is needed on this target");
    if (!check_tile(c, i, t, "tmp") || !rule_row_major(c, i, t, "tmp")) return false;
    uint32_t bits = ceil_div(i->in[0]->vcols, epr(i->in[0])) * epr(i->in[0]) / 8;
    uint64_t bytes = gather_compare_bytes(i, t->type.rows, t->type.cols);
    if (t->type.rows >= n.rows && t->type.cols >= bits && t->type.cols % BLOCK_BYTES == 0 && tile_bytes(t) >= bytes) return true;
    diag(c->diag, DIAG_TMP_SMALL, i->loc,
         "%s: tmp %s: needs %u rows of at least %u columns, a multiple of 32, and %" PRIu64 " bytes with that many rows and columns, the tile has %ux%u (%" PRIu64 " bytes)",
         i->info->name, t->name, n.rows, bits, bytes, t->type.rows, t->type.cols, tile_bytes(t));
    return false;
}

static bool check_gather_compare(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    if (!rule_row_major(c, i, s, "src") || !rule_row_major(c, i, d, "dst") || !compare_types(c, i)) return false;
    if (!fits(c, i, d, "dst", s->vrows, 1)) return false;
    if (listed(i->out[1]) < s->vrows || (i->nin > 1 && listed(i->in[1]) < s->vrows))
        return refuse(c, i, DIAG_VALID_MISMATCH, "expected one count and one k per row of src, in tiles of one row or one column");
    return compare_tmp(c, i) && sources_apart(c, i) && apart(c, i, i->out[1], s) && apart(c, i, i->out[1], d) && rule_defect(c, i, compare_defect(c, i));
}

bool check_gather(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    bool is_950 = c->target->family == FAMILY_950;
    if (i->by_column) return refuse(c, i, DIAG_OPERANDS, "axis = \"col\" (a pattern of rows) is not supported");
    if (i->nout == 2) return check_gather_compare(c, i);
    if (i->has_scalar) return refuse(c, i, DIAG_OPERANDS, "the form with k has two outputs, dst and counts");
    if (!all_row_major(c, i)) return false;
    if (i->nin == 1 && !i->pattern) return refuse(c, i, DIAG_OPERANDS, "expected an index tile, or the attribute maskPattern");
    if (i->nin == 1) return check_pattern(c, i);
    if (!rule_same_type(c, i, s, "src", d, "dst") || !fits(c, i, x, "indices", d->vrows, d->vcols)) return false;
    if (!index_type(c, i, x, is_950 && tile_esize(d) < 4, tile_esize(d) > 1)) return false;
    if (tile_esize(x) == 2 && !reachable(c, i, s)) return false;
    return rule_tmp(c, i) && sources_apart(c, i);
}

bool check_gather_blocks(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *x = i->in[1];
    if (!all_row_major(c, i) || !index_type(c, i, x, false, true)) return false;
    uint32_t per_row = ceil_div(valid_row_bytes(d), BLOCK_BYTES), rest = d->vcols % epr(d);
    if (!fits(c, i, x, "offsets", d->vrows, per_row) || !sources_apart(c, i)) return false;
    if (c->target->family == FAMILY_950 || !rest) return true;
    if (x->type.cols != BLOCKS_PER_REPEAT && d->vrows > 1 && !defect(c, i, "offsets of the last blocks are read as if rows of offsets had 8 of them")) return false;
    return (uint64_t)(d->vcols / epr(d) + 1) * epr(d) <= d->type.cols || defect(c, i, "the last blocks of a row are written as a whole repeat, beyond the end of the row");
}

bool check_scatter(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    if (!rule_same_type(c, i, s, "src", d, "dst") || !all_row_major(c, i)) return false;
    bool wide = tile_esize(d) == 4;
    if (!index_type(c, i, x, !wide, wide) || !fits(c, i, s, "src", x->vrows, x->vcols)) return false;
    return (wide || reachable(c, i, d)) && sources_apart(c, i);
}

bool check_sort32(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0], *x = i->in[1];
    uint32_t records = round_up(s->vcols, SORT_RECORDS);
    if (!rule_same_type(c, i, s, "src", d, "dst") || !all_row_major(c, i) || !index_type(c, i, x, false, true)) return false;
    if (!fits(c, i, d, "dst", s->vrows, (uint64_t)records * RECORD_BYTES / tile_esize(d))) return false;
    return fits(c, i, x, "idx", x->vrows == 1 ? 1 : s->vrows, records) && rule_tmp(c, i) && sources_apart(c, i);
}

static bool check_blocks(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0];
    int64_t n = i->index[0];
    if (n <= 0 || n > INT32_MAX / 8 || n * tile_esize(s) % RECORD_BYTES || s->vcols % (4 * (uint32_t)n) || s->vcols / (4 * (uint32_t)n) > MAX_REPEAT) {
        diag(c->diag, DIAG_OPERANDS, i->loc, "%s: the block length %" PRId64 " must be whole records, and 4 blocks divide the %u columns of %s 1 to 255 times",
             i->info->name, n, s->vcols, s->name);
        return false;
    }
    return (uint64_t)n * tile_esize(s) / RECORD_BYTES <= 65535 || refuse(c, i, DIAG_FIELD_RANGE, "a list has more than 65535 records");
}

bool check_mrgsort(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0];
    uint64_t cols = 0;
    if (i->exhausted && i->nin == 1) return refuse(c, i, DIAG_OPERANDS, "exhausted = true needs 2 to 4 lists");
    if (!all_row_major(c, i)) return false;
    for (int k = 0; k < i->nin; k++) {
        if (!rule_same_type(c, i, i->in[k], "src", d, "dst")) return false;
        if (i->in[k]->vrows != 1 || d->vrows != 1) return refuse(c, i, DIAG_VALID_MISMATCH, "lists are single rows");
        cols += i->in[k]->vcols;
    }
    if (i->nin == 1 ? !check_blocks(c, i) : !rule_tmp(c, i) || !apart(c, i, i->tmp, d)) return false;
    return fits(c, i, d, "dst", 1, i->nin == 1 ? cols : d->vcols) && (i->nin > 1 || sources_apart(c, i)) &&
           (i->nin == 1 || d->vcols <= cols || refuse(c, i, DIAG_VALID_MISMATCH, "dst has more records than the lists together"));
}

/* The part lies inside the other tile. a2a3 copies from and to whole blocks. */
bool check_region(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    if (!rule_same_type(c, i, s, "src", d, "dst") || !all_row_major(c, i)) return false;
    bool extract = i->id == I_TEXTRACT;
    const Tile *part = extract ? d : s, *whole = extract ? s : d;
    int64_t row = i->index[0], col = i->index[1];
    if (row < 0 || col < 0 || row + part->vrows > whole->type.rows || col + part->vcols > whole->type.cols) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: %ux%u elements from [%" PRId64 ", %" PRId64 "] on do not lie in %s (%ux%u)", i->info->name, part->vrows,
             part->vcols, row, col, whole->name, whole->type.rows, whole->type.cols);
        return false;
    }
    Region g = region_of(i);
    if (c->target->family == FAMILY_950 || g.single) return true;
    if (col * tile_esize(d) % BLOCK_BYTES) return refuse(c, i, DIAG_ALIGN, "the column must begin at a multiple of 32 bytes on this target");
    return valid_row_bytes(part) % 2 == 0 || refuse(c, i, DIAG_ALIGN, "rows must have an even number of bytes on this target");
}

bool check_concat(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *a = i->in[0], *b = i->in[1];
    if (!rule_same_type(c, i, a, "src0", d, "dst") || !rule_same_type(c, i, b, "src1", d, "dst") || !all_row_major(c, i)) return false;
    if (!expect_valid(c, i, a, "src0", d->vrows, a->vcols) || !expect_valid(c, i, b, "src1", d->vrows, b->vcols)) return false;
    if (a->vcols + b->vcols > d->type.cols) return fits(c, i, d, "dst", d->vrows, (uint64_t)a->vcols + b->vcols);
    if (c->target->family == FAMILY_950) return tile_esize(d) == 4 || reachable(c, i, d);
    uint32_t blocks = ceil_div(valid_row_bytes(a), BLOCK_BYTES);
    if (valid_row_bytes(a) % BLOCK_BYTES || ceil_div(valid_row_bytes(b), BLOCK_BYTES) == blocks) return true;
    return defect(c, i, "rows of the second source are copied with the length of the first one's");
}

bool check_value(LowerCtx *c, const Instr *i) {
    const Tile *t = i->nin ? i->in[0] : i->out[0];
    uint64_t n = (uint64_t)t->type.rows * t->type.cols;
    if (i->index[0] >= 0 && (uint64_t)i->index[0] < n) return true;
    diag(c->diag, DIAG_UB_OOB, i->loc, "%s: %s has %" PRIu64 " elements, there is none at offset %" PRId64, i->info->name, t->name, n, i->index[0]);
    return false;
}

enum { MAX_PRINTED = 1 << 20 };

bool check_print(LowerCtx *c, const Instr *i) {
    const GmView *v = &i->gm;
    if (i->nin) return true;
    int64_t n = v->rank ? view_elements(v) : 0;
    if (n > MAX_PRINTED) return refuse(c, i, DIAG_OPERANDS, "the view has more than 1048576 elements");
    return n > 0 || refuse(c, i, DIAG_VALID_MISMATCH, "the view has no elements");
}

/* A plain table: leading dimensions of 1, rows without gaps between their elements. */
static bool check_table(LowerCtx *c, const Instr *i, const Tile *t) {
    const GmView *v = &i->gm;
    bool plain = v->rank >= 2 && (v->stride[v->rank - 1] == 1 || v->size[v->rank - 1] == 1);
    for (int k = 0; k < v->rank - 2; k++) plain &= v->size[k] == 1;
    if (!plain) return refuse(c, i, DIAG_LAYOUT, "expected a view of rows whose elements follow each other");
    if (table_rows(v) > INT32_MAX || table_cols(v) > INT32_MAX) return refuse(c, i, DIAG_VALID_MISMATCH, "the view has more rows or columns than indices can name");
    if (i->by_element && table_rows(v) > 1 && table_stride(v) != table_cols(v))
        return refuse(c, i, DIAG_LAYOUT, "coalesce = elem: expected a view without gaps between its rows");
    if (!i->by_element && table_cols(v) < t->vcols) return refuse(c, i, DIAG_VALID_MISMATCH, "the rows of the view are shorter than those of the tile");
    if (table_limit(i) <= 0) return refuse(c, i, DIAG_VALID_MISMATCH, "the view has no elements");
    return dtype_size(v->dtype) == tile_esize(t) || refuse(c, i, DIAG_DTYPE, "the view and the tile have different element types");
}

/* The threads of the 950 take rows to be as long as those of the tile. */
static const char *table_defect(const LowerCtx *c, const Instr *i, const Tile *t) {
    bool gaps = table_rows(&i->gm) > 1 && table_stride(&i->gm) != t->vcols;
    return c->target->family == FAMILY_950 && !i->by_element && gaps ? "the rows of the table are taken to be as long as those of the tile" : NULL;
}

/* One index per row, one behind the other, or one per element. */
bool check_indexed(LowerCtx *c, const Instr *i) {
    const Tile *t = i->nout ? i->out[0] : i->in[0], *x = i->in[i->nin - 1];
    if (i->by_element && i->accumulate && c->target->family == FAMILY_A2A3) return refuse(c, i, DIAG_OPERANDS, "coalesce = elem has no atomics on this target");
    if (!rule_row_major(c, i, t, i->nout ? "dst" : "src") || !index_type(c, i, x, false, true) || !check_table(c, i, t)) return false;
    if (i->by_element) {
        if (!rule_row_major(c, i, x, "indices") || !fits(c, i, x, "indices", t->vrows, t->vcols)) return false;
    } else if (listed(x) < t->vrows) {
        return refuse(c, i, DIAG_VALID_MISMATCH, "expected one index per row, in a tile of one row or one column");
    }
    return apart(c, i, x, t) && rule_defect(c, i, table_defect(c, i, t));
}

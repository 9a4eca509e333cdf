/* Values for which documents, libraries or targets disagree: NaN, ties and
 * zeros of both signs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/exec/lanes.h"
#include "isa/run/interp_internal.h"

/* Address of element (r, c), NULL outside UB. */
static const uint8_t *element(Interp *in, const Tile *t, uint32_t r, uint32_t c) {
    uint64_t at = tile_elem_addr(t, r, c);
    return at + tile_esize(t) <= in->machine->ub_size ? in->machine->ub + at : NULL;
}

/* The first places of NaN as "(row, column) ...". */
enum { SHOWN_NAN = 8, PLACE_TEXT = 28 };
typedef struct NanPlaces {
    uint32_t count; /* up to SHOWN_NAN + 1 */
    char text[SHOWN_NAN * PLACE_TEXT];
} NanPlaces;

static void add_place(NanPlaces *n, uint32_t r, uint32_t c) {
    size_t used = strlen(n->text);
    if (n->count++ < SHOWN_NAN) snprintf(n->text + used, sizeof n->text - used, "%s(%u, %u)", used ? " " : "", r, c);
}

/* The rows [r, r + n) of the valid region, which lie in one piece. NULL: not all in UB, or without any NaN. */
static const uint8_t *rows_with_nan(Interp *in, const Tile *t, uint32_t r, uint32_t n) {
    const uint8_t *first = element(in, t, r, 0), *last = element(in, t, r + n - 1, t->vcols - 1);
    return first && last && lanes_have_nan(t->type.dtype, first, n * t->vcols * tile_esize(t)) ? first : NULL;
}

static void find_nan(Interp *in, const Tile *t, NanPlaces *found) {
    DType d = t->type.dtype;
    found->count = 0;
    found->text[0] = 0;
    if (!dtype_is_float(d) || t->type.blayout != ROW_MAJOR || t->addr < 0 || !t->vrows || !t->vcols) return;
    if (t->vcols == t->type.cols && !rows_with_nan(in, t, 0, t->vrows)) return;
    for (uint32_t r = 0; r < t->vrows && found->count <= SHOWN_NAN; r++) {
        const uint8_t *first = rows_with_nan(in, t, r, 1);
        if (!first) continue;
        for (uint32_t c = 0; c < t->vcols && found->count <= SHOWN_NAN; c++)
            if (dtype_is_nan(d, dtype_load(d, first + (size_t)c * tile_esize(t)))) add_place(found, r, c);
    }
}

static const char *nan_rule(const Interp *in, const Instr *i) {
    bool a2a3 = in->target->family == FAMILY_A2A3, library = in->target->sem.library;
    switch (i->id) {
    case I_TPARTARGMAX:
    case I_TPARTARGMIN:
        return library && !a2a3 ? "src0 is selected (the document and the a2a3 library select src1)"
                                : "src1 is selected (the 950 library selects src0)";
    case I_TROWARGMAX:
    case I_TROWARGMIN: return a2a3 ? "the first NaN wins (not documented on a2a3)" : "a chunk of 256 bytes that holds a NaN is never selected";
    default: return a2a3 ? "the NaN is kept (not documented on a2a3)" : "the NaN is kept";
    }
}

static void note_nan(Interp *in, const Instr *i) {
    bool pair = i->id == I_TPARTARGMAX || i->id == I_TPARTARGMIN;
    NanPlaces n;
    for (int k = 0; k < (pair ? 2 : i->nin); k++) {
        find_nan(in, i->in[k], &n);
        if (n.count)
            diag(in->diag, DIAG_NAN_SEEN, i->loc, "%s: NaN in %s at %s%s: %s", i->info->name, i->in[k]->name, n.text, n.count > SHOWN_NAN ? " ..." : "",
                 nan_rule(in, i));
    }
}

static void note_ties(Interp *in, const Instr *i) {
    const Tile *a = i->in[0], *b = i->in[1];
    DType t = a->type.dtype;
    uint32_t rows = a->vrows < b->vrows ? a->vrows : b->vrows, cols = a->vcols < b->vcols ? a->vcols : b->vcols;
    uint64_t ties = 0;
    uint32_t first_row = 0, first_col = 0;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++) {
            const uint8_t *x = element(in, a, r, c), *y = element(in, b, r, c);
            if (!x || !y) return;
            if (dtype_to_double(t, dtype_load(t, x)) != dtype_to_double(t, dtype_load(t, y))) continue;
            if (!ties++) first_row = r, first_col = c;
        }
    if (ties)
        diag(in->diag, DIAG_TIE_DOC, i->loc, "%s: %" PRIu64 " equal value%s, first at row %u, column %u: the document takes src1, the shipped libraries take src0; %s is in force",
             i->info->name, ties, ties == 1 ? "" : "s", first_row, first_col, in->target->sem.library ? "library" : "document");
}

/* ---- zeros: a2a3 documents nothing about their sign in maxima and minima ---- */

enum { NO_ZERO = 0, PLUS_ZERO = 1, MINUS_ZERO = 2, BOTH_ZEROS = 3 };

static int zero_kind(DType t, uint64_t bits) {
    uint64_t minus = 1ull << (8 * dtype_size(t) - 1);
    return bits == 0 ? PLUS_ZERO : bits == minus ? MINUS_ZERO : NO_ZERO;
}

/* Zeros among n consecutive elements of 2 or 4 bytes; the loops are kept simple so that compilers vectorise them. */
static int zeros_in(const uint8_t *p, uint32_t n, unsigned size) {
    uint32_t plus = 0, minus = 0;
    for (uint32_t i = 0; size == 4 && i < n; i++) {
        uint32_t v;
        memcpy(&v, p + 4 * i, 4);
        plus |= v == 0;
        minus |= v == 0x80000000u;
    }
    for (uint32_t i = 0; size == 2 && i < n; i++) {
        uint16_t v;
        memcpy(&v, p + 2 * i, 2);
        plus |= v == 0;
        minus |= v == 0x8000u;
    }
    return (plus ? PLUS_ZERO : 0) | (minus ? MINUS_ZERO : 0);
}

static int row_zeros(Interp *in, const Tile *t, uint32_t r) {
    const uint8_t *first = t->vcols && r < t->vrows ? element(in, t, r, 0) : NULL;
    return first && element(in, t, r, t->vcols - 1) ? zeros_in(first, t->vcols, tile_esize(t)) : NO_ZERO;
}

/* What meets the element: the other tile's element, or the scalar. */
static int other_zero(Interp *in, const Instr *i, uint32_t r, uint32_t c) {
    DType t = i->in[0]->type.dtype;
    if (i->has_scalar) return zero_kind(t, i->scalar);
    const uint8_t *p = r < i->in[1]->vrows && c < i->in[1]->vcols ? element(in, i->in[1], r, c) : NULL;
    return p ? zero_kind(t, dtype_load(t, p)) : NO_ZERO;
}

static bool mixed_pair(Interp *in, const Instr *i, uint32_t r, uint32_t *col) {
    const Tile *a = i->in[0];
    DType t = a->type.dtype;
    int here = row_zeros(in, a, r), there = i->has_scalar ? zero_kind(t, i->scalar) : row_zeros(in, i->in[1], r);
    if (!here || !there || (here | there) != BOTH_ZEROS) return false;
    for (uint32_t c = 0; c < a->vcols; c++) {
        int kind = zero_kind(t, dtype_load(t, element(in, a, r, c)));
        if (!kind || (kind | other_zero(in, i, r, c)) != BOTH_ZEROS) continue;
        *col = c;
        return true;
    }
    return false;
}

/* The row's extreme is zero, and zeros of both signs stand there. */
static bool mixed_row(Interp *in, const Instr *i, uint32_t r, uint32_t *col) {
    const Tile *a = i->in[0];
    DType t = a->type.dtype;
    bool max = i->id == I_TROWMAX || i->id == I_TROWARGMAX;
    int seen = NO_ZERO;
    if (row_zeros(in, a, r) != BOTH_ZEROS) return false;
    for (uint32_t c = 0; c < a->vcols; c++) {
        uint64_t bits = dtype_load(t, element(in, a, r, c));
        double v = dtype_to_double(t, bits);
        if (max ? v > 0 : v < 0) return false;
        if (seen != BOTH_ZEROS) *col = c;
        seen |= zero_kind(t, bits);
    }
    return true;
}

static void note_zeros(Interp *in, const Instr *i) {
    bool (*mixed)(Interp *, const Instr *, uint32_t, uint32_t *);
    switch (i->id) {
    case I_TMAX: case I_TMIN: case I_TMAXS: case I_TMINS: case I_TPARTMAX: case I_TPARTMIN: mixed = mixed_pair; break;
    case I_TROWMAX: case I_TROWMIN: case I_TROWARGMAX: case I_TROWARGMIN: mixed = mixed_row; break;
    default: return;
    }
    if (in->target->family != FAMILY_A2A3 || !dtype_is_float(i->in[0]->type.dtype) || i->in[0]->type.blayout != ROW_MAJOR) return;
    for (uint32_t r = 0, c = 0; r < i->in[0]->vrows; r++) {
        if (!mixed(in, i, r, &c)) continue;
        diag(in->diag, DIAG_ZERO_SIGN, i->loc, "%s: -0 meets +0, first at row %u, column %u: which sign %s keeps is not documented; %s here", i->info->name, r, c,
             in->target->name, in->target->sem.zero_ordered ? "-0 counts as smaller" : "the first operand stays");
        return;
    }
}

void note_special_values(Interp *in, const Instr *i) {
    if (!i->nin || i->id == I_TSTORE) return;
    note_nan(in, i);
    if (i->id == I_TPARTARGMAX || i->id == I_TPARTARGMIN) note_ties(in, i);
    if (in->check) note_zeros(in, i);
}

/* Values for which documents, libraries or targets disagree: NaN and ties. */
#include <inttypes.h>
#include <string.h>

#include "isa/exec/lanes.h"
#include "isa/run/interp_internal.h"

/* Address of element (r, c), NULL outside UB. */
static const uint8_t *element(Interp *in, const Tile *t, uint32_t r, uint32_t c) {
    uint64_t at = tile_elem_addr(t, r, c);
    return at + tile_esize(t) <= in->machine->ub_size ? in->machine->ub + at : NULL;
}

static bool find_nan(Interp *in, const Tile *t, uint32_t *row, uint32_t *col) {
    DType d = t->type.dtype;
    if (!dtype_is_float(d) || t->type.blayout != ROW_MAJOR || t->addr < 0) return false;
    for (uint32_t r = 0; r < t->vrows; r++) {
        const uint8_t *first = element(in, t, r, 0), *last = t->vcols ? element(in, t, r, t->vcols - 1) : NULL;
        if (!first || !last || !lanes_have_nan(d, first, t->vcols * tile_esize(t))) continue;
        uint32_t c = 0;
        while (!dtype_is_nan(d, dtype_load(d, first + (size_t)c * tile_esize(t)))) c++;
        *row = r;
        *col = c;
        return true;
    }
    return false;
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
    for (int k = 0; k < (pair ? 2 : i->nin); k++) {
        uint32_t r, c;
        if (!find_nan(in, i->in[k], &r, &c)) continue;
        diag(in->diag, DIAG_NAN_SEEN, i->loc, "%s: NaN in %s, first at row %u, column %u: %s", i->info->name, i->in[k]->name, r, c, nan_rule(in, i));
        return;
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

void note_special_values(Interp *in, const Instr *i) {
    if (!i->nin || i->id == I_TSTORE) return;
    note_nan(in, i);
    if (i->id == I_TPARTARGMAX || i->id == I_TPARTARGMIN) note_ties(in, i);
}

/* Regions of global memory as tables of rows, and element by element. */
#ifndef NPU_ISA_INDEXED_H
#define NPU_ISA_INDEXED_H

#include "isa/lower/lower.h"

static inline int64_t table_rows(const GmView *v) { return v->rank > 1 ? v->size[v->rank - 2] : 1; }
static inline int64_t table_cols(const GmView *v) { return v->rank ? v->size[v->rank - 1] : 1; }
/* All other dimensions stacked. */
static inline int64_t stacked_rows(const GmView *v) {
    int64_t n = 1;
    for (int k = 0; k + 1 < v->rank; k++) n *= v->size[k];
    return n;
}
static inline int64_t table_stride(const GmView *v) { return v->rank > 1 ? v->stride[v->rank - 2] : 0; }
/* Indices from here on are beyond the table of mgather and mscatter. */
static inline int64_t table_limit(const Instr *i) { return table_rows(&i->gm) * (i->by_element ? table_cols(&i->gm) : 1); }
/* Of an index of one more. */
static inline int64_t table_step(const Instr *i) { return i->by_element ? 1 : table_stride(&i->gm); }

/* Views may repeat elements: their number has no bound but this. */
static inline int64_t view_elements(const GmView *v) {
    int64_t n = 1;
    for (int k = 0; k < v->rank; k++) n = v->size[k] > 0 && n > INT32_MAX / v->size[k] ? INT32_MAX : n * v->size[k];
    return n;
}

/* Place of element n, counted row by row, in elements of the buffer. */
static inline int64_t view_element(const GmView *v, int64_t n) {
    int64_t at = v->offset;
    for (int k = v->rank - 1; k >= 0; n /= v->size[k--]) at += n % v->size[k] * v->stride[k];
    return at;
}

#endif

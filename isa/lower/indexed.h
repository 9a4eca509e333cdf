/* A table in global memory whose rows are found by index. */
#ifndef NPU_ISA_INDEXED_H
#define NPU_ISA_INDEXED_H

#include "isa/lower/lower.h"

static inline int64_t table_rows(const GmView *v) { return v->rank > 1 ? v->size[v->rank - 2] : 1; }
static inline int64_t table_stride(const GmView *v) { return v->rank > 1 ? v->stride[v->rank - 2] : 0; }

#endif

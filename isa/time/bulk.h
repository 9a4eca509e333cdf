/* Vector micro-ops without a lane pipeline: copies, gathers, transposes, sorts and merges move so many
 * bytes, elements or records in a cycle, wherever they lie. The 950 runs them outside vector functions.
 */
#ifndef NPU_ISA_TIME_BULK_H
#define NPU_ISA_TIME_BULK_H

#include "isa/exec/geom.h"
#include "isa/table/target.h"

bool is_bulk(const Uop *u);
/* Cycles that it holds the issue slot. */
uint64_t bulk_cycles(const Target *t, const Uop *u, const Shape *s);

#endif

#ifndef NPU_ISA_V950_REDUCE_H
#define NPU_ISA_V950_REDUCE_H

#include "isa/lower/v950/vf.h"

/* What a maximum (U_VCMAX) or minimum starts from: infinity for floats, the limit of the type for
 * integers. Every other value beats it. */
uint64_t reduce_start(UopId op, DType t);

#endif

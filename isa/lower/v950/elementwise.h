#ifndef NPU_ISA_V950_ELEMENTWISE_H
#define NPU_ISA_V950_ELEMENTWISE_H

#include "isa/lower/v950/vf.h"

typedef struct Elementwise {
    UopId op;
    const Tile *dst, *src0, *src1; /* src1 NULL: scalar or unary operation */
    uint64_t scalar;
} Elementwise;
/* One vector function over the destination's valid region, one- or two-dimensional as the tiles allow. */
void v950_elementwise(LowerCtx *c, const Elementwise *e);

#endif

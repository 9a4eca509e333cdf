#ifndef NPU_ISA_A2A3_PART_H
#define NPU_ISA_A2A3_PART_H

#include "isa/lower/a2a3/emit.h"

/* Copies rows [first, rows) of src to dst in whole 32-byte blocks. */
void part_copy(LowerCtx *c, const Tile *dst, const Tile *src, uint32_t first, uint32_t rows, uint32_t cols);

#endif

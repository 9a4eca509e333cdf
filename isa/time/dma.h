/* Cost of a transfer between global memory and UB: start-up + bytes / bandwidth, with a second pair
 * for small transfers. */
#ifndef NPU_ISA_TIME_DMA_H
#define NPU_ISA_TIME_DMA_H

#include "isa/table/target.h"
#include "isa/table/uop.h"

uint64_t dma_cycles(const DmaParams *p, uint64_t bytes, Prov *weakest);
/* The part of it that does not depend on the number of bytes. */
uint64_t dma_startup(const DmaParams *p, uint64_t bytes);
/* Bank groups of UB that a transfer reads or writes, one bit each. */
uint64_t dma_groups(const Target *t, const Dma *d);

#endif

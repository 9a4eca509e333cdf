/* Cost of a transfer between global memory and UB: start-up + bytes / bandwidth, with a second pair
 * for small transfers. */
#ifndef NPU_ISA_TIME_DMA_H
#define NPU_ISA_TIME_DMA_H

#include "isa/table/target.h"

uint64_t dma_cycles(const DmaParams *p, uint64_t bytes, Prov *weakest);

#endif

#include "isa/time/dma.h"

#include <math.h>

uint64_t dma_cycles(const DmaParams *p, uint64_t bytes, Prov *weakest) {
    bool small = p->small_bytes.v > 0 && (double)bytes < p->small_bytes.v;
    const Num *start = small ? &p->small_startup : &p->startup;
    const Num *rate = small ? &p->small_bytes_per_cycle : &p->bytes_per_cycle;
    *weakest = start->prov > rate->prov ? start->prov : rate->prov;
    return bytes ? (uint64_t)ceil(start->v + (double)bytes / rate->v) : 0;
}

#include "isa/time/dma.h"

#include <math.h>

static bool is_small(const DmaParams *p, uint64_t bytes) { return p->small_bytes.v > 0 && (double)bytes < p->small_bytes.v; }

uint64_t dma_startup(const DmaParams *p, uint64_t bytes) {
    return bytes ? (uint64_t)(is_small(p, bytes) ? p->small_startup.v : p->startup.v) : 0;
}

uint64_t dma_cycles(const DmaParams *p, uint64_t bytes, Prov *weakest) {
    bool small = is_small(p, bytes);
    const Num *start = small ? &p->small_startup : &p->startup;
    const Num *rate = small ? &p->small_bytes_per_cycle : &p->bytes_per_cycle;
    *weakest = start->prov > rate->prov ? start->prov : rate->prov;
    return bytes ? (uint64_t)ceil(start->v + (double)bytes / rate->v) : 0;
}

static uint64_t burst_groups(const Target *t, uint64_t first, uint64_t bytes) {
    uint64_t n = (uint64_t)t->ub.groups.v, groups = 0, last = (first + (bytes ? bytes - 1 : 0)) / BLOCK_BYTES;
    for (uint64_t b = first / BLOCK_BYTES; b <= last && b < first / BLOCK_BYTES + n; b++) groups |= 1ull << b % n;
    return groups;
}

uint64_t dma_groups(const Target *t, const Dma *d) {
    uint64_t n = (uint64_t)t->ub.groups.v, all = n == 64 ? ~0ull : (1ull << n) - 1, groups = 0;
    for (uint32_t p = 0; p < d->n1 && groups != all; p++)
        for (uint32_t b = 0; b < d->n0 && groups != all; b++)
            groups |= burst_groups(t, (uint64_t)((int64_t)d->ub + p * d->ub_step1 + b * d->ub_step0), d->len);
    return groups;
}

#include "isa/time/bulk.h"

enum { MERGE_STEP = 128 }; /* records that the interval of a merge stands for */

bool is_bulk(const Uop *u) {
    switch (uop_info[u->op].cls) {
    case UC_COPY:
    case UC_GATHER:
    case UC_VCOPY:
    case UC_INDEXED:
    case UC_BLOCKS:
    case UC_TRANSPOSE:
    case UC_SORT:
    case UC_MERGE:
    case UC_SIMT: return true;
    default: return false;
    }
}

static uint64_t up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit; }

/* Intervals in one repeat. */
static uint64_t steps(const Target *t, const Uop *u, const Shape *s) {
    const Num *copy = t->family == FAMILY_A2A3 ? &t->a2a3.copy_bytes : &t->v950.copy_bytes;
    if (u->op == U_COPY_UB) return up(u->imm * BLOCK_BYTES, (uint64_t)copy->v);
    return s->elements ? up(s->elements, s->lanes) : 1;
}

uint64_t bulk_cycles(const Target *t, const Uop *u, const Shape *s) {
    uint64_t interval = (uint64_t)t->cost[u->op][u->dtype].interval.v, records = 0;
    if (u->op != U_VMRGSORT4) return s->repeats * steps(t, u, s) * interval;
    for (int k = 0; k < u->mode; k++) records += merge_records(u, k);
    return s->repeats * up(records * interval, MERGE_STEP);
}

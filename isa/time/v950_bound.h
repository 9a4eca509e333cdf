/* What an innermost loop of a vector function costs at least, resource by resource. */
#ifndef NPU_ISA_V950_BOUND_H
#define NPU_ISA_V950_BOUND_H

#include "isa/time/v950.h"

enum { V950_CHAIN_MAX = 32 };

/* Cycles per iteration. Lines are indices of the vector function. */
typedef struct V950Bound {
    uint32_t first, last;        /* lines of the loop's body */
    uint64_t trip, iterations;   /* of one instance; of all of them */
    double dispatch;
    double port[2];              /* execution ports */
    double loads, stores;        /* ports to UB */
    double banks;                /* accesses to UB over its banks */
    double chain;                /* results that an iteration waits for in the one before; 0: none */
    uint32_t chain_line[V950_CHAIN_MAX], nchain; /* operations of that recurrence, in order */
    uint32_t chain_span;         /* iterations it takes to come round */
} V950Bound;

/* Fills out[0 .. cap) with the innermost loops of at least two trips, in order. Returns their number,
 * which may exceed cap. */
uint32_t v950_bounds(V950Sched *s, const VfInstr *body, uint32_t n, V950Bound *out, uint32_t cap);
/* The largest of them. */
double v950_bound_max(const V950Bound *b);

#endif

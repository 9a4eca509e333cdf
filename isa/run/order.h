/* Order between instructions: who must wait for whom, by overlapping byte ranges.
 *
 * One tracker serves both sync modes: it tells which waits and barriers are missing; --sync auto
 * and ideal insert them, as-written reports them.
 */
#ifndef NPU_ISA_ORDER_H
#define NPU_ISA_ORDER_H

#include "isa/base/diag.h"
#include "isa/table/target.h"

/* One range that an instruction reads or writes. space 0 is UB, n + 1 is GM buffer n. */
typedef struct AccessRange {
    uint32_t space;
    uint64_t lo, hi;
    bool write;
    bool whole;          /* one whole contiguous buffer (for the compiler's barrier pruning) */
    bool scratch;        /* tmp: never pruned */
    const char *name;    /* tile or argument */
} AccessRange;

/* An earlier access that the new instruction depends on. */
typedef struct Dependence {
    Pipe pipe;
    uint64_t seq;
    uint64_t position;   /* of the earlier instruction among all, from 1 */
    Loc loc;
    const char *op;
    AccessRange before, now;
    bool pruned;         /* the compiler leaves the barrier out: long producer, same buffer */
} Dependence;

typedef struct Order Order;
Order *order_new(Family f);
void order_free(Order *o);

/* Dependences of an instruction on `pipe` that nothing orders yet, one per pipe (the latest; for
 * hazards the first of its kind), the latest instruction first. At most PIPE_COUNT entries. */
int order_dependences(Order *o, Pipe pipe, const AccessRange *a, int n, Dependence out[PIPE_COUNT]);
/* Whether a wait executed since then has ordered it too. */
bool order_settled(const Order *o, Pipe waiter, const Dependence *d);
/* Number of the next instruction on the pipe, from 1. */
uint64_t order_next(Order *o, Pipe pipe);
/* Enters the instruction. drained: the instruction itself ends with a barrier on its pipe. */
void order_enter(Order *o, Pipe pipe, uint64_t seq, Loc loc, const char *op, const AccessRange *a, int n,
                 uint32_t repeats, bool drained);
/* The event id (0..7) for a flag behind the earlier instruction and a wait in front of the next one on
 * `waiter`: one that no other pair of the two pipes uses in between, in program order. -1: all are taken. */
int order_event(Order *o, Pipe waiter, const Dependence *d);
/* Synchronisation that was executed or inserted. */
void order_wait(Order *o, Pipe waiter, Pipe on, uint64_t seq);
void order_barrier(Order *o, Pipe pipe); /* PIPE_ALL: everything before is done for everyone */
void order_set_flag(Order *o, Pipe from, Pipe to, unsigned event);
void order_wait_flag(Order *o, Pipe from, Pipe to, unsigned event);

#endif

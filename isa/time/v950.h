/* Timing of one 950 vector function: a small out-of-order core, exact per cycle, with exact
 * skipping of the steady state of loops.
 *
 * Instructions leave the loop nest in program order, a few per cycle, into a window that retires in
 * order. Loads, stores and compute operations wait in queues of their own; loads and stores share
 * the banks of UB, compute operations share two execution ports. Loops cost nothing but a gate: the
 * earliest cycle at which the next iteration or instance may start. */
#ifndef NPU_ISA_V950_H
#define NPU_ISA_V950_H

#include "isa/table/target.h"
#include "isa/table/uop.h"

/* Largest window and largest number of operations in flight per port that a target may ask for. */
enum { V950_MAX_WINDOW = 256, V950_MAX_INFLIGHT = 32 };

/* Per line of the vector function, over all its executions. Cycles from the start of the function. */
typedef struct V950Line {
    uint64_t first_start, last_end;
    uint64_t count;
    uint64_t wait;               /* sum: cycles in its queue beyond the least, for operands, a port or a bank */
} V950Line;

typedef struct V950Result {
    uint64_t cycles;             /* start of the function to its end, drain included */
    uint64_t uops;               /* executed lines */
    uint64_t port_busy[2];       /* cycles in which an execution port was occupied */
    uint64_t loads, stores;      /* accesses served */
    uint64_t load_wait, store_wait; /* cycles in which the oldest access was ready but not fully served */
    uint64_t skipped;            /* iterations jumped over, of whichever loops repeated */
    Prov weakest;                /* weakest provenance among the entries used */
} V950Result;

typedef struct V950Sched V950Sched; /* scratch memory, re-used from call to call */
/* Takes the numbers of the target as they are now; t must outlive the scheduler. */
V950Sched *v950_new(const Target *t);
void v950_free(V950Sched *s);
/* Times body[0 .. n). lines may be NULL, else it has n entries. skip: jump over steady states
 * (never changes a number of *out other than `skipped`, nor of lines). */
void v950_run(V950Sched *s, const VfInstr *body, uint32_t n, bool skip, V950Result *out, V950Line *lines);

#endif

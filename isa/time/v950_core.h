/* The core that runs a planned vector function: its state and what happens in one cycle. */
#ifndef NPU_ISA_V950_CORE_H
#define NPU_ISA_V950_CORE_H

#include "isa/time/v950.h"
#include "isa/time/v950_plan.h"

enum { PORTS = 2, ANY_PORT = PORTS, NO_OPERAND = 0xffff };

typedef enum Stage {
    STAGE_QUEUED, /* in the load, store or compute queue */
    STAGE_PORT,   /* in the queue of an execution port */
    STAGE_DONE    /* started: the time of everything that follows is known */
} Stage;

/* One instruction of the window. */
typedef struct Entry {
    int64_t at;              /* queued: earliest cycle it may act; port: arrival; done: retirement */
    int64_t ready;           /* cycle at which all operands known so far have arrived */
    int64_t queued;          /* cycle in which it reached its queue */
    uint32_t line;
    uint16_t blocks;         /* blocks still to serve: bit (address / 32) % 16 = bank * 8 + group */
    uint16_t waiting;        /* first operand that waits for this result: slot * LINE_SOURCES + operand */
    uint16_t next[LINE_SOURCES]; /* per operand: next one that waits for the same result */
    uint8_t stage, port;
    uint8_t unknown;         /* operands whose producer has not started */
} Entry;

/* Window slots in first-in first-out order. */
typedef struct Queue {
    uint8_t slot[V950_MAX_WINDOW];
    uint32_t first, n;
} Queue;

/* Latest writer of a register. */
typedef struct Writer {
    int64_t start;           /* of the result; NEVER: not in this function, or ready at dispatch */
    uint32_t line;
    uint8_t slot;
    bool pending;            /* not started: slot is its place in the window */
} Writer;
#define NEVER (INT64_MIN / 2)

typedef struct Counts {
    uint64_t port_busy[PORTS], loads, stores, load_wait, store_wait;
} Counts;

/* Everything the future depends on. Copyable, no pointers. Times count from `epoch`, so that a jump
 * over whole periods leaves them alone. */
typedef struct State {
    int64_t epoch, now;
    /* Position in the loop nest. */
    uint64_t index[VF_MAX_DEPTH];
    uint32_t pc;
    int32_t loop;            /* innermost loop around pc, or NO_LOOP */
    int32_t edge;            /* loop whose back edge leads to pc, or NO_LOOP */
    uint8_t gate;            /* Gate before pc */
    int dispatched;          /* in this cycle */
    int64_t last_dispatch, last_iteration, last_instance;
    /* Window. */
    uint32_t head, tail;     /* oldest instruction; next one. Slot = number % V950_MAX_WINDOW */
    uint32_t renamed;        /* registers written by the instructions of the window */
    Entry window[V950_MAX_WINDOW];
    Queue loads, stores, compute, port[PORTS];
    Writer reg[REG_COUNT];
    /* Execution ports and the read side of UB. */
    int64_t port_free[PORTS], port_work[PORTS];
    int64_t in_flight[PORTS][V950_MAX_INFLIGHT]; /* done times */
    int nflight[PORTS];
    int next_port;
    int64_t read_free;
    int64_t last_done;
    Counts counts;
} State;

/* The target's parameters as integers. */
typedef struct Params {
    int width, load_ports, store_ports, exec_ports, exq_depth, inflight, window, retire_delay;
    int to_queue, drain, store_done, write_delay, nest_restart, sibling_restart, sibling_min;
    int convert_restart, iteration_stride;
    int vregs, shq_depth;
    bool alternate, read_conflicts, write_conflicts, split, reads_first;
    Prov weakest;
} Params;

typedef struct Forward {
    int16_t cycles;          /* -1: by the latency of the producer */
    uint8_t prov;
} Forward;

/* Reference state of the loop at one depth, to compare later iterations with. */
typedef struct Watch {
    State state;
    uint64_t *wait;          /* V950Sched.wait in that state */
    bool held;
    uint64_t renew;          /* iteration at which the reference is taken anew */
} Watch;

struct V950Sched {
    const Target *target;
    Params par;
    Forward forward[UOP_COUNT][UOP_COUNT];
    int longest_forward;     /* of the listed pairs */
    Plan plan;
    State s;
    Watch watch[VF_MAX_DEPTH];
    uint64_t *wait;          /* by line of the plan: V950Line.wait */
    uint32_t wait_cap;
    V950Line *lines;         /* of the caller, or NULL */
    bool skip;
    uint64_t skipped;
    Prov weakest;
};

static inline Entry *entry(State *s, uint32_t number) { return &s->window[number % V950_MAX_WINDOW]; }
static inline int64_t clock_now(const State *s) { return s->epoch + s->now; }

/* v950_core.c */
void core_reset(V950Sched *r);
/* Start to start of producer p and its consumer c; *prov gets weaker by what was used. */
int core_forward(const V950Sched *r, const PlanLine *p, const PlanLine *c, Prov *prov);
void core_cycle_back(V950Sched *r);          /* one cycle but its dispatch */
bool core_has_room(const V950Sched *r, const PlanLine *l);
void core_dispatch(V950Sched *r, uint32_t line, uint16_t blocks);
bool core_idle(const State *s);              /* everything dispatched has started or was served */

/* v950_skip.c: called at the back edge of loop s.edge, before its next iteration is dispatched. */
void skip_periods(V950Sched *r);

#endif

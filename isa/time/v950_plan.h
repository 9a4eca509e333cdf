/* A vector function prepared for timing: its lines with their costs, its loops with their gates. */
#ifndef NPU_ISA_V950_PLAN_H
#define NPU_ISA_V950_PLAN_H

#include "isa/table/target.h"
#include "isa/table/uop.h"

enum {
    REG_COUNT = VF_VREGS + VF_PREGS, /* vector registers, then predicates */
    REG_NONE = 255,
    LINE_SOURCES = 4,                /* two operands, a predicate, the old destination */
    LINE_RESULTS = 3,                /* two registers, a predicate */
    NO_LOOP = -1
};

typedef enum Unit {
    UNIT_NONE,    /* constant and counted predicates: ready at dispatch */
    UNIT_LOAD, UNIT_STORE, UNIT_COMPUTE
} Unit;

/* Condition on the dispatch of the first instruction behind a loop edge. */
typedef enum Gate { GATE_NONE, GATE_ITERATION, GATE_SIBLING, GATE_NEST, GATE_CONVERT } Gate;

typedef struct PlanLine {
    uint32_t body;               /* index in the vector function */
    uint16_t op;
    uint8_t unit;                /* Unit */
    bool port0;                  /* runs on execution port 0 only */
    uint8_t source[LINE_SOURCES], result[LINE_RESULTS]; /* registers or REG_NONE */
    int latency, interval;
    int forward, forward_store;  /* start to start of a consumer, unless the pair is listed */
    int hold;                    /* cycles for which a load keeps the read side */
    uint32_t bytes;              /* touched in UB */
    int32_t loop;                /* outermost loop that begins here, or NO_LOOP */
    int64_t base;
    int64_t step[VF_MAX_DEPTH];  /* by depth of the plan's loops */
} PlanLine;

/* A loop of at least two trips around at least one line. Loops stand in the order of their begin. */
typedef struct PlanLoop {
    uint32_t first, end;         /* lines */
    uint64_t trip;
    int32_t parent, last_child;  /* loops or NO_LOOP */
    uint8_t depth;
    uint8_t levels;              /* nested loop headers, 1 for an innermost loop */
    uint8_t enter, again;        /* Gate of the first and of later iterations */
    int stride;                  /* least cycles from iteration to iteration */
    uint64_t phase_period;       /* smallest number of iterations that moves all accesses alike ... */
    uint64_t phase_step;         /* ... by this many 32-byte blocks, modulo the bank period */
} PlanLoop;

typedef struct Plan {
    PlanLine *line;
    uint32_t nline, line_cap;
    PlanLoop *loop;
    uint32_t nloop, loop_cap;
    int64_t first_dispatch;      /* cycle of the first line in a loop or of the first access to UB ... */
    int64_t prologue_dispatch;   /* ... and of operations in front of them */
    bool converts;               /* types */
    int longest_stride;
    int64_t longest_forward;     /* no result matters later than this after its start */
    uint32_t registers;          /* distinct registers written */
    Prov weakest;
} Plan;

/* Rebuilds p from body[0 .. n), re-using its memory. */
void plan_build(Plan *p, const Target *t, const VfInstr *body, uint32_t n);
void plan_free(Plan *p);
/* Executions of a line. */
uint64_t plan_count(const Plan *p, uint32_t line);
/* The weaker of two provenances. */
static inline Prov prov_weaker(Prov a, Prov b) { return a > b ? a : b; }
/* A parameter as an integer between lo and hi. */
int plan_int(const Num *n, int lo, int hi);

#endif

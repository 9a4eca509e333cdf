/* A target: everything the model knows about one chip, read from one YAML file.
 *
 * Every number carries its provenance. Which keys exist is the key table of read/target.c; the
 * structure below is what the models see.
 */
#ifndef NPU_ISA_TARGET_H
#define NPU_ISA_TARGET_H

#include "isa/base/dtype.h"
#include "isa/table/uop.h"

typedef enum Family { FAMILY_A2A3, FAMILY_950, FAMILY_COUNT } Family;

/* From strong to weak: the confidence of a sum is the largest of its parts. */
typedef enum Prov { PROV_DOCUMENTED, PROV_MEASURED, PROV_FIT, PROV_ASSUMED, PROV_COUNT } Prov;
const char *prov_name(Prov p);

typedef struct Num {
    double v;
    Prov prov;
    const char *source; /* where the number comes from; owned by the target */
} Num;

typedef enum MinMaxNan { NAN_PROPAGATE, NAN_NUMBER, NAN_SECOND } MinMaxNan;
typedef enum ReduceNan { NAN_FIRST, NAN_IGNORE } ReduceNan;

/* Choices of meaning where documents are silent or disagree (spec: semantics decisions). */
typedef struct Semantics {
    bool library;            /* conformance: library instead of document */
    MinMaxNan minmax_nan;
    ReduceNan reduce_nan;
    bool zero_ordered;       /* max(-0,+0) = +0, min = -0; false: first operand */
    bool f16_saturate;       /* arithmetic results of f16: infinity to largest finite */
} Semantics;

typedef struct UbParams {
    Num bytes;               /* size of UB */
    Num reserved_top;        /* bytes at the top that raise a warning */
    Num groups, banks;       /* bank groups; banks per group */
} UbParams;

/* Transfer cost: startup + bytes / bytes_per_cycle, per descriptor; below small_bytes the small
 * pair holds. */
typedef struct DmaParams {
    Num startup, bytes_per_cycle;
    Num overlap;             /* 1: start-up runs while earlier transfers of the pipe move bytes */
    Num small_bytes, small_startup, small_bytes_per_cycle;
} DmaParams;

/* a2a3: memory-to-memory vector pipe. All in cycles unless named otherwise. */
typedef struct A2a3Params {
    Num dispatch;            /* scalar issue to earliest vector issue */
    Num mask_cold;           /* first group of mask or mode writes on an idle vector pipe */
    Num mask_cold_wide;      /* the same when it is a norm mask of at least 64 lanes */
    Num mask_write;          /* one write while vector work is queued */
    Num mask_wide;           /* extra of a norm mask of more than 64 lanes behind queued work */
    Num row_loop;            /* run-time loop over chunks of 255 rows */
    Num scalar_load, scalar_store, scalar_op, scalar_iter;
    Num scalar_statement;    /* one scalar statement of the trace */
    Num flag_set, flag_wait, barrier;
    Num write_back;          /* latency - write_back = cycles from last read to write */
    Num read_conflicts;      /* 1: two reads of a group in a repeat take two cycles */
    Num write_conflicts;     /* 1: a read waits for a write of its bank */
    Num queue_depth;         /* entries between scalar unit and a pipe; 0: unbounded */
    Num copy_bytes;          /* UB to UB copy: bytes per issue cycle */
} A2a3Params;

/* 950: register machine. */
typedef struct V950Params {
    Num dispatch_width, load_ports, store_ports, exec_ports, exq_depth, inflight;
    Num window, retire_delay;
    Num to_queue;            /* dispatch to load, store and compute queue */
    Num load_done, store_done, drain;
    Num write_delay;
    Num forward_load;        /* load start to consumer start */
    Num start_prologue, start_flat, start_loop, start_nest, start_post, start_convert;
    Num nest_restart, sibling_restart, sibling_min, convert_restart, iteration_stride;
    Num whole_groups;        /* 1: an iteration of several dispatch groups begins with a new one */
    Num unroll_two;          /* 1: an outer loop of two trips behaves as two sibling loops */
    Num alternate_ports;     /* 1: compute operations alternate between the ports in dispatch order */
    Num read_conflicts, write_conflicts, split_access, reads_first;
    Num unpack_hold, unpack_extra, dintlv_extra;
    Num vregs, shq_depth;    /* 0: not limiting */
    Num function_gap;        /* from the end of one vector function to the start of the next */
    Num queue_depth;
    Num scalar_op, scalar_load, scalar_store, scalar_iter;
    Num copy_bytes;          /* UB to UB copy: bytes per issue cycle */
    Num scalar_statement;    /* one scalar statement of the trace */
    Num flag_set, flag_wait;
} V950Params;

/* Timing of one micro-op for one lane type.
 * a2a3: latency = cycles from the end of issue until a barrier behind it is released;
 *       interval = issue cycles per repeat.
 * 950:  latency = start to done; interval = initiation interval on its port;
 *       port = 1: execution port 0 only. */
typedef struct UopCost {
    Num latency, interval, port;
} UopCost;

typedef struct Target {
    char *name;              /* "a2a3" */
    char *title;             /* one line */
    char *path;              /* file it was read from */
    Family family;
    Num clock_hz;
    UbParams ub;
    DmaParams load, store;
    A2a3Params a2a3;
    V950Params v950;
    Semantics sem;
    /* Indexed by micro-op and lane type (for VCONV: the destination type). */
    UopCost cost[UOP_COUNT][DT_COUNT];
    /* 950: start-to-start distance from producer to consumer. Default: latency of the producer less
     * forward_compute or forward_store; exceptions in forward[producer][consumer] (v < 0: none). */
    Num forward_compute, forward_store;
    Num forward[UOP_COUNT][UOP_COUNT];
    void *priv;              /* key list for printing; owned by read/target.c */
} Target;

/* Cycles between the start of producer p (lane type t) and the earliest start of consumer c. */
static inline int target_forward(const Target *tg, int p, DType t, int c, bool store) {
    if (tg->forward[p][c].v >= 0) return (int)tg->forward[p][c].v;
    return (int)(tg->cost[p][t].latency.v - (store ? tg->forward_store.v : tg->forward_compute.v));
}

#endif

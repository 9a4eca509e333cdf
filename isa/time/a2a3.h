/* Timing of the a2a3 vector pipe: one in-order queue behind one in-order scalar unit.
 *
 * An instruction of r repeats occupies the issue slot for the sum of its repeats' issue cycles; its
 * results are visible to a barrier `latency` cycles after the last one. Bank conflicts come from
 * the addresses of every block of every repeat: bank group = (address / 32) mod groups, bank = group
 * of its set, where a set is UB bytes / banks long (a2a3: 16 groups, sets of 64 KiB).
 */
#ifndef NPU_ISA_TIME_A2A3_H
#define NPU_ISA_TIME_A2A3_H

#include "isa/exec/geom.h"
#include "isa/table/target.h"

/* The occupancy of a micro-op, which programs issue again and again. */
typedef struct A2a3Known {
    Uop u;
    Shape s;
    uint64_t cycles;
} A2a3Known;
enum { A2A3_KNOWN = 256 };

typedef struct A2a3Vector {
    uint64_t slot;       /* issue slot free from this cycle */
    uint64_t done;       /* every earlier result visible */
    uint64_t mask_busy;  /* issue end of the youngest instruction that uses the mask */
    A2a3Known known[A2A3_KNOWN]; /* of one target; empty where s.repeats is 0 */
} A2a3Vector;

typedef struct VectorTime {
    uint64_t start;      /* slot free and instruction there */
    uint64_t issue;      /* first repeat */
    uint64_t issued;     /* end of issue */
    uint64_t end;        /* results visible */
    uint64_t conflicts;  /* cycles lost to bank conflicts */
    Prov weakest;
} VectorTime;

/* Issues one vector micro-op of shape s that the scalar unit hands over in cycle `arrival`. */
VectorTime a2a3_issue(A2a3Vector *v, const Target *t, const Uop *u, const Shape *s, uint64_t arrival);

/* Cycles it holds the issue slot, bank conflicts included. They are those inside the instruction:
 * what precedes it does not change them. */
uint64_t a2a3_occupancy(const Target *t, const Uop *u, const Shape *s);

/* Bank groups that it reads or writes, one bit each. */
uint64_t a2a3_groups(const Target *t, const Uop *u, const Shape *s);

#endif

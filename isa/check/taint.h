/* Marks of bytes on their way through the registers of a 950 vector function.
 *
 * A load reads 256 bytes whatever the predicates say, so a marked byte is no fault by itself: what
 * counts is whether it reaches an active lane of a store or a reduction, by way of a compare too.
 */
#ifndef NPU_ISA_TAINT_H
#define NPU_ISA_TAINT_H

#include "isa/exec/vf.h"

typedef struct TaintPorts {
    void *ctx;
    /* Marks of n bytes of UB from addr on; false: none of them has any. */
    bool (*load)(void *ctx, const VfInstr *v, uint64_t addr, uint32_t n, uint8_t *marks);
    /* Bytes [lo, hi) are written, with these marks (NULL: none). origin: where the first mark came from. */
    void (*store)(void *ctx, const VfInstr *v, uint64_t lo, uint64_t hi, const uint8_t *marks, uint64_t origin);
    /* A marked byte is reduced, or used as an index. */
    void (*use)(void *ctx, const VfInstr *v, uint8_t marks, uint64_t origin);
    /* Elements from addr on are written: the data decide which. */
    void (*store_somewhere)(void *ctx, uint64_t addr);
} TaintPorts;

/* Runs the body without memory: registers hold what does not depend on data. */
void taint_run(const Target *t, const VfInstr *body, uint32_t n, const TaintPorts *p);

#endif

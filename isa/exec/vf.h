/* Vector functions of the 950 as they are executed, open to an observer. */
#ifndef NPU_ISA_VF_H
#define NPU_ISA_VF_H

#include "isa/exec/machine.h"

/* A predicate has one bit per register byte; the lowest bit of a lane counts. */
typedef struct Pred {
    uint64_t w[4];
} Pred;

typedef struct VfRegs {
    uint8_t v[VF_VREGS][REPEAT_BYTES];
    Pred p[VF_PREGS];
    uint32_t squeezed; /* bytes that the last vsqz packed */
    uint32_t running;  /* bytes that running stores have stored since the last sprsts */
} VfRegs;

static inline bool pred_bit(const Pred *p, uint32_t byte) { return p->w[byte / 64] >> (byte % 64) & 1; }
static inline void pred_set(Pred *p, uint32_t byte) { p->w[byte / 64] |= 1ull << (byte % 64); }
/* Whether every lane of that many bytes is on. */
bool pred_full(const Pred *p, unsigned esize);
/* Result of a predicate operation on predicate g (PLT and PSET take none). */
Pred pred_result(const VfInstr *v, const Pred *g, const uint32_t idx[VF_MAX_DEPTH]);

/* Sees each line before it is executed; idx are the iterations of the enclosing loops. */
typedef void (*VfHook)(void *ctx, const VfInstr *v, const VfRegs *r, const uint32_t idx[VF_MAX_DEPTH]);
/* Executes the body; `before` may be NULL. */
void vf_execute(Machine *m, const VfInstr *body, uint32_t n, VfHook before, void *ctx);

#endif

/* Machine state and functional execution of micro-operations. */
#ifndef NPU_ISA_MACHINE_H
#define NPU_ISA_MACHINE_H

#include "isa/exec/geom.h"
#include "isa/table/target.h"

/* A buffer in global memory. */
typedef struct GmBuffer {
    uint8_t *data;
    uint64_t size;      /* bytes */
} GmBuffer;

typedef enum GmAccess { GM_READ, GM_WRITE, GM_ADD } GmAccess; /* GM_ADD: atomically */
/* Bytes [lo, hi) of a buffer with elements of `unit` bytes are accessed. */
typedef void (*GmTouched)(void *ctx, uint32_t buffer, unsigned unit, uint64_t lo, uint64_t hi, GmAccess how);

enum { SREGS = 16 };

typedef struct Machine {
    const Target *target;
    uint8_t *ub;
    uint32_t ub_size;
    MaskState mask;
    uint64_t cmpmask[2];     /* a2a3 compare mask register */
    uint64_t sreg[SREGS];    /* scalar registers of lowered scalar loops */
    uint64_t kept;           /* elements that the last vreducev2 kept */
    uint64_t merged;         /* records that the last vmrgsort4 took, 16 bits a list */
    GmBuffer *gm;            /* indexed by GmView.buffer */
    uint32_t ngm;
    GmTouched gm_touched;    /* may be NULL */
    void *gm_ctx;
    uint8_t *scratch;        /* snapshot of overlapping sources */
    bool gm_fault;           /* a transfer left its buffer */
    uint32_t fault;          /* address of the first access outside UB, or ~0u */
} Machine;

Machine *machine_new(const Target *t, uint64_t poison); /* poison: 8-byte pattern of UB before the run */
void machine_free(Machine *m);

/* Executes all micro-ops of the buffer in order. An access outside UB or GM writes nothing, reads
 * zeros and sets `fault`. */
void machine_exec(Machine *m, const UopBuf *b);
/* Only the mask state of the buffer (timing without results). */
void machine_exec_masks(Machine *m, const UopBuf *b);

#endif

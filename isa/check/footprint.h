/* Which bytes of UB a micro-op touches: the active lanes of every repeat, from the geometry that also
 * executes and times it.
 */
#ifndef NPU_ISA_FOOTPRINT_H
#define NPU_ISA_FOOTPRINT_H

#include "isa/exec/geom.h"

/* Receives bytes [lo, hi). Runs come in ascending repeats; adjacent ones are joined. */
typedef void (*RunFn)(void *ctx, uint64_t lo, uint64_t hi);

/* Shape of the micro-op, with the repeats of a runaway count cut where execution cuts them. */
Shape footprint_shape(const Uop *u, const MaskState *m);
/* Runs of one operand in repeats [first, end). */
void footprint_runs(const Uop *u, const Shape *s, Role r, uint32_t first, uint32_t end, RunFn f, void *ctx);
/* Runs of all sources, repeat by repeat of each. */
void footprint_sources(const Uop *u, const Shape *s, RunFn f, void *ctx);
/* Runs on the UB side of a transfer. */
void footprint_dma(const Dma *d, RunFn f, void *ctx);
/* The indices of a transfer by threads. */
void footprint_indices(const Dma *d, RunFn f, void *ctx);
/* Whether source and destination walk the same bytes repeat by repeat. */
bool footprint_same_walk(const Access *a, const Access *b);

#endif

/* Accesses of different blocks to the same bytes of global memory.
 *
 * Blocks run on different cores at the same time and nothing orders them: what one writes and another
 * reads or writes depends on who comes first, unless both add atomically. Here they run one after the
 * other, so of each element the first block that read it and the last that wrote it tell all.
 */
#ifndef NPU_ISA_RACES_H
#define NPU_ISA_RACES_H

#include "isa/base/diag.h"
#include "isa/exec/machine.h"

typedef struct Races Races;
Races *races_new(void);
void races_free(Races *r);
void races_enter(Races *r, const char *block); /* accesses of the next block follow; "block 3" */
void races_at(Races *r, Loc loc, const char *op); /* they come from here; op is static */
/* GmTouched of the machine. */
void races_touch(void *races, uint32_t buffer, unsigned unit, uint64_t lo, uint64_t hi, GmAccess how);
/* One warning per pair of lines. name: of the argument behind a buffer. */
void races_report(const Races *r, const char *(*name)(void *ctx, uint32_t buffer), void *ctx, Diag *d);

#endif

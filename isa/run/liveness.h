/* Where tiles of a function are used for the last time, so that the allocator can re-use their
 * place. A tile declared in a block dies behind the statement of that block that holds its last use. */
#ifndef NPU_ISA_LIVENESS_H
#define NPU_ISA_LIVENESS_H

#include "isa/table/program.h"

typedef struct Liveness Liveness;
Liveness *liveness_new(const Func *f, Names *names);
void liveness_free(Liveness *l);
/* Names whose tile dies behind statement s: the i-th, or ~0u. */
uint32_t liveness_death(const Liveness *l, const Stmt *s, int i);

#endif

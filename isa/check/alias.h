/* Operands that share memory: does the lowering still read what it should?
 *
 * The instruction is lowered a second time with every operand at a place of its own. The two streams
 * differ in addresses only, so each access tells which operand it means. Where operands really lie,
 * an operand must not be read after it was written through another one.
 */
#ifndef NPU_ISA_ALIAS_H
#define NPU_ISA_ALIAS_H

#include "isa/lower/lower.h"

/* Work space and verdicts of earlier instructions with the same operands. */
typedef struct AliasCache AliasCache;
AliasCache *alias_cache_new(const Target *t);
void alias_cache_free(AliasCache *a);

/* Reports ALIAS and returns false, or notes OVERLAP. c->alias may be NULL. */
bool check_alias(LowerCtx *c, const Instr *i);

#endif

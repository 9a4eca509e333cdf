/* What the micro-ops of an instruction say by themselves: cheap enough for every instruction. */
#ifndef NPU_ISA_UOPS_H
#define NPU_ISA_UOPS_H

#include "isa/exec/geom.h"
#include "isa/table/instr.h"

/* Inherited and left-behind mask state, fields that overflow, micro-ops that do nothing. start: the
 * state before the instruction. */
void check_uops(Diag *d, const Target *t, const Instr *i, const UopBuf *b, MaskState start);

#endif

/* Between the files of the functional executor. */
#ifndef NPU_ISA_EXEC_INTERNAL_H
#define NPU_ISA_EXEC_INTERNAL_H

#include "isa/exec/machine.h"

/* Memory-to-memory micro-op of a2a3 (any vector class but VFUNC). */
void exec_memory_op(Machine *m, const Uop *u);
/* Its classes that move elements: copies by elements, gathers, transposes, sorts. */
void exec_move(Machine *m, const Uop *u, const Shape *sh);
/* Vector function of the 950. */
void exec_vector_function(Machine *m, const VfInstr *body, uint32_t n);
/* Transfer between GM and UB. */
void exec_dma(Machine *m, const Dma *d, bool to_ub);
/* The same by threads that read an index each. */
void exec_simt(Machine *m, const Dma *d, bool to_ub);

static inline void machine_fault(Machine *m, uint64_t addr) {
    if (m->fault == ~0u) m->fault = addr > 0xfffffffeu ? 0xfffffffeu : (uint32_t)addr;
}
/* Bytes [addr, addr+n) of UB, or NULL (and a fault) if they are not all inside. */
static inline uint8_t *ub_at(Machine *m, uint64_t addr, uint64_t n) {
    if (addr + n <= m->ub_size) return m->ub + addr;
    machine_fault(m, addr + n - 1);
    return NULL;
}

#endif

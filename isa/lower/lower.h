/* Shared by the checks and the lowerings of both targets. */
#ifndef NPU_ISA_LOWER_H
#define NPU_ISA_LOWER_H

#include "isa/table/instr.h"

static inline uint32_t ceil_div(uint64_t a, uint32_t b) { return (uint32_t)((a + b - 1) / b); }
static inline uint32_t round_up(uint32_t a, uint32_t b) { return (a + b - 1) / b * b; }
static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Elements per repeat (vector register) and per block. */
static inline uint32_t epr(const Tile *t) { return REPEAT_BYTES / tile_esize(t); }
static inline uint32_t epb(const Tile *t) { return BLOCK_BYTES / tile_esize(t); }
/* Row pitch in blocks. */
static inline uint32_t row_blocks(const Tile *t) { return tile_row_stride(t) * tile_esize(t) / BLOCK_BYTES; }

/* Bits of -x: exact, integers wrap. */
static inline uint64_t negated(DType t, uint64_t bits) {
    uint64_t sign = 1ull << (8 * dtype_size(t) - 1);
    return dtype_is_float(t) ? bits ^ sign : (0 - bits) & (sign | (sign - 1));
}

/* The rounding that TCVT really does: to odd exists for f32 to f16 only; without a mode of its own a pair
 * truncates floats to integers and takes the nearest value elsewhere. */
static inline RoundMode convert_round(DType to, DType from, int mode) {
    if (mode != ROUND_BY_TYPES && (mode != ROUND_ODD || (from == DT_F32 && to == DT_F16))) return (RoundMode)mode;
    return dtype_is_float(from) && !dtype_is_float(to) ? ROUND_TRUNC : ROUND_RINT;
}

/* Checks every rule of an instruction (operands, types, layouts, ranges, the row's own rules) and
 * reports to c->diag. true: legal. */
bool instr_check(LowerCtx *c, const Instr *i);
/* Lowers into c->out (cleared first). The instruction should be legal; an illegal one gives what the
 * target's lowering would issue. */
void instr_lower(LowerCtx *c, const Instr *i);
/* Whether the target and the operands need a tmp tile, and how large. */
TmpNeed instr_tmp_need(const Target *t, const Instr *i);

/* Where the library takes scratch for the instruction when no tmp is given; -1: anywhere. */
int64_t instr_tmp_place(const Instr *i);

/* Tile-level rules used by several checks. */
bool check_tile(LowerCtx *c, const Instr *i, const Tile *t, const char *role);

#endif

/* Shorthand of the a2a3 lowerings: one call per machine instruction. */
#ifndef NPU_ISA_A2A3_EMIT_H
#define NPU_ISA_A2A3_EMIT_H

#include "isa/lower/lower.h"

void emit_mask_count(LowerCtx *c);
void emit_mask_norm(LowerCtx *c);
void emit_mask_full(LowerCtx *c);
void emit_mask_lanes(LowerCtx *c, uint32_t n); /* first n lanes, all from 128 on */
void emit_count(LowerCtx *c, uint64_t n);      /* mask word of count mode */
void emit_barrier(LowerCtx *c);
void emit_flag(LowerCtx *c, Pipe from, Pipe to); /* set_flag and wait_flag, event 0 */

/* Addresses in bytes; block strides 1; repeat strides in blocks. */
Uop *emit_vec(LowerCtx *c, UopId op, DType t, uint32_t rep, uint32_t dst, uint32_t drpt,
              uint32_t src0, uint32_t srpt0, uint32_t src1, uint32_t srpt1);
void emit_reduce(LowerCtx *c, UopId op, DType t, int order, uint32_t rep, uint32_t dst, uint32_t drpt,
                 uint32_t src, uint32_t srpt);
void emit_gather(LowerCtx *c, DType t, int pattern, uint32_t dst, uint32_t src);
/* Every active lane = bits, or = scalar register reg. */
void emit_dup(LowerCtx *c, DType t, uint64_t bits, uint32_t rep, uint32_t dst, uint32_t drpt);
void emit_dup_register(LowerCtx *c, DType t, int reg, uint32_t rep, uint32_t dst, uint32_t drpt);
/* bursts of `blocks` blocks; pitches in blocks from one burst to the next. */
void emit_copy(LowerCtx *c, uint32_t bursts, uint32_t blocks, uint32_t dst, uint32_t dpitch,
               uint32_t src, uint32_t spitch);

/* to = from rounded, saturating; repeat strides in blocks of each side. */
void emit_convert(LowerCtx *c, DType to, DType from, RoundMode r, uint32_t rep, uint32_t dst, uint32_t drpt, uint32_t src, uint32_t srpt);
void emit_cmpmask(LowerCtx *c, uint32_t src); /* 16 bytes to the compare mask register */
/* vsel by the bits at `bits`, whose address goes through the block at scratch. In count mode, which
 * stays at n. */
void emit_select_bits(LowerCtx *c, DType t, uint32_t n, uint32_t bits, uint32_t scratch, uint32_t dst, uint32_t yes, uint32_t no);

/* Rows of as many elements as the count says, in chunks of 255. */
void emit_rows(LowerCtx *c, DType t, uint32_t rows, uint32_t dst, uint32_t dpitch, uint32_t src, uint32_t spitch);

void emit_s_load(LowerCtx *c, int reg, DType t, uint32_t addr);
void emit_s_load_indexed(LowerCtx *c, int reg, DType t, uint32_t addr, int index, uint32_t scale);
void emit_s_madd(LowerCtx *c, int reg, DType t, int a, uint64_t mul, int b); /* reg = a * mul + b */
void emit_s_binary(LowerCtx *c, UopId op, int reg, DType t, int a, int b); /* S_DIV, S_MUL, S_SHL, S_SHR, S_MAX, S_MIN */
void emit_s_remainder(LowerCtx *c, int reg, uint64_t divisor); /* in place */
/* S_GM_LOAD, S_GM_STORE of register reg: element number `index` (a register; 0: the first one) behind byte `base` of the
 * buffer; from element `limit` on (unless 0) zero is loaded and nothing stored. */
void emit_s_gm(LowerCtx *c, UopId op, DType t, int reg, uint32_t buffer, uint64_t base, int index, uint64_t limit);
void emit_s_set(LowerCtx *c, int reg, uint64_t bits);
void emit_s_convert(LowerCtx *c, int reg, DType to, DType from); /* in place */
void emit_s_store(LowerCtx *c, DType t, uint32_t addr, int reg);
void emit_s_store_indexed(LowerCtx *c, DType t, uint32_t addr, int index, uint32_t scale, int reg);
void emit_s_iteration(LowerCtx *c);
void emit_row_loop(LowerCtx *c); /* run-time loop over chunks of 255 rows */

#endif

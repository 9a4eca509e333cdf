/* What one operation does to lanes: the only arithmetic of the simulator, used by the memory form
 * of a2a3 and the register form of the 950 alike.
 */
#ifndef NPU_ISA_LANES_H
#define NPU_ISA_LANES_H

#include "isa/table/target.h"
#include "isa/table/uop.h"

/* Applies op to `bytes` bytes (a multiple of 32, all lanes) of src0 and src1. dst may equal a source.
 * Returns false if the micro-op has no lane function for the type. */
bool lanes_apply(UopId op, DType t, uint8_t *dst, const uint8_t *src0, const uint8_t *src1,
                 uint32_t bytes, const Semantics *sem);
/* The same with a scalar in every lane of src1. */
bool lanes_apply_scalar(UopId op, DType t, uint8_t *dst, const uint8_t *src0, uint64_t scalar, uint32_t bytes, const Semantics *sem);
/* dst = src0 * scalar + addend; dst may be one of them. */
bool lanes_axpy(DType t, uint8_t *dst, const uint8_t *src0, uint64_t scalar, const uint8_t *addend, uint32_t bytes, const Semantics *sem);
/* Fills `bytes` bytes with the scalar. */
void lanes_fill(DType t, uint8_t *dst, uint64_t bits, uint32_t bytes);
/* Whether any of the elements is a NaN. */
bool lanes_have_nan(DType t, const uint8_t *p, uint32_t bytes);
/* Compares n lanes; bit i of out is the result of lane i. NaN: IEEE unordered. */
void lanes_compare(UopId op, DType t, const uint8_t *a, const uint8_t *b, uint32_t n, uint64_t out[4]);
/* First extreme element among the active lanes (mask bit per lane): its index and bits; -0 and +0
 * are equal here. value_only: no index is asked for, and a zero has the sign that max and min give.
 * NaN by sem->reduce_nan. Returns false if no lane is active. */
bool lanes_reduce(UopId op, DType t, const uint8_t *src, uint32_t n, const uint64_t mask[4],
                  const Semantics *sem, bool value_only, uint32_t *index, uint64_t *bits);
/* Sum over the active lanes, in the pairwise order of a reduction tree over the whole register.
 * Integers: the exact sum, of which the caller keeps what its result type holds. */
uint64_t lanes_sum(DType t, const uint8_t *src, uint32_t n, const uint64_t mask[4]);
/* Converts one element; saturate: out-of-range integers and f16 infinities to the limits. */
uint64_t lanes_convert(DType to, DType from, uint64_t bits, RoundMode r, bool saturate);

#endif

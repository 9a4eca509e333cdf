/* Tile-level reference of the eight instructions, written from the documents' formulas and the
 * decisions of the project (NaN, signed zeros, ties). Plain loops over dense host arrays: it knows
 * nothing of micro-operations, masks, strides or tmp, so it can contradict the lowerings.
 */
#ifndef NPU_TESTS_REF_H
#define NPU_TESTS_REF_H

#include "isa/base/dtype.h"

/* A valid region, row by row without gaps. bit(r, c) = bits[r * cols + c]. */
typedef struct RefArray {
    DType dtype;
    uint32_t rows, cols;
    uint32_t *bits;
} RefArray;

/* What differs between targets and between document and shipped library. */
typedef struct RefRules {
    bool is_950;
    bool library;
} RefRules;

RefArray ref_new(DType t, uint32_t rows, uint32_t cols); /* zeroed; ref_free */
void ref_free(RefArray *a);

/* Exact value of any type of up to 32 bits. */
double ref_value(DType t, uint32_t bits);
bool ref_is_nan(DType t, uint32_t bits);

/* max (or min) of two elements: NaN propagates with its bits, a's if both are NaN; -0 < +0. */
uint32_t ref_extreme(bool max, DType t, uint32_t a, uint32_t b);

/* TMAXS, TMINS. dst and src have the same shape. */
void ref_bins(bool max, const RefArray *src, uint32_t scalar, RefArray *dst);

/* TPARTMAX, TPARTMIN. Every element of dst is covered by a source. */
void ref_part(bool max, const RefArray *src0, const RefArray *src1, RefArray *dst);

/* TPARTARGMAX, TPARTARGMIN: ties and NaN by the rules. */
typedef struct RefPair {
    RefArray val, idx;
} RefPair;
void ref_partarg(bool max, RefRules rules, const RefPair *src0, const RefPair *src1, RefPair *dst);

/* TROWARGMAX, TROWARGMIN: one column each; val may be NULL. */
void ref_rowarg(bool max, RefRules rules, const RefArray *src, RefArray *val, RefArray *idx);

#endif

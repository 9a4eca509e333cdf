#include "tests/reference/ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RefArray ref_new(DType t, uint32_t rows, uint32_t cols) {
    RefArray a = {t, rows, cols, calloc((size_t)rows * cols + 1, sizeof(uint32_t))};
    if (!a.bits) abort();
    return a;
}

void ref_free(RefArray *a) {
    free(a->bits);
    a->bits = NULL;
}

/* sign, exponent and fraction fields of a binary float to its value */
static double decode(uint32_t bits, int exponent_bits, int fraction_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    double fraction = bits & ((1u << fraction_bits) - 1);
    double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, 1 - bias - fraction_bits);
    return sign * ldexp(fraction + ldexp(1, fraction_bits), exponent - bias - fraction_bits);
}

double ref_value(DType t, uint32_t bits) {
    switch (t) {
    case DT_F32: return decode(bits, 8, 23);
    case DT_F16: return decode(bits, 5, 10);
    case DT_BF16: return decode(bits, 8, 7);
    case DT_I8: return (int8_t)bits;
    case DT_I16: return (int16_t)bits;
    case DT_I32: return (int32_t)bits;
    default: return bits;
    }
}

bool ref_is_nan(DType t, uint32_t bits) { return isnan(ref_value(t, bits)); }

uint32_t ref_extreme(bool max, DType t, uint32_t a, uint32_t b) {
    double x = ref_value(t, a), y = ref_value(t, b);
    if (isnan(x)) return a;
    if (isnan(y)) return b;
    if (x == y) return (signbit(x) != 0) == max ? b : a; /* max takes +0, min takes -0 */
    return (x > y) == max ? a : b;
}

void ref_bins(bool max, const RefArray *src, uint32_t scalar, RefArray *dst) {
    for (uint32_t k = 0; k < dst->rows * dst->cols; k++)
        dst->bits[k] = ref_extreme(max, src->dtype, src->bits[k], scalar);
}

static bool covers(const RefArray *a, uint32_t r, uint32_t c) { return r < a->rows && c < a->cols; }
static uint32_t at(const RefArray *a, uint32_t r, uint32_t c) { return a->bits[r * a->cols + c]; }

void ref_part(bool max, const RefArray *src0, const RefArray *src1, RefArray *dst) {
    for (uint32_t r = 0; r < dst->rows; r++)
        for (uint32_t c = 0; c < dst->cols; c++) {
            uint32_t *d = &dst->bits[r * dst->cols + c];
            if (covers(src0, r, c) && covers(src1, r, c))
                *d = ref_extreme(max, dst->dtype, at(src0, r, c), at(src1, r, c));
            else
                *d = covers(src0, r, c) ? at(src0, r, c) : at(src1, r, c);
        }
}

/* Document: src0 only if strictly better. Library: a2a3 takes src0 if better or equal, the 950
 * takes src1 only if strictly better. Every comparison with a NaN is false. */
static bool takes_src0(bool max, RefRules rules, double a, double b) {
    if (!rules.library) return max ? a > b : a < b;
    if (!rules.is_950) return max ? a >= b : a <= b;
    return !(max ? b > a : b < a);
}

void ref_partarg(bool max, RefRules rules, const RefPair *src0, const RefPair *src1, RefPair *dst) {
    DType t = dst->val.dtype;
    for (uint32_t r = 0; r < dst->val.rows; r++)
        for (uint32_t c = 0; c < dst->val.cols; c++) {
            bool in0 = covers(&src0->val, r, c), in1 = covers(&src1->val, r, c);
            bool first = in0 && (!in1 || takes_src0(max, rules, ref_value(t, at(&src0->val, r, c)),
                                                    ref_value(t, at(&src1->val, r, c))));
            const RefPair *s = first ? src0 : src1;
            dst->val.bits[r * dst->val.cols + c] = at(&s->val, r, c);
            dst->idx.bits[r * dst->idx.cols + c] = at(&s->idx, r, c);
        }
}

/* First extreme element of columns [from, to) of a row; a NaN beats every number. */
static uint32_t first_extreme(bool max, const RefArray *a, uint32_t r, uint32_t from, uint32_t to) {
    uint32_t best = from;
    for (uint32_t c = from; c < to; c++) {
        double x = ref_value(a->dtype, at(a, r, c)), b = ref_value(a->dtype, at(a, r, best));
        if (isnan(b)) break;
        if (isnan(x) || (max ? x > b : x < b)) best = c;
    }
    return best;
}

/* What the 950 starts from: the value that nothing beats. */
static uint32_t worst(bool max, DType t) {
    switch (t) {
    case DT_F32: return max ? 0xFF800000u : 0x7F800000u;
    case DT_F16: return max ? 0xFC00u : 0x7C00u;
    case DT_BF16: return max ? 0xFF80u : 0x7F80u;
    case DT_I16: return max ? 0x8000u : 0x7FFFu;
    case DT_I32: return max ? 0x80000000u : 0x7FFFFFFFu;
    case DT_U16: return max ? 0 : 0xFFFFu;
    default: return max ? 0 : 0xFFFFFFFFu;
    }
}

/* The 950 goes through the row in pieces of 256 bytes and never selects one that holds a NaN. */
static void row_950(bool max, const RefArray *src, uint32_t r, uint32_t *value, uint32_t *index) {
    uint32_t lanes = 256 / dtype_size(src->dtype);
    *value = worst(max, src->dtype);
    *index = 0;
    for (uint32_t from = 0; from < src->cols; from += lanes) {
        uint32_t to = from + lanes < src->cols ? from + lanes : src->cols;
        uint32_t c = first_extreme(max, src, r, from, to);
        double x = ref_value(src->dtype, at(src, r, c)), b = ref_value(src->dtype, *value);
        if (max ? x > b : x < b) {
            *value = at(src, r, c);
            *index = c;
        }
    }
}

void ref_rowarg(bool max, RefRules rules, const RefArray *src, RefArray *val, RefArray *idx) {
    uint32_t mask = dtype_size(idx->dtype) == 2 ? 0xFFFFu : 0xFFFFFFFFu;
    for (uint32_t r = 0; r < src->rows; r++) {
        uint32_t index, value;
        if (rules.is_950) {
            row_950(max, src, r, &value, &index);
        } else {
            index = first_extreme(max, src, r, 0, src->cols);
            value = at(src, r, index);
        }
        idx->bits[r] = index & mask;
        if (val) val->bits[r] = value;
    }
}

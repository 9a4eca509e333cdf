/* Element types and exact numerics.
 *
 * Every element type of the trace format, its spellings, and conversions that are exact or
 * rounded once. f16 is IEEE binary16, bf16 the upper half of binary32. Values travel as "bits":
 * the little-endian element zero-extended to 64 bits.
 */
#ifndef NPU_ISA_DTYPE_H
#define NPU_ISA_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum DType {
    DT_NONE,
    DT_F32, DT_F16, DT_BF16,
    DT_I8, DT_I16, DT_I32, DT_I64,
    DT_U8, DT_U16, DT_U32, DT_U64,
    DT_I1,
    DT_COUNT
} DType;

/* Rounding of float -> integer and wide -> narrow conversions, by the names of TCVT. */
typedef enum RoundMode {
    ROUND_RINT,  /* nearest, ties to even */
    ROUND_ROUND, /* nearest, ties away from zero */
    ROUND_FLOOR,
    ROUND_CEIL,
    ROUND_TRUNC, /* toward zero */
    ROUND_ODD    /* toward zero, inexact results get an odd last bit */
} RoundMode;

unsigned dtype_size(DType t);          /* bytes per element; DT_I1 is 1, DT_NONE is 0 */
const char *dtype_name(DType t);       /* canonical spelling: f32, bf16, i8, u16 ... */
bool dtype_is_float(DType t);
bool dtype_is_signed(DType t);         /* signed integers only */
/* Accepts every spelling of the documents and of real files (f32 float float32_t half i32 si32
 * int32_t ui8 u8 uint8_t ...). Returns DT_NONE if the text is no element type. */
DType dtype_parse(const char *s, size_t n);

float f16_to_f32(uint16_t h);          /* exact; NaN payload kept */
uint16_t f64_to_f16(double v, RoundMode r);   /* one rounding; overflow to infinity; NaN stays NaN */
float bf16_to_f32(uint16_t b);
uint16_t f64_to_bf16(double v, RoundMode r);
float f64_to_f32(double v, RoundMode r);

/* bits <-> double. Exact for every type but 64-bit integers beyond 2^53 (round to nearest). */
double dtype_to_double(DType t, uint64_t bits);
/* Converts once with r; integers saturate to the range, NaN gives 0. */
uint64_t dtype_from_double(DType t, double v, RoundMode r);
/* Integer value of integer bits, sign extended. */
int64_t dtype_to_int(DType t, uint64_t bits);
bool dtype_is_nan(DType t, uint64_t bits);

/* Total order key of a float's bits: signed compare of keys orders all numbers, -0 below +0.
 * Only meaningful when neither value is a NaN. */
int64_t dtype_order_key(DType t, uint64_t bits);

/* Element access in little-endian memory of any alignment. */
uint64_t dtype_load(DType t, const void *p);
void dtype_store(DType t, void *p, uint64_t bits);

/* Smallest and largest finite value of the type, as bits. */
uint64_t dtype_lowest(DType t);
uint64_t dtype_highest(DType t);

#endif

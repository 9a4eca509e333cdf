#include "isa/exec/lanes.h"

#include <math.h>
#include <string.h>

/* 16-byte vectors: the width that every compiler and flag turns into good code (wider arrays are
 * loaded whole and re-read narrow, which stalls). */
#define VEC(T) T __attribute__((vector_size(16), aligned(1), may_alias))
typedef VEC(int8_t) VI8;
typedef VEC(int16_t) VI16;
typedef VEC(int32_t) VI32;
typedef VEC(uint8_t) VU8;
typedef VEC(uint16_t) VU16;
typedef VEC(uint32_t) VU32;
typedef VEC(float) VF32;

/* Operands of one operation. b is read at `offset & turn`: a scalar is one block that is used again and again. */
typedef struct Pass {
    uint8_t *dst;
    const uint8_t *a, *b;
    size_t turn;
    uint32_t bytes;
    const Semantics *sem;
} Pass;
#define NO_TURN (~(size_t)0)
enum { SCALAR_TURN = BLOCK_BYTES - 1 };

/* One pass over the bytes of q: x and y are the operands, r the result. */
#define PASS(V, ...)                                                              \
    do {                                                                          \
        for (size_t o = 0; o < q.bytes; o += 16) {                                \
            V x = *(const V *)(q.a + o), y = *(const V *)(q.b + (o & q.turn)), r; \
            (void)y;                                                              \
            __VA_ARGS__;                                                          \
            *(V *)(q.dst + o) = r;                                                \
        }                                                                         \
        return true;                                                              \
    } while (0)

#define PICK(mask, yes, no) (((mask) & (yes)) | (~(mask) & (no)))

/* A magnitude above that of infinity, which a NaN has, carries into the sign bit. */
#define CARRY(V, p, MAG, INF) ((*(const V *)(p) & MAG) + (MAG - INF))
#define ANY_NAN(NAME, V, MAG, INF)                                                         \
    static inline bool NAME(const uint8_t *p, uint32_t bytes) {                            \
        uint8_t rest[32] = {0};                                                            \
        V any = {0};                                                                       \
        for (; bytes >= 32; p += 32, bytes -= 32)                                          \
            any |= CARRY(V, p, MAG, INF) | CARRY(V, p + 16, MAG, INF);                     \
        if (bytes) {                                                                       \
            memcpy(rest, p, bytes);                                                        \
            any |= CARRY(V, rest, MAG, INF) | CARRY(V, rest + 16, MAG, INF);               \
        }                                                                                  \
        uint64_t sign[2];                                                                  \
        any &= ~((V){0} + MAG);                                                            \
        memcpy(sign, &any, sizeof sign);                                                   \
        return (sign[0] | sign[1]) != 0;                                                   \
    }
ANY_NAN(f32_nan, VU32, 0x7fffffff, 0x7f800000)
ANY_NAN(f16_nan, VU16, 0x7fff, 0x7c00)
ANY_NAN(bf16_nan, VU16, 0x7fff, 0x7f80)

/* Maximum and minimum of floats on their bits: keys order all numbers with -0 below +0. Which operand a
 * NaN lets stand is asked only where there is one. */
#define KEY(x) ((x) ^ (((x) >> shift) & mag))
#define FLOAT_MINMAX(HAS_NAN, V, SHIFT, MAG, INF)                                                                    \
    do {                                                                                                             \
        enum { shift = SHIFT, mag = MAG };                                                                           \
        MinMaxNan nan = q.sem->minmax_nan;                                                                           \
        if (HAS_NAN(q.a, q.bytes) || HAS_NAN(q.b, q.turn < q.bytes ? BLOCK_BYTES : q.bytes) || !q.sem->zero_ordered) \
            PASS(V, V nx = (x & mag) > INF, ny = (y & mag) > INF, second = max ? KEY(x) < KEY(y) : KEY(y) < KEY(x);   \
                 if (!q.sem->zero_ordered) second &= ((x | y) & mag) != 0;                                           \
                 r = PICK(second, y, x);                                                                             \
                 r = nan == NAN_PROPAGATE ? PICK(nx, x, PICK(ny, y, r)) : nan == NAN_NUMBER ? PICK(nx, y, PICK(ny, x, r)) : PICK(nx | ny, y, r)); \
        if (max) PASS(V, V second = KEY(x) < KEY(y); r = PICK(second, y, x));                                        \
        PASS(V, V second = KEY(y) < KEY(x); r = PICK(second, y, x));                                                 \
    } while (0)

#define INT_MINMAX(V)                                        \
    do {                                                     \
        if (max) PASS(V, r = PICK((V)(x > y), x, y));        \
        PASS(V, r = PICK((V)(x < y), x, y));                 \
    } while (0)

static bool minmax(DType t, bool max, Pass q) {
    switch (t) {
    case DT_F32: FLOAT_MINMAX(f32_nan, VI32, 31, 0x7fffffff, 0x7f800000);
    case DT_F16: FLOAT_MINMAX(f16_nan, VI16, 15, 0x7fff, 0x7c00);
    case DT_BF16: FLOAT_MINMAX(bf16_nan, VI16, 15, 0x7fff, 0x7f80);
    case DT_I8: INT_MINMAX(VI8);
    case DT_I16: INT_MINMAX(VI16);
    case DT_I32: INT_MINMAX(VI32);
    case DT_U8: INT_MINMAX(VU8);
    case DT_U16: INT_MINMAX(VU16);
    case DT_U32: INT_MINMAX(VU32);
    default: return false;
    }
}

static int64_t whole(DType t, uint64_t bits) { return dtype_is_signed(t) ? dtype_to_int(t, bits) : (int64_t)bits; }

/* Shift counts are read as unsigned: from the width on nothing but the sign is left. */
static uint64_t shifted(UopId op, DType t, uint64_t x, uint64_t n) {
    unsigned width = 8 * dtype_size(t);
    if (op == U_VSHL || op == U_VSHLS) return n < width ? x << n : 0;
    if (n >= width) n = width - 1, x = dtype_is_signed(t) ? x : 0;
    return (uint64_t)(whole(t, x) >> n);
}

/* The result has the sign of the divisor. */
static uint64_t modulo(DType t, uint64_t a, uint64_t b) {
    int64_t x = whole(t, a), y = whole(t, b);
    if (!y) return 0;
    int64_t r = x % y;
    return (uint64_t)(r && (r < 0) != (y < 0) ? r + y : r);
}

/* Towards zero. */
static uint64_t quotient(DType t, uint64_t a, uint64_t b) {
    int64_t x = whole(t, a), y = whole(t, b);
    return y ? (uint64_t)(x / y) : 0;
}

static bool int_by_element(UopId op, DType t, Pass q) {
    unsigned size = dtype_size(t);
    for (uint32_t o = 0; o < q.bytes; o += size) {
        uint64_t x = dtype_load(t, q.a + o), y = dtype_load(t, q.b + (o & q.turn));
        dtype_store(t, q.dst + o, op == U_VMOD ? modulo(t, x, y) : op == U_VDIV ? quotient(t, x, y) : shifted(op, t, x, y));
    }
    return true;
}

static bool int_arith(UopId op, DType t, Pass q) {
    unsigned size = dtype_size(t);
#define ARITH(V8, V16, V32, EXPR)                   \
    do {                                            \
        if (size == 1) PASS(V8, EXPR);              \
        if (size == 2) PASS(V16, EXPR);             \
        if (size == 4) PASS(V32, EXPR);             \
        return false;                               \
    } while (0)
    switch (op) { /* wrap-around: unsigned vectors */
    case U_VADD:
    case U_VADDS: ARITH(VU8, VU16, VU32, r = x + y);
    case U_VSUB: ARITH(VU8, VU16, VU32, r = x - y);
    case U_VMUL:
    case U_VMULS: ARITH(VU8, VU16, VU32, r = x * y);
    case U_VRELU: ARITH(VI8, VI16, VI32, r = x & ~(x < 0));
    case U_VABS: ARITH(VU8, VU16, VU32, r = -(x >> (8 * sizeof x[0] - 1)); r = (x ^ r) - r);
    case U_VSHL: case U_VSHLS: case U_VSHR: case U_VSHRS: case U_VMOD: case U_VDIV: return int_by_element(op, t, q);
    default: return false;
    }
}

static bool f32_arith(UopId op, Pass q) {
    switch (op) {
    case U_VADD:
    case U_VADDS: PASS(VF32, r = x + y);
    case U_VSUB: PASS(VF32, r = x - y);
    case U_VMUL:
    case U_VMULS: PASS(VF32, r = x * y);
    case U_VDIV: PASS(VF32, r = x / y);
    case U_VLRELU:
    case U_VPRELU: PASS(VF32, VI32 positive = x > 0; r = (VF32)PICK(positive, (VI32)x, (VI32)(x * y)));
    default: return false;
    }
}

/* One value of the functions that are correctly rounded from a double result, and of the narrow
 * float types, whose sums, products and quotients are exact enough in double to round once. */
static double scalar_op(UopId op, double x, double y) {
    switch (op) {
    case U_VADD:
    case U_VADDS: return x + y;
    case U_VSUB: return x - y;
    case U_VMUL:
    case U_VMULS: return x * y;
    case U_VDIV: return x / y;
    case U_VEXP: return exp(x);
    case U_VLN: return log(x);
    case U_VSQRT: return sqrt(x);
    case U_VRSQRT: return 1.0 / sqrt(x);
    case U_VLRELU:
    case U_VPRELU: return x > 0 ? x : x * y;
    default: return x;
    }
}

static bool has_scalar_op(UopId op) {
    switch (op) {
    case U_VADD: case U_VADDS: case U_VSUB: case U_VMUL: case U_VMULS: case U_VDIV:
    case U_VEXP: case U_VLN: case U_VSQRT: case U_VRSQRT: case U_VLRELU: case U_VPRELU: return true;
    default: return false;
    }
}

static bool float_by_element(UopId op, DType t, Pass q) {
    if (!has_scalar_op(op)) return false;
    unsigned size = dtype_size(t);
    for (uint32_t o = 0; o < q.bytes; o += size) {
        double x = dtype_to_double(t, dtype_load(t, q.a + o));
        double y = dtype_to_double(t, dtype_load(t, q.b + (o & q.turn)));
        uint64_t r = dtype_from_double(t, scalar_op(op, x, y), ROUND_RINT);
        if (t == DT_F16 && q.sem->f16_saturate) {
            if ((r & 0x7fff) > 0x7c00) r = 0;
            else if ((r & 0x7fff) == 0x7c00) r = (r & 0x8000) | 0x7bff;
        }
        dtype_store(t, q.dst + o, r);
    }
    return true;
}

static bool float_sign_op(UopId op, DType t, Pass q) {
    static const uint8_t zero[BLOCK_BYTES];
    if (op == U_VABS) {
        if (t == DT_F32) PASS(VI32, r = x & 0x7fffffff);
        PASS(VI16, r = x & 0x7fff);
    }
    q.b = zero;
    q.turn = SCALAR_TURN;
    return minmax(t, true, q);
}

static bool apply(UopId op, DType t, Pass q) {
    switch (op) {
    case U_VMAX:
    case U_VMAXS: return minmax(t, true, q);
    case U_VMIN:
    case U_VMINS: return minmax(t, false, q);
    case U_VMOV: PASS(VU8, r = x);
    case U_VOR: PASS(VU8, r = x | y);
    case U_VAND: PASS(VU8, r = x & y);
    case U_VXOR: PASS(VU8, r = x ^ y);
    case U_VNOT: PASS(VU8, r = ~x);
    default: break;
    }
    if (!dtype_is_float(t)) return int_arith(op, t, q);
    if (op == U_VABS || op == U_VRELU) return float_sign_op(op, t, q);
    if (t == DT_F32 && f32_arith(op, q)) return true;
    return float_by_element(op, t, q);
}

bool lanes_apply(UopId op, DType t, uint8_t *dst, const uint8_t *a, const uint8_t *b, uint32_t bytes, const Semantics *sem) {
    Pass q = {dst, a, b, NO_TURN, bytes, sem};
    if (op != U_VEXPDIF) return apply(op, t, q);
    apply(U_VSUB, t, q);
    q.a = q.b = dst;
    return apply(U_VEXP, t, q);
}

bool lanes_apply_scalar(UopId op, DType t, uint8_t *dst, const uint8_t *a, uint64_t scalar, uint32_t bytes, const Semantics *sem) {
    uint8_t block[BLOCK_BYTES];
    lanes_fill(t, block, scalar, sizeof block);
    return apply(op, t, (Pass){dst, a, block, SCALAR_TURN, bytes, sem});
}

void lanes_fill(DType t, uint8_t *dst, uint64_t bits, uint32_t bytes) {
    uint64_t step[BLOCK_BYTES / sizeof bits];
    for (unsigned width = 8 * dtype_size(t); width < 64; width *= 2) bits = (bits & ((1ull << width) - 1)) | bits << width;
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) step[k] = bits;
    for (; bytes >= sizeof step; dst += sizeof step, bytes -= sizeof step) memcpy(dst, step, sizeof step);
    memcpy(dst, step, bytes);
}

bool lanes_axpy(DType t, uint8_t *dst, const uint8_t *src0, uint64_t scalar, const uint8_t *addend, uint32_t bytes, const Semantics *sem) {
    uint8_t product[REPEAT_BYTES];
    return lanes_apply_scalar(U_VMULS, t, product, src0, scalar, bytes, sem) && lanes_apply(U_VADD, t, dst, product, addend, bytes, sem);
}

bool lanes_have_nan(DType t, const uint8_t *p, uint32_t bytes) {
    switch (t) {
    case DT_F32: return f32_nan(p, bytes);
    case DT_F16: return f16_nan(p, bytes);
    case DT_BF16: return bf16_nan(p, bytes);
    default: return false;
    }
}

/* -1, 0, 1, or 2 for unordered. */
static int compare_bits(DType t, uint64_t x, uint64_t y) {
    if (dtype_is_float(t)) {
        double a = dtype_to_double(t, x), b = dtype_to_double(t, y);
        return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
    }
    if (dtype_is_signed(t)) {
        int64_t a = dtype_to_int(t, x), b = dtype_to_int(t, y);
        return (a > b) - (a < b);
    }
    return (x > y) - (x < y);
}

static bool holds(UopId op, int c) {
    switch (op) {
    case U_VCMP_LT: return c == -1;
    case U_VCMP_LE: return c == -1 || c == 0;
    case U_VCMP_GT: return c == 1;
    case U_VCMP_GE: return c == 1 || c == 0;
    case U_VCMP_EQ: return c == 0;
    default: return c != 0;
    }
}

/* The comparison that a form in memory or with a scalar makes: the groups have one order. */
static UopId comparison(UopId op) {
    if (op >= U_VCMPS_LT && op <= U_VCMPS_NE) return (UopId)(U_VCMP_LT + (op - U_VCMPS_LT));
    if (op >= U_VCMPVS_LT && op <= U_VCMPVS_EQ) return (UopId)(U_VCMP_LT + (op - U_VCMPVS_LT));
    if (op >= U_VCMPV_LT && op <= U_VCMPV_EQ) return (UopId)(U_VCMP_LT + (op - U_VCMPV_LT));
    return op;
}

void lanes_compare(UopId op, DType t, const uint8_t *a, const uint8_t *b, uint32_t n, uint64_t out[4]) {
    unsigned size = dtype_size(t);
    memset(out, 0, 4 * sizeof out[0]);
    op = comparison(op);
    if (t == DT_F32) { /* the common case without a call per lane */
        for (uint32_t i = 0; i < n; i++) {
            float x, y;
            memcpy(&x, a + 4 * i, 4);
            memcpy(&y, b + 4 * i, 4);
            int c = x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
            out[i / 64] |= (uint64_t)holds(op, c) << (i % 64);
        }
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        int c = compare_bits(t, dtype_load(t, a + i * size), dtype_load(t, b + i * size));
        out[i / 64] |= (uint64_t)holds(op, c) << (i % 64);
    }
}

static inline bool bit(const uint64_t m[4], uint32_t i) { return m[i / 64] >> (i % 64) & 1; }

/* Key in which -0 and +0 are equal. */
static inline int64_t index_key(DType t, uint64_t bits) {
    if (!dtype_is_float(t)) return dtype_is_signed(t) ? dtype_to_int(t, bits) : (int64_t)bits;
    int64_t k = dtype_order_key(t, bits);
    return k == -1 ? 0 : k;
}

/* The value of a zero result: +0 for a maximum, -0 for a minimum if such a lane is there. */
static uint64_t ordered_zero(UopId op, DType t, const uint8_t *src, uint32_t n, const uint64_t mask[4], uint64_t bits) {
    unsigned size = dtype_size(t);
    int64_t want = op == U_VCMAX ? 0 : -1;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = dtype_load(t, src + i * size);
        if (bit(mask, i) && dtype_order_key(t, v) == want) return v;
    }
    return bits;
}

bool lanes_reduce(UopId op, DType t, const uint8_t *src, uint32_t n, const uint64_t mask[4],
                  const Semantics *sem, bool value_only, uint32_t *index, uint64_t *bits) {
    unsigned size = dtype_size(t);
    bool is_float = dtype_is_float(t), found = false, only_nan = false;
    int64_t best = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!bit(mask, i)) continue;
        uint64_t v = dtype_load(t, src + i * size);
        if (is_float && dtype_is_nan(t, v)) {
            if (sem->reduce_nan == NAN_FIRST || !found) {
                *index = i;
                *bits = v;
            }
            if (sem->reduce_nan == NAN_FIRST) return true;
            if (!found) found = only_nan = true;
            continue;
        }
        int64_t k = index_key(t, v);
        if (!found || only_nan || (op == U_VCMAX ? k > best : k < best)) {
            found = true;
            only_nan = false;
            best = k;
            *index = i;
            *bits = v;
        }
    }
    if (found && !only_nan && is_float && best == 0 && value_only && sem->zero_ordered)
        *bits = ordered_zero(op, t, src, n, mask, *bits);
    return found;
}

uint64_t lanes_sum(DType t, const uint8_t *src, uint32_t n, const uint64_t mask[4]) {
    unsigned size = dtype_size(t);
    if (!dtype_is_float(t)) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; i++)
            if (bit(mask, i)) sum += (uint64_t)dtype_to_int(t, dtype_load(t, src + i * size));
        return sum;
    }
    float v[128]; /* binary tree of neighbours; narrow types are rounded once at the end */
    for (uint32_t i = 0; i < n; i++)
        v[i] = bit(mask, i) ? (float)dtype_to_double(t, dtype_load(t, src + i * size)) : 0.0f;
    for (; n > 1; n /= 2)
        for (uint32_t i = 0; i < n / 2; i++) v[i] = v[2 * i] + v[2 * i + 1];
    return dtype_from_double(t, v[0], ROUND_RINT);
}

/* Float to integer that does not saturate keeps the low bits; infinities go to the limits. */
static uint64_t wrap_to_int(DType to, double v, RoundMode r) {
    if (isnan(v)) return 0;
    if (isinf(v)) return v > 0 ? dtype_highest(to) : dtype_lowest(to);
    if (fabs(v) >= 0x1p63) return 0;
    uint64_t bits = dtype_from_double(DT_I64, v, r);
    unsigned size = dtype_size(to);
    return size == 8 ? bits : bits & ((1ull << (8 * size)) - 1);
}

static uint64_t int_to_int(DType to, DType from, uint64_t bits, bool saturate) {
    int64_t v = dtype_is_signed(from) ? dtype_to_int(from, bits) : (int64_t)bits;
    if (saturate && dtype_size(to) < 8) {
        int64_t lo = dtype_is_signed(to) ? dtype_to_int(to, dtype_lowest(to)) : 0;
        int64_t hi = dtype_is_signed(to) ? dtype_to_int(to, dtype_highest(to)) : (int64_t)dtype_highest(to);
        v = v < lo ? lo : v > hi ? hi : v;
    }
    unsigned size = dtype_size(to);
    return size == 8 ? (uint64_t)v : (uint64_t)v & ((1ull << (8 * size)) - 1);
}

/* Float to the same float: an integral value in the float type. */
static uint64_t to_integral(DType t, uint64_t bits, double v, RoundMode r) {
    if (isnan(v) || fabs(v) >= 0x1p52) return bits;
    double whole = (double)(int64_t)dtype_from_double(DT_I64, v, r);
    return dtype_from_double(t, copysign(whole, v), ROUND_RINT);
}

/* A 64-bit integer as a double that rounds to a narrower float as the integer itself does: low bits
 * beyond the double's precision only say that there are some. */
static double sticky_double(int64_t v) {
    const int64_t low = 0xfff;
    if (v > -(1ll << 53) && v < 1ll << 53) return (double)v;
    return (double)((v & low) ? ((v & ~low) | (low + 1) >> 1) : v);
}

uint64_t lanes_convert(DType to, DType from, uint64_t bits, RoundMode r, bool saturate) {
    if (!dtype_is_float(from)) {
        if (!dtype_is_float(to)) return int_to_int(to, from, bits, saturate);
        if (from == DT_I64) return dtype_from_double(to, sticky_double((int64_t)bits), r);
        return dtype_from_double(to, dtype_to_double(from, bits), r);
    }
    double v = dtype_to_double(from, bits);
    if (to == from) return to_integral(to, bits, v, r);
    if (!dtype_is_float(to)) return saturate ? dtype_from_double(to, v, r) : wrap_to_int(to, v, r);
    uint64_t out = dtype_from_double(to, v, r);
    if (saturate && to != DT_F32 && !isnan(v) && isinf(dtype_to_double(to, out)))
        out = v > 0 ? dtype_highest(to) : dtype_lowest(to);
    return out;
}

#include "isa/base/dtype.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are accessed as little-endian memory");

typedef enum Kind { KIND_NONE, KIND_FLOAT, KIND_SIGNED, KIND_UNSIGNED } Kind;

/* lowest, highest: finite limits as bits. */
static const struct TypeInfo {
    const char *name;
    uint8_t size, kind;
    uint64_t lowest, highest;
} types[DT_COUNT] = {
    [DT_NONE] = {"none", 0, KIND_NONE, 0, 0},
    [DT_F32] = {"f32", 4, KIND_FLOAT, 0xff7fffff, 0x7f7fffff},
    [DT_F16] = {"f16", 2, KIND_FLOAT, 0xfbff, 0x7bff},
    [DT_BF16] = {"bf16", 2, KIND_FLOAT, 0xff7f, 0x7f7f},
    [DT_I8] = {"i8", 1, KIND_SIGNED, 0x80, 0x7f},
    [DT_I16] = {"i16", 2, KIND_SIGNED, 0x8000, 0x7fff},
    [DT_I32] = {"i32", 4, KIND_SIGNED, 0x80000000, 0x7fffffff},
    [DT_I64] = {"i64", 8, KIND_SIGNED, (uint64_t)INT64_MIN, INT64_MAX},
    [DT_U8] = {"u8", 1, KIND_UNSIGNED, 0, 0xff},
    [DT_U16] = {"u16", 2, KIND_UNSIGNED, 0, 0xffff},
    [DT_U32] = {"u32", 4, KIND_UNSIGNED, 0, 0xffffffff},
    [DT_U64] = {"u64", 8, KIND_UNSIGNED, 0, UINT64_MAX},
    [DT_I1] = {"i1", 1, KIND_UNSIGNED, 0, 1},
};

unsigned dtype_size(DType t) { return types[t].size; }
const char *dtype_name(DType t) { return types[t].name; }
bool dtype_is_float(DType t) { return types[t].kind == KIND_FLOAT; }
bool dtype_is_signed(DType t) { return types[t].kind == KIND_SIGNED; }
uint64_t dtype_lowest(DType t) { return types[t].lowest; }
uint64_t dtype_highest(DType t) { return types[t].highest; }

static const struct Spelling {
    const char *text;
    DType type;
} spellings[] = {
    {"f32", DT_F32}, {"float", DT_F32}, {"float32", DT_F32}, {"float32_t", DT_F32}, {"fp32", DT_F32},
    {"f16", DT_F16}, {"half", DT_F16}, {"float16", DT_F16}, {"float16_t", DT_F16}, {"fp16", DT_F16},
    {"bf16", DT_BF16}, {"bfloat16", DT_BF16}, {"bfloat16_t", DT_BF16},
    {"i8", DT_I8}, {"si8", DT_I8}, {"s8", DT_I8}, {"int8", DT_I8}, {"int8_t", DT_I8},
    {"i16", DT_I16}, {"si16", DT_I16}, {"s16", DT_I16}, {"int16", DT_I16}, {"int16_t", DT_I16},
    {"i32", DT_I32}, {"si32", DT_I32}, {"s32", DT_I32}, {"int32", DT_I32}, {"int32_t", DT_I32},
    {"int", DT_I32},
    {"i64", DT_I64}, {"si64", DT_I64}, {"s64", DT_I64}, {"int64", DT_I64}, {"int64_t", DT_I64},
    {"index", DT_I64},
    {"ui8", DT_U8}, {"u8", DT_U8}, {"uint8", DT_U8}, {"uint8_t", DT_U8},
    {"ui16", DT_U16}, {"u16", DT_U16}, {"uint16", DT_U16}, {"uint16_t", DT_U16},
    {"ui32", DT_U32}, {"u32", DT_U32}, {"uint32", DT_U32}, {"uint32_t", DT_U32}, {"uint", DT_U32},
    {"ui64", DT_U64}, {"u64", DT_U64}, {"uint64", DT_U64}, {"uint64_t", DT_U64},
    {"i1", DT_I1}, {"bool", DT_I1},
};

DType dtype_parse(const char *s, size_t n) {
    for (size_t i = 0; n && i < sizeof spellings / sizeof spellings[0]; i++) {
        const char *text = spellings[i].text;
        if (*text == *s && strncmp(text, s, n) == 0 && strlen(text) == n) return spellings[i].type;
    }
    return DT_NONE;
}

/* A binary floating-point format: digits of the significand with the hidden one, smallest normal
 * exponent. */
typedef struct Format {
    int digits, emin;
} Format;
static const Format format_f32 = {24, -126}, format_f16 = {11, -14}, format_bf16 = {8, -126};

static uint64_t double_bits(double v) {
    uint64_t u;
    memcpy(&u, &v, sizeof u);
    return u;
}

static uint32_t float_bits(float v) {
    uint32_t u;
    memcpy(&u, &v, sizeof u);
    return u;
}

static float float_of(uint32_t u) {
    float v;
    memcpy(&v, &u, sizeof v);
    return v;
}

/* Whether n + rest, with rest a fraction of `half` x 2, is rounded away from zero. */
static bool rounds_up(uint64_t n, uint64_t rest, uint64_t half, bool negative, RoundMode r) {
    switch (r) {
    case ROUND_RINT: return rest > half || (rest == half && (n & 1));
    case ROUND_ROUND: return rest >= half;
    case ROUND_FLOOR: return rest && negative;
    case ROUND_CEIL: return rest && !negative;
    case ROUND_ODD: return rest && !(n & 1);
    case ROUND_TRUNC: break;
    }
    return false;
}

static bool overflows_to_infinity(bool negative, RoundMode r) {
    return r == ROUND_RINT || r == ROUND_ROUND || r == (negative ? ROUND_FLOOR : ROUND_CEIL);
}

/* Magnitude of the double with bits u in format f, rounded once. Works on the bits: below the normal
 * range more digits are dropped, and a carry out of the significand moves into the exponent. */
static uint64_t narrow_magnitude(uint64_t u, Format f, RoundMode r) {
    const uint64_t infinity = (uint64_t)(3 - 2 * f.emin) << (f.digits - 1);
    bool negative = u >> 63;
    int exponent = (int)(u >> 52 & 0x7ff);
    uint64_t fraction = u & 0xfffffffffffff;
    if (exponent == 0x7ff) {
        uint64_t payload = fraction >> (53 - f.digits);
        /* A payload that is lost entirely must not leave an infinity behind. */
        if (fraction && !payload) payload = 1ull << (f.digits - 2);
        return infinity | payload;
    }
    uint64_t significand = exponent ? fraction | 1ull << 52 : fraction;
    int above = (exponent ? exponent : 1) - 1023 - f.emin; /* exponents above the smallest normal one */
    int drop = 53 - f.digits - (above < 0 ? above : 0);
    if (drop > 63) drop = 63; /* all of it, as any more */
    uint64_t n = significand >> drop, half = 1ull << (drop - 1);
    uint64_t rest = significand & (half * 2 - 1);
    n += rounds_up(n, rest, half, negative, r);
    if (above > 0) n += (uint64_t)above << (f.digits - 1);
    if (n < infinity) return n;
    return overflows_to_infinity(negative, r) ? infinity : infinity - 1;
}

static uint64_t narrow(double v, Format f, int bits, RoundMode r) {
    uint64_t u = double_bits(v);
    return narrow_magnitude(u, f, r) | (u >> 63) << (bits - 1);
}

uint16_t f64_to_f16(double v, RoundMode r) { return (uint16_t)narrow(v, format_f16, 16, r); }
uint16_t f64_to_bf16(double v, RoundMode r) { return (uint16_t)narrow(v, format_bf16, 16, r); }
float f64_to_f32(double v, RoundMode r) { return float_of((uint32_t)narrow(v, format_f32, 32, r)); }

float f16_to_f32(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fff;
    if (magnitude >= 0x7c00) return float_of(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude >= 0x400) return float_of(sign | ((magnitude << 13) + ((127 - 15) << 23)));
    return float_of(sign | float_bits((float)magnitude * 0x1p-24f));
}

float bf16_to_f32(uint16_t b) { return float_of((uint32_t)b << 16); }

double dtype_to_double(DType t, uint64_t bits) {
    switch (t) {
    case DT_F32: return (double)float_of((uint32_t)bits);
    case DT_F16: return (double)f16_to_f32((uint16_t)bits);
    case DT_BF16: return (double)bf16_to_f32((uint16_t)bits);
    case DT_U64: return (double)bits;
    default: return (double)dtype_to_int(t, bits);
    }
}

static double round_to_integer(double v, RoundMode r) {
    switch (r) {
    case ROUND_RINT: return nearbyint(v);
    case ROUND_ROUND: return round(v);
    case ROUND_FLOOR: return floor(v);
    case ROUND_CEIL: return ceil(v);
    case ROUND_TRUNC: return trunc(v);
    case ROUND_ODD: break;
    }
    double n = trunc(v);
    return n != v && fmod(n, 2) == 0 ? n + copysign(1, v) : n;
}

/* The limits of 64-bit types round up to a power of two, so that >= catches all that overflows. */
static uint64_t int_from_double(DType t, double v, RoundMode r) {
    if (isnan(v)) return 0;
    double n = round_to_integer(v, r);
    if (n <= dtype_to_double(t, types[t].lowest)) return types[t].lowest;
    if (n >= dtype_to_double(t, types[t].highest)) return types[t].highest;
    if (types[t].kind == KIND_UNSIGNED) return (uint64_t)n;
    return (uint64_t)(int64_t)n & (UINT64_MAX >> (64 - 8 * types[t].size));
}

uint64_t dtype_from_double(DType t, double v, RoundMode r) {
    switch (t) {
    case DT_NONE: return 0;
    case DT_F32: return narrow(v, format_f32, 32, r);
    case DT_F16: return f64_to_f16(v, r);
    case DT_BF16: return f64_to_bf16(v, r);
    default: return int_from_double(t, v, r);
    }
}

int64_t dtype_to_int(DType t, uint64_t bits) {
    switch (types[t].kind == KIND_SIGNED ? types[t].size : 0) {
    case 1: return (int8_t)bits;
    case 2: return (int16_t)bits;
    case 4: return (int32_t)bits;
    default: return (int64_t)bits;
    }
}

bool dtype_is_nan(DType t, uint64_t bits) {
    switch (t) {
    case DT_F32: return (bits & 0x7fffffff) > 0x7f800000;
    case DT_F16: return (bits & 0x7fff) > 0x7c00;
    case DT_BF16: return (bits & 0x7fff) > 0x7f80;
    default: return false;
    }
}

int64_t dtype_order_key(DType t, uint64_t bits) {
    uint64_t sign = 1ull << (8 * types[t].size - 1);
    /* Signed magnitude to a number; ~ instead of - puts -0 just below +0. */
    return bits & sign ? (int64_t)~(bits & (sign - 1)) : (int64_t)(bits & (sign - 1));
}

/* Constant sizes let the compiler turn each copy into one move. */
uint64_t dtype_load(DType t, const void *p) {
    uint64_t bits = 0;
    switch (types[t].size) {
    case 1: memcpy(&bits, p, 1); break;
    case 2: memcpy(&bits, p, 2); break;
    case 4: memcpy(&bits, p, 4); break;
    case 8: memcpy(&bits, p, 8); break;
    }
    return bits;
}

void dtype_store(DType t, void *p, uint64_t bits) {
    switch (types[t].size) {
    case 1: memcpy(p, &bits, 1); break;
    case 2: memcpy(p, &bits, 2); break;
    case 4: memcpy(p, &bits, 4); break;
    case 8: memcpy(p, &bits, 8); break;
    }
}

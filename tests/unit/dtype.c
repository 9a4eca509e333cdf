/* Conversions are compared with a slow model that knows nothing of bit patterns: a format is the list
 * of its finite values, found with ldexp, and rounding is a choice between two neighbours. */
#include "isa/base/dtype.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MODES = ROUND_ODD + 1 };

typedef struct Model {
    DType type;
    int digits, emin; /* significand digits with the hidden one, smallest normal exponent */
    uint32_t infinity;
} Model;
static const Model models[] = {
    {DT_F16, 11, -14, 0x7c00}, {DT_BF16, 8, -126, 0x7f80}, {DT_F32, 24, -126, 0x7f800000}};

/* Value of the magnitude bits; the infinity pattern gives the next power of two, as if the exponent
 * range had no end. */
static double model_value(const Model *m, uint32_t bits) {
    uint32_t exponent = bits >> (m->digits - 1), fraction = bits & ((1u << (m->digits - 1)) - 1);
    if (exponent == 0) return ldexp(fraction, m->emin - m->digits + 1);
    return ldexp(fraction + ldexp(1, m->digits - 1), m->emin - m->digits + (int)exponent);
}

/* Largest magnitude not above v, by bisection; infinity - 1 at most. */
static uint32_t model_below(const Model *m, double v) {
    uint32_t lo = 0, hi = m->infinity;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (model_value(m, mid) <= v) lo = mid;
        else hi = mid;
    }
    return lo;
}

static uint32_t model_round(const Model *m, double v, RoundMode r) {
    bool negative = signbit(v);
    uint32_t sign = negative ? 1u << (8 * dtype_size(m->type) - 1) : 0;
    double a = fabs(v);
    if (isinf(v)) return sign | m->infinity;
    uint32_t n = model_below(m, a);
    double below = model_value(m, n), above = model_value(m, n + 1);
    if (a == below) return sign | n;
    bool top = a >= above; /* beyond the largest finite value and its neighbour */
    bool up = false;
    switch (r) {
    case ROUND_RINT: up = top || a - below > above - a || (a - below == above - a && n % 2); break;
    case ROUND_ROUND: up = top || a - below >= above - a; break;
    case ROUND_FLOOR: up = negative; break;
    case ROUND_CEIL: up = !negative; break;
    case ROUND_TRUNC: break;
    case ROUND_ODD: up = n % 2 == 0; break;
    }
    return sign | (n + up);
}

static void check_rounding(const Model *m, double v) {
    for (int r = 0; r < MODES; r++) {
        uint64_t got = dtype_from_double(m->type, v, (RoundMode)r), want = model_round(m, v, (RoundMode)r);
        if (got != want) fail_msg("%s %a mode %d: %#x, not %#x", dtype_name(m->type), v, r, (unsigned)got, (unsigned)want);
    }
}

/* Around the value with these bits: itself, both sides of it, the tie to the next one and both sides
 * of the tie. */
static void check_around(const Model *m, uint32_t bits) {
    double v = model_value(m, bits), tie = v + (model_value(m, bits + 1) - v) / 2;
    const double points[] = {v, nextafter(v, 0), nextafter(v, INFINITY), tie, nextafter(tie, 0), nextafter(tie, INFINITY)};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        check_rounding(m, points[i]);
        check_rounding(m, -points[i]);
    }
}

static void rounding_16_bit_exhaustive(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++)
        for (uint32_t bits = 0; bits < models[i].infinity; bits++) check_around(&models[i], bits);
}

static void rounding_f32(void **state) {
    (void)state;
    const Model *m = &models[2];
    for (uint32_t bits = 0; bits < m->infinity; bits += 99991) check_around(m, bits);
    for (uint32_t bits = 0x7fff00; bits < 0x800100; bits++) check_around(m, bits);
    for (uint32_t bits = m->infinity - 100; bits < m->infinity; bits++) check_around(m, bits);
}

static void rounding_extremes(void **state) {
    (void)state;
    const double extremes[] = {0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e300, 1.7976931348623157e308, INFINITY};
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof extremes / sizeof extremes[0]; k++) {
            check_rounding(&models[i], extremes[k]);
            check_rounding(&models[i], -extremes[k]);
        }
}

static uint32_t bits_of(float v) {
    uint32_t u;
    memcpy(&u, &v, sizeof u);
    return u;
}

static double double_of(uint64_t u) {
    double v;
    memcpy(&v, &u, sizeof v);
    return v;
}

static void widening_exhaustive(void **state) {
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint32_t magnitude = h & 0x7fff;
        double sign = h & 0x8000 ? -1 : 1;
        float f = f16_to_f32((uint16_t)h), b = bf16_to_f32((uint16_t)h);
        assert_int_equal(bits_of(b), h << 16);
        if (magnitude > 0x7c00) assert_int_equal(bits_of(f), (h & 0x8000) << 16 | 0x7f800000 | (h & 0x3ff) << 13);
        else if (magnitude == 0x7c00) assert_true(f == sign * INFINITY);
        else assert_int_equal(bits_of(f), bits_of((float)copysign(model_value(&models[0], magnitude), sign)));
        assert_int_equal(dtype_is_nan(DT_F16, h), isnan(f) != 0);
        assert_int_equal(dtype_is_nan(DT_BF16, h), isnan(b) != 0);
#if defined __GNUC__ && !defined __clang__ && defined __FLT16_MAX__
        _Float16 native;
        memcpy(&native, &h, sizeof native);
        if (!isnan(f)) assert_true((float)native == f);
#endif
    }
}

static void narrowing_is_the_inverse_of_widening(void **state) {
    (void)state;
    const DType types[] = {DT_F16, DT_BF16};
    for (int i = 0; i < 2; i++)
        for (uint32_t h = 0; h < 0x10000; h++)
            for (int r = 0; r < MODES; r++) {
                uint64_t back = dtype_from_double(types[i], dtype_to_double(types[i], h), (RoundMode)r);
                /* A double in a register may have been quieted: the rest of the payload stays. */
                uint64_t quiet = dtype_is_nan(types[i], h) ? (types[i] == DT_F16 ? 0x200 : 0x40) : 0;
                assert_int_equal(back | quiet, h | quiet);
            }
}

static void nan_stays_nan(void **state) {
    (void)state;
    /* The payload lies entirely in bits that no narrow format has. */
    const uint64_t low[] = {0x7ff0000000000001, 0xfff0000000000001};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            for (int r = 0; r < MODES; r++) {
                uint64_t bits = dtype_from_double(models[i].type, double_of(low[k]), (RoundMode)r);
                assert_true(dtype_is_nan(models[i].type, bits));
                assert_int_equal(bits >> (8 * dtype_size(models[i].type) - 1), k);
            }
    assert_int_equal(f64_to_f16(double_of(0x7ffabc0000000000), ROUND_RINT), 0x7eaf);
    assert_int_equal(f64_to_bf16(double_of(0x7ffabc0000000000), ROUND_RINT), 0x7fd5);
    assert_int_equal(bits_of(f64_to_f32(double_of(0xfffabc0000000000), ROUND_RINT)), 0xffd5e000);
}

#if defined __GNUC__ && !defined __clang__ && defined __FLT16_MAX__
static void f16_matches_the_compiler(void **state) {
    (void)state;
    for (uint64_t k = 0, u = 12345; k < 1000000; k++) {
        u = u * 6364136223846793005u + 1442695040888963407u;
        /* Exponents from below the subnormals of f16 to beyond its largest value. */
        double v = double_of((u & 0x800fffffffffffff) | (0x3e0 + (u >> 52 & 0x7ff) % 48) << 52);
        _Float16 native = (_Float16)v;
        uint16_t bits;
        memcpy(&bits, &native, sizeof bits);
        assert_int_equal(f64_to_f16(v, ROUND_RINT), bits);
    }
}
#endif

static void f32_matches_the_machine(void **state) {
    (void)state;
    for (uint64_t k = 0, u = 777; k < 1000000; k++) {
        u = u * 6364136223846793005u + 1442695040888963407u;
        double v = double_of((u & 0x800fffffffffffff) | (0x3ff - 160 + (u >> 52 & 0x7ff) % 300) << 52);
        assert_int_equal(bits_of(f64_to_f32(v, ROUND_RINT)), bits_of((float)v));
    }
}

static void integers_round_by_mode(void **state) {
    (void)state;
    static const struct {
        double v;
        int want[MODES]; /* rint, round, floor, ceil, trunc, odd */
    } rows[] = {
        {2.5, {2, 3, 2, 3, 2, 3}},       {3.5, {4, 4, 3, 4, 3, 3}},     {-2.5, {-2, -3, -3, -2, -2, -3}},
        {-0.5, {0, -1, -1, 0, 0, -1}},   {0.25, {0, 0, 0, 1, 0, 1}},    {7, {7, 7, 7, 7, 7, 7}},
        {-3.75, {-4, -4, -4, -3, -3, -3}}, {0.49999999999999994, {0, 0, 0, 1, 0, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int r = 0; r < MODES; r++)
            for (DType t = DT_I8; t <= DT_I64; t++)
                assert_int_equal(dtype_to_int(t, dtype_from_double(t, rows[i].v, (RoundMode)r)), rows[i].want[r]);
}

static void integers_saturate(void **state) {
    (void)state;
    for (DType t = DT_I8; t <= DT_I1; t++) {
        const double beyond[] = {1e30, INFINITY, 0x1p64};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(dtype_from_double(t, beyond[i], ROUND_RINT), dtype_highest(t));
            assert_int_equal(dtype_from_double(t, -beyond[i], ROUND_RINT), dtype_lowest(t));
        }
        assert_int_equal(dtype_from_double(t, NAN, ROUND_RINT), 0);
    }
    assert_int_equal(dtype_from_double(DT_I8, 127.5, ROUND_RINT), 127);
    assert_int_equal(dtype_from_double(DT_I8, -128, ROUND_RINT), 0x80);
    assert_int_equal(dtype_from_double(DT_I8, -1, ROUND_RINT), 0xff);
    assert_int_equal(dtype_from_double(DT_U8, -0.5, ROUND_FLOOR), 0);
    assert_int_equal(dtype_from_double(DT_U8, 254.5, ROUND_ROUND), 255);
    assert_true(dtype_from_double(DT_I64, 0x1p63, ROUND_RINT) == INT64_MAX);
    assert_true(dtype_from_double(DT_U64, 0x1p63, ROUND_RINT) == 1ull << 63);
    assert_true(dtype_from_double(DT_I64, -0x1p62, ROUND_RINT) == (uint64_t)INT64_MIN / 2 * 3);
}

static void integers_widen(void **state) {
    (void)state;
    assert_true(dtype_to_double(DT_I8, 0x80) == -128);
    assert_true(dtype_to_double(DT_U8, 0x80) == 128);
    assert_true(dtype_to_double(DT_I16, 0xffff) == -1);
    assert_true(dtype_to_double(DT_I32, 0x80000000) == -0x1p31);
    assert_true(dtype_to_double(DT_U32, 0x80000000) == 0x1p31);
    assert_true(dtype_to_double(DT_U64, UINT64_MAX) == 0x1p64);
    assert_true(dtype_to_int(DT_I64, UINT64_MAX) == -1);
    assert_true(dtype_to_int(DT_U32, 0xffffffff) == 0xffffffff);
}

static int order(double a, double b) {
    if (a == b) return (signbit(b) != 0) - (signbit(a) != 0);
    return a < b ? -1 : 1;
}

static void order_keys_order_numbers(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const Model *m = &models[i];
        for (uint32_t h = 0; h < 0x10000; h++) {
            uint32_t other = h * 40503u & 0xffff, pairs[] = {h ^ 0x8000, h ^ 1, (h + 1) & 0xffff, other};
            for (int k = 0; k < 4; k++) {
                if (dtype_is_nan(m->type, h) || dtype_is_nan(m->type, pairs[k])) continue;
                int64_t a = dtype_order_key(m->type, h), b = dtype_order_key(m->type, pairs[k]);
                int want = order(dtype_to_double(m->type, h), dtype_to_double(m->type, pairs[k]));
                assert_int_equal((a > b) - (a < b), want);
            }
        }
    }
    assert_true(dtype_order_key(DT_F32, 0x80000000) < dtype_order_key(DT_F32, 0));
    assert_true(dtype_order_key(DT_F32, 0xff800000) < dtype_order_key(DT_F32, 0xff7fffff));
    assert_true(dtype_order_key(DT_F32, 0x7f7fffff) < dtype_order_key(DT_F32, 0x7f800000));
}

static void limits_are_finite_and_extreme(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const Model *m = &models[i];
        assert_int_equal(dtype_highest(m->type), m->infinity - 1);
        assert_int_equal(dtype_lowest(m->type), (m->infinity - 1) | 1ull << (8 * dtype_size(m->type) - 1));
    }
    assert_true(dtype_to_int(DT_I16, dtype_lowest(DT_I16)) == -32768);
    assert_true(dtype_to_int(DT_I64, dtype_lowest(DT_I64)) == INT64_MIN);
    assert_true(dtype_highest(DT_U32) == 0xffffffff);
}

static void every_spelling_is_read(void **state) {
    (void)state;
    static const char *const spellings[DT_COUNT] = {
        [DT_F32] = "f32 float float32 float32_t fp32",
        [DT_F16] = "f16 half float16 float16_t fp16",
        [DT_BF16] = "bf16 bfloat16 bfloat16_t",
        [DT_I8] = "i8 si8 s8 int8 int8_t", [DT_I16] = "i16 si16 s16 int16 int16_t",
        [DT_I32] = "i32 si32 s32 int32 int32_t int", [DT_I64] = "i64 si64 s64 int64 int64_t index",
        [DT_U8] = "u8 ui8 uint8 uint8_t", [DT_U16] = "u16 ui16 uint16 uint16_t",
        [DT_U32] = "u32 ui32 uint32 uint32_t uint", [DT_U64] = "u64 ui64 uint64 uint64_t",
        [DT_I1] = "i1 bool",
        [DT_NONE] = "f8 f3 f320 F32 i i7 i128 float64 bf uint8_ int8_tt void",
    };
    for (int t = 0; t < DT_COUNT; t++)
        for (const char *s = spellings[t]; *s; s += strspn(s, " ")) {
            size_t n = strcspn(s, " ");
            assert_int_equal(dtype_parse(s, n), t);
            s += n;
        }
    assert_int_equal(dtype_parse("", 0), DT_NONE);
    assert_int_equal(dtype_parse("f32\0tail", 8), DT_NONE);
    for (DType t = DT_F32; t < DT_COUNT; t++) assert_int_equal(dtype_parse(dtype_name(t), strlen(dtype_name(t))), t);
}

static void memory_access_is_little_endian(void **state) {
    (void)state;
    const uint8_t bytes[9] = {0xee, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t copy[9] = {0};
    assert_true(dtype_load(DT_U8, bytes + 1) == 1);
    assert_true(dtype_load(DT_F16, bytes + 1) == 0x0201);
    assert_true(dtype_load(DT_F32, bytes + 1) == 0x04030201);
    assert_true(dtype_load(DT_I64, bytes + 1) == 0x0807060504030201);
    dtype_store(DT_BF16, copy + 1, 0xffff1234);
    assert_memory_equal(copy, ((uint8_t[]){0, 0x34, 0x12, 0}), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_16_bit_exhaustive),
        cmocka_unit_test(rounding_f32),
        cmocka_unit_test(rounding_extremes),
        cmocka_unit_test(widening_exhaustive),
        cmocka_unit_test(narrowing_is_the_inverse_of_widening),
        cmocka_unit_test(nan_stays_nan),
#if defined __GNUC__ && !defined __clang__ && defined __FLT16_MAX__
        cmocka_unit_test(f16_matches_the_compiler),
#endif
        cmocka_unit_test(f32_matches_the_machine),
        cmocka_unit_test(integers_round_by_mode),
        cmocka_unit_test(integers_saturate),
        cmocka_unit_test(integers_widen),
        cmocka_unit_test(order_keys_order_numbers),
        cmocka_unit_test(limits_are_finite_and_extreme),
        cmocka_unit_test(every_spelling_is_read),
        cmocka_unit_test(memory_access_is_little_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

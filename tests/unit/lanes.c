/* Lane arithmetic that has shortcuts (vectors, a scalar as one block, no NaN about) against one lane at
 * a time, on values that meet every rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "isa/base/dtype.h"
#include "isa/exec/lanes.h"

static uint64_t seed = 1;

static uint32_t pick(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* Zeros, ones, infinities and, if asked for, NaN of both signs; else any bits that are no NaN. */
static uint64_t value(DType t, bool nan) {
    unsigned bits = 8 * dtype_size(t);
    uint64_t inf = t == DT_F32 ? 0x7f800000 : t == DT_F16 ? 0x7c00 : 0x7f80, sign = (uint64_t)pick(2) << (bits - 1);
    uint64_t any = (seed >> 8) & ((1ull << bits) - 1);
    if (!dtype_is_float(t)) return pick(3) ? any : 0;
    switch (pick(4)) {
    case 0: return sign;
    case 1: return sign | (nan && pick(2) ? inf + 1 + any % (inf >> 8) : inf);
    default: return dtype_is_nan(t, any) ? sign | 1 : any;
    }
}

static uint64_t minmax(DType t, uint64_t x, uint64_t y, bool max, const Semantics *sem) {
    if (!dtype_is_float(t)) {
        int64_t a = dtype_is_signed(t) ? dtype_to_int(t, x) : (int64_t)x, b = dtype_is_signed(t) ? dtype_to_int(t, y) : (int64_t)y;
        return (max ? a > b : a < b) ? x : y;
    }
    bool nx = dtype_is_nan(t, x), ny = dtype_is_nan(t, y);
    if (nx || ny) {
        if (sem->minmax_nan == NAN_PROPAGATE) return nx ? x : y;
        if (sem->minmax_nan == NAN_NUMBER) return nx ? y : x;
        return y;
    }
    double a = dtype_to_double(t, x), b = dtype_to_double(t, y);
    if (a != b) return (max ? a > b : a < b) ? x : y;
    if (!sem->zero_ordered || x == y) return x;
    bool minus = x >> (8 * dtype_size(t) - 1);
    return minus == max ? y : x;
}

static void maxima_and_minima(void **state) {
    (void)state;
    static const DType types[] = {DT_F32, DT_F16, DT_BF16, DT_I8, DT_I16, DT_I32, DT_U8, DT_U16, DT_U32};
    for (int round = 0; round < 20000; round++) {
        DType t = types[pick(9)];
        unsigned size = dtype_size(t);
        uint32_t bytes = 32 * (1 + pick(20)), shift = 4 * pick(4);
        bool max = pick(2), scalar = pick(2), nan = pick(2), in_place = pick(2);
        Semantics sem = {.minmax_nan = (MinMaxNan)pick(3), .zero_ordered = pick(2)};
        static uint8_t a[704], b[704], dst[704], want[704];
        uint64_t one = value(t, nan);
        for (uint32_t o = 0; o < bytes; o += size) {
            uint64_t x = value(t, nan), y = scalar ? one : value(t, nan);
            dtype_store(t, a + shift + o, x);
            dtype_store(t, b + o, y);
            dtype_store(t, want + o, minmax(t, x, y, max, &sem));
        }
        uint8_t *out = in_place ? a + shift : dst;
        if (scalar) assert_true(lanes_apply_scalar(max ? U_VMAXS : U_VMINS, t, out, a + shift, one, bytes, &sem));
        else assert_true(lanes_apply(max ? U_VMAX : U_VMIN, t, out, a + shift, b, bytes, &sem));
        assert_memory_equal(out, want, bytes);
    }
}

/* A scalar in every lane is what the other form computes from a full register. */
static void scalars_are_broadcast(void **state) {
    (void)state;
    static const UopId op[][2] = {{U_VADDS, U_VADD}, {U_VMULS, U_VMUL}, {U_VMAXS, U_VMAX}, {U_VMINS, U_VMIN}, {U_VSHLS, U_VSHL}, {U_VSHRS, U_VSHR}};
    static const DType types[] = {DT_F32, DT_F16, DT_BF16, DT_I16, DT_I32, DT_U16, DT_U32};
    Semantics sem = {0};
    for (int round = 0; round < 5000; round++) {
        DType t = types[pick(7)];
        uint32_t k = pick(6), bytes = 32 * (1 + pick(8));
        uint8_t a[256], b[256], x[256], y[256];
        for (uint32_t o = 0; o < bytes; o += dtype_size(t)) dtype_store(t, a + o, value(t, false));
        uint64_t scalar = value(t, false);
        lanes_fill(t, b, scalar, bytes);
        bool has = lanes_apply(op[k][1], t, x, a, b, bytes, &sem);
        assert_int_equal(lanes_apply_scalar(op[k][0], t, y, a, scalar, bytes, &sem), has);
        if (has) assert_memory_equal(x, y, bytes);
    }
}

static void filling(void **state) {
    (void)state;
    static const DType types[] = {DT_I8, DT_F16, DT_F32, DT_I64};
    for (int k = 0; k < 4; k++) {
        unsigned size = dtype_size(types[k]);
        for (uint32_t n = 0; n <= 64; n++) {
            uint8_t got[520] = {0}, want[520] = {0};
            uint64_t bits = 0x8182838485868788u;
            lanes_fill(types[k], got, bits, n * size);
            for (uint32_t i = 0; i < n; i++) memcpy(want + i * size, &bits, size);
            assert_memory_equal(got, want, sizeof got);
        }
    }
}

/* One NaN anywhere is found, whatever the length; neither infinities nor what lies behind count. */
static void nan_is_found(void **state) {
    (void)state;
    static const struct {
        DType t;
        uint64_t inf;
    } types[] = {{DT_F32, 0x7f800000}, {DT_F16, 0x7c00}, {DT_BF16, 0x7f80}};
    for (int k = 0; k < 3; k++) {
        unsigned size = dtype_size(types[k].t);
        uint64_t sign = 1ull << (8 * size - 1);
        for (uint32_t n = 1; n <= 70; n++) {
            uint8_t p[71 * 4];
            for (uint32_t i = 0; i < n; i++) dtype_store(types[k].t, p + i * size, types[k].inf | (i & 1 ? sign : 0));
            dtype_store(types[k].t, p + n * size, types[k].inf + 1);
            assert_false(lanes_have_nan(types[k].t, p, n * size));
            for (uint32_t i = 0; i < n; i++) {
                dtype_store(types[k].t, p + i * size, (types[k].inf + 1) | (i & 1 ? sign : 0));
                assert_true(lanes_have_nan(types[k].t, p, n * size));
                dtype_store(types[k].t, p + i * size, 0);
            }
        }
    }
    assert_false(lanes_have_nan(DT_I32, (const uint8_t[]){255, 255, 255, 255}, 4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maxima_and_minima), cmocka_unit_test(scalars_are_broadcast), cmocka_unit_test(filling), cmocka_unit_test(nan_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What TROWARGMAX and TROWARGMIN leave in tmp on a2a3, byte for byte: the worked maps of the
 * lowering digest with their literal numbers, and maps computed here from the data alone.
 */
#include "tests/reference/bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SRC = 0, TMP = 0x1E000, VAL = 0x27000, IDX = 0x2A000 };

typedef struct Shape3 {
    DType type;
    uint32_t rows, cols;
    uint32_t tmp_cols;     /* row pitch of tmp in elements; 0: one dn column of pairs */
    bool max, with_value, nd;
    DType index;
} Shape3;

static Bed bed;

static int open_bed(void **state) {
    (void)state;
    bed_open(&bed, "a2a3", "document");
    return 0;
}

static int close_bed(void **state) {
    (void)state;
    bed_close(&bed);
    return 0;
}

static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

static Tile column(DType t, const Shape3 *s, int64_t addr) {
    uint32_t block = 32 / dtype_size(t);
    Tile tile = s->nd ? bed_tile(t, s->rows, block, s->rows, 1) : bed_column(t, up(s->rows, block), s->rows);
    tile.addr = addr;
    return tile;
}

/* Executes the instruction on `data`. UB holds a known pattern everywhere else. */
static void run(const Shape3 *s, const RefArray *data) {
    uint32_t block = 32 / dtype_size(s->type);
    Tile src = bed_tile(s->type, s->rows, up(s->cols, block), s->rows, s->cols);
    Tile tmp = s->tmp_cols ? bed_tile(s->type, s->rows, s->tmp_cols, s->rows, s->tmp_cols)
                           : bed_column(s->type, up(2 * s->rows, block), 2 * s->rows);
    Tile val = column(s->type, s, VAL), idx = column(s->index, s, IDX);
    src.addr = SRC;
    tmp.addr = TMP;
    Instr i = bed_instr(s->max ? I_TROWARGMAX : I_TROWARGMIN);
    i.in[i.nin++] = &src;
    if (s->with_value) i.out[i.nout++] = &val;
    i.out[i.nout++] = &idx;
    i.tmp = &tmp;
    for (uint32_t k = 0; k < bed.machine->ub_size; k++) bed.machine->ub[k] = (uint8_t)(k * 7 + (k >> 8));
    bed_write(&bed, &src, data);
    if (!bed_run(&bed, &i)) fail_msg("refused: %s", bed_error(&bed));
}

/* ---- tmp computed from the data: dense arrays, one stage after the other ---- */

typedef struct Stage {
    uint32_t n;
    uint32_t val[1024], idx[1024]; /* per group of lanes: first extreme value and its place in the group */
} Stage;

static void reduce(bool max, DType t, const uint32_t *bits, uint32_t n, Stage *out) {
    uint32_t lanes = 256 / dtype_size(t);
    out->n = (n + lanes - 1) / lanes;
    for (uint32_t g = 0; g < out->n; g++) {
        uint32_t best = g * lanes, end = best + lanes < n ? best + lanes : n;
        for (uint32_t c = best; c < end; c++) {
            double x = ref_value(t, bits[c]), b = ref_value(t, bits[best]);
            if (max ? x > b : x < b) best = c;
        }
        out->val[g] = bits[best];
        out->idx[g] = best - g * lanes;
    }
}

static void put(uint8_t *row, DType t, uint32_t element, uint32_t bits) {
    memcpy(row + element * dtype_size(t), &bits, dtype_size(t));
}

/* Pairs of all groups at `at`; the values gathered behind; the indices gathered over the pairs,
 * whose second half stays as it was. */
static void put_stage(uint8_t *row, DType t, const Stage *s, uint32_t pairs, uint32_t values) {
    for (uint32_t g = 0; g < s->n; g++) {
        put(row, t, pairs + 2 * g, s->val[g]);
        put(row, t, pairs + 2 * g + 1, s->idx[g]);
    }
    for (uint32_t g = 0; g < s->n; g++) put(row, t, values + g, s->val[g]);
    for (uint32_t g = 0; g < s->n; g++) put(row, t, pairs + g, s->idx[g]);
}

static void put_row(uint8_t *row, const Shape3 *s, const uint32_t *bits) {
    static Stage first, second, last;
    uint32_t lanes = 256 / dtype_size(s->type), block = lanes / 8;
    reduce(s->max, s->type, bits, s->cols, &first);
    uint32_t values1 = up(2 * first.n, block);
    put_stage(row, s->type, &first, 0, values1);
    uint32_t final = values1;
    const Stage *before = &first;
    if (s->cols > lanes * lanes) {
        uint32_t pairs2 = up(first.n, block);
        reduce(s->max, s->type, first.val, first.n, &second);
        final = pairs2 + up(2 * second.n, block);
        put_stage(row, s->type, &second, pairs2, final);
        before = &second;
    }
    reduce(s->max, s->type, before->val, before->n, &last);
    put(row, s->type, final, last.val[0]);
    put(row, s->type, final + 1, last.idx[0]);
}

/* The whole of UB behind tmp's start, so that a spill shows too. */
static void expect_tmp(const Shape3 *s, const RefArray *data) {
    uint32_t lanes = 256 / dtype_size(s->type);
    uint8_t *want = malloc(VAL - TMP);
    memcpy(want, bed.before + TMP, VAL - TMP);
    for (uint32_t r = 0; r < s->rows; r++) {
        const uint32_t *bits = data->bits + (size_t)r * s->cols;
        if (s->cols > lanes) {
            put_row(want + (size_t)r * s->tmp_cols * dtype_size(s->type), s, bits);
        } else if (s->with_value) { /* one compact run of pairs, whatever tmp's pitch */
            static Stage one;
            reduce(s->max, s->type, bits, s->cols, &one);
            put(want, s->type, 2 * r, one.val[0]);
            put(want, s->type, 2 * r + 1, one.idx[0]);
        }
    }
    for (uint32_t k = 0; k < VAL - TMP; k++)
        if (want[k] != bed.machine->ub[TMP + k])
            fail_msg("%s %ux%u: tmp byte %u is 0x%02X, should be 0x%02X", dtype_name(s->type), s->rows, s->cols, k,
                     bed.machine->ub[TMP + k], want[k]);
    free(want);
}

/* Small integers as floats (so that both types hold them), or as integers. */
static uint32_t small(DType t, int v) { return (uint32_t)dtype_from_double(t, v, ROUND_RINT); }

static RefArray random_data(const Shape3 *s, uint64_t seed) {
    RefArray a = ref_new(s->type, s->rows, s->cols);
    for (uint32_t k = 0; k < s->rows * s->cols; k++) a.bits[k] = small(s->type, (int)(bed_random(&seed) % 900) - 450);
    return a;
}

static void check_random(Shape3 s, uint64_t seed) {
    RefArray data = random_data(&s, seed);
    run(&s, &data);
    expect_tmp(&s, &data);
    ref_free(&data);
}

/* ---- worked maps, with their numbers ---- */

static uint32_t word(uint32_t byte) {
    uint32_t v;
    memcpy(&v, bed.machine->ub + TMP + byte, 4);
    return v;
}
static uint32_t half(uint32_t byte) { return word(byte) & 0xFFFF; }

/* A row of descending values with one maximum: value at column c is -c mod 50, the peak is 100. */
static RefArray peaked(DType t, uint32_t cols, uint32_t peak) {
    RefArray a = ref_new(t, 1, cols);
    for (uint32_t c = 0; c < cols; c++) a.bits[c] = small(t, -(int)(c % 50));
    a.bits[peak] = small(t, 100);
    return a;
}

static const int three_rows[3][5] = {{4, 9, 1, 9, 0}, {-1, -2, -3, -4, -5}, {7, 7, 7, 7, 8}};

static void case1_map(void **state) {
    (void)state;
    const DType types[] = {DT_F32, DT_F16};
    const uint32_t pairs[2][6] = {{0x41100000, 1, 0xBF800000, 0, 0x41000000, 4}, {0x4880, 1, 0xBC00, 0, 0x4800, 4}};
    for (int k = 0; k < 2; k++) {
        Shape3 s = {types[k], 3, 5, 0, true, true, false, k ? DT_U16 : DT_U32};
        RefArray data = ref_new(s.type, 3, 5);
        for (int e = 0; e < 15; e++) data.bits[e] = small(s.type, three_rows[e / 5][e % 5]);
        run(&s, &data);
        for (uint32_t e = 0; e < 6; e++) assert_int_equal(k ? half(2 * e) : word(4 * e), pairs[k][e]);
        expect_tmp(&s, &data);
        ref_free(&data);
    }
}

static void case2_map(void **state) {
    (void)state;
    Shape3 s = {DT_F32, 1, 300, 24, true, true, false, DT_U32};
    RefArray data = peaked(DT_F32, 300, 209);
    run(&s, &data);
    assert_int_equal(word(3 * 4), 17);              /* index inside group 3 */
    assert_int_equal(word(64), 0x42C80000);         /* final pair: 100.0, group 3 */
    assert_int_equal(word(68), 3);
    assert_int_equal(word(28), 17);                 /* stale pair of group 3 */
    assert_int_equal(word(76), 0x42C80000);         /* stale value of group 3 */
    expect_tmp(&s, &data);
    ref_free(&data);
    s = (Shape3){DT_F16, 1, 300, 32, true, true, false, DT_U16};
    data = peaked(DT_F16, 300, 209);
    run(&s, &data);
    assert_int_equal(half(2), 81);
    assert_int_equal(half(32), 0x5640);
    assert_int_equal(half(34), 1);
    expect_tmp(&s, &data);
    ref_free(&data);
}

static void case3_map(void **state) {
    (void)state;
    Shape3 s = {DT_F32, 1, 5000, 240, true, true, false, DT_U32};
    RefArray data = peaked(DT_F32, 5000, 4321);
    run(&s, &data);
    assert_int_equal(word(67 * 4), 33);             /* idx1[67] */
    assert_int_equal(word(320 + 4), 3);             /* idx2[1] */
    assert_int_equal(word(352), 0x42C80000);        /* final pair */
    assert_int_equal(word(356), 1);
    assert_int_equal(word(640 + 67 * 4), 0x42C80000);
    expect_tmp(&s, &data);
    ref_free(&data);
    s = (Shape3){DT_F16, 1, 20000, 480, true, true, false, DT_U16};
    data = peaked(DT_F16, 20000, 17777);
    run(&s, &data);
    assert_int_equal(half(138 * 2), 113);
    assert_int_equal(half(320 + 2), 10);
    assert_int_equal(half(352), 0x5640);
    assert_int_equal(half(354), 1);
    expect_tmp(&s, &data);
    ref_free(&data);
}

/* ---- computed maps ---- */

static void index_only_case1_leaves_tmp_alone(void **state) {
    (void)state;
    check_random((Shape3){DT_F32, 9, 64, 8, true, false, false, DT_U32}, 1);
    check_random((Shape3){DT_F16, 9, 77, 16, false, false, true, DT_I32}, 2);
}

static void case1_pairs_are_compact(void **state) {
    (void)state;
    check_random((Shape3){DT_F32, 300, 17, 8, true, true, false, DT_U32}, 3); /* second chunk of 255 rows */
    check_random((Shape3){DT_F32, 255, 8, 0, false, true, true, DT_I32}, 4);  /* and an empty one */
    check_random((Shape3){DT_F16, 70, 128, 0, true, true, false, DT_I16}, 5); /* count mode */
    check_random((Shape3){DT_F16, 300, 3, 16, false, true, true, DT_U16}, 6);
    check_random((Shape3){DT_F16, 100, 90, 0, true, true, false, DT_U32}, 7); /* widened in place, in dst */
    check_random((Shape3){DT_I32, 20, 64, 8, true, true, false, DT_I32}, 8);
    check_random((Shape3){DT_I16, 20, 100, 16, false, true, false, DT_I16}, 9);
}

static void case2_rows(void **state) {
    (void)state;
    const uint32_t cols[] = {65, 127, 128, 129, 513, 1000, 4095, 4096};
    for (size_t k = 0; k < sizeof cols / sizeof cols[0]; k++) {
        uint32_t wide = up(bed_tmp_stride(DT_F32, cols[k]), 8);
        check_random((Shape3){DT_F32, 3, cols[k], wide, k & 1, k & 2, k & 4, DT_U32}, 10 + k);
    }
    check_random((Shape3){DT_F16, 5, 129, up(bed_tmp_stride(DT_F16, 129), 16), true, true, false, DT_U16}, 20);
    check_random((Shape3){DT_F16, 2, 16384, up(bed_tmp_stride(DT_F16, 16384), 16), false, true, false, DT_U16}, 21);
    check_random((Shape3){DT_F16, 4, 4000, 768, false, false, true, DT_I32}, 22); /* more than needed */
    check_random((Shape3){DT_I32, 4, 300, 24, true, false, false, DT_I32}, 23);
    check_random((Shape3){DT_I16, 4, 300, 32, false, true, false, DT_U16}, 24);
}

/* Documented size: every row runs into the next one before that is computed, the last one past tmp. */
static void case3_rows_spill(void **state) {
    (void)state;
    const uint32_t f32_cols[] = {4097, 5000, 8192}, f16_cols[] = {16385, 20000, 30000};
    for (uint64_t k = 0; k < 3; k++) {
        uint32_t documented = up(bed_tmp_stride(DT_F32, f32_cols[k]), 8);
        assert_true(documented < bed_tmp_touched(DT_F32, f32_cols[k]));
        check_random((Shape3){DT_F32, 3, f32_cols[k], documented, true, true, false, DT_U32}, 30 + k);
        documented = up(bed_tmp_stride(DT_F16, f16_cols[k]), 16);
        assert_true(documented < bed_tmp_touched(DT_F16, f16_cols[k]));
        check_random((Shape3){DT_F16, 2, f16_cols[k], documented, false, true, true, DT_U16}, 40 + k);
    }
    check_random((Shape3){DT_F32, 2, 5000, 256, false, false, false, DT_I32}, 50); /* room for all of it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case1_map),      cmocka_unit_test(case2_map),
        cmocka_unit_test(case3_map),      cmocka_unit_test(index_only_case1_leaves_tmp_alone),
        cmocka_unit_test(case1_pairs_are_compact), cmocka_unit_test(case2_rows),
        cmocka_unit_test(case3_rows_spill)};
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}

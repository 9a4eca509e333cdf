/* What bounds the innermost loops of small vector functions, and of the lowered TROWARGMIN. */
#include "isa/time/v950_bound.h"

#include "isa/read/target_file.h"
#include "isa/run/single.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Target *target;
static V950Sched *sched;
static VfInstr body[32];
static uint32_t lines;

static int open_target(void **state) {
    (void)state;
    Diag *d = diag_new();
    target = target_load("950", NULL, 0, d);
    diag_free(d);
    if (!target) return 1;
    sched = v950_new(target);
    return 0;
}

static int close_target(void **state) {
    (void)state;
    v950_free(sched);
    target_free(target);
    return 0;
}

static VfInstr *line(UopId op, int dst, int src0, int src1) {
    VfInstr *v = &body[lines++];
    *v = (VfInstr){.op = (uint16_t)op, .dtype = DT_F32, .dst = (uint8_t)dst, .dst2 = VF_NONE, .src0 = (uint8_t)src0,
                   .src1 = (uint8_t)src1, .pd = VF_NONE, .pg = VF_NONE, .pg2 = VF_NONE};
    return v;
}

static void loop(uint64_t trips) { line(U_LOOP, VF_NONE, VF_NONE, VF_NONE)->imm = trips; }
static void end(void) { line(U_END, VF_NONE, VF_NONE, VF_NONE); }

static V950Bound only_loop(void) {
    V950Bound b;
    assert_int_equal(v950_bounds(sched, body, lines, &b, 1), 1);
    lines = 0;
    return b;
}

static void independent_iterations(void **state) {
    (void)state;
    loop(10);
    line(U_VLDS, 0, VF_NONE, VF_NONE);
    line(U_VLDS, 1, VF_NONE, VF_NONE);
    line(U_VEXP, 2, 0, VF_NONE);
    line(U_VADD, 3, 2, 1);
    line(U_VSTS, VF_NONE, 3, VF_NONE);
    end();
    V950Bound b = only_loop();
    assert_int_equal(b.first, 1);
    assert_int_equal(b.last, 5);
    assert_int_equal(b.trip, 10);
    assert_float_equal(b.dispatch, 1, 0);
    assert_float_equal(b.port[0], 4, 0);      /* vexp */
    assert_float_equal(b.port[1], 1, 0);      /* vadd */
    assert_float_equal(b.loads, 1, 0);
    assert_float_equal(b.stores, 1, 0);
    assert_float_equal(b.banks, 1.5, 0);      /* three times 8 of 16 banks */
    assert_int_equal(b.nchain, 0);
    assert_float_equal(v950_bound_max(&b), 4, 0);
}

/* An odd number of operations: each port gets every other one of them. */
static void ports_take_turns(void **state) {
    (void)state;
    loop(9);
    line(U_VEXP, 1, 0, VF_NONE);
    end();
    V950Bound b = only_loop();
    assert_float_equal(b.port[0], 2, 0);
    assert_float_equal(b.port[1], 2, 0);
}

static void accumulator(void **state) {
    (void)state;
    line(U_VBR, 0, VF_NONE, VF_NONE);
    loop(9);
    line(U_VLDS, 1, VF_NONE, VF_NONE);
    line(U_VADD, 0, 0, 1);
    end();
    V950Bound b = only_loop();
    assert_float_equal(b.chain, 3, 0);        /* vadd before vadd */
    assert_int_equal(b.nchain, 1);
    assert_int_equal(b.chain_line[0], 3);
    assert_int_equal(b.chain_span, 1);
}

/* The old destination of a merging operation is an operand; an overwritten one is not. */
static void merging(void **state) {
    (void)state;
    for (int merge = 0; merge < 2; merge++) {
        loop(9);
        line(U_VLDS, 1, VF_NONE, VF_NONE);
        line(U_VMOV, 0, 1, VF_NONE)->merging = merge;
        end();
        assert_int_equal(only_loop().nchain, merge);
    }
}

/* A value that is handed on through a second register comes round every other iteration. */
static void two_iterations(void **state) {
    (void)state;
    loop(9);
    line(U_VABS, 2, 1, VF_NONE);
    line(U_VEXP, 1, 0, VF_NONE);
    line(U_VMUL, 0, 2, VF_NONE);
    end();
    V950Bound b = only_loop();
    /* vexp (13) -> next vabs (2) -> vmul (5) -> vexp of the iteration after */
    assert_int_equal(b.chain_span, 2);
    assert_float_equal(b.chain, (13 + 2 + 5) / 2.0, 0);
    assert_int_equal(b.nchain, 3);
}

static void more_loops_than_asked_for(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        loop(3);
        loop(4);
        line(U_VABS, 0, 1, VF_NONE);
        end();
        end();
    }
    V950Bound b[1];
    assert_int_equal(v950_bounds(sched, body, lines, NULL, 0), 2);
    assert_int_equal(v950_bounds(sched, body, lines, b, 1), 2);
    assert_int_equal(b[0].trip, 4);
    assert_int_equal(b[0].iterations, 12);
    lines = 0;
}

/* The running best: compare and select, 2 + 2 cycles, level with port 0. */
static void row_argument(void **state) {
    (void)state;
    Single s = {0};
    SingleSpec spec = {.op = "trowargmin", .dtype = DT_F32, .rows = 16, .cols = 256, .tile_rows = 16, .tile_cols = 256};
    Diag *d = diag_new();
    assert_true(single_build(&s, &spec, target, d));
    V950Bound b;
    const VfInstr *f = s.uops.vf;
    assert_int_equal(v950_bounds(sched, f, s.uops.nvf, &b, 1), 1);
    assert_int_equal(b.iterations, 64);
    assert_float_equal(b.chain, 4, 0);
    assert_int_equal(b.nchain, 2);
    assert_int_equal(f[b.chain_line[0]].op, U_VCMP_GT);
    assert_int_equal(f[b.chain_line[1]].op, U_VSEL);
    assert_float_equal(b.port[0], 4, 0);
    assert_float_equal(b.port[1], 3, 0);
    single_free(&s);
    diag_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_iterations), cmocka_unit_test(ports_take_turns), cmocka_unit_test(accumulator),
        cmocka_unit_test(merging), cmocka_unit_test(two_iterations), cmocka_unit_test(more_loops_than_asked_for),
        cmocka_unit_test(row_argument)};
    return cmocka_run_group_tests(tests, open_target, close_target);
}

/* Timing of 950 vector functions: known functions, each parameter alone, and skipping against
 * stepping. The target is filled by hand, so that a change of configs/950.yaml moves nothing here. */
#include "isa/time/v950.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The target. */

static Target target;

static void cost(UopId op, int latency, int interval, int port0) {
    for (int t = DT_F32; t < DT_I1; t++)
        target.cost[op][t] = (UopCost){{latency, PROV_DOCUMENTED, ""}, {interval, PROV_DOCUMENTED, ""},
                                       {port0, PROV_DOCUMENTED, ""}};
}

static void forward(UopId producer, UopId consumer, int cycles) { target.forward[producer][consumer].v = cycles; }

static void fill_costs(void) {
    const UopId six[] = {U_VMINS, U_VMAX, U_VSEL, U_VMOV, U_VCMP_LT, U_VCMP_GT, U_VOR, U_VBR, U_VDINTLV, U_PUNPACK};
    for (size_t i = 0; i < sizeof six / sizeof six[0]; i++) cost(six[i], 6, 1, 0);
    cost(U_VDUPR, 6, 1, 1);
    cost(U_VABS, 5, 1, 0);
    cost(U_VADD, 7, 1, 0);
    cost(U_VADDS, 7, 1, 0);
    cost(U_VCONV, 7, 1, 0);
    cost(U_VMUL, 8, 1, 0);
    cost(U_VMULS, 8, 1, 0);
    cost(U_VEXP, 16, 4, 0);
    cost(U_VDIV, 17, 4, 0);
    cost(U_VSQRT, 17, 4, 0);
    cost(U_VCMIN, 16, 1, 1);
    forward(U_VCMP_LT, U_VSEL, 2);
    forward(U_VCMP_GT, U_VSEL, 2);
    forward(U_VSEL, U_VCMP_GT, 2);
    forward(U_VSEL, U_VSEL, 4);
    forward(U_VADD, U_VSEL, 5);
    forward(U_VADDS, U_VADDS, 3);
    forward(U_VADDS, U_VADD, 3);
    forward(U_VBR, U_VSEL, 4);
    forward(U_VDUPR, U_VSEL, 4);
    forward(U_VSQRT, U_VDIV, 15);
}

static int fill_target(void **state) {
    (void)state;
    memset(&target, 0, sizeof target);
    for (int p = 0; p < UOP_COUNT; p++)
        for (int c = 0; c < UOP_COUNT; c++) target.forward[p][c].v = -1;
    V950Params *v = &target.v950;
    v->dispatch_width.v = 5, v->load_ports.v = 2, v->store_ports.v = 1, v->exec_ports.v = 2;
    v->exq_depth.v = 26, v->inflight.v = 7, v->window.v = 150, v->retire_delay.v = 1;
    v->to_queue.v = 2, v->load_done.v = 9, v->store_done.v = 9, v->drain.v = 12;
    v->write_delay.v = 5, v->forward_load.v = 6;
    v->start_flat.v = 22, v->start_loop.v = 23, v->start_nest.v = 24, v->start_post.v = 1, v->start_convert.v = 1;
    v->start_prologue.v = 1000; /* no earlier than the loop */
    v->nest_restart.v = 6, v->sibling_restart.v = 4, v->sibling_min.v = 8, v->convert_restart.v = 5, v->iteration_stride.v = 1;
    v->unroll_two.v = 1, v->alternate_ports.v = 1, v->read_conflicts.v = 1, v->write_conflicts.v = 1;
    v->split_access.v = 1, v->reads_first.v = 1;
    v->unpack_hold.v = 4, v->unpack_extra.v = 1, v->dintlv_extra.v = 3;
    target.forward_compute.v = 3, target.forward_store.v = 2;
    fill_costs();
    return 0;
}

/* Vector functions. */

enum { MAX_LINES = 128, SRC1 = 0x10000, DST = 0x20000 };
static VfInstr body[MAX_LINES];
static uint32_t lines;

static VfInstr *line(UopId op) {
    assert_true(lines < MAX_LINES);
    VfInstr *v = &body[lines++];
    memset(v, 0, sizeof *v);
    v->op = (uint16_t)op;
    v->dtype = DT_F32;
    v->dst = v->dst2 = v->src0 = v->src1 = v->pd = v->pg = v->pg2 = VF_NONE;
    return v;
}

static void loop(uint64_t trip) { line(U_LOOP)->imm = trip; }
static void end(void) { line(U_END); }
static void plt(uint8_t pd) { line(U_PLT)->pd = pd; }

static VfInstr *address(VfInstr *v, int64_t base, int32_t outer, int32_t inner) {
    v->base = base;
    v->step[0] = outer;
    v->step[1] = inner;
    return v;
}

static VfInstr *load(uint8_t dst, int64_t base, int32_t outer, int32_t inner) {
    VfInstr *v = address(line(U_VLDS), base, outer, inner);
    v->dst = dst;
    return v;
}

static VfInstr *store(uint8_t src, int64_t base, int32_t outer, int32_t inner) {
    VfInstr *v = address(line(U_VSTS), base, outer, inner);
    v->src0 = src;
    v->pg = 0;
    return v;
}

static VfInstr *compute(UopId op, uint8_t dst, uint8_t src0, uint8_t src1) {
    VfInstr *v = line(op);
    v->dst = dst;
    v->src0 = src0;
    v->src1 = src1;
    return v;
}

static V950Result run_lines(bool skip, V950Line *out) {
    V950Sched *s = v950_new(&target);
    V950Result r;
    v950_run(s, body, lines, skip, &r, out);
    v950_free(s);
    return r;
}

/* Times the body both ways and starts a new one. */
static V950Result run(void) {
    V950Result stepped = run_lines(false, NULL), skipped = run_lines(true, NULL);
    assert_int_equal(stepped.skipped, 0);
    stepped.skipped = skipped.skipped;
    assert_memory_equal(&stepped, &skipped, sizeof stepped);
    lines = 0;
    return skipped;
}

static uint64_t cycles(void) { return run().cycles; }

/* Element-wise function: one row of n chunks with post-updated addresses, or rows of n chunks. */
static void elementwise(UopId op, bool two, uint64_t rows, uint64_t n, int32_t pitch) {
    bool post = rows == 1;
    loop(rows);
    loop(n);
    plt(0);
    load(0, 0, pitch, 256)->post = post;
    if (two) load(1, SRC1, pitch, 256)->post = post;
    uint8_t r = 0;
    if (op == U_VSQRT) {
        compute(U_VSQRT, 2, 0, VF_NONE)->pg = 0;
        r = 2;
        op = U_VDIV;
    }
    compute(op, 3, r, two ? 1 : VF_NONE)->pg = 0;
    store(3, DST, pitch, 256)->post = post;
    end();
    end();
}

static uint64_t rows_of(UopId op, bool two, uint64_t rows, uint64_t n) {
    elementwise(op, two, rows, n, (int32_t)n * 256 + 128);
    return cycles();
}

/* Known functions. */

static void one_dimension(void **state) {
    (void)state;
    const struct { uint64_t n, mins, max; } want[] = {
        {1, 53, 54}, {2, 56, 58}, {10, 64, 66}, {20, 74, 80}, {50, 104, 144}, {100, 154, 250}, {400, 454, 894}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(rows_of(U_VMINS, false, 1, want[i].n), want[i].mins);
        assert_int_equal(rows_of(U_VMAX, true, 1, want[i].n), want[i].max);
    }
}

static void two_dimensions(void **state) {
    (void)state;
    const struct { uint64_t rows, n, mins, max; } want[] = {
        {4, 4, 85, 86}, {16, 4, 193, 194}, {16, 8, 257, 302}, {64, 8, 881, 1090}, {64, 16, 1405, 2067}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(rows_of(U_VMINS, false, want[i].rows, want[i].n), want[i].mins);
        assert_int_equal(rows_of(U_VMAX, true, want[i].rows, want[i].n), want[i].max);
    }
}

/* Effect of the row pitch modulo the bank period: 16 rows of 16 chunks. */
static void row_pitch(void **state) {
    (void)state;
    const struct { int32_t extra; uint64_t mins, max; } want[] = {
        {0, 385, 577}, {256, 385, 556}, {128, 397, 547}, {32, 464, 579}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        elementwise(U_VMINS, false, 16, 16, 4096 + want[i].extra);
        assert_int_equal(cycles(), want[i].mins);
        elementwise(U_VMAX, true, 16, 16, 4096 + want[i].extra);
        assert_int_equal(cycles(), want[i].max);
    }
}

/* Chunks of both sources in r rows, the rest from the larger source (TPARTMAX). */
static void part_max(uint64_t r, uint64_t ks, uint64_t kd, uint64_t rows) {
    int32_t pitch = (int32_t)kd * 256;
    loop(r);
    loop(ks);
    plt(0);
    plt(1);
    load(0, 0, pitch, 256);
    load(1, SRC1, pitch, 256);
    compute(U_VMAX, 2, 0, 1)->pg = 1;
    load(3, 0, pitch, 256);
    compute(U_VMOV, 3, 2, VF_NONE)->merging = true;
    store(3, DST, pitch, 256);
    end();
    for (int part = 0; part < 2; part++) {
        int64_t at = part ? (int64_t)r * pitch : (int64_t)ks * 256;
        if (part) loop(rows - r);
        loop(part ? kd : kd - ks);
        plt(0);
        load(0, at, pitch, 256);
        store(0, DST + at, pitch, 256);
        end();
        end();
    }
}

static void part_regions(void **state) {
    (void)state;
    const struct { uint64_t r, ks, kd, rows, want; } c[] = {
        {16, 8, 8, 16, 343}, {16, 4, 8, 16, 354}, {8, 8, 8, 16, 293}, {64, 8, 8, 64, 1207}, {64, 4, 8, 64, 1266}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        part_max(c[i].r, c[i].ks, c[i].kd, c[i].rows);
        assert_int_equal(cycles(), c[i].want);
    }
}

static void part_arg_side(uint8_t v, bool compare, int32_t pitch) {
    plt(0);
    plt(1);
    load(v, 0, pitch, 256);
    load(v + 1, SRC1, pitch, 256);
    if (compare) compute(U_VCMP_LT, VF_NONE, v + 1, v)->pd = 2;
    compute(U_VSEL, v + 2, v + 1, v)->pg = 2;
    load(v + 3, 0, pitch, 256);
    compute(U_VMOV, v + 3, v + 2, VF_NONE)->merging = true;
    store(v + 3, DST, pitch, 256);
}

static void part_arg(void **state) {
    (void)state;
    const struct { uint64_t rows, n, want; } c[] = {{1, 1, 60}, {16, 1, 136}, {16, 4, 377}, {16, 8, 697}, {64, 8, 2617}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        loop(c[i].rows);
        loop(c[i].n);
        part_arg_side(0, true, (int32_t)c[i].n * 256);
        part_arg_side(4, false, (int32_t)c[i].n * 256);
        end();
        end();
        assert_int_equal(cycles(), c[i].want);
    }
}

/* Row prologue, chunks with carried best value, index and offset, row epilogue (TROWARGMIN). */
static void row_arg(uint64_t rows, uint64_t n, bool value) {
    enum { ZERO, BEST, INDEX, OFFSET, S, T };
    compute(U_VBR, ZERO, VF_NONE, VF_NONE);
    plt(1);
    loop(rows);
    compute(U_VDUPR, BEST, VF_NONE, VF_NONE)->pg = 1;
    compute(U_VBR, INDEX, VF_NONE, VF_NONE);
    compute(U_VBR, OFFSET, VF_NONE, VF_NONE);
    loop(n);
    plt(0);
    load(S, 0, (int32_t)n * 256, 256)->post = true;
    compute(U_VCMIN, S, S, VF_NONE)->pg = 0;
    compute(U_VDINTLV, S, S, ZERO)->dst2 = T;
    compute(U_VADD, T, T, OFFSET)->pg = 1;
    compute(U_VCMP_GT, VF_NONE, BEST, S)->pd = 2;
    compute(U_VSEL, BEST, S, BEST)->pg = 2;
    compute(U_VSEL, INDEX, T, INDEX)->pg = 2;
    compute(U_VADDS, OFFSET, OFFSET, VF_NONE)->pg = 1;
    end();
    store(INDEX, SRC1, 4, 0)->dist = DIST_ONEPT;
    if (value) store(BEST, DST, 4, 0)->dist = DIST_ONEPT;
    end();
}

static void row_arguments(void **state) {
    (void)state;
    const struct { uint64_t rows, n, index, value; } c[] = {
        {1, 1, 75, 76}, {1, 4, 89, 90}, {16, 4, 435, 434}, {64, 4, 1567, 1562}, {1, 16, 161, 162}, {16, 16, 1466, 1490}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        row_arg(c[i].rows, c[i].n, false);
        assert_int_equal(cycles(), c[i].index);
        row_arg(c[i].rows, c[i].n, true);
        assert_int_equal(cycles(), c[i].value);
    }
}

/* UB banks. */

static void reads_of_one_bank_collide(void **state) {
    (void)state;
    assert_int_equal(rows_of(U_VADD, true, 1, 1), 55);
    target.v950.read_conflicts.v = 0;
    assert_int_equal(rows_of(U_VADD, true, 1, 1), 54);
    target.v950.read_conflicts.v = 1;
    elementwise(U_VADD, true, 1, 1, 0);
    body[4].base += 256; /* the other bank of each group */
    assert_int_equal(cycles(), 54);
    elementwise(U_VADD, true, 1, 1, 0);
    body[4].base += 128; /* half of the blocks collide */
    V950Result r = run();
    assert_int_equal(r.cycles, 55);
    assert_int_equal(r.load_wait, 0); /* the oldest load was served: only the second one waited */
}

static void writes_wait_for_reads(void **state) {
    (void)state;
    assert_int_equal(rows_of(U_VMAX, true, 1, 100), 250);
    elementwise(U_VMAX, true, 1, 100, 0);
    assert_true(run().store_wait > 50);
    target.v950.write_conflicts.v = 0;
    elementwise(U_VMAX, true, 1, 100, 0);
    V950Result r = run();
    assert_int_equal(r.cycles, 156);
    assert_int_equal(r.store_wait, 0);
}

static void two_store_ports(void **state) {
    (void)state;
    V950Line out[2];
    target.v950.store_ports.v = 2;
    for (int bank = 0; bank < 2; bank++) {
        store(0, 0, 0, 0);
        store(0, bank * 256, 0, 0);
        run_lines(true, out);
        lines = 0;
        assert_int_equal(out[1].last_end - out[0].last_end, 1 - bank);
    }
}

static void access_is_split_by_block(void **state) {
    (void)state;
    elementwise(U_VMINS, false, 16, 16, 4096 + 32);
    uint64_t split = cycles();
    target.v950.split_access.v = 0;
    elementwise(U_VMINS, false, 16, 16, 4096 + 32);
    assert_true(cycles() > split);
}

static void side_that_goes_first(void **state) {
    (void)state;
    uint64_t reads = rows_of(U_VMAX, true, 16, 16);
    target.v950.reads_first.v = 0;
    assert_int_not_equal(rows_of(U_VMAX, true, 16, 16), reads);
}

static void write_delay(void **state) {
    (void)state;
    uint64_t late = rows_of(U_VMAX, true, 1, 20);
    assert_int_equal(rows_of(U_VMINS, false, 1, 1), 53); /* done does not depend on it */
    target.v950.write_delay.v = 0;
    assert_int_equal(rows_of(U_VMINS, false, 1, 1), 53);
    assert_true(rows_of(U_VMAX, true, 1, 20) > late);
}

/* Two loads, of which the first is the given one, into one store each. */
static uint64_t second_load_start(VfDist dist, int64_t second) {
    load(0, 0, 0, 0)->dist = (uint8_t)dist;
    if (dist == DIST_DINTLV) body[0].dst2 = 2;
    load(1, second, 0, 0);
    V950Line out[2];
    run_lines(true, out);
    lines = 0;
    return out[1].first_start - out[0].first_start;
}

static void blocks_of_each_distribution(void **state) {
    (void)state;
    assert_int_equal(second_load_start(DIST_NORM, 0), 1);
    assert_int_equal(second_load_start(DIST_NORM, 256), 0);
    assert_int_equal(second_load_start(DIST_DINTLV, 256), 1);  /* 512 bytes: every bank */
    assert_int_equal(second_load_start(DIST_BRC, 512 + 32), 0); /* 4 bytes in block 0, 256 in 1 to 8 */
    assert_int_equal(second_load_start(DIST_BRC, 512), 1);
    assert_int_equal(second_load_start(DIST_BLK, 512 + 32), 0);
    target.v950.unpack_hold.v = 1;
    assert_int_equal(second_load_start(DIST_UNPK, 128), 0);    /* 128 bytes: blocks 0 to 3 */
    assert_int_equal(second_load_start(DIST_UNPK, 96), 1);
}

static void unpacking_holds_the_read_side(void **state) {
    (void)state;
    assert_int_equal(second_load_start(DIST_UNPK, 128), 4);
    target.v950.unpack_hold.v = 7;
    assert_int_equal(second_load_start(DIST_UNPK, 128), 7);
}

/* Cycles from the start of the first line to that of the last one. */
static uint64_t distance(void) {
    V950Line out[MAX_LINES];
    run_lines(true, out);
    uint64_t d = out[lines - 1].first_start - out[0].first_start;
    lines = 0;
    return d;
}

static uint64_t load_to(VfDist dist, UopId op) {
    load(0, 0, 0, 0)->dist = (uint8_t)dist;
    if (dist == DIST_DINTLV) body[0].dst2 = 1;
    if (op == U_VSTS) store(0, DST, 0, 0);
    else compute(op, 2, 0, VF_NONE);
    return distance();
}

static void forwarding(void **state) {
    (void)state;
    assert_int_equal(load_to(DIST_NORM, U_VABS), 6);
    assert_int_equal(load_to(DIST_NORM, U_VSTS), 6);
    assert_int_equal(load_to(DIST_UNPK, U_VCONV), 7);
    assert_int_equal(load_to(DIST_DINTLV, U_VCONV), 9);
    const struct { UopId p, c; uint64_t want; } pair[] = {
        {U_VMUL, U_VABS, 5}, {U_VMUL, U_VSTS, 6}, {U_VADD, U_VSEL, 5}, {U_VEXP, U_VABS, 13}, {U_VCMIN, U_VSTS, 14}};
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        compute(pair[i].p, 0, 1, VF_NONE);
        if (pair[i].c == U_VSTS) store(0, DST, 0, 0);
        else compute(pair[i].c, 2, 0, VF_NONE);
        assert_int_equal(distance(), pair[i].want);
    }
    forward(U_VMUL, U_VABS, 20); /* longer than the latency */
    compute(U_VMUL, 0, 1, VF_NONE);
    compute(U_VABS, 2, 0, VF_NONE);
    assert_int_equal(distance(), 20);
}

static void operands_that_count(void **state) {
    (void)state;
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VABS, 0, 2, VF_NONE);              /* later writer of register 0 */
    compute(U_VADD, 3, 0, 2);
    assert_true(distance() < 13);
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VADD, 3, 2, 0);
    assert_int_equal(distance(), 13);
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VMOV, 0, 2, VF_NONE);              /* overwrites */
    assert_true(distance() < 13);
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VMOV, 0, 2, VF_NONE)->merging = true;
    assert_int_equal(distance(), 13);
    compute(U_VCMP_LT, VF_NONE, 1, 2)->pd = 3;
    compute(U_VSEL, 0, 1, 2)->pg = 3;
    assert_int_equal(distance(), 2);
    compute(U_VCMP_LT, VF_NONE, 1, 2)->pd = 3;
    compute(U_PUNPACK, VF_NONE, VF_NONE, VF_NONE)->pg = 3;
    body[1].pd = 4;
    compute(U_VABS, 0, 1, VF_NONE)->pg = 4;
    assert_int_equal(distance(), 6);
    compute(U_VCMP_LT, VF_NONE, 1, 2)->pd = 3;
    plt(3);                                      /* ready at dispatch */
    compute(U_VABS, 0, 1, VF_NONE)->pg = 3;
    assert_true(distance() < 3);
    compute(U_VDINTLV, 0, 1, 2)->dst2 = 4;
    compute(U_VABS, 3, 4, VF_NONE);
    assert_int_equal(distance(), 3);
}

/* Ports. */

static void ports_alternate(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) compute(i % 2 ? U_VABS : U_VEXP, 0, 1, VF_NONE);
    V950Result r = run();
    assert_int_equal(r.port_busy[0], 8);
    assert_int_equal(r.port_busy[1], 2);
    /* An operation bound to port 0 does not move the toggle. */
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VCMIN, 0, 1, VF_NONE);
    compute(U_VABS, 0, 1, VF_NONE);
    r = run();
    assert_int_equal(r.port_busy[0], 5);
    assert_int_equal(r.port_busy[1], 1);
    /* Square roots and divisions keep to one port each: a division waits for its own kind only. */
    uint64_t fixed = rows_of(U_VSQRT, false, 1, 10);
    target.v950.alternate_ports.v = 0;
    assert_true(rows_of(U_VSQRT, false, 1, 10) < fixed);
    target.v950.exec_ports.v = 1;
    compute(U_VEXP, 0, 1, VF_NONE);
    compute(U_VEXP, 0, 1, VF_NONE);
    assert_int_equal(run().port_busy[0], 8);
}

static void initiation_interval(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) compute(U_VEXP, 0, 1, VF_NONE);
    assert_int_equal(distance(), 4); /* third operation, second on port 0 */
}

static uint64_t burst(int n) {
    for (int i = 0; i < n; i++) compute(U_VMUL, 0, 1, VF_NONE);
    return cycles();
}

static void limits_of_the_queues(void **state) {
    (void)state;
    uint64_t free_run = burst(60);
    target.v950.inflight.v = 2; /* 2 of 8 cycles each: 4 cycles per operation and port */
    assert_true(burst(60) >= 30 / 2 * 8);
    target.v950.inflight.v = 7;
    target.v950.shq_depth.v = 1;
    assert_true(burst(60) > free_run);
    target.v950.shq_depth.v = 0;
    target.v950.vregs.v = 2;
    assert_true(burst(60) > free_run);
    target.v950.vregs.v = 0;
    target.v950.dispatch_width.v = 1;
    assert_true(burst(60) >= free_run + 25);
    target.v950.dispatch_width.v = 5;
    target.v950.exec_ports.v = 1;
    assert_true(burst(60) >= free_run + 25);
}

static void window(void **state) {
    (void)state;
    uint64_t wide = rows_of(U_VMAX, true, 1, 100);
    target.v950.window.v = 20;
    assert_true(rows_of(U_VMAX, true, 1, 100) > wide);
    /* One instruction at a time: a load retires 10 cycles after its start, 3 after its dispatch. */
    target.v950.window.v = 1;
    for (int i = 0; i < 3; i++) load(0, 0, 0, 0);
    assert_int_equal(distance(), 2 * 12);
    target.v950.retire_delay.v = 4;
    for (int i = 0; i < 3; i++) load(0, 0, 0, 0);
    assert_int_equal(distance(), 2 * 15);
}

/* Loops. */

static void restart_of_nested_loops(void **state) {
    (void)state;
    assert_int_equal(rows_of(U_VMINS, false, 12, 3) - rows_of(U_VMINS, false, 11, 3), 3 + 5);
    target.v950.nest_restart.v = 9;
    assert_int_equal(rows_of(U_VMINS, false, 12, 3) - rows_of(U_VMINS, false, 11, 3), 3 + 8);
}

static void outer_loop_of_two_trips(void **state) {
    (void)state;
    assert_int_equal(rows_of(U_VMINS, false, 2, 10), 77);
    assert_int_equal(rows_of(U_VMINS, false, 2, 2), 63); /* least distance of 8 */
    target.v950.sibling_min.v = 0;
    assert_int_equal(rows_of(U_VMINS, false, 2, 2), 60);
    target.v950.sibling_restart.v = 11;
    assert_int_equal(rows_of(U_VMINS, false, 2, 2), 67);
    target.v950.unroll_two.v = 0;
    assert_int_equal(rows_of(U_VMINS, false, 2, 2), 63); /* starts one later, restarts after 6 */
}

static void sibling_loops(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        loop(10);
        load(0, 0, 256, 0);
        end();
    }
    V950Line out[6];
    run_lines(true, out);
    lines = 0;
    assert_int_equal(out[4].first_start - out[1].first_start, 9 + 4);
}

static void loops_that_are_none(void **state) {
    (void)state;
    uint64_t flat, row;
    elementwise(U_VMINS, false, 1, 1, 0);
    flat = cycles();
    plt(0);
    load(0, 0, 0, 0);
    compute(U_VMINS, 1, 0, VF_NONE);
    store(1, DST, 0, 0);
    assert_int_equal(cycles(), flat);
    row = rows_of(U_VMINS, false, 9, 1); /* inner loops of one trip: rows follow like iterations */
    loop(9);
    plt(0);
    load(0, 0, 384, 0);
    compute(U_VMINS, 1, 0, VF_NONE);
    store(1, DST, 384, 0);
    end();
    assert_int_equal(cycles(), row);
    loop(0);
    loop(5);
    load(0, 0, 256, 0);
    end();
    end();
    V950Result r = run();
    assert_int_equal(r.uops, 0);
    assert_int_equal(r.loads, 0);
}

static void start_of_the_function(void **state) {
    (void)state;
    elementwise(U_VMINS, false, 1, 10, 0);
    uint64_t post = cycles();
    elementwise(U_VMINS, false, 1, 10, 0);
    body[3].post = false;
    assert_int_equal(cycles(), post - 1);
    uint64_t convert = rows_of(U_VCONV, false, 5, 1), add = rows_of(U_VADDS, false, 5, 1);
    assert_int_equal(convert, add + 1);
}

static void code_in_front_of_a_loop(void **state) {
    (void)state;
    V950Line out[MAX_LINES];
    for (int early = 0; early < 2; early++) {
        target.v950.start_prologue.v = early ? 15 : 1000;
        compute(U_VDUPR, 3, VF_NONE, VF_NONE);
        elementwise(U_VADD, false, 3, 2, 640);
        run_lines(true, out);
        lines = 0;
        assert_int_equal(out[0].first_start, early ? 15 + 3 : 24 - 2 + 3);
        assert_int_equal(out[4].first_start, 24); /* the loads stay where they were */
    }
    /* An access in front of a loop is no earlier than one in it. */
    load(0, 0, 0, 0);
    elementwise(U_VADD, false, 1, 9, 0);
    run_lines(true, out);
    lines = 0;
    assert_int_equal(out[0].first_start, 24);
}

static void restart_of_conversions(void **state) {
    (void)state;
    for (uint64_t n = 3; n < 10; n += 6) { /* 8 cycles from start to start at least */
        uint64_t row = rows_of(U_VCONV, false, 5, n) - rows_of(U_VCONV, false, 4, n);
        assert_int_equal(row, n == 3 ? 8 : 9 - 1 + 5);
    }
}

/* Iterations of six and of five instructions, five of which are dispatched in a cycle. */
static uint64_t loads_per_iteration(int n, uint64_t trips) {
    loop(trips);
    for (int i = 0; i < n; i++) plt((uint8_t)i);
    end();
    load(0, 0, 0, 0);
    V950Line out[MAX_LINES];
    run_lines(true, out);
    uint64_t at = out[lines - 1].first_start;
    lines = 0;
    return at;
}

static void iterations_of_several_groups(void **state) {
    (void)state;
    assert_int_equal(loads_per_iteration(5, 11) - loads_per_iteration(5, 6), 5);
    assert_int_equal(loads_per_iteration(6, 11) - loads_per_iteration(6, 6), 6); /* 30 in groups of 5 */
    target.v950.whole_groups.v = 1;
    assert_int_equal(loads_per_iteration(5, 11) - loads_per_iteration(5, 6), 5);
    assert_int_equal(loads_per_iteration(6, 11) - loads_per_iteration(6, 6), 10);
    assert_int_equal(loads_per_iteration(11, 11) - loads_per_iteration(11, 6), 15);
}

static void iteration_stride(void **state) {
    (void)state;
    uint64_t one = rows_of(U_VMINS, false, 1, 20);
    target.v950.iteration_stride.v = 3;
    assert_int_equal(rows_of(U_VMINS, false, 1, 20), one + 19 * 2);
}

/* Results. */

static void counts_and_lines(void **state) {
    (void)state;
    V950Line out[MAX_LINES];
    elementwise(U_VEXP, false, 3, 5, 1408);
    V950Result r = run_lines(true, out);
    assert_int_equal(r.uops, 3 * 5 * 4);
    assert_int_equal(r.loads, 15);
    assert_int_equal(r.stores, 15);
    assert_int_equal(r.port_busy[0] + r.port_busy[1], 15 * 4);
    assert_int_equal(out[2].count, 15);
    assert_int_equal(out[0].count, 0);
    assert_int_equal(out[3].first_start, 24);
    assert_int_equal(out[5].last_end, r.cycles - 12);
    lines = 0;
}

/* Cycles in the queue beyond the least: a load waits for a bank, an operation for its operand, its port. */
static void waits(void **state) {
    (void)state;
    V950Line out[MAX_LINES];
    load(0, 0, 0, 0);
    load(1, 512, 0, 0);
    compute(U_VEXP, 2, 0, VF_NONE);
    compute(U_VABS, 3, VF_NONE, VF_NONE);
    compute(U_VABS, 4, VF_NONE, VF_NONE);
    store(2, DST, 0, 0);
    run_lines(true, out);
    lines = 0;
    assert_int_equal(out[0].wait, 0);
    assert_int_equal(out[1].wait, 1);
    assert_int_equal(out[2].wait, 6 - 1);      /* operands 6 after the load, the port queue takes one */
    assert_int_equal(out[3].wait, 0);
    assert_int_equal(out[4].wait, 0);          /* started before the older operation of its port */
    assert_int_equal(out[5].wait, 6 + 14 - 1); /* dispatched one cycle later */
}

static void weakest_provenance(void **state) {
    (void)state;
    assert_int_equal(run_lines(true, NULL).weakest, PROV_DOCUMENTED);
    target.cost[U_VMUL][DT_F32].latency.prov = PROV_MEASURED;
    target.forward[U_VMUL][U_VABS] = (Num){3, PROV_FIT, ""};
    target.v950.nest_restart.prov = PROV_ASSUMED;
    compute(U_VABS, 0, 1, VF_NONE);
    assert_int_equal(run().weakest, PROV_DOCUMENTED);
    compute(U_VMUL, 0, 1, VF_NONE);
    assert_int_equal(run().weakest, PROV_MEASURED);
    compute(U_VMUL, 0, 1, VF_NONE);
    compute(U_VABS, 0, 0, VF_NONE);
    assert_int_equal(run().weakest, PROV_FIT);
    elementwise(U_VABS, false, 3, 2, 512);
    assert_int_equal(run().weakest, PROV_ASSUMED);
}

/* Skipping. */

static void long_loops_cost_little(void **state) {
    (void)state;
    V950Sched *s = v950_new(&target);
    V950Result r;
    elementwise(U_VMINS, false, 1, 10000000u, 0);
    v950_run(s, body, lines, true, &r, NULL);
    assert_int_equal(r.cycles, 10000054u);
    assert_true(r.skipped > 10000000u - 100);
    lines = 0;
    elementwise(U_VMAX, true, 1, 1000000, 0); /* 15 cycles for 7 iterations */
    v950_run(s, body, lines, true, &r, NULL);
    assert_in_range(r.cycles, 2142857, 2142857 + 100);
    lines = 0;
    elementwise(U_VMINS, false, 1000000, 20, 20 * 256 + 128); /* 26 cycles per row */
    v950_run(s, body, lines, true, &r, NULL);
    assert_in_range(r.cycles, 26000000, 26000000 + 200);
    assert_true(r.skipped > 1000000 - 100);
    lines = 0;
    v950_free(s);
}

/* A register written before the loop does not keep the loop from repeating. */
static void hoisted_registers(void **state) {
    (void)state;
    compute(U_VBR, 5, VF_NONE, VF_NONE);
    loop(5000);
    store(5, 0, 256, 0);
    end();
    assert_true(run().skipped > 4800);
}

/* What keeps a unit or a result busy from before a loop that repeats at once must not be taken for
 * part of the period: code behind the loop would see it as it was. */
static void busy_before_a_loop(void **state) {
    (void)state;
    cost(U_VEXP, 16, 70, 0);
    target.v950.unpack_hold.v = 70;
    for (int unit = 0; unit < 3; unit++) {
        forward(U_VMUL, U_VADD, unit ? -1 : 70);
        if (unit == 2) load(5, 0, 0, 0)->dist = DIST_UNPK;
        else compute(unit ? U_VEXP : U_VMUL, 5, 6, VF_NONE);
        loop(500);
        if (unit == 2) compute(U_VABS, 0, 1, VF_NONE);
        else load(0, 0, 512, 0);
        end();
        if (unit == 2) load(6, 0, 0, 0);
        else if (unit) compute(U_VCMIN, 7, 6, VF_NONE);
        else compute(U_VADD, 7, 5, 6);
        assert_true(run().skipped > 300);
    }
}

/* Random nests: every field must be the same with and without skipping. */

static uint32_t seed;
static uint32_t below(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static void random_address(VfInstr *v) {
    static const int32_t step[] = {0, 4, 32, 64, 100, 128, 256, 256, 256, 384, 512, 4000};
    static const int32_t base[] = {0, 4, 32, 100, 128, 256, SRC1, DST};
    v->base = base[below(sizeof base / sizeof base[0])];
    for (int d = 0; d < VF_MAX_DEPTH; d++) v->step[d] = step[below(sizeof step / sizeof step[0])];
}

static void random_compute(void) {
    static const UopId op[] = {U_VMINS, U_VADD, U_VMUL, U_VEXP, U_VDIV, U_VSEL, U_VCMP_LT, U_VCMIN, U_VDUPR, U_VDINTLV, U_VCONV};
    VfInstr *v = compute(op[below(sizeof op / sizeof op[0])], (uint8_t)below(6), (uint8_t)below(6), (uint8_t)below(6));
    v->pg = (uint8_t)below(3);
    v->merging = below(5) == 0;
    if (v->op == U_VDINTLV) v->dst2 = (uint8_t)below(6);
    if (v->op != U_VCMP_LT) return;
    v->dst = VF_NONE;
    v->pd = (uint8_t)below(3);
}

static void random_line(void) {
    static const uint8_t loads[] = {DIST_NORM, DIST_NORM, DIST_NORM, DIST_NORM, DIST_BRC, DIST_BLK, DIST_UNPK, DIST_DINTLV};
    static const uint8_t stores[] = {DIST_NORM, DIST_NORM, DIST_NORM, DIST_ONEPT, DIST_PK};
    uint32_t kind = below(10);
    if (kind == 0) {
        plt((uint8_t)below(3));
    } else if (kind < 4) {
        VfInstr *v = load((uint8_t)below(6), 0, 0, 0);
        v->dist = loads[below(sizeof loads)];
        v->post = below(2);
        if (v->dist == DIST_DINTLV) v->dst2 = (uint8_t)below(6);
        random_address(v);
    } else if (kind < 6) {
        VfInstr *v = store((uint8_t)below(6), 0, 0, 0);
        v->dist = stores[below(sizeof stores)];
        random_address(v);
    } else {
        random_compute();
    }
}

/* A body of at most `left` executions per line. */
static void random_body(int depth, uint32_t left) {
    static const uint32_t trips[] = {1, 2, 3, 5, 9, 20, 60, 130, 400, 2000};
    for (uint32_t parts = 1 + below(3); parts && lines < MAX_LINES - 32; parts--) {
        uint32_t trip = trips[below(sizeof trips / sizeof trips[0])];
        if (depth && trip <= left && below(4)) {
            loop(trip);
            random_body(depth - 1, left / trip);
            end();
        } else {
            for (uint32_t n = 1 + below(5); n; n--) random_line();
        }
    }
}

static void random_target(void) {
    static const struct { size_t at; uint8_t n, value[4]; } p[] = {
        {offsetof(V950Params, window), 4, {150, 150, 20, 64}},    {offsetof(V950Params, dispatch_width), 4, {5, 5, 1, 7}},
        {offsetof(V950Params, write_delay), 3, {5, 0, 3}},        {offsetof(V950Params, reads_first), 3, {1, 1, 0}},
        {offsetof(V950Params, split_access), 3, {1, 1, 0}},       {offsetof(V950Params, alternate_ports), 3, {1, 1, 0}},
        {offsetof(V950Params, exq_depth), 3, {26, 26, 2}},        {offsetof(V950Params, inflight), 3, {7, 7, 2}},
        {offsetof(V950Params, store_ports), 3, {1, 1, 2}},        {offsetof(V950Params, iteration_stride), 3, {1, 1, 0}},
        {offsetof(V950Params, vregs), 3, {0, 0, 40}},             {offsetof(V950Params, shq_depth), 3, {0, 0, 58}},
        {offsetof(V950Params, unpack_hold), 3, {4, 1, 30}},       {offsetof(V950Params, unroll_two), 2, {1, 0}},
        {offsetof(V950Params, sibling_min), 2, {8, 90}},          {offsetof(V950Params, whole_groups), 2, {1, 0}},
        {offsetof(V950Params, convert_restart), 2, {5, 30}},      {offsetof(V950Params, start_prologue), 2, {19, 3}}};
    for (size_t i = 0; i < sizeof p / sizeof p[0]; i++)
        ((Num *)((char *)&target.v950 + p[i].at))->v = p[i].value[below(p[i].n)];
    /* Longer than the latency, so that results matter after retirement. */
    forward(U_VMUL, U_VADD, below(2) ? 70 : -1);
    cost(U_VEXP, 16, below(2) ? 4 : 40, 0);
}

static void skipping_changes_nothing(void **state) {
    (void)state;
    enum { NESTS = 4000 };
    uint32_t jumped = 0;
    seed = 950;
    V950Sched *s = NULL;
    for (int i = 0; i < NESTS; i++) {
        if (i % 20 == 0) {
            v950_free(s);
            random_target();
            s = v950_new(&target);
        }
        V950Line stepped[MAX_LINES], skipped[MAX_LINES];
        V950Result a, b;
        lines = 0;
        random_body(1 + (int)below(3), 2000);
        v950_run(s, body, lines, false, &a, stepped);
        v950_run(s, body, lines, true, &b, skipped);
        jumped += b.skipped > 0;
        a.skipped = b.skipped;
        if (memcmp(&a, &b, sizeof a) || memcmp(stepped, skipped, lines * sizeof stepped[0]))
            fail_msg("nest %d: %llu cycles stepped, %llu skipping", i, (unsigned long long)a.cycles,
                     (unsigned long long)b.cycles);
    }
    v950_free(s);
    lines = 0;
    assert_true(jumped > NESTS / 4);
}

#define CASE(f) cmocka_unit_test_setup(f, fill_target)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(one_dimension), CASE(two_dimensions), CASE(row_pitch), CASE(part_regions), CASE(part_arg),
        CASE(row_arguments), CASE(reads_of_one_bank_collide), CASE(writes_wait_for_reads),
        CASE(two_store_ports), CASE(access_is_split_by_block), CASE(side_that_goes_first), CASE(write_delay),
        CASE(blocks_of_each_distribution), CASE(unpacking_holds_the_read_side), CASE(forwarding),
        CASE(operands_that_count), CASE(ports_alternate), CASE(initiation_interval), CASE(limits_of_the_queues),
        CASE(window), CASE(restart_of_nested_loops), CASE(outer_loop_of_two_trips), CASE(sibling_loops),
        CASE(loops_that_are_none), CASE(start_of_the_function), CASE(code_in_front_of_a_loop),
        CASE(restart_of_conversions), CASE(iterations_of_several_groups), CASE(iteration_stride), CASE(counts_and_lines), CASE(waits),
        CASE(weakest_provenance), CASE(long_loops_cost_little), CASE(hoisted_registers), CASE(busy_before_a_loop),
        CASE(skipping_changes_nothing)};
    return cmocka_run_group_tests_name("v950", tests, NULL, NULL);
}

/* Timing of single a2a3 vector instructions and of transfers: every mechanism alone, the board's
 * values, and the shortcuts of the bank model against a plain one. Cycles are those of the built-in
 * target; where one number of it is changed, the change of the cycles is stated. */
#include "isa/time/a2a3.h"
#include "isa/time/dma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/read/target_file.h"

static Target *target;

static int open_target(void **state) {
    (void)state;
    Diag *d = diag_new();
    target = target_load("a2a3", NULL, 0, d);
    diag_free(d);
    return target ? 0 : -1;
}

static int close_target(void **state) {
    (void)state;
    target_free(target);
    return 0;
}

/* ---- instructions ---- */

enum { KIB64 = 0x10000, DST = 2 * KIB64 };

/* Repeats of 256 bytes, operands in sets of their own: no bank in common. */
static Uop vec(UopId op, DType t, uint32_t rep, uint32_t src0, uint32_t src1) {
    return (Uop){.op = op, .dtype = t, .dtype2 = t, .sblk0 = 1, .sblk1 = 1, .dblk = 1, .srpt0 = 8, .srpt1 = 8, .drpt = 8,
                 .rep = rep, .dst = DST, .src0 = src0, .src1 = src1};
}

static Uop plain(UopId op, DType t, uint32_t rep) { return vec(op, t, rep, 0, KIB64 + 256); }

static const MaskState full_mask = {false, ~0ull, ~0ull};

static uint64_t occupancy(Uop u, MaskState m) {
    Shape s = uop_shape(&u, &m);
    return a2a3_occupancy(target, &u, &s);
}

static VectorTime issue(A2a3Vector *v, Uop u, MaskState m, uint64_t arrival) {
    Shape s = uop_shape(&u, &m);
    return a2a3_issue(v, target, &u, &s, arrival);
}

/* From an idle pipe to the result. */
static uint64_t isolated(Uop u) {
    A2a3Vector v = {0};
    return issue(&v, u, full_mask, 0).end;
}

/* ---- fixed cost and slope ---- */

static void an_isolated_instruction_costs_fixed_plus_slope(void **state) {
    (void)state;
    static const struct {
        UopId op;
        DType t;
        uint32_t slope, fixed;
    } table[] = {
        {U_VMAX, DT_F32, 1, 23},  {U_VMIN, DT_F16, 1, 23},   {U_VMAXS, DT_F32, 1, 23}, {U_VMINS, DT_F16, 1, 23}, {U_VADD, DT_F32, 1, 25},
        {U_VSUB, DT_F16, 1, 25},  {U_VADD, DT_I32, 1, 23},   {U_VMUL, DT_F32, 1, 26},  {U_VMUL, DT_I16, 1, 24},  {U_VADDS, DT_F32, 1, 25},
        {U_VMULS, DT_F32, 1, 26}, {U_VDIV, DT_F32, 4, 32},   {U_VDIV, DT_F16, 8, 32},  {U_VEXP, DT_F32, 2, 31},  {U_VEXP, DT_F16, 4, 31},
        {U_VLN, DT_F32, 2, 33},   {U_VSQRT, DT_F32, 2, 32},  {U_VRSQRT, DT_F32, 1, 24}, {U_VRELU, DT_F32, 1, 23}, {U_VDUP, DT_F32, 1, 20},
        {U_VCMAX, DT_F32, 7, 15}, {U_VCMIN, DT_F16, 7, 16},  {U_VCADD, DT_F32, 7, 27}, {U_VCADD, DT_F16, 7, 30}, {U_VSEL, DT_F32, 1, 27},
        {U_VABS, DT_F32, 1, 23},  {U_VCONV, DT_F32, 1, 27},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (uint32_t rep = 1; rep <= 255; rep += 127)
            assert_int_equal(isolated(plain(table[i].op, table[i].t, rep)), table[i].slope * rep + table[i].fixed);
}

/* Comment of the board calibration: 33 cycles with one repeat, 287 with 128. */
static void the_board_values_of_vexp(void **state) {
    (void)state;
    assert_int_equal(isolated(plain(U_VEXP, DT_F32, 1)), 33);
    assert_int_equal(isolated(plain(U_VEXP, DT_F32, 128)), 287);
}

static void each_number_moves_exactly_its_cycles(void **state) {
    (void)state;
    Num *dispatch = &target->a2a3.dispatch, *latency = &target->cost[U_VMAXS][DT_F32].latency, *interval = &target->cost[U_VMAXS][DT_F32].interval;
    uint64_t before = isolated(plain(U_VMAXS, DT_F32, 20));
    const struct {
        Num *key;
        uint64_t more;
    } table[] = {{dispatch, 1}, {latency, 1}, {interval, 20}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        table[i].key->v++;
        assert_int_equal(isolated(plain(U_VMAXS, DT_F32, 20)), before + table[i].more);
        table[i].key->v--;
    }
}

static void nothing_to_do_holds_nothing(void **state) {
    (void)state;
    A2a3Vector v = {.slot = 100, .done = 120, .mask_busy = 100};
    VectorTime t = issue(&v, plain(U_VMAX, DT_F32, 0), full_mask, 50);
    assert_int_equal(t.end, 100);
    assert_int_equal(v.slot, 100);
    assert_int_equal(v.done, 120);
    assert_int_equal(v.mask_busy, 100);
}

/* ---- one instruction behind another ---- */

static void neighbours_share_the_start_up(void **state) {
    (void)state;
    A2a3Vector v = {0};
    VectorTime a = issue(&v, plain(U_VMAXS, DT_F32, 10), full_mask, 0);
    VectorTime b = issue(&v, plain(U_VMAXS, DT_F32, 10), full_mask, 0);
    assert_int_equal(b.issue, a.issued);
    assert_int_equal(b.end, a.end + 10);
}

/* Behind a barrier the dispatch is over and only the latency is paid: TCOLMAX 16 + r, TCOLSUM 18 + r. */
static void a_dependent_stage_pays_its_latency(void **state) {
    (void)state;
    static const struct {
        UopId op;
        uint64_t fixed;
    } table[] = {{U_VMAX, 16}, {U_VADD, 18}, {U_VMUL, 19}, {U_VDIV, 25}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        A2a3Vector v = {0};
        uint64_t first = issue(&v, plain(table[i].op, DT_F32, 1), full_mask, 0).end;
        v.slot = v.done; /* the barrier */
        uint64_t slope = (uint64_t)target->cost[table[i].op][DT_F32].interval.v;
        assert_int_equal(issue(&v, plain(table[i].op, DT_F32, 5), full_mask, 0).end - first, 5 * slope + table[i].fixed);
    }
}

static void a_short_instruction_ends_before_a_long_one_in_front(void **state) {
    (void)state;
    A2a3Vector v = {0};
    uint64_t div = issue(&v, plain(U_VDIV, DT_F32, 1), full_mask, 0).end;
    uint64_t max = issue(&v, plain(U_VMAXS, DT_F32, 1), full_mask, 0).end;
    assert_true(max < div);
    assert_int_equal(v.done, div);
}

static void a_copy_does_not_use_the_mask(void **state) {
    (void)state;
    A2a3Vector v = {0};
    Uop copy = plain(U_COPY_UB, DT_U16, 4);
    copy.imm = 8;
    issue(&v, copy, full_mask, 0);
    assert_int_equal(v.mask_busy, 0);
    uint64_t end = issue(&v, plain(U_VMAXS, DT_F32, 4), full_mask, 0).issued;
    assert_int_equal(v.mask_busy, end);
}

/* ---- count mode ---- */

static void count_mode_charges_started_repeats(void **state) {
    (void)state;
    static const struct {
        DType t;
        uint64_t count, repeats;
    } table[] = {{DT_F32, 1, 1}, {DT_F32, 64, 1}, {DT_F32, 65, 2}, {DT_F32, 128, 2}, {DT_F32, 129, 3}, {DT_F32, 4096, 64},
                 {DT_F16, 1, 1}, {DT_F16, 128, 1}, {DT_F16, 129, 2}, {DT_F16, 160, 2}, {DT_F32, 16384, 256}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        MaskState count = {true, table[i].count, 0};
        assert_int_equal(occupancy(plain(U_VMAXS, table[i].t, 0), count), table[i].repeats);
        assert_int_equal(occupancy(plain(U_VMAXS, table[i].t, 9), count), table[i].repeats); /* its argument is ignored */
        assert_int_equal(occupancy(plain(U_VCMIN, table[i].t, 0), count), 7 * table[i].repeats);
    }
}

static void count_mode_is_never_free(void **state) {
    (void)state;
    uint64_t before = 0;
    for (uint64_t n = 1; n < 5000; n++) {
        uint64_t now = occupancy(plain(U_VMAX, DT_F32, 0), (MaskState){true, n, 0});
        assert_true(now >= 1 && now >= before);
        before = now;
    }
}

/* Whole repeats in norm mode too: lanes that are switched off take their time. */
static void a_partial_mask_saves_nothing(void **state) {
    (void)state;
    assert_int_equal(occupancy(plain(U_VMAXS, DT_F32, 12), (MaskState){false, 0xff, 0}), 12);
    assert_int_equal(occupancy(plain(U_VCMAX, DT_F32, 12), (MaskState){false, 0xff, 0}), 84);
}

/* ---- bank groups ---- */

static void two_reads_of_a_group_take_two_cycles(void **state) {
    (void)state;
    for (uint32_t offset = 0; offset < 1024; offset += 32) {
        uint64_t cycles = offset % 512 == 256 ? 64 : 128; /* eight blocks each: 256 apart they share none of the 16 groups */
        assert_int_equal(occupancy(vec(U_VMAX, DT_F32, 64, 0, KIB64 + offset), full_mask), cycles);
    }
    target->a2a3.read_conflicts.v = 0;
    assert_int_equal(occupancy(vec(U_VMAX, DT_F32, 64, 0, KIB64), full_mask), 64);
    target->a2a3.read_conflicts.v = 1;
}

static void only_blocks_with_active_lanes_are_read(void **state) {
    (void)state;
    MaskState half = {false, 0xffffffff, 0}; /* four blocks of f32 */
    assert_int_equal(occupancy(vec(U_VMAX, DT_F32, 10, 0, KIB64 + 128), half), 10);
    assert_int_equal(occupancy(vec(U_VMAX, DT_F32, 10, 0, KIB64 + 96), half), 20);
}

/* The accumulator stays, the other source walks by its rows: TCOLMAX, TCOLSUM. */
static void conflicts_follow_the_row_pitch(void **state) {
    (void)state;
    static const struct {
        DType t;
        uint32_t cols, conflicts; /* of 16 rows */
    } table[] = {{DT_F16, 16, 1}, {DT_F32, 16, 2}, {DT_F32, 32, 4}, {DT_F32, 64, 8}, {DT_F32, 128, 16}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        Uop u = vec(U_VADD, table[i].t, 16, 0, KIB64);
        uint32_t blocks = table[i].cols * dtype_size(table[i].t) / BLOCK_BYTES, lanes = REPEAT_BYTES / dtype_size(table[i].t);
        u.srpt0 = 0;
        u.srpt1 = (uint16_t)blocks;
        MaskState m = full_mask;
        if (table[i].cols < lanes) m = (MaskState){false, (1ull << table[i].cols) - 1, 0};
        assert_int_equal(occupancy(u, m), 16 + table[i].conflicts);
    }
}

/* Examples of the vendor: block stride 16 puts all eight blocks into one group, 8 into two. */
static void write_conflicts_follow_the_block_stride(void **state) {
    (void)state;
    static const struct {
        uint16_t stride;
        uint32_t cycles;
    } table[] = {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {8, 4}, {16, 8}, {15, 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        Uop u = plain(U_VDUP, DT_F32, 10);
        u.dblk = table[i].stride;
        assert_int_equal(occupancy(u, full_mask), 10 * table[i].cycles);
        u = plain(U_VMAXS, DT_F32, 10);
        u.sblk0 = table[i].stride;
        assert_int_equal(occupancy(u, full_mask), 10 * table[i].cycles);
    }
}

static void a_block_that_is_used_again_is_read_once(void **state) {
    (void)state;
    Uop u = plain(U_VMAXS, DT_F32, 10);
    u.sblk0 = 0;
    assert_int_equal(occupancy(u, full_mask), 10);
}

static void the_interval_covers_conflicts(void **state) {
    (void)state;
    assert_int_equal(occupancy(vec(U_VDIV, DT_F32, 10, 0, KIB64), full_mask), 40);
}

static void groups_are_a_number_of_the_target(void **state) {
    (void)state;
    target->ub.groups.v = 8; /* eight blocks fill them */
    assert_int_equal(occupancy(vec(U_VMAX, DT_F32, 64, 0, KIB64 + 256), full_mask), 128);
    target->ub.groups.v = 16;
}

/* ---- read and write of one bank ---- */

/* Values of the board calibration; without mask writes. Operands one after the other from 0. */
static void slips_give_the_values_of_the_board(void **state) {
    (void)state;
    static const struct {
        UopId op;
        DType t;
        uint32_t rep, cycles;
        bool one; /* source */
    } table[] = {
        {U_VADD, DT_F32, 64, 160, false}, {U_VADD, DT_F16, 32, 92, false}, {U_VADD, DT_I32, 64, 151, false},
        {U_VMUL, DT_F32, 64, 168, false}, {U_VMUL, DT_F16, 32, 96, false}, {U_VMUL, DT_I32, 64, 152, false},
        {U_VMAX, DT_F32, 64, 151, false}, {U_VMAX, DT_F16, 64, 151, false}, {U_VDIV, DT_F32, 64, 288, false},
        {U_VRSQRT, DT_F32, 64, 92, true}, {U_VRSQRT, DT_F16, 32, 58, true}, {U_VMAXS, DT_F32, 64, 87, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint32_t bytes = table[i].rep * REPEAT_BYTES;
        Uop u = vec(table[i].op, table[i].t, table[i].rep, 0, bytes);
        u.dst = table[i].one ? bytes : 2 * bytes;
        assert_int_equal(isolated(u), table[i].cycles);
    }
}

static void no_slip_between_sets(void **state) {
    (void)state;
    Uop u = vec(U_VADD, DT_F32, 64, 0, 0x4000);
    u.dst = 0x8000;
    assert_int_equal(occupancy(u, full_mask), 128 + 7);
    u.dst = KIB64;
    assert_int_equal(occupancy(u, full_mask), 128);
    target->ub.banks.v = 1; /* one set: it is the bank that counts, not the address */
    assert_int_equal(occupancy(u, full_mask), 128 + 7);
    target->ub.banks.v = 3;
    u.dst = 0x8000;
    target->a2a3.write_conflicts.v = 0;
    assert_int_equal(occupancy(u, full_mask), 128);
    target->a2a3.write_conflicts.v = 1;
}

/* Two sources of 512 bytes: one slip per write distance L if L mod 4 is 3, two if it is 0, else none.
 * One source: slips if L is even. */
static void slips_follow_the_write_distance(void **state) {
    (void)state;
    Num *latency = &target->cost[U_VADD][DT_F32].latency;
    double own = latency->v;
    for (int land = 8; land < 30; land++) {
        latency->v = land + target->a2a3.write_back.v;
        Uop u = vec(U_VADD, DT_F32, 64, 0, 0x4000);
        u.dst = 0x8000;
        uint64_t slips = occupancy(u, full_mask) - 128;
        assert_int_equal(slips != 0, land % 4 == 3 || land % 4 == 0);
        Uop one = vec(U_VADDS, DT_F32, 64, 0, 0);
        one.dst = 0x4000;
        target->cost[U_VADDS][DT_F32].latency.v = latency->v;
        assert_int_equal(occupancy(one, full_mask) > 64, land % 2 == 0);
    }
    latency->v = target->cost[U_VADDS][DT_F32].latency.v = own;
}

/* ---- copies and gathers ---- */

static void a_copy_moves_so_many_bytes_a_cycle(void **state) {
    (void)state;
    static const struct {
        uint32_t bursts, blocks, cycles;
    } table[] = {{1, 1, 1}, {1, 8, 1}, {1, 9, 2}, {1, 256, 32}, {16, 4, 16}, {3, 12, 6}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        Uop u = plain(U_COPY_UB, DT_U16, table[i].bursts);
        u.imm = table[i].blocks;
        assert_int_equal(isolated(u), 35 + table[i].cycles);
    }
    Uop u = plain(U_COPY_UB, DT_U16, 1);
    u.imm = 256;
    target->a2a3.copy_bytes.v = 128;
    assert_int_equal(isolated(u), 35 + 64);
    target->a2a3.copy_bytes.v = 256;
}

static void a_gather_takes_two_cycles_per_repeat_of_its_source(void **state) {
    (void)state;
    static const struct {
        DType t;
        uint32_t count, cycles;
    } table[] = {{DT_F32, 8, 2}, {DT_F32, 64, 2}, {DT_F32, 65, 4}, {DT_U16, 128, 2}, {DT_U16, 130, 4}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        Uop u = plain(U_VREDUCEV2, table[i].t, 1);
        u.mode = 1;
        assert_int_equal(occupancy(u, (MaskState){true, table[i].count, 0}), table[i].cycles);
    }
}

/* ---- the shortcuts of the model ---- */

/* The same rules without any: every block of every repeat, every cycle by number. */
enum { FAR = 20000 };
static uint64_t written[FAR];

static uint64_t banks_of(const Access *a, const Shape *s, uint32_t k, uint32_t count[16]) {
    uint64_t banks = 0;
    uint32_t n = a->used ? access_blocks(a, s, k) : 0;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t addr = access_addr(a, k, b), group = addr >> 5 & 15;
        banks |= 1ull << ((addr >> 16) % 4 * 16 + group);
        if (b == 0 || a->blk) count[group]++;
    }
    return banks;
}

static uint32_t most(const uint32_t count[16]) {
    uint32_t m = 0;
    for (int g = 0; g < 16; g++) m = count[g] > m ? count[g] : m;
    return m;
}

static uint64_t read_at(uint64_t banks, uint64_t at) {
    while (banks & written[at]) at++;
    return at;
}

static uint64_t plain_occupancy(const Uop *u, const Shape *s) {
    uint64_t at = 0, interval = (uint64_t)target->cost[u->op][u->dtype].interval.v;
    uint64_t distance = (uint64_t)(target->cost[u->op][u->dtype].latency.v - target->a2a3.write_back.v);
    Access d = uop_access(u, s, ROLE_DST), a = uop_access(u, s, ROLE_SRC0), b = uop_access(u, s, ROLE_SRC1);
    memset(written, 0, sizeof written);
    for (uint32_t k = 0; k < s->repeats; k++) {
        uint32_t reads[16] = {0}, writes[16] = {0};
        uint64_t first = banks_of(&a, s, k, reads), second = banks_of(&b, s, k, reads), own = banks_of(&d, s, k, writes);
        uint64_t begin = at, need = interval > most(reads) ? interval : most(reads);
        if (d.used && d.blk != BLOCK_BYTES && most(writes) > need) need = most(writes);
        bool apart = most(reads) > 1 && first && second;
        uint64_t last = read_at(apart ? first : first | second, at);
        if (apart) last = read_at(second, last + 1);
        at = last + 1 > begin + need ? last + 1 : begin + need;
        written[last + distance] |= own;
    }
    return at;
}

static uint32_t seed = 1;

static uint32_t pick(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void shortcuts_change_no_cycle(void **state) {
    (void)state;
    static const UopId op[] = {U_VADD, U_VMUL, U_VMAX, U_VDIV, U_VADDS, U_VEXP, U_VRSQRT, U_VDUP, U_VSEL};
    static const uint16_t stride[] = {0, 1, 1, 1, 2, 8, 16};
    static A2a3Vector v; /* which knows what it has issued before */
    for (int round = 0; round < 10000; round++) {
        DType t = pick(2) ? DT_F32 : DT_F16;
        Uop u = vec(op[pick(9)], t, 1 + pick(120), pick(0x30000 / 32) * 32, pick(0x30000 / 32) * 32);
        u.dst = pick(4) ? pick(0x30000 / 32) * 32 : u.src0;
        u.sblk0 = stride[pick(7)], u.sblk1 = stride[pick(7)], u.dblk = stride[pick(7)];
        u.srpt0 = (uint16_t)pick(40), u.srpt1 = (uint16_t)pick(40), u.drpt = (uint16_t)pick(40);
        for (int again = 0; again < 3; again++) {
            MaskState m = full_mask;
            if (pick(3) == 0) m = (MaskState){false, ~0ull >> pick(64), pick(2) ? ~0ull >> pick(64) : 0};
            if (pick(3) == 0) m = (MaskState){true, 1 + pick(8000), 0};
            Shape s = uop_shape(&u, &m);
            VectorTime r = a2a3_issue(&v, target, &u, &s, 0);
            assert_int_equal(a2a3_occupancy(target, &u, &s), plain_occupancy(&u, &s));
            assert_int_equal(r.issued - r.issue, plain_occupancy(&u, &s));
        }
    }
}

/* ---- contention between pipes ---- */

static void the_groups_of_an_instruction(void **state) {
    (void)state;
    Uop u = plain(U_VMAXS, DT_F32, 1);
    Shape s = uop_shape(&u, &full_mask);
    assert_int_equal(a2a3_groups(target, &u, &s), 0x00ff); /* source and destination begin in group 0 */
    u.dst += 128;
    assert_int_equal(a2a3_groups(target, &u, &s), 0x0fff);
    u.rep = 2;
    s = uop_shape(&u, &full_mask);
    assert_int_equal(a2a3_groups(target, &u, &s), 0xffff);
}

static void the_groups_of_a_transfer(void **state) {
    (void)state;
    Dma d = {.ub = 64, .len = 96, .n0 = 1, .n1 = 1};
    assert_int_equal(dma_groups(target, &d), 0x001c);
    d.n0 = 2, d.ub_step0 = 256;
    assert_int_equal(dma_groups(target, &d), 0x1c1c);
    d.len = 4096;
    assert_int_equal(dma_groups(target, &d), 0xffff);
}

/* ---- transfers ---- */

static DmaParams transfer(double startup, double rate) {
    DmaParams p = {0};
    p.startup = (Num){startup, PROV_FIT, ""};
    p.bytes_per_cycle = (Num){rate, PROV_MEASURED, ""};
    return p;
}

static void a_transfer_is_start_up_and_bandwidth(void **state) {
    (void)state;
    DmaParams p = transfer(200, 128);
    Prov prov;
    assert_int_equal(dma_cycles(&p, 1, &prov), 201);
    assert_int_equal(dma_cycles(&p, 128, &prov), 201);
    assert_int_equal(dma_cycles(&p, 129, &prov), 202);
    assert_int_equal(dma_cycles(&p, 65536, &prov), 200 + 512);
    assert_int_equal(prov, PROV_FIT);
    assert_int_equal(dma_cycles(&p, 0, &prov), 0);
    assert_int_equal(dma_startup(&p, 4096), 200);
    assert_int_equal(dma_startup(&p, 0), 0);
}

static void small_transfers_have_a_class_of_their_own(void **state) {
    (void)state;
    DmaParams p = transfer(200, 128);
    p.small_bytes = (Num){1024, PROV_FIT, ""};
    p.small_startup = (Num){30, PROV_ASSUMED, ""};
    p.small_bytes_per_cycle = (Num){16, PROV_FIT, ""};
    Prov prov;
    assert_int_equal(dma_cycles(&p, 512, &prov), 30 + 32);
    assert_int_equal(prov, PROV_ASSUMED);
    assert_int_equal(dma_cycles(&p, 1023, &prov), 30 + 64);
    assert_int_equal(dma_cycles(&p, 1024, &prov), 200 + 8);
    assert_int_equal(prov, PROV_FIT);
    assert_int_equal(dma_startup(&p, 1023), 30);
    assert_int_equal(dma_startup(&p, 1024), 200);
}

/* Points of the board's curve peak x B / (K + B), which is the same as start-up + B / peak. */
static void the_built_in_transfers_follow_the_board_fit(void **state) {
    (void)state;
    const struct {
        const DmaParams *p;
        double peak, k; /* GiB/s and bytes */
    } table[] = {{&target->load, 247.16, 30643}, {&target->store, 28.19, 1755}};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t bytes = 512; bytes <= 65536; bytes *= 2) {
            Prov prov;
            double seconds = (table[i].k + (double)bytes) / (table[i].peak * 1073741824.0), cycles = seconds * target->clock_hz.v;
            double model = (double)dma_cycles(table[i].p, bytes, &prov);
            assert_true(model > 0.99 * cycles - 1 && model < 1.01 * cycles + 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_isolated_instruction_costs_fixed_plus_slope),
        cmocka_unit_test(the_board_values_of_vexp),
        cmocka_unit_test(each_number_moves_exactly_its_cycles),
        cmocka_unit_test(nothing_to_do_holds_nothing),
        cmocka_unit_test(neighbours_share_the_start_up),
        cmocka_unit_test(a_dependent_stage_pays_its_latency),
        cmocka_unit_test(a_short_instruction_ends_before_a_long_one_in_front),
        cmocka_unit_test(a_copy_does_not_use_the_mask),
        cmocka_unit_test(count_mode_charges_started_repeats),
        cmocka_unit_test(count_mode_is_never_free),
        cmocka_unit_test(a_partial_mask_saves_nothing),
        cmocka_unit_test(two_reads_of_a_group_take_two_cycles),
        cmocka_unit_test(only_blocks_with_active_lanes_are_read),
        cmocka_unit_test(conflicts_follow_the_row_pitch),
        cmocka_unit_test(write_conflicts_follow_the_block_stride),
        cmocka_unit_test(a_block_that_is_used_again_is_read_once),
        cmocka_unit_test(the_interval_covers_conflicts),
        cmocka_unit_test(groups_are_a_number_of_the_target),
        cmocka_unit_test(slips_give_the_values_of_the_board),
        cmocka_unit_test(no_slip_between_sets),
        cmocka_unit_test(slips_follow_the_write_distance),
        cmocka_unit_test(a_copy_moves_so_many_bytes_a_cycle),
        cmocka_unit_test(a_gather_takes_two_cycles_per_repeat_of_its_source),
        cmocka_unit_test(shortcuts_change_no_cycle),
        cmocka_unit_test(the_groups_of_an_instruction),
        cmocka_unit_test(the_groups_of_a_transfer),
        cmocka_unit_test(a_transfer_is_start_up_and_bandwidth),
        cmocka_unit_test(small_transfers_have_a_class_of_their_own),
        cmocka_unit_test(the_built_in_transfers_follow_the_board_fit),
    };
    return cmocka_run_group_tests(tests, open_target, close_target);
}

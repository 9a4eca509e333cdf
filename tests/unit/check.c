/* The full checks on micro-ops that no lowering issues, and their footprints against execution. */
#include "isa/check/check.h"
#include "isa/check/crossing.h"
#include "tests/reference/bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DST = 0x4000, SRC0 = 0x10000, SRC1 = 0x18000, AREA = 0x8000 };

/* ---- rules ---- */

typedef struct Scene {
    Bed bed;
    Check *check;
    Tile a, b, d;
    Instr i;
    UopBuf body;
} Scene;

static Tile placed(DType t, uint32_t rows, uint32_t cols, int64_t addr, const char *name) {
    Tile x = bed_tile(t, rows, cols, rows, cols);
    x.addr = addr;
    x.name = name;
    return x;
}

static void open_scene(Scene *s, CheckOptions o) {
    memset(s, 0, sizeof *s);
    bed_open(&s->bed, "a2a3", "document");
    s->check = check_new(s->bed.target, s->bed.diag, o);
    s->a = placed(DT_F32, 4, 64, SRC0, "%a");
    s->b = placed(DT_F32, 4, 64, SRC1, "%b");
    s->d = placed(DT_F32, 4, 64, DST, "%d");
    s->i = bed_instr(I_TADD);
    s->i.in[0] = &s->a;
    s->i.in[1] = &s->b;
    s->i.out[0] = &s->d;
    s->i.nin = 2;
    s->i.nout = 1;
    check_filled(s->check, &s->a);
    check_filled(s->check, &s->b);
}

static void close_scene(Scene *s) {
    check_free(s->check);
    uopbuf_free(&s->body);
    bed_close(&s->bed);
}

static Uop *op(Scene *s, UopId id) {
    Uop *u = uopbuf_add(&s->body, id);
    u->dtype = DT_F32;
    u->rep = 4;
    u->dst = DST;
    u->src0 = SRC0;
    u->src1 = SRC1;
    u->dblk = u->sblk0 = u->sblk1 = 1;
    u->drpt = u->srpt0 = u->srpt1 = 8;
    return u;
}

static void mask(Scene *s, uint64_t lo) {
    Uop *u = uopbuf_add(&s->body, U_SET_MASK);
    u->imm = lo;
    u->imm2 = 0;
}

static void judge(Scene *s) { check_instr(s->check, &s->i, &s->body, s->bed.machine, false); }

static bool raised(const Scene *s, DiagId id) { return diag_raised(s->bed.diag, id) != 0; }

static void plain_add_is_clean(void **state) {
    (void)state;
    Scene s;
    open_scene(&s, (CheckOptions){0});
    op(&s, U_VADD);
    judge(&s);
    assert_int_equal(diag_count(s.bed.diag), 0);
    close_scene(&s);
}

static void stale_compare_mask(void **state) {
    (void)state;
    for (int stale = 0; stale < 2; stale++) {
        Scene s;
        open_scene(&s, (CheckOptions){0});
        if (stale) mask(&s, 0xff);
        op(&s, U_VCMP_LT);
        if (stale) mask(&s, ~0ull);
        op(&s, U_VSEL);
        judge(&s);
        assert_int_equal(raised(&s, DIAG_CMPMASK_STALE), stale);
        close_scene(&s);
    }
}

static void overlapping_repeats(void **state) {
    (void)state;
    static const struct { uint16_t dblk, drpt; bool accumulate, wrong; } cases[] = {
        {1, 8, false, false}, {1, 4, false, true}, {1, 0, false, true}, {0, 8, false, true}, {1, 0, true, false}, {2, 8, false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Scene s;
        open_scene(&s, (CheckOptions){0});
        Uop *u = op(&s, U_VADD);
        u->dblk = cases[k].dblk;
        u->drpt = cases[k].drpt;
        if (cases[k].accumulate) {
            u->src1 = DST;
            u->srpt1 = 0;
            check_filled(s.check, &s.d);
        }
        judge(&s);
        assert_int_equal(raised(&s, DIAG_REPEAT_OVERLAP), cases[k].wrong);
        close_scene(&s);
    }
}

static void incomplete_and_outside(void **state) {
    (void)state;
    Scene s;
    open_scene(&s, (CheckOptions){0});
    op(&s, U_VADD)->rep = 3;
    judge(&s);
    assert_true(raised(&s, DIAG_INCOMPLETE));
    assert_non_null(strstr(diag_at(s.bed.diag, 0)->text, "64 of 256 valid elements of %d are not written, first row 3, column 0"));
    assert_false(raised(&s, DIAG_TILE_OOB));
    op(&s, U_VADD)->dst = DST + 256;
    judge(&s);
    assert_true(raised(&s, DIAG_TILE_OOB));
    close_scene(&s);
}

/* Two micro-ops of one pipe with and without a barrier, of two pipes with and without a flag. */
static void order_by_byte(void **state) {
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        Scene s;
        open_scene(&s, (CheckOptions){.as_written = true});
        op(&s, U_VADD);
        judge(&s);
        uopbuf_clear(&s.body);
        s.i.loc.line = 2;
        if (ordered) check_sync(s.check, &(Uop){.op = U_BARRIER, .src0 = PIPE_V});
        Uop *u = op(&s, U_VADD);
        u->src0 = DST;
        u->dst = SRC0;
        s.i.in[0] = &s.d;
        s.i.out[0] = &s.a;
        judge(&s);
        assert_int_equal(raised(&s, DIAG_HAZARD), !ordered);
        if (!ordered) assert_int_equal(diag_count(s.bed.diag), 2); /* RAW on %d, WAR on %a */
        close_scene(&s);
    }
}

/* A flag chain over a third pipe orders too. */
static void order_over_another_pipe(void **state) {
    (void)state;
    Scene s;
    open_scene(&s, (CheckOptions){.as_written = true});
    op(&s, U_VADD);
    judge(&s);
    const Pipe hops[2][2] = {{PIPE_V, PIPE_MTE3}, {PIPE_MTE3, PIPE_V}};
    for (int k = 0; k < 2; k++) {
        check_sync(s.check, &(Uop){.op = U_SET_FLAG, .src0 = hops[k][0], .src1 = hops[k][1]});
        check_sync(s.check, &(Uop){.op = U_WAIT_FLAG, .src0 = hops[k][0], .src1 = hops[k][1]});
    }
    s.i.loc.line = 2;
    judge(&s);
    assert_false(raised(&s, DIAG_HAZARD));
    close_scene(&s);
}

/* ---- footprints against execution ---- */

static uint32_t below(uint64_t *rng, uint32_t n) { return (uint32_t)(bed_random(rng) % n); }

static MaskState random_mask(uint64_t *rng) {
    if (below(rng, 3) == 0) return (MaskState){true, 1 + below(rng, 400), 0};
    if (below(rng, 2)) return mask_full();
    return (MaskState){false, bed_random(rng), bed_random(rng)};
}

static Uop random_op(uint64_t *rng) {
    static const UopId ids[] = {U_VADD, U_VMINS, U_VABS, U_VDUP, U_VCONV, U_VSEL, U_VCMAX, U_VCADD, U_VCGMAX, U_VREDUCEV2, U_COPY_UB, U_VBRCB};
    Uop u = {.op = (uint16_t)ids[below(rng, sizeof ids / sizeof *ids)], .dst = DST, .src0 = SRC0, .src1 = SRC1};
    bool wide = below(rng, 2);
    u.dtype = wide ? DT_F32 : DT_F16;
    u.dtype2 = u.op == U_VCONV ? (wide ? DT_F16 : DT_F32) : u.dtype;
    u.rep = below(rng, 6);
    u.dblk = (uint16_t)(1 + below(rng, 2));
    u.sblk0 = (uint16_t)below(rng, 3);
    u.sblk1 = (uint16_t)below(rng, 3);
    u.drpt = (uint16_t)(16 + below(rng, 4));
    u.srpt0 = (uint16_t)below(rng, 20);
    u.srpt1 = (uint16_t)below(rng, 20);
    UopClass c = uop_info[u.op].cls;
    if (c == UC_REDUCE) u.mode = (uint8_t)below(rng, 3);
    if (c == UC_GATHER) u.mode = (uint8_t)(1 + below(rng, 7));
    if (c == UC_COPY) u.imm = below(rng, 12);
    return u;
}

static void mark(void *ctx, uint64_t lo, uint64_t hi) {
    uint8_t *set = ctx;
    memset(set + lo, 1, hi - lo);
}

/* Runs the micro-op with the destination area preset to a byte. */
static void execute(Machine *m, const Uop *u, MaskState mask, uint8_t preset, const uint8_t *sources) {
    UopBuf b = {.uop = (Uop *)u, .n = 1};
    memcpy(m->ub, sources, m->ub_size);
    memset(m->ub + DST, preset, AREA);
    m->mask = mask;
    m->cmpmask[0] = m->cmpmask[1] = 0x5555555555555555u;
    m->fault = ~0u;
    machine_exec(m, &b);
}

/* Sources hold no zeros, so that no result is the sign bit of another. */
static void fill_sources(uint8_t *mem, uint32_t n, uint64_t *rng) {
    for (uint32_t k = 0; k < n; k++) mem[k] = (uint8_t)(0x10 + below(rng, 0x20));
}

static void footprints_are_what_is_accessed(void **state) {
    (void)state;
    Bed bed;
    bed_open(&bed, "a2a3", "document");
    Machine *m = bed.machine;
    uint8_t *sources = malloc(m->ub_size), *writes = malloc(m->ub_size), *reads = malloc(m->ub_size), *first = malloc(m->ub_size);
    uint64_t rng = bed_seed();
    for (int n = 0; n < 3000; n++) {
        Uop u = random_op(&rng);
        MaskState mask = random_mask(&rng);
        Shape s = footprint_shape(&u, &mask);
        memset(writes, 0, m->ub_size);
        memset(reads, 0, m->ub_size);
        footprint_runs(&u, &s, ROLE_DST, 0, s.repeats, mark, writes);
        footprint_sources(&u, &s, mark, reads);
        fill_sources(sources, m->ub_size, &rng);
        execute(m, &u, mask, 0x00, sources);
        memcpy(first, m->ub, m->ub_size);
        execute(m, &u, mask, 0xff, sources);
        for (uint32_t k = DST; k < DST + AREA; k++) /* written: whatever stood there before */
            if ((first[k] == m->ub[k]) != writes[k]) fail_msg("%s case %d: byte 0x%x", uop_info[u.op].name, n, k);
        for (uint32_t k = SRC0; k < SRC1 + AREA; k++)
            if (!reads[k]) sources[k] ^= 0x7f;
        execute(m, &u, mask, 0x00, sources);
        if (memcmp(first + DST, m->ub + DST, AREA)) fail_msg("%s case %d: bytes outside the footprint count", uop_info[u.op].name, n);
    }
    free(sources);
    free(writes);
    free(reads);
    free(first);
    bed_close(&bed);
}

/* ---- crossings ---- */

static void repeats_that_feed_each_other(void **state) {
    (void)state;
    static const struct { int32_t shift; Crossing want; } cases[] = {
        {0, CROSS_NONE}, {32, CROSS_AHEAD}, {256, CROSS_AHEAD}, {-32, CROSS_BEHIND}, {-256, CROSS_BEHIND}, {1024, CROSS_NONE}, {-1024, CROSS_NONE}};
    RepeatMap map;
    repeat_map_init(&map, 0x20000);
    MaskState full = mask_full();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Uop u = {.op = U_VABS, .dtype = DT_F32, .rep = 4, .dst = (uint32_t)(SRC0 + cases[k].shift), .src0 = SRC0, .dblk = 1, .sblk0 = 1, .drpt = 8, .srpt0 = 8};
        Shape s = footprint_shape(&u, &full);
        uint64_t byte;
        assert_int_equal(crossing(&map, &u, &s, ROLE_SRC0, &byte), cases[k].want);
    }
    repeat_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_add_is_clean),        cmocka_unit_test(stale_compare_mask),
        cmocka_unit_test(overlapping_repeats),       cmocka_unit_test(incomplete_and_outside),
        cmocka_unit_test(order_by_byte),             cmocka_unit_test(order_over_another_pipe),
        cmocka_unit_test(footprints_are_what_is_accessed), cmocka_unit_test(repeats_that_feed_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

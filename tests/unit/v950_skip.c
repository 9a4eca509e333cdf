/* Stepping and skipping agree on every vector function that a lowering makes: all instructions with
 * their types, over shapes that take every path, with gaps and run-time widths, at two layouts. */
#include "isa/lower/lower.h"
#include "isa/read/target_file.h"
#include "isa/run/single.h"
#include "isa/time/v950.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Valid region; blocks of storage beyond it in each row. */
typedef struct Shape { uint32_t rows, cols, gap; } Shape;
static const Shape shapes[] = {{1, 1, 0},   {1, 64, 0},   {1, 4000, 0}, {1, 300, 2}, {2, 129, 1},  {2, 2000, 0},
                               {3, 65, 0},  {3, 650, 1},  {5, 33, 3},   {9, 1000, 0}, {17, 256, 0}, {17, 270, 1},
                               {40, 64, 0}, {41, 100, 1}, {64, 1000, 1}, {300, 8, 0}, {300, 40, 2},
                               {1, 16000, 0}, {128, 128, 0}, {130, 120, 1}, {200, 500, 1}, {20, 1280, 4}, {33, 700, 5}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct Bench {
    Target *target;
    Diag *diag;
    V950Sched *sched;
    Single single;
    V950Line *stepped, *skipped;
    uint32_t cap;
    uint64_t functions, jumps;
} Bench;

static int open_bench(void **state) {
    Bench *b = xcalloc(1, sizeof *b);
    b->diag = diag_new();
    b->target = target_load("950", NULL, 0, b->diag);
    assert_non_null(b->target);
    b->sched = v950_new(b->target);
    *state = b;
    return 0;
}

static int close_bench(void **state) {
    Bench *b = *state;
    v950_free(b->sched);
    single_free(&b->single);
    target_free(b->target);
    diag_free(b->diag);
    free(b->stepped);
    free(b->skipped);
    free(b);
    return 0;
}

static void same_both_ways(Bench *b, const SingleSpec *s, const VfInstr *body, uint32_t n) {
    V950Result one, two;
    if (n > b->cap) {
        b->cap = n;
        b->stepped = xrealloc(b->stepped, n * sizeof *b->stepped);
        b->skipped = xrealloc(b->skipped, n * sizeof *b->skipped);
    }
    v950_run(b->sched, body, n, false, &one, b->stepped);
    v950_run(b->sched, body, n, true, &two, b->skipped);
    b->functions++;
    b->jumps += two.skipped > 0;
    one.skipped = two.skipped;
    if (memcmp(&one, &two, sizeof one) || memcmp(b->stepped, b->skipped, n * sizeof *b->stepped))
        fail_msg("%s %s %ux%u of %ux%u, %s: %llu cycles stepped, %llu skipping", s->op, dtype_name(s->dtype), s->rows, s->cols,
                 s->tile_rows, s->tile_cols, s->layout, (unsigned long long)one.cycles, (unsigned long long)two.cycles);
}

static void all_functions(Bench *b, const SingleSpec *s) {
    const UopBuf *u = &b->single.uops;
    for (uint32_t i = 0; i < u->n; i++)
        if (u->uop[i].op == U_VF) same_both_ways(b, s, u->vf + u->uop[i].imm, u->uop[i].rep);
}

/* The first source (and its index) covers part of the result only. */
static void smaller_source(Bench *b, const SingleSpec *s, uint32_t rows, uint32_t cols) {
    Instr *i = &b->single.instr;
    LowerCtx c = {.target = b->target, .diag = b->diag, .out = &b->single.uops, .timing_only = true};
    for (int k = 0; k < i->nin; k += 2) {
        i->in[k]->vrows = rows;
        i->in[k]->vcols = cols;
        i->in[k]->type.vrows = (int32_t)rows;
        i->in[k]->type.vcols = (int32_t)cols;
    }
    if (!instr_check(&c, i)) return;
    instr_lower(&c, i);
    all_functions(b, s);
}

static void one_case(Bench *b, const SingleSpec *s) {
    diag_free(b->diag);
    b->diag = diag_new();
    if (!single_build(&b->single, s, b->target, b->diag)) return;
    all_functions(b, s);
    if (strncmp(s->op, "tpart", 5) != 0) return;
    smaller_source(b, s, s->rows, (s->cols + 1) / 2);
    smaller_source(b, s, (s->rows + 1) / 2, (s->cols + 1) / 2);
}

static void types_and_forms(Bench *b, SingleSpec s, DType to, uint32_t k) {
    uint32_t block = 32 / dtype_size(s.dtype);
    s.tile_rows = s.rows;
    s.tile_cols = (s.cols + block - 1) / block * block + shapes[k].gap * block;
    s.dst_dtype = to;
    s.dynamic = k % 3 == 1;
    s.tmp = k % 2;
    for (int form = 0; form < 4; form++) {
        s.both = form & 1;
        s.layout = form & 2 ? "packed" : "spread";
        one_case(b, &s);
    }
}

static void one_instruction(Bench *b, InstrId id) {
    const InstrInfo *info = &instr_info[id];
    for (int t = 0; t < DT_COUNT; t++) {
        if (!instr_type_ok(info, FAMILY_950, (DType)t)) continue;
        for (uint32_t k = 0; k < SHAPES; k++) {
            SingleSpec s = {.op = info->name, .dtype = (DType)t, .rows = shapes[k].rows, .cols = shapes[k].cols};
            if (id != I_TCVT) types_and_forms(b, s, DT_NONE, k);
            else
                for (int to = 0; to < DT_COUNT; to++)
                    if (to != DT_NONE) types_and_forms(b, s, (DType)to, k);
        }
    }
}

static void every_lowering(void **state) {
    Bench *b = *state;
    uint32_t timed = 0;
    for (int id = 0; id < INSTR_COUNT; id++) {
        if (!instr_info[id].lower[FAMILY_950] || instr_info[id].pipe[FAMILY_950] != PIPE_V) continue;
        uint64_t before = b->functions;
        one_instruction(b, (InstrId)id);
        timed += b->functions > before;
    }
    print_message("%u instructions, %llu vector functions, iterations skipped in %llu\n", timed, (unsigned long long)b->functions,
                  (unsigned long long)b->jumps);
    assert_true(timed >= 30);
    assert_true(b->jumps > b->functions / 4);
}

static V950Result time_tmins(Bench *b, uint32_t rows, uint32_t tile_cols) {
    SingleSpec s = {.op = "tmins", .dtype = DT_F32, .rows = rows, .cols = 256, .tile_rows = rows, .tile_cols = tile_cols};
    V950Result r;
    assert_true(single_build(&b->single, &s, b->target, b->diag));
    v950_run(b->sched, b->single.uops.vf, b->single.uops.nvf, true, &r, NULL);
    return r;
}

/* Eight times the rows: hardly more iterations are stepped, in one loop over chunks and in rows of chunks. */
static void long_tiles_cost_little(void **state) {
    Bench *b = *state;
    V950Result small = time_tmins(b, 8, 256), large = time_tmins(b, 64, 256);
    assert_true(large.loads - large.skipped < 2 * (small.loads - small.skipped));
    small = time_tmins(b, 8, 264);
    large = time_tmins(b, 64, 264);
    assert_int_equal(64 - large.skipped, 8 - small.skipped);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_bench, close_bench)

int main(void) {
    const struct CMUnitTest tests[] = {CASE(every_lowering), CASE(long_tiles_cost_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

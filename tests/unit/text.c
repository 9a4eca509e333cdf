#include "isa/base/text.h"
#include "isa/base/tile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void buffers_grow_and_stay_terminated(void **state) {
    (void)state;
    StrBuf b = {0};
    char want[4001] = "";
    for (int i = 0; i < 1000; i++) {
        const char digits[] = {(char)('0' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10), '.'};
        sb_printf(&b, "%03d.", i);
        memcpy(want + 4 * i, digits, 4);
        assert_int_equal(b.n, 4 * (i + 1));
        assert_int_equal(b.s[b.n], 0);
    }
    assert_string_equal(b.s, want);
    sb_puts(&b, "x");
    sb_add(&b, "a\0b", 3);
    sb_add(&b, NULL, 0);
    assert_memory_equal(b.s + 4000, "xa\0b", 5);
    sb_free(&b);
    assert_null(b.s);
    sb_printf(&b, "%s", want); /* longer than the first allocation */
    assert_string_equal(b.s, want);
    sb_free(&b);
}

static void arena_blocks_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 0, 16, 17, 1000, 70000, 3, 1 << 20, 65536, 5};
    enum { N = sizeof sizes / sizeof sizes[0] };
    Arena *a = arena_new();
    for (int round = 0; round < 3; round++, arena_reset(a)) {
        unsigned char *p[N];
        for (int i = 0; i < N; i++) {
            p[i] = arena_alloc(a, sizes[i]);
            assert_int_equal((uintptr_t)p[i] % 16, 0);
            for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(p[i][k], 0);
            memset(p[i], i + 1, sizes[i]);
        }
        for (int i = 0; i < N; i++)
            for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(p[i][k], i + 1);
    }
    assert_string_equal(arena_strdup(a, "abcdef", 3), "abc");
    arena_free(a);
}

static void arena_reset_keeps_the_memory(void **state) {
    (void)state;
    Arena *a = arena_new();
    void *first = arena_alloc(a, 100), *large = arena_alloc(a, 200000);
    for (int i = 0; i < 100; i++) {
        arena_reset(a);
        assert_ptr_equal(arena_alloc(a, 100), first);
        assert_ptr_equal(arena_alloc(a, 200000), large);
    }
    arena_free(a);
}

static void names_have_consecutive_ids_and_stable_texts(void **state) {
    (void)state;
    enum { N = 20000 };
    Names *t = names_new();
    const char *first[N];
    char s[32];
    for (uint32_t i = 0; i < N; i++) {
        int n = snprintf(s, sizeof s, "%%name_%u", i);
        assert_int_equal(names_intern(t, s, (size_t)n), i);
        first[i] = names_text(t, i);
    }
    for (uint32_t i = 0; i < N; i++) {
        int n = snprintf(s, sizeof s, "%%name_%u", i);
        assert_int_equal(names_intern(t, s, (size_t)n), i);
        assert_ptr_equal(names_text(t, i), first[i]);
        assert_string_equal(first[i], s);
    }
    assert_int_equal(names_count(t), N);
    names_free(t);
}

static void names_differ_by_every_byte_and_by_length(void **state) {
    (void)state;
    Names *t = names_new();
    char s[40];
    uint32_t count = 0;
    for (size_t n = 0; n <= sizeof s; n++) {
        memset(s, 'a', sizeof s);
        assert_int_equal(names_intern(t, s, n), count++);
        for (size_t k = 0; k < n; k++) {
            s[k] = 'b';
            assert_int_equal(names_intern(t, s, n), count++);
            s[k] = 'a';
        }
    }
    assert_int_equal(names_intern(t, "a\0b", 3), count++);
    assert_int_equal(names_intern(t, "a\0c", 3), count);
    names_free(t);
}

static void distance_counts_edits(void **state) {
    (void)state;
    assert_int_equal(text_distance("", ""), 0);
    assert_int_equal(text_distance("tmins", "tmins"), 0);
    assert_int_equal(text_distance("tmin", "tmins"), 1);
    assert_int_equal(text_distance("tmxns", "tmins"), 1);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("sitting", "kitten"), 3);
    char longer[1000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(text_distance(longer, "a"), 999);
}

static const char *nearest_of(const char *word) {
    static const char *const words[] = {"row", "tmax", "tmaxs", "cmpMode", "semantics.minmax_nan"};
    Nearest n = nearest_to(word);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) nearest_try(&n, words[i]);
    return n.best ? n.best : "";
}

static void nearest_allows_more_slips_in_longer_words(void **state) {
    (void)state;
    assert_string_equal(nearest_of("rov"), "row");
    assert_string_equal(nearest_of("rvv"), "");
    assert_string_equal(nearest_of("tamx"), "tmax");
    assert_string_equal(nearest_of("tmaxx"), "tmax"); /* of two alike the first */
    assert_string_equal(nearest_of("cmpmod"), "cmpMode");
    assert_string_equal(nearest_of("compareMode"), "");
    assert_string_equal(nearest_of("semantic.min_max_nan"), "semantics.minmax_nan");
    char longer[1000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_string_equal(nearest_of(longer), "");
}

/* A size that no machine has must end the process with status 2, not return. */
static void out_of_memory_is_loud(void **state) {
    (void)state;
    int fd[2];
    char said[64] = "";
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fd[1], STDERR_FILENO);
        Arena *a = arena_new();
        arena_alloc(a, SIZE_MAX - 8);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    close(fd[1]);
    assert_true(read(fd[0], said, sizeof said - 1) > 0);
    close(fd[0]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_string_equal(said, "npusim: out of memory\n");
}

static void describe(const char *want, TileType type, uint32_t vrows, uint32_t vcols) {
    char buf[64];
    Tile t = {.type = type, .vrows = vrows, .vcols = vcols};
    tile_describe(&t, buf, sizeof buf);
    assert_string_equal(buf, want);
}

static void tiles_are_described(void **state) {
    (void)state;
    describe("16x64 f32", (TileType){.dtype = DT_F32, .rows = 16, .cols = 64}, 16, 64);
    describe("16x64 f32 v=5x37", (TileType){.dtype = DT_F32, .rows = 16, .cols = 64}, 5, 37);
    describe("8x1 i32 dn", (TileType){.dtype = DT_I32, .rows = 8, .cols = 1, .blayout = COL_MAJOR}, 8, 1);
    describe("32x32 f16 nz v=32x0",
             (TileType){.dtype = DT_F16, .rows = 32, .cols = 32, .blayout = COL_MAJOR, .slayout = BOX_ROW_MAJOR}, 32, 0);
    char small[6];
    tile_describe(&(Tile){.type = {.dtype = DT_F32, .rows = 16, .cols = 64}}, small, sizeof small);
    assert_string_equal(small, "16x64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_grow_and_stay_terminated),
        cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(arena_reset_keeps_the_memory),
        cmocka_unit_test(names_have_consecutive_ids_and_stable_texts),
        cmocka_unit_test(names_differ_by_every_byte_and_by_length),
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(nearest_allows_more_slips_in_longer_words),
        cmocka_unit_test(out_of_memory_is_loud),
        cmocka_unit_test(tiles_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

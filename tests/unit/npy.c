#include "isa/read/npy.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const Loc here = {"a.pto", 1, 1};
static char folder[] = "/tmp/npusim-unit-npy-XXXXXX";
static char path[512];

static const char *file(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int files_in_folder(void) {
    DIR *d = opendir(folder);
    int n = 0;
    while (readdir(d)) n++;
    closedir(d);
    return n - 2; /* . and .. */
}

static int remove_folder(void **state) {
    (void)state;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) unlink(file(e->d_name));
    closedir(d);
    return rmdir(folder);
}

static void round_trip(DType t, DType back, int ndim, const uint64_t *shape) {
    uint8_t data[256];
    for (int i = 0; i < 256; i++) data[i] = (uint8_t)(i * 37 + t);
    uint64_t count = 1;
    for (int i = 0; i < ndim; i++) count *= shape[i];
    Diag *d = diag_new();
    assert_true(npy_write(file("a.npy"), t, ndim, shape, data, here, d));
    NpyArray a;
    assert_true(npy_read(path, &a, here, d));
    assert_int_equal(a.dtype, back);
    assert_int_equal(a.ndim, ndim);
    for (int i = 0; i < ndim; i++) assert_int_equal(a.shape[i], shape[i]);
    assert_int_equal(a.count, count);
    assert_memory_equal(a.data, data, count * dtype_size(t));
    npy_free(&a);
    assert_int_equal(diag_count(d), 0);
    diag_free(d);
}

static void every_type_and_rank_comes_back(void **state) {
    (void)state;
    static const uint64_t shapes[][8] = {{0}, {7}, {3, 5}, {2, 1, 9}, {1, 1, 1, 1, 2, 1, 3, 2}, {4, 0}};
    static const int ranks[] = {0, 1, 2, 3, 8, 2};
    for (DType t = DT_F32; t < DT_COUNT; t++)
        for (int i = 0; i < 6; i++) round_trip(t, t == DT_BF16 ? DT_U16 : t, ranks[i], shapes[i]);
}

static void the_written_file_is_what_the_format_says(void **state) {
    (void)state;
    Diag *d = diag_new();
    const uint16_t data[] = {0x3c00, 0x4000};
    assert_true(npy_write(file("h.npy"), DT_F16, 1, (uint64_t[]){2}, data, here, d));
    uint8_t *bytes;
    size_t n;
    assert_true(file_read(path, &bytes, &n, here, d));
    assert_int_equal(n, 128 + 4);
    assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0", 10);
    const char *want = "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }";
    assert_memory_equal(bytes + 10, want, strlen(want));
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, data, 4);
    free(bytes);
    diag_free(d);
}

static void a_name_in_bin_gets_raw_bytes(void **state) {
    (void)state;
    Diag *d = diag_new();
    uint8_t *bytes;
    size_t n;
    assert_true(npy_write(file("raw.bin"), DT_F32, 2, (uint64_t[]){1, 2}, "abcdefgh", here, d));
    assert_true(file_read(path, &bytes, &n, here, d));
    assert_int_equal(n, 8);
    assert_memory_equal(bytes, "abcdefgh", 8);
    free(bytes);
    diag_free(d);
}

/* Writes magic, version, header length and header, padded or not, then `bytes` bytes of data. */
static void write_raw(const char *version, long length, const char *header, size_t bytes) {
    uint8_t image[1024] = "\x93NUMPY";
    size_t n = 6, size = version[0] == 2 ? 4 : 2;
    if (length < 0) length = (long)strlen(header);
    memcpy(image + n, version, 2);
    memcpy(image + n + 2, &length, size);
    n += 2 + size;
    memcpy(image + n, header, strlen(header));
    n += strlen(header) + bytes;
    Diag *d = diag_new();
    assert_true(file_write(file("raw.npy"), image, n, here, d));
    diag_free(d);
}

static void accepts(const char *version, const char *header, size_t bytes, DType t, int ndim, uint64_t count) {
    Diag *d = diag_new();
    NpyArray a;
    write_raw(version, -1, header, bytes);
    if (!npy_read(path, &a, here, d)) fail_msg("%s: %s", header, diag_at(d, 0)->text);
    assert_int_equal(a.dtype, t);
    assert_int_equal(a.ndim, ndim);
    assert_int_equal(a.count, count);
    npy_free(&a);
    diag_free(d);
}

static void other_writers_are_understood(void **state) {
    (void)state;
    accepts("\2", "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }   \n", 24, DT_I32, 2, 6);
    accepts("\1", "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"=f4\"}", 24, DT_F32, 2, 6);
    accepts("\1", "{'descr': '|b1', 'fortran_order': False, 'shape': ()}", 1, DT_I1, 0, 1);
    accepts("\1", "{'descr': '<u1', 'fortran_order': False, 'shape': (0, 9999999999, 9999999999)}", 0, DT_U8, 3, 0);
}

/* Reads path and expects one unreadable-input error whose text holds `why`. */
static void refuses_path(const char *why) {
    Diag *d = diag_new();
    NpyArray a;
    assert_false(npy_read(path, &a, here, d));
    assert_null(a.data);
    assert_int_equal(diag_count(d), 1);
    const DiagMsg *m = diag_at(d, 0);
    assert_int_equal(m->id, DIAG_IO);
    assert_true(m->syntax);
    if (!strstr(m->text, why)) fail_msg("\"%s\" lacks \"%s\"", m->text, why);
    if (!strstr(m->text, path)) fail_msg("\"%s\" lacks the path", m->text);
    diag_free(d);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *version, *header;
        size_t bytes;
        const char *why;
    } rows[] = {
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", 15, "4 elements of f32 need 16 bytes of data, the file has 15"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", 17, "the file has 17"},
        {"\1", "{'descr': '>f4', 'fortran_order': False, 'shape': (4,)}", 16, "big-endian"},
        {"\1", "{'descr': '<f8', 'fortran_order': False, 'shape': (4,)}", 32, "element type '<f8'"},
        {"\1", "{'descr': 'f4', 'fortran_order': False, 'shape': (4,)}", 16, "element type 'f4'"},
        {"\1", "{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", 16, "element type '<c16'"},
        {"\1", "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4,)}", 16, "structured"},
        {"\1", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", 16, "Fortran"},
        {"\1", "{'descr': '<f4', 'fortran_order': 1, 'shape': (2, 2)}", 16, "True or False"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}", 16, "a dimension expected"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 4, "a dimension expected"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': 4}", 16, "`(` expected"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (4", 16, "`)` expected"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0, "shape too large"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", 0, "shape too large"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}", 0, "shape too large"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", 4, "more than 8 dimensions"},
        {"\1", "{'descr': '<f4', 'fortran_order': False}", 4, "keys descr, fortran_order and shape"},
        {"\1", "{'descr': '<f4', 'descr': '<f4', 'shape': ()}", 4, "'descr' twice"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}", 4, "unknown key 'x'"},
        {"\1", "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", 4, "text behind"},
        {"\1", "{'descr': '<f4\033[31m', 'fortran_order': False, 'shape': ()}", 4, "not printable"},
        {"\1", "{'descr: <f4", 4, "text without end"},
        {"\1", "", 0, "`{` expected"},
        {"\3", "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 4, "version 3.0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_raw(rows[i].version, -1, rows[i].header, rows[i].bytes);
        refuses_path(rows[i].why);
    }
}

static void header_lengths_are_bounded(void **state) {
    (void)state;
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': ()}";
    write_raw("\1", 500, header, 4);
    refuses_path("header of 500 bytes");
    write_raw("\2", 0xfffffff0, header, 4);
    refuses_path("header of 4294967280 bytes");
    write_raw("\1", 20, header, 4);
    refuses_path("damaged header");
}

/* Every prefix of a good file must be refused without reading beyond it. */
static void truncated_files_are_refused(void **state) {
    (void)state;
    Diag *d = diag_new();
    uint8_t *bytes;
    size_t n;
    const float data[3] = {1, 2, 3};
    assert_true(npy_write(file("t.npy"), DT_F32, 1, (uint64_t[]){3}, data, here, d));
    assert_true(file_read(path, &bytes, &n, here, d));
    for (size_t cut = 0; cut < n; cut++) {
        assert_true(file_write(file("cut.npy"), bytes, cut, here, d));
        refuses_path("");
    }
    free(bytes);
    diag_free(d);
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    file("missing.npy");
    refuses_path("No such file");
    snprintf(path, sizeof path, "%s", folder);
    refuses_path("no regular file");
    snprintf(path, sizeof path, "/dev/zero");
    refuses_path("no regular file");
}

static void a_failed_write_leaves_nothing_behind(void **state) {
    (void)state;
    Diag *d = diag_new();
    int before = files_in_folder();
    assert_false(file_write(file("no/such/folder.npy"), "x", 1, here, d));
    char name[300]; /* longer than a file name may be: the temporary file exists when rename fails */
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_false(file_write(file(name), "x", 1, here, d));
    assert_int_equal(diag_total(d, SEV_ERROR), 2);
    assert_true(diag_unreadable(d));
    assert_int_equal(files_in_folder(), before);
    diag_free(d);
}

static void a_write_replaces_the_file_and_leaves_no_other(void **state) {
    (void)state;
    Diag *d = diag_new();
    uint8_t *bytes;
    size_t n;
    assert_true(file_write(file("twice"), "longer text", 11, here, d));
    int before = files_in_folder();
    assert_true(file_write(file("twice"), "new", 3, here, d));
    assert_int_equal(files_in_folder(), before);
    assert_true(file_read(path, &bytes, &n, here, d));
    assert_int_equal(n, 3);
    assert_memory_equal(bytes, "new", 3);
    free(bytes);
    diag_free(d);
}

static void a_pipe_is_written_not_replaced(void **state) {
    (void)state;
    Diag *d = diag_new();
    struct stat st;
    char got[4] = "";
    assert_int_equal(mkfifo(file("pipe"), 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(file_write(path, "abc", 3, here, d));
    assert_int_equal(stat(path, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(read(reader, got, 3), 3);
    assert_string_equal(got, "abc");
    close(reader);
    diag_free(d);
}

static void a_folder_is_not_replaced(void **state) {
    (void)state;
    Diag *d = diag_new();
    assert_false(file_write(folder, "x", 1, here, d));
    assert_true(diag_unreadable(d));
    diag_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_rank_comes_back),
        cmocka_unit_test(the_written_file_is_what_the_format_says),
        cmocka_unit_test(a_name_in_bin_gets_raw_bytes),
        cmocka_unit_test(other_writers_are_understood),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(header_lengths_are_bounded),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(a_failed_write_leaves_nothing_behind),
        cmocka_unit_test(a_write_replaces_the_file_and_leaves_no_other),
        cmocka_unit_test(a_pipe_is_written_not_replaced),
        cmocka_unit_test(a_folder_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#include "isa/read/npy.h"

#include "isa/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_HEADER = 64 << 10, MAX_DIMS = 8 };

static const char magic[6] = "\x93NUMPY";

/* ---- whole files ---- */

static bool io_error(Diag *d, Loc loc, const char *doing, const char *path) {
    diag(d, DIAG_IO, loc, "cannot %s %s: %s", doing, path, strerror(errno));
    return false;
}

/* Only regular files have a size to trust, and never block. */
static bool readable_size(const char *path, size_t *n, Loc loc, Diag *d) {
    struct stat st;
    if (stat(path, &st) != 0) return io_error(d, loc, "read", path);
    if (!S_ISREG(st.st_mode)) {
        diag(d, DIAG_IO, loc, "cannot read %s: it is no regular file", path);
        return false;
    }
    if ((uint64_t)st.st_size > FILE_MOST) {
        diag(d, DIAG_IO, loc, "cannot read %s: it has %lld bytes, the limit is %llu", path,
             (long long)st.st_size, FILE_MOST);
        return false;
    }
    *n = (size_t)st.st_size;
    return true;
}

bool file_read(const char *path, uint8_t **data, size_t *n, Loc loc, Diag *d) {
    size_t size;
    if (!readable_size(path, &size, loc, d)) return false;
    FILE *f = fopen(path, "rb");
    if (!f) return io_error(d, loc, "read", path);
    uint8_t *bytes = xmalloc(size);
    size_t got = fread(bytes, 1, size, f);
    bool failed = ferror(f);
    fclose(f);
    if (failed || got != size) {
        free(bytes);
        if (failed) return io_error(d, loc, "read", path);
        diag(d, DIAG_IO, loc, "cannot read %s: it shrank from %zu to %zu bytes meanwhile", path, size, got);
        return false;
    }
    *data = bytes;
    *n = size;
    return true;
}

static bool write_all(int fd, const void *data, size_t n) {
    const uint8_t *p = data;
    while (n) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* Two parts, so that a header needs no copy of the data behind it. Closes fd. */
static bool write_parts(int fd, const StrBuf *head, const void *data, size_t n) {
    bool ok = write_all(fd, head->s, head->n) && write_all(fd, data, n);
    int error = errno;
    if (close(fd) != 0 && ok) return false;
    errno = error;
    return ok;
}

/* Creates a new file in the folder of path. */
static int open_temporary(const char *path, StrBuf *name) {
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < 100; i++) {
        name->n = 0;
        sb_add(name, path, slash ? (size_t)(slash + 1 - path) : 0);
        sb_printf(name, ".npusim.%ld.%d", (long)getpid(), i);
        int fd = open(name->s, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Signals wait meanwhile: a program that is interrupted leaves no half file behind. */
static bool write_and_rename(const char *path, const StrBuf *head, const void *data, size_t n) {
    StrBuf temporary = {0};
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int fd = open_temporary(path, &temporary);
    bool ok = fd >= 0;
    if (ok) {
        ok = write_parts(fd, head, data, n) && rename(temporary.s, path) == 0;
        int error = errno;
        if (!ok) unlink(temporary.s);
        errno = error;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    sb_free(&temporary);
    return ok;
}

/* A device or pipe must not be replaced by a file. */
static bool is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool write_file(const char *path, const StrBuf *head, const void *data, size_t n, Loc loc, Diag *d) {
    bool ok;
    if (is_special(path)) {
        int fd = open(path, O_WRONLY);
        ok = fd >= 0 && write_parts(fd, head, data, n);
    } else {
        ok = write_and_rename(path, head, data, n);
    }
    return ok || io_error(d, loc, "write", path);
}

bool file_write(const char *path, const void *data, size_t n, Loc loc, Diag *d) {
    return write_file(path, &(StrBuf){0}, data, n, loc, d);
}

/* ---- the .npy header: a Python dictionary of three keys ---- */

typedef struct Header {
    const char *p, *end;
    bool has_descr, has_order, has_shape;
    NpyArray *a;
    StrBuf problem;
} Header;

static bool fail(Header *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Header *h, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    sb_vprintf(&h->problem, fmt, ap);
    va_end(ap);
    return false;
}

static bool accept(Header *h, const char *word) {
    size_t n = strlen(word);
    while (h->p < h->end && (*h->p == ' ' || *h->p == '\t' || *h->p == '\n')) h->p++;
    if ((size_t)(h->end - h->p) < n || memcmp(h->p, word, n) != 0) return false;
    h->p += n;
    return true;
}

static bool expect(Header *h, const char *word) {
    return accept(h, word) || fail(h, "damaged header: `%s` expected", word);
}

/* A quoted string of printable characters. */
static bool header_string(Header *h, char *out, size_t room) {
    char quote = '\'';
    if (!accept(h, "'")) {
        quote = '"';
        if (!accept(h, "\"")) return fail(h, "damaged header: quoted text expected");
    }
    size_t n = 0;
    for (; h->p < h->end && *h->p != quote; h->p++) {
        if (n + 1 == room || *h->p < 0x20 || *h->p > 0x7e)
            return fail(h, "damaged header: text too long or not printable");
        out[n++] = *h->p;
    }
    out[n] = 0;
    if (h->p == h->end) return fail(h, "damaged header: text without end");
    h->p++;
    return true;
}

static const struct Descr {
    DType type;
    char order;
    const char *code;
} descrs[] = {
    {DT_F32, '<', "f4"}, {DT_F16, '<', "f2"}, {DT_I8, '|', "i1"}, {DT_I16, '<', "i2"},
    {DT_I32, '<', "i4"}, {DT_I64, '<', "i8"}, {DT_U8, '|', "u1"}, {DT_U16, '<', "u2"},
    {DT_U32, '<', "u4"}, {DT_U64, '<', "u8"}, {DT_I1, '|', "b1"}, {DT_BF16, '<', "u2"},
};

static bool header_descr(Header *h) {
    char s[32];
    if (accept(h, "[")) return fail(h, "structured element type; one number per element expected");
    if (!header_string(h, s, sizeof s)) return false;
    if (s[0] == '>') return fail(h, "big-endian element type '%s'; little-endian expected", s);
    if (s[0] == '<' || s[0] == '|' || s[0] == '=')
        for (size_t i = 0; i < sizeof descrs / sizeof descrs[0]; i++)
            if (strcmp(s + 1, descrs[i].code) == 0) {
                h->a->dtype = descrs[i].type;
                return true;
            }
    return fail(h, "element type '%s'; one of f4 f2 i1 i2 i4 i8 u1 u2 u4 u8 b1 expected", s);
}

static bool header_order(Header *h) {
    if (accept(h, "False")) return true;
    if (accept(h, "True")) return fail(h, "Fortran order; C order expected");
    return fail(h, "damaged header: True or False expected");
}

static bool header_dim(Header *h, uint64_t *dim) {
    uint64_t v = 0;
    const char *start = h->p;
    for (; h->p < h->end && *h->p >= '0' && *h->p <= '9'; h->p++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *h->p - '0', &v))
            return fail(h, "shape too large");
    if (h->p == start) return fail(h, "damaged header: a dimension expected");
    *dim = v;
    return true;
}

static bool header_shape(Header *h) {
    NpyArray *a = h->a;
    if (!expect(h, "(")) return false;
    while (!accept(h, ")")) {
        if (a->ndim == MAX_DIMS) return fail(h, "more than %d dimensions", MAX_DIMS);
        if (!header_dim(h, &a->shape[a->ndim])) return false;
        a->ndim++;
        if (accept(h, ",")) continue;
        if (!expect(h, ")")) return false;
        break;
    }
    return true;
}

static bool header_entry(Header *h) {
    char key[32];
    if (!header_string(h, key, sizeof key) || !expect(h, ":")) return false;
    bool descr = strcmp(key, "descr") == 0, order = strcmp(key, "fortran_order") == 0;
    if (!descr && !order && strcmp(key, "shape") != 0) return fail(h, "damaged header: unknown key '%s'", key);
    bool *seen = descr ? &h->has_descr : order ? &h->has_order : &h->has_shape;
    if (*seen) return fail(h, "damaged header: key '%s' twice", key);
    *seen = true;
    return descr ? header_descr(h) : order ? header_order(h) : header_shape(h);
}

static bool header_dictionary(Header *h) {
    if (!expect(h, "{")) return false;
    while (!accept(h, "}")) {
        if (!header_entry(h)) return false;
        if (accept(h, ",")) continue;
        if (!expect(h, "}")) return false;
        break;
    }
    accept(h, ""); /* trailing blanks */
    if (h->p != h->end) return fail(h, "damaged header: text behind the dictionary");
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return fail(h, "damaged header: keys descr, fortran_order and shape expected");
    return true;
}

/* Finds the dictionary: the position of the data behind it, or 0 after a failure. */
static size_t header_locate(Header *h, const uint8_t *file, size_t n) {
    if (n < 10 || memcmp(file, magic, sizeof magic) != 0) {
        fail(h, "not a .npy file: it does not begin with \\x93NUMPY");
        return 0;
    }
    if ((file[6] != 1 && file[6] != 2) || file[7] != 0) {
        fail(h, ".npy version %u.%u; 1.0 or 2.0 expected", file[6], file[7]);
        return 0;
    }
    size_t start = file[6] == 1 ? 10 : 12, length = 0;
    if (n >= start) memcpy(&length, file + 8, start - 8);
    if (n < start || length > n - start || length > MAX_HEADER) {
        fail(h, "header of %zu bytes in a file of %zu bytes (limit %d)", length, n, MAX_HEADER);
        return 0;
    }
    h->p = (const char *)file + start;
    h->end = h->p + length;
    return start + length;
}

/* Counts the elements; false when the product or the bytes overflow. An empty dimension wins over
 * any other. */
static bool count_elements(NpyArray *a, uint64_t *bytes) {
    a->count = 1;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] == 0) a->count = 0;
    for (int i = 0; i < a->ndim; i++)
        if (__builtin_mul_overflow(a->count, a->shape[i], &a->count)) return false;
    return !__builtin_mul_overflow(a->count, dtype_size(a->dtype), bytes);
}

/* Parses the file image; on success the data begins at the returned position. */
static size_t header_parse(Header *h, const uint8_t *file, size_t n) {
    uint64_t bytes;
    size_t data = header_locate(h, file, n);
    if (!data || !header_dictionary(h)) return 0;
    if (!count_elements(h->a, &bytes)) {
        fail(h, "shape too large");
        return 0;
    }
    if (bytes != n - data) {
        fail(h, "%" PRIu64 " elements of %s need %" PRIu64 " bytes of data, the file has %zu", h->a->count,
             dtype_name(h->a->dtype), bytes, n - data);
        return 0;
    }
    return data;
}

bool npy_read(const char *path, NpyArray *out, Loc loc, Diag *d) {
    uint8_t *file;
    size_t n;
    memset(out, 0, sizeof *out);
    if (!file_read(path, &file, &n, loc, d)) return false;
    Header h = {.a = out};
    size_t data = header_parse(&h, file, n);
    if (data) {
        out->data = memmove(file, file + data, n - data);
    } else {
        diag(d, DIAG_IO, loc, "%s: %s", path, h.problem.s);
        memset(out, 0, sizeof *out);
        free(file);
    }
    sb_free(&h.problem);
    return data != 0;
}

void npy_free(NpyArray *a) {
    free(a->data);
    memset(a, 0, sizeof *a);
}

/* ---- writing ---- */

static const struct Descr *descr_of(DType t) {
    const struct Descr *d = descrs;
    while (d->type != t) d++;
    return d;
}

/* Version 1.0, padded so that the data begins at a multiple of 64 bytes. */
static void build_header(StrBuf *b, DType t, int ndim, const uint64_t *shape) {
    const struct Descr *e = descr_of(t);
    sb_add(b, magic, sizeof magic);
    sb_add(b, "\1\0\0\0", 4);
    sb_printf(b, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", e->order, e->code);
    for (int i = 0; i < ndim; i++) sb_printf(b, i ? ", %" PRIu64 : "%" PRIu64, shape[i]);
    sb_puts(b, ndim == 1 ? ",), }" : "), }");
    while (b->n % 64 != 63) sb_add(b, " ", 1);
    sb_add(b, "\n", 1);
    size_t length = b->n - 10;
    b->s[8] = (char)(length & 0xff);
    b->s[9] = (char)(length >> 8);
}

static bool is_raw(const char *path) {
    size_t n = strlen(path);
    return n >= 4 && strcmp(path + n - 4, ".bin") == 0;
}

bool npy_write(const char *path, DType t, int ndim, const uint64_t *shape, const void *data, Loc loc, Diag *d) {
    StrBuf head = {0};
    size_t n = dtype_size(t);
    for (int i = 0; i < ndim; i++) n *= shape[i];
    if (!is_raw(path)) build_header(&head, t, ndim, shape);
    bool ok = write_file(path, &head, data, n, loc, d);
    sb_free(&head);
    return ok;
}

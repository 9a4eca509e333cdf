/* Data in and out of a run: fills of tiles and buffers, dumps, prints, expectations. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/read/npy.h"
#include "isa/lower/indexed.h"
#include "isa/run/fill.h"
#include "isa/run/interp_internal.h"

Rect tile_rect(Interp *in, const Tile *t) {
    int64_t es = tile_esize(t);
    bool inside = t->addr >= 0 && (uint64_t)t->addr + tile_bytes(t) <= in->machine->ub_size;
    return (Rect){inside ? in->machine->ub + t->addr : NULL, t->type.dtype, t->vrows, t->vcols, (int64_t)tile_row_stride(t) * es,
                  (int64_t)tile_col_stride(t) * es, false};
}

static uint8_t *rect_at(const Rect *r, uint64_t i) {
    return r->mem + (int64_t)(i / r->cols) * r->row_step + (int64_t)(i % r->cols) * r->col_step;
}

static uint64_t rect_count(const Rect *r) { return (uint64_t)r->rows * r->cols; }

/* bf16 is stored as its 16 bits; signless integers fit both signs. */
static bool types_match(DType file, DType want) {
    if (file == want) return true;
    if (want == DT_BF16) return file == DT_U16;
    return !dtype_is_float(file) && !dtype_is_float(want) && dtype_size(file) == dtype_size(want);
}

static bool shape_matches(const NpyArray *a, const Rect *r) {
    if (a->count != rect_count(r)) return false;
    if (r->shapeless) return true;
    if (a->ndim <= 1) return r->rows == 1 || r->cols == 1 || a->count == 0;
    uint64_t rows = 1;
    for (int k = 0; k + 1 < a->ndim; k++) rows *= a->shape[k];
    return a->shape[a->ndim - 1] == r->cols && rows == r->rows;
}

static const char *shape_text(const NpyArray *a, char *buf, size_t n) {
    size_t at = 0;
    buf[0] = 0;
    for (int k = 0; k < a->ndim && at < n; k++) at += (size_t)snprintf(buf + at, n - at, k ? "x%" PRIu64 : "%" PRIu64, a->shape[k]);
    return a->ndim ? buf : "a scalar";
}

/* The elements of a file that must look like the rectangle. */
static bool load_like(Interp *in, const char *path, const Rect *r, bool any_shape, const char *what, Loc loc, NpyArray *a) {
    memset(a, 0, sizeof *a);
    size_t len = strlen(path);
    if (len > 4 && strcmp(path + len - 4, ".bin") == 0) {
        size_t n;
        if (!file_read(path, &a->data, &n, loc, in->diag)) return false;
        a->count = rect_count(r);
        if (n == a->count * dtype_size(r->dtype)) return true;
        diag(in->diag, DIAG_ARG, loc, "%s: %s needs %" PRIu64 " bytes (%ux%u %s), the file has %zu", path, what, a->count * dtype_size(r->dtype), r->rows, r->cols,
             dtype_name(r->dtype), n);
        npy_free(a);
        return false;
    }
    if (!npy_read(path, a, loc, in->diag)) return false;
    if (types_match(a->dtype, r->dtype) && (any_shape ? a->count == rect_count(r) : shape_matches(a, r))) return true;
    char shape[128];
    diag(in->diag, DIAG_ARG, loc, "%s: %s needs %ux%u %s, the file holds %s %s", path, what, r->rows, r->cols, dtype_name(r->dtype),
         shape_text(a, shape, sizeof shape), dtype_name(a->dtype));
    npy_free(a);
    return false;
}

static void copy_elements(const Rect *r, const uint8_t *data) {
    unsigned size = dtype_size(r->dtype);
    for (uint64_t i = 0, n = rect_count(r); i < n; i++) memcpy(rect_at(r, i), data + i * size, size);
}

static bool fill_values(Interp *in, const Fill *f, const Rect *r, const char *what, Loc loc) {
    const char *s = f->values;
    size_t left = f->values_len;
    uint64_t n = rect_count(r), i = 0;
    for (; left || i == 0; i++) {
        const char *comma = memchr(s, ',', left);
        size_t len = comma ? (size_t)(comma - s) : left;
        uint64_t bits;
        if (!number_bits(s, len, r->dtype, &bits)) {
            diag(in->diag, DIAG_ARG, loc, "values: expected a number of type %s, found '%.*s'", dtype_name(r->dtype), (int)len, s);
            return false;
        }
        if (i < n) dtype_store(r->dtype, rect_at(r, i), bits);
        s += len + (comma != NULL);
        left -= len + (comma != NULL);
        if (!comma) {
            i++;
            break;
        }
    }
    if (i == n) return true;
    diag(in->diag, DIAG_ARG, loc, "%s needs %" PRIu64 " values (%ux%u), found %" PRIu64, what, n, r->rows, r->cols, i);
    return false;
}

/* `npusim check` goes on without data files that are not there. */
static bool absent(Interp *in, const char *path) { return in->o->check_only && access(path, R_OK) != 0; }

static bool fill_with(Interp *in, const Fill *f, const Rect *r, uint64_t first, const char *what, Loc loc) {
    if (f->kind == FILL_FILE) {
        NpyArray a;
        if (absent(in, f->path)) {
            for (uint64_t i = 0, n = rect_count(r); i < n; i++) dtype_store(r->dtype, rect_at(r, i), 0);
            return true;
        }
        if (!load_like(in, f->path, r, false, what, loc, &a)) return false;
        copy_elements(r, a.data);
        npy_free(&a);
        return true;
    }
    if (f->kind == FILL_VALUES) return fill_values(in, f, r, what, loc);
    if (f->dtype != DT_NONE && (f->dtype != r->dtype)) {
        diag(in->diag, DIAG_ARG, loc, "%s is of type %s, the fill of %s", what, dtype_name(r->dtype), dtype_name(f->dtype));
        return false;
    }
    for (uint64_t i = 0, n = rect_count(r); i < n; i++) dtype_store(r->dtype, rect_at(r, i), fill_bits(f, r->dtype, first + i));
    return true;
}

/* Two random fills that name no seed hold different values. */
static uint64_t seed_of(const Interp *in, const char *name) {
    uint64_t h = in->o->seed;
    for (; *name; name++) h = h * 31 + (unsigned char)*name;
    return h;
}

bool fill_rect(Interp *in, const Binding *b, Rect r, const char *what) {
    Fill f;
    if (!fill_parse(b->spec, b->dir, seed_of(in, b->name), &f, b->loc, in->diag)) return false;
    return !r.mem || fill_with(in, &f, &r, 0, what, b->loc);
}

/* ---- arguments ---- */

static bool bind_file(Interp *in, const Binding *b, const char *path, uint32_t id) {
    Buffer *x = &in->buffer[id];
    NpyArray a = {0};
    size_t n, len = strlen(path);
    x->open = absent(in, path);
    if (x->open) return true;
    if (len > 4 && strcmp(path + len - 4, ".bin") == 0) {
        if (!file_read(path, &in->gm[id].data, &n, b->loc, in->diag)) return false;
        in->gm[id].size = n;
        x->ndim = 1;
        x->shape[0] = n / dtype_size(x->dtype);
        return true;
    }
    if (!npy_read(path, &a, b->loc, in->diag)) return false;
    if (!types_match(a.dtype, x->dtype)) {
        diag(in->diag, DIAG_ARG, b->loc, "argument %s is a pointer to %s, %s holds %s", x->name, dtype_name(x->dtype), path, dtype_name(a.dtype));
        npy_free(&a);
        return false;
    }
    x->ndim = a.ndim;
    memcpy(x->shape, a.shape, sizeof x->shape);
    in->gm[id].data = a.data;
    in->gm[id].size = a.count * dtype_size(a.dtype);
    return true;
}

void fill_random(Interp *in, uint32_t id, uint64_t from) {
    const Buffer *x = &in->buffer[id];
    unsigned es = dtype_size(x->dtype);
    Fill f = {.kind = FILL_RANDOM, .a = -8, .b = 8, .seed = x->seed};
    for (uint64_t i = from / es, n = in->gm[id].size / es; i < n; i++) dtype_store(x->dtype, in->gm[id].data + i * es, fill_bits(&f, x->dtype, i));
}

bool bind_array(Interp *in, const Binding *b, uint32_t id) {
    Buffer *x = &in->buffer[id];
    Fill f;
    if (!fill_parse(b->spec, b->dir, x->seed, &f, b->loc, in->diag)) return false;
    if (f.kind == FILL_FILE) return bind_file(in, b, f.path, id);
    if (f.dtype == DT_NONE) {
        diag(in->diag, DIAG_ARG, b->loc, "argument %s: expected a shape in the fill, e.g. zeros(32x32x%s)", x->name, dtype_name(x->dtype));
        return false;
    }
    unsigned es = dtype_size(x->dtype);
    uint64_t n = 1;
    for (int k = 0; k < f.ndim; k++) {
        x->shape[k] = f.shape[k];
        if (__builtin_mul_overflow(n, f.shape[k], &n)) n = UINT64_MAX;
    }
    if (n > FILE_MOST / es) {
        diag(in->diag, DIAG_ARG, b->loc, "argument %s: expected an array of at most %llu bytes, found %s", x->name, FILE_MOST, b->spec);
        return false;
    }
    x->ndim = f.ndim;
    in->gm[id].data = xcalloc(n ? n : 1, es);
    in->gm[id].size = n * es;
    Rect r = {in->gm[id].data, x->dtype, 1, (uint32_t)n, 0, es, false};
    return fill_with(in, &f, &r, 0, x->name, b->loc);
}

bool bind_scalar(Interp *in, const Binding *b, DType t, uint64_t *bits) {
    if (number_bits(b->spec, strlen(b->spec), t, bits)) return true;
    diag(in->diag, DIAG_ARG, b->loc, "argument %s: expected a number of type %s, found %s", b->name, dtype_name(t), b->spec);
    return false;
}

/* ---- after the run ---- */

/* A buffer with its shape; one that nothing bound has the shape of its views. */
static bool buffer_rect(Interp *in, uint32_t id, Loc loc, Rect *r, int *ndim, uint64_t shape[8]) {
    Buffer *x = &in->buffer[id];
    unsigned es = dtype_size(x->dtype);
    if (x->open && x->view_rank > 0) {
        uint64_t n = 1, first = 0;
        for (int k = 0; k < x->view_rank; k++) n *= (uint64_t)x->view[k];
        if (!buffer_reach(in, id, n * es, loc)) return false;
        while (x->view_rank - (int)first > 2 && x->view[first] == 1) first++;
        x->ndim = in->gm[id].size == n * es ? x->view_rank - (int)first : 0;
        for (int k = 0; k < x->ndim; k++) x->shape[k] = (uint64_t)x->view[first + (uint64_t)k];
    }
    uint64_t n = in->gm[id].size / es;
    *r = (Rect){in->gm[id].data, x->dtype, 1, (uint32_t)n, 0, es, x->ndim == 0};
    *ndim = x->ndim ? x->ndim : 1;
    if (x->ndim) memcpy(shape, x->shape, sizeof x->shape);
    else shape[0] = n;
    if (n) { /* rows as numpy prints them */
        r->cols = (uint32_t)shape[*ndim - 1];
        r->rows = r->cols ? (uint32_t)(n / r->cols) : 0;
        r->row_step = (int64_t)r->cols * r->col_step;
    }
    return true;
}

/* What a name means now: a tile's valid region or a whole buffer. */
static bool find_rect(Interp *in, const Binding *b, Rect *r, int *ndim, uint64_t shape[8]) {
    uint32_t name = names_intern(in->names, b->name, strlen(b->name));
    Frame *f = in->nframe ? &in->frame[0] : NULL;
    if (f && name < f->n && f->v[name].kind == VAL_TILE) {
        Tile *t = f->v[name].tile;
        *r = tile_rect(in, t);
        *ndim = 2;
        shape[0] = t->vrows;
        shape[1] = t->vcols;
        if (!r->mem) diag(in->diag, DIAG_UB_OOB, b->loc, "%s lies outside of the unified buffer of %u bytes, there is nothing to look at", t->name, in->machine->ub_size);
        return r->mem != NULL;
    }
    for (uint32_t i = 0; !b->tile && i < in->nbuffer; i++)
        if (strcmp(in->buffer[i].name, b->name) == 0) return buffer_rect(in, i, b->loc, r, ndim, shape);
    diag(in->diag, DIAG_NAME, b->loc, "%s%s: the run has no such %s", b->tile ? "%" : "", b->name, b->tile ? "tile" : "tile or argument");
    return false;
}

static bool names_tile(Interp *in, const Binding *b) {
    uint32_t name = names_intern(in->names, b->name, strlen(b->name));
    return in->nframe && name < in->frame[0].n && in->frame[0].v[name].kind == VAL_TILE;
}

static void dump(Interp *in, const Binding *b) {
    Rect r;
    int ndim;
    uint64_t shape[8];
    Fill f;
    if (in->o->several && names_tile(in, b)) {
        diag(in->diag, DIAG_USAGE, b->loc, "dump %%%s: every block has a tile of its own\nchoose one with --block", b->name);
        return;
    }
    if (!find_rect(in, b, &r, &ndim, shape)) return;
    if (!fill_is_file(b->spec)) {
        diag(in->diag, DIAG_USAGE, b->loc, "dump %s: expected a file ending in .npy or .bin, found %s", b->name, b->spec);
        return;
    }
    if (!fill_parse(b->spec, b->dir, 0, &f, b->loc, in->diag)) return;
    unsigned size = dtype_size(r.dtype);
    uint64_t n = rect_count(&r);
    uint8_t *dense = xcalloc(n ? n : 1, size);
    for (uint64_t i = 0; i < n; i++) memcpy(dense + i * size, rect_at(&r, i), size);
    npy_write(f.path, r.dtype, ndim, shape, dense, b->loc, in->diag);
    free(dense);
}

/* The rows and columns of a file that holds a buffer whose shape nothing gave. */
static void take_shape(Rect *r, const NpyArray *a) {
    if (a->ndim < 2 || a->count != rect_count(r) || !a->count) return;
    r->cols = (uint32_t)a->shape[a->ndim - 1];
    r->rows = (uint32_t)(a->count / r->cols);
    r->row_step = (int64_t)r->cols * r->col_step;
}

typedef struct Tolerance {
    double atol, rtol;
    int64_t ulp;
    bool exact;
} Tolerance;

static bool parse_tolerance(Interp *in, const Binding *b, Tolerance *t) {
    const char *s = b->tolerance ? b->tolerance : "exact";
    *t = (Tolerance){.exact = true};
    while (*s) {
        char *end = NULL;
        size_t word = strcspn(s, " ,\t");
        if (!word) {
            s++;
            continue;
        }
        if (strncmp(s, "exact", word) == 0 && word == 5) t->exact = true;
        else if (strncmp(s, "atol=", 5) == 0) t->atol = strtod(s + 5, &end);
        else if (strncmp(s, "rtol=", 5) == 0) t->rtol = strtod(s + 5, &end);
        else if (strncmp(s, "ulp=", 4) == 0) t->ulp = strtoll(s + 4, &end, 10);
        else word = 0;
        if (!word || (end && (end != s + word || end[-1] == '=')) || !(t->atol >= 0 && t->rtol >= 0 && t->ulp >= 0)) {
            diag(in->diag, DIAG_USAGE, b->loc, "expected exact, atol=.., rtol=.. or ulp=.. with a number that is not negative, found %s", s);
            return false;
        }
        if (end) t->exact = false;
        s += word;
    }
    return true;
}

static bool within(const Tolerance *tol, DType t, uint64_t got, uint64_t want) {
    if (got == want) return true;
    bool is_float = dtype_is_float(t);
    if (is_float && dtype_is_nan(t, got) && dtype_is_nan(t, want)) return true;
    if (tol->exact || (is_float && (dtype_is_nan(t, got) || dtype_is_nan(t, want)))) return false;
    if (tol->ulp) {
        int64_t a = is_float ? dtype_order_key(t, got) : dtype_to_int(t, got), b = is_float ? dtype_order_key(t, want) : dtype_to_int(t, want);
        uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a; /* of two i64: up to 2^64 - 1 */
        if (apart <= (uint64_t)tol->ulp) return true;
    }
    double x = dtype_to_double(t, got), y = dtype_to_double(t, want);
    return fabs(x - y) <= tol->atol + tol->rtol * fabs(y);
}

static void number_text(DType t, uint64_t bits, char *buf, size_t n) {
    if (dtype_is_float(t)) snprintf(buf, n, t == DT_F32 ? "%.9g" : "%.5g", dtype_to_double(t, bits));
    else if (dtype_is_signed(t)) snprintf(buf, n, "%" PRId64, dtype_to_int(t, bits));
    else snprintf(buf, n, "%" PRIu64, bits);
}

enum { SHOWN_MISMATCHES = 4 };

static void compare(Interp *in, const Binding *b, const Rect *r, const uint8_t *want, const Tolerance *tol) {
    uint64_t n = rect_count(r), bad = 0;
    unsigned size = dtype_size(r->dtype);
    StrBuf text = {0};
    for (uint64_t i = 0; i < n; i++) {
        uint64_t got = dtype_load(r->dtype, rect_at(r, i)), exp = dtype_load(r->dtype, want + i * size);
        if (within(tol, r->dtype, got, exp)) continue;
        if (bad++ >= SHOWN_MISMATCHES) continue;
        char g[40], e[40];
        number_text(r->dtype, got, g, sizeof g);
        number_text(r->dtype, exp, e, sizeof e);
        sb_printf(&text, "%s[%" PRIu64 ", %" PRIu64 "] is %s, expected %s", bad > 1 ? "; " : "", i / r->cols, i % r->cols, g, e);
    }
    if (bad)
        diag(in->diag, DIAG_EXPECT, b->loc, "%s%s: %" PRIu64 " of %" PRIu64 " values differ: %s%s", b->tile ? "%" : "", b->name, bad, n, text.s,
             bad > SHOWN_MISMATCHES ? "; ..." : "");
    sb_free(&text);
}

static void expect(Interp *in, const Binding *b) {
    Rect r;
    int ndim;
    uint64_t shape[8];
    Fill f;
    Tolerance tol;
    if (!find_rect(in, b, &r, &ndim, shape) || !parse_tolerance(in, b, &tol)) return;
    if (!fill_parse(b->spec, b->dir, in->o->seed, &f, b->loc, in->diag)) return;
    if (f.kind == FILL_FILE) {
        NpyArray a;
        bool flat = ndim == 1; /* a buffer that nothing bound, or an array of rank 1 */
        if (!load_like(in, f.path, &r, flat, b->name, b->loc, &a)) return;
        if (flat) take_shape(&r, &a);
        compare(in, b, &r, a.data, &tol);
        npy_free(&a);
        return;
    }
    unsigned size = dtype_size(r.dtype);
    uint8_t *want = xcalloc(rect_count(&r) + 1, size);
    Rect w = {want, r.dtype, r.rows, r.cols, (int64_t)r.cols * size, size, false};
    if (fill_with(in, &f, &w, 0, b->name, b->loc)) compare(in, b, &r, want, &tol);
    free(want);
}

/* First and last three of each long dimension, as numpy does, or all. */
static void print_row(const Rect *r, uint32_t row, bool all, StrBuf *out) {
    sb_puts(out, "[");
    for (uint32_t c = 0; c < r->cols; c++) {
        if (!all && r->cols > 8 && c == 3) {
            sb_puts(out, " ...");
            c = r->cols - 3;
        }
        char v[40];
        number_text(r->dtype, dtype_load(r->dtype, rect_at(r, (uint64_t)row * r->cols + c)), v, sizeof v);
        sb_printf(out, c ? " %s" : "%s", v);
    }
    sb_puts(out, "]");
}

static void print_rect(const char *sign, const char *name, const Rect *r, bool all, StrBuf *out) {
    sb_printf(out, "%s%s: %ux%u %s\n", sign, name, r->rows, r->cols, dtype_name(r->dtype));
    for (uint32_t row = 0; row < r->rows; row++) {
        if (!all && r->rows > 8 && row == 3) {
            sb_puts(out, " ...\n");
            row = r->rows - 3;
        }
        sb_puts(out, row ? " " : "[");
        print_row(r, row, all, out);
        sb_puts(out, row + 1 < r->rows ? "\n" : "]\n");
    }
    if (!r->rows) sb_puts(out, "[]\n");
}

static void print_values(Interp *in, const Binding *b, StrBuf *out) {
    Rect r;
    int ndim;
    uint64_t shape[8];
    if (find_rect(in, b, &r, &ndim, shape)) print_rect(b->tile ? "%" : "", b->name, &r, false, out);
}

/* Leading dimensions are stacked on the rows. */
static void print_view(Interp *in, const GmView *v) {
    unsigned size = dtype_size(v->dtype);
    int64_t n = view_elements(v), cols = table_cols(v);
    const GmBuffer *g = &in->machine->gm[v->buffer];
    uint8_t *copy = xcalloc((size_t)n, size);
    for (int64_t k = 0; k < n; k++) {
        uint64_t at = (uint64_t)view_element(v, k) * size;
        if (at + size <= g->size) memcpy(copy + k * size, g->data + at, size);
    }
    Rect r = {.mem = copy, .dtype = v->dtype, .rows = (uint32_t)stacked_rows(v), .cols = (uint32_t)cols, .row_step = cols * size, .col_step = size};
    print_rect("", v->name, &r, true, &in->printed);
    free(copy);
}

void print_operand(Interp *in, const Instr *i) {
    if (!i->nin) {
        print_view(in, &i->gm);
        return;
    }
    Rect r = tile_rect(in, i->in[0]);
    if (r.mem) print_rect("", i->in[0]->name, &r, true, &in->printed);
}

/* A binding that the command line repeats wins over the directive of the same name. */
static bool overridden(const BindingList *l, int i) {
    for (int k = 0; k < i; k++)
        if (strcmp(l->v[k].name, l->v[i].name) == 0) return true;
    return false;
}

/* "x, y, rows": the arguments of the entry function. */
static void argument_list(Interp *in, StrBuf *out) {
    const Func *f = in->nframe ? in->frame[0].func : NULL;
    for (int i = 0; f && i < f->nargs; i++) sb_printf(out, i ? ", %s" : "%s", names_text(in->names, f->args[i].name));
    if (!out->n) sb_puts(out, "none");
}

static void report_unused(Interp *in) {
    StrBuf known = {0};
    argument_list(in, &known);
    for (int i = 0; i < in->args.n; i++)
        if (!in->args.v[i].used && !overridden(&in->args, i))
            diag(in->diag, DIAG_NAME, in->args.v[i].loc, "%s: the trace has no such argument\nits arguments are: %s", in->args.v[i].name, known.s);
    for (int i = 0; i < in->inits.n; i++)
        if (!in->inits.v[i].used && !overridden(&in->inits, i))
            diag(in->diag, DIAG_NAME, in->inits.v[i].loc, "%s%s: the trace has no such tile", in->inits.v[i].tile ? "%" : "", in->inits.v[i].name);
    sb_free(&known);
}

/* Expectations, dumps and prints of tiles, of buffers, or of both. */
static void look(Interp *in, bool tiles, bool buffers, StrBuf *out) {
    for (int i = 0; i < in->expects.n; i++)
        if (names_tile(in, &in->expects.v[i]) ? tiles : buffers) expect(in, &in->expects.v[i]);
    for (int i = 0; i < in->dumps.n; i++)
        if (names_tile(in, &in->dumps.v[i]) ? tiles : buffers) dump(in, &in->dumps.v[i]);
    for (int i = 0; i < in->prints.n; i++)
        if (names_tile(in, &in->prints.v[i]) ? tiles : buffers) print_values(in, &in->prints.v[i], out);
}

static bool values_wanted(const Interp *in) { return !in->o->check_only && in->o->results && !in->stopped; }

void interp_finish(Interp *in, StrBuf *out) {
    report_flags_left(in);
    if (!in->stopped) report_unused(in);
    if (!in->o->check_only && !in->o->results && in->expects.n + in->dumps.n + in->prints.n)
        diag_sev(in->diag, DIAG_USAGE, SEV_NOTE, (Loc){in->path, 0, 0}, "--results off: no values were computed; expectations, dumps and prints are left out");
    if (in->printed.s && !in->o->check_only) sb_puts(out, in->printed.s);
    if (values_wanted(in)) look(in, true, !in->o->several, out); /* values after an instruction that was not executed mean nothing */
}

static const char *buffer_name(void *in, uint32_t k) { return ((Interp *)in)->buffer[k].name; }

void interp_finish_memory(Interp *in, StrBuf *out) {
    if (in->mem->races) races_report(in->mem->races, buffer_name, in, in->diag);
    if (values_wanted(in)) look(in, false, true, out);
}

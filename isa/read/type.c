#include "isa/read/type.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of a type's text that is being read. */
typedef struct Cursor {
    const char *start, *p, *end;
    TypeError *e;
} Cursor;

typedef struct Word {
    const char *s;
    size_t n;
} Word;

typedef struct Choice {
    const char *name;
    int value;
} Choice;

static const Choice locations[] = {{"vec", LOC_VEC}, {"mat", LOC_MAT}, {"left", LOC_LEFT}, {"right", LOC_RIGHT},
                                   {"acc", LOC_ACC}, {"bias", LOC_BIAS}, {"scaling", LOC_SCALING}, {"ub", LOC_VEC}, {0}};
static const Choice blayouts[] = {{"row_major", ROW_MAJOR}, {"col_major", COL_MAJOR},
                                  {"RowMajor", ROW_MAJOR}, {"ColMajor", COL_MAJOR}, {0}};
static const Choice slayouts[] = {{"none_box", NONE_BOX}, {"row_major", BOX_ROW_MAJOR},
                                  {"col_major", BOX_COL_MAJOR}, {"NoneBox", NONE_BOX}, {0}};
static const Choice fractals[] = {{"32", 32}, {"512", 512}, {"1024", 1024}, {0}};
static const Choice pads[] = {{"0", PAD_NULL}, {"1", PAD_ZERO}, {"2", PAD_MAX}, {"3", PAD_MIN}, {"null", PAD_NULL},
                              {"zero", PAD_ZERO}, {"max", PAD_MAX}, {"min", PAD_MIN}, {"Null", PAD_NULL},
                              {"None", PAD_NULL}, {"Zero", PAD_ZERO}, {"Max", PAD_MAX}, {"Min", PAD_MIN}, {0}};
static const Choice compacts[] = {{"0", 0}, {"1", 1}, {"2", 2}, {"null", 0}, {"normal", 1}, {"row_plus_one", 2}, {0}};
static const Choice spaces[] = {{"gm", 0}, {"ub", 1}, {"vec", 1}, {0}};

static bool fail_at(Cursor *c, const char *at, const char *expected, Word found) {
    c->e->at = (size_t)(at - c->start);
    if (found.n == 0 && at < c->end) found = (Word){at, 1};
    if (found.n == 0) snprintf(c->e->text, sizeof c->e->text, "expected %s, found the end of the type", expected);
    else snprintf(c->e->text, sizeof c->e->text, "expected %s, found '%.*s'", expected, found.n > 40 ? 40 : (int)found.n,
                  found.s);
    return false;
}

static bool wrong(Cursor *c, const char *at, const char *text) {
    c->e->at = (size_t)(at - c->start);
    snprintf(c->e->text, sizeof c->e->text, "%s", text);
    return false;
}

static void skip_blank(Cursor *c) {
    for (; c->p < c->end; c->p++) {
        if (*c->p == '/' && c->p + 1 < c->end && c->p[1] == '/')
            while (c->p + 1 < c->end && *c->p != '\n') c->p++;
        if (!strchr(" \t\r\n", *c->p) || !*c->p) return;
    }
}

static bool accept(Cursor *c, char want) {
    skip_blank(c);
    if (c->p == c->end || *c->p != want) return false;
    c->p++;
    return true;
}

static bool expect(Cursor *c, char want, const char *expected) {
    return accept(c, want) || fail_at(c, c->p, expected, (Word){0});
}

static bool in_word(char ch) {
    return (ch | 32) - 'a' + 0u < 26u || ch - '0' + 0u < 10u || (ch && strchr("_.?-+", ch));
}

static Word word(Cursor *c) {
    skip_blank(c);
    Word w = {c->p, 0};
    while (c->p < c->end && in_word(*c->p)) c->p++;
    w.n = (size_t)(c->p - w.s);
    return w;
}

static bool is(Word w, const char *s) { return w.n == strlen(s) && memcmp(w.s, s, w.n) == 0; }

static bool choose(Word w, const Choice *c, int *out) {
    for (; c->name; c++)
        if (is(w, c->name)) {
            *out = c->value;
            return true;
        }
    return false;
}

/* Digits only, at most INT32_MAX. */
static bool number(Word w, int64_t *out) {
    if (w.n == 0 || w.n > 10) return false;
    int64_t v = 0;
    for (size_t i = 0; i < w.n; i++) {
        if (w.s[i] - '0' + 0u >= 10u) return false;
        v = v * 10 + (w.s[i] - '0');
    }
    *out = v;
    return v <= INT32_MAX;
}

static bool element(Cursor *c, Word w, DType *out) {
    *out = dtype_parse(w.s, w.n);
    if (*out == DT_NONE && w.n) snprintf(c->e->unknown, sizeof c->e->unknown, "element type %.*s", w.n > 40 ? 40 : (int)w.n, w.s);
    return *out != DT_NONE || fail_at(c, w.s, "an element type (f32, f16, bf16, i8 to i64, ui8 to ui64)", w);
}

/* One dimension: a number, or ? or -1. */
static bool dimension(Word w, int64_t *out) {
    if (!is(w, "?") && !is(w, "-1")) return number(w, out);
    *out = -1;
    return true;
}

/* 16x?x256xf32: dimensions and, if dtype is asked for, the element type behind the last x. */
static bool shape(Cursor *c, Word w, int max, int64_t *dim, int *rank, DType *dtype) {
    const char *end = w.s + w.n;
    for (*rank = 0;;) {
        const char *x = memchr(w.s, 'x', (size_t)(end - w.s));
        Word part = {w.s, (size_t)((x ? x : end) - w.s)};
        int64_t v;
        if (!dimension(part, &v)) {
            if (dtype && *rank > 0) return element(c, (Word){w.s, (size_t)(end - w.s)}, dtype);
            return fail_at(c, w.s, "a dimension (a number or ?)", part);
        }
        if (*rank == max) return fail_at(c, w.s, max == 2 ? "2 dimensions" : "at most 5 dimensions", part);
        dim[(*rank)++] = v;
        if (!x) return !dtype || fail_at(c, end, "'x' and an element type", (Word){0});
        w.s = x + 1;
    }
}

typedef enum Key {
    K_LOC, K_DTYPE, K_ROWS, K_COLS, K_VROW, K_VCOL, K_VALID, K_BLAYOUT, K_SLAYOUT, K_FRACTAL, K_PAD, K_COMPACT, K_COUNT
} Key;
static const char *const key_name[] = {"loc", "dtype", "rows", "cols", "v_row", "v_col", "valid",
                                       "blayout", "slayout", "fractal", "pad", "compact", "count", NULL};

typedef struct Draft {
    TileType t;
    unsigned seen; /* bit per key */
    int64_t count;
} Draft;

static bool first_time(Cursor *c, Draft *d, Key k, const char *at) {
    char text[64];
    snprintf(text, sizeof text, "'%s' is given twice", key_name[k]);
    if (d->seen & 1u << k) return wrong(c, at, text);
    d->seen |= 1u << k;
    return true;
}

static bool size_value(Cursor *c, Word w, uint32_t *out) {
    int64_t v;
    if (!number(w, &v) || v == 0) return fail_at(c, w.s, "a positive number", w);
    *out = (uint32_t)v;
    return true;
}

static bool valid_value(Cursor *c, Word w, int32_t *out) {
    int64_t v;
    if (!dimension(w, &v)) return fail_at(c, w.s, "a number, ? or -1", w);
    *out = v < 0 ? VALID_DYN : (int32_t)v;
    return true;
}

static bool valid_pair(Cursor *c, Draft *d, Word w) {
    int64_t dim[2];
    int rank;
    if (!shape(c, w, 2, dim, &rank, NULL)) return false;
    if (rank != 2) return fail_at(c, w.s, "valid rows x valid columns", w);
    d->t.vrows = (int32_t)dim[0];
    d->t.vcols = (int32_t)dim[1];
    d->seen |= 1u << K_VROW | 1u << K_VCOL;
    return true;
}

static bool choice(Cursor *c, Word w, const Choice *from, const char *expected, int *out) {
    return choose(w, from, out) || fail_at(c, w.s, expected, w);
}

static bool set_key(Cursor *c, Draft *d, Key k, Word w) {
    int v = 0;
    bool ok = true;
    switch (k) {
    case K_LOC:
        ok = choice(c, w, locations, "a location (vec, mat, left, right, acc, bias, scaling)", &v);
        d->t.loc = (TileLoc)v;
        break;
    case K_DTYPE: return element(c, w, &d->t.dtype);
    case K_ROWS: return size_value(c, w, &d->t.rows);
    case K_COLS: return size_value(c, w, &d->t.cols);
    case K_VROW: return valid_value(c, w, &d->t.vrows);
    case K_VCOL: return valid_value(c, w, &d->t.vcols);
    case K_VALID: return valid_pair(c, d, w);
    case K_BLAYOUT:
        ok = choice(c, w, blayouts, "row_major or col_major", &v);
        d->t.blayout = (BLayout)v;
        break;
    case K_SLAYOUT:
        ok = choice(c, w, slayouts, "none_box, row_major or col_major", &v);
        d->t.slayout = (SLayout)v;
        break;
    case K_FRACTAL: return choice(c, w, fractals, "32, 512 or 1024", &d->t.fractal);
    case K_PAD:
        ok = choice(c, w, pads, "0 (null), 1 (zero), 2 (max) or 3 (min)", &v);
        d->t.pad = (TilePad)v;
        break;
    case K_COMPACT: return choice(c, w, compacts, "0 (null), 1 (normal) or 2 (row_plus_one)", &d->t.compact);
    case K_COUNT:
        ok = number(w, &d->count) && d->count >= 2 && d->count <= 16;
        return ok || fail_at(c, w.s, "a count from 2 to 16", w);
    }
    return ok;
}

static bool key_value(Cursor *c, Draft *d, Word key, bool multi) {
    int k = 0;
    while (key_name[k] && !is(key, key_name[k])) k++;
    if (!key_name[k] || (k == K_COUNT && !multi))
        return fail_at(c, key.s, "loc, dtype, rows, cols, v_row, v_col, valid, blayout, slayout, fractal, pad or compact",
                       key);
    return first_time(c, d, (Key)k, key.s) && set_key(c, d, (Key)k, word(c));
}

static bool tile_shape(Cursor *c, Draft *d, Word w) {
    int64_t dim[2];
    int rank;
    if (!first_time(c, d, K_ROWS, w.s) || !first_time(c, d, K_COLS, w.s) || !first_time(c, d, K_DTYPE, w.s)) return false;
    if (!shape(c, w, 2, dim, &rank, &d->t.dtype)) return false;
    if (rank != 2 || dim[0] < 1 || dim[1] < 1) return fail_at(c, w.s, "positive rows x columns x element type", w);
    d->t.rows = (uint32_t)dim[0];
    d->t.cols = (uint32_t)dim[1];
    return true;
}

/* `vec`, `16x256xf32`, `f32`, `16`: what an item without a key means follows from its look and from
 * what is still missing. */
static bool positional(Cursor *c, Draft *d, Word w) {
    static const Key sizes[] = {K_ROWS, K_COLS, K_VROW, K_VCOL};
    int ignored;
    Key k;
    if (w.n && w.s[0] - '0' + 0u < 10u && memchr(w.s, 'x', w.n)) return tile_shape(c, d, w);
    if (w.n && (w.s[0] - '0' + 0u < 10u || w.s[0] == '?' || w.s[0] == '-')) {
        int i = 0;
        while (i < 3 && d->seen & 1u << sizes[i]) i++;
        k = sizes[i];
    } else if (choose(w, locations, &ignored)) k = K_LOC;
    else if (dtype_parse(w.s, w.n) != DT_NONE) k = K_DTYPE;
    else if (choose(w, blayouts, &ignored)) k = K_BLAYOUT;
    else if (choose(w, slayouts, &ignored)) k = K_SLAYOUT;
    else if (choose(w, pads, &ignored)) {
        if (is(w, "None") && d->seen & 1u << K_SLAYOUT) return true; /* fractal "None" of one document */
        k = K_PAD;
    } else return fail_at(c, w.s, "a location, a shape like 16x256xf32 or key=value", w);
    return first_time(c, d, k, w.s) && set_key(c, d, k, w);
}

static bool check_tile(Cursor *c, Draft *d, const char *at) {
    static const Key needed[] = {K_DTYPE, K_ROWS, K_COLS};
    char text[96];
    for (int i = 0; i < 3; i++)
        if (!(d->seen & 1u << needed[i])) {
            snprintf(text, sizeof text, "tile type without '%s'", key_name[needed[i]]);
            return wrong(c, at, text);
        }
    if (!(d->seen & 1u << K_VROW)) d->t.vrows = (int32_t)d->t.rows;
    if (!(d->seen & 1u << K_VCOL)) d->t.vcols = (int32_t)d->t.cols;
    snprintf(text, sizeof text, "valid region %dx%d is larger than the tile, %ux%u", d->t.vrows, d->t.vcols, d->t.rows,
             d->t.cols);
    return ((int64_t)d->t.vrows <= d->t.rows && (int64_t)d->t.vcols <= d->t.cols) || wrong(c, at, text);
}

/* Items up to the closing >, which is consumed. */
static bool tile_body(Cursor *c, Draft *d, bool multi) {
    *d = (Draft){.t = {.fractal = 512}};
    const char *at;
    do {
        Word w = word(c);
        if (!(accept(c, '=') ? key_value(c, d, w, multi) : positional(c, d, w))) return false;
        skip_blank(c);
        at = c->p;
    } while (accept(c, ','));
    return expect(c, '>', "',' or '>'") && check_tile(c, d, at);
}

static bool parse_tile(Cursor *c, Type *out) {
    Draft d;
    if (!tile_body(c, &d, false)) return false;
    out->kind = TY_TILE;
    out->tile = d.t;
    out->dtype = d.t.dtype;
    return true;
}

static bool parse_multi(Cursor *c, Type *out) {
    Draft d = {0};
    skip_blank(c);
    if (c->p < c->end && *c->p == '!') {
        Type slot;
        Word name = (c->p++, word(c));
        if (!is(name, "pto.tile_buf")) return fail_at(c, name.s, "pto.tile_buf", name);
        if (!expect(c, '<', "'<'") || !parse_tile(c, &slot) || !expect(c, ',', "', count='")) return false;
        d.t = slot.tile;
        Word key = word(c);
        if (!is(key, "count")) return fail_at(c, key.s, "'count'", key);
        if (!expect(c, '=', "'='") || !set_key(c, &d, K_COUNT, word(c)) || !expect(c, '>', "'>'")) return false;
    } else {
        if (!tile_body(c, &d, true)) return false;
        if (!d.count) return wrong(c, c->p - 1, "multi-tile type without 'count'");
    }
    out->kind = TY_MULTI;
    out->tile = d.t;
    out->dtype = d.t.dtype;
    out->count = (int)d.count;
    return true;
}

/* `f32`, `f32, gm`, `f32, #pto.address_space<ub>` */
static bool parse_ptr(Cursor *c, Type *out) {
    out->kind = TY_PTR;
    int ub = 0;
    if (!element(c, word(c), &out->dtype)) return false;
    if (accept(c, ',')) {
        bool attr = accept(c, '#');
        if (attr && (word(c), !expect(c, '<', "'<'"))) return false;
        if (!choice(c, word(c), spaces, "a memory space (gm, ub)", &ub)) return false;
        if (attr && !expect(c, '>', "'>'")) return false;
    }
    out->ub = ub;
    return expect(c, '>', "',' or '>'");
}

static bool view_body(Cursor *c, Type *out, TypeKind kind) {
    out->kind = kind;
    return shape(c, word(c), 5, out->dim, &out->rank, &out->dtype) && expect(c, '>', "'>'");
}
static bool parse_view(Cursor *c, Type *out) { return view_body(c, out, TY_VIEW); }
static bool parse_part(Cursor *c, Type *out) { return view_body(c, out, TY_PART); }

/* The builtin vector<4xi16>: what tmrgsort counts with. */
static bool parse_vector(Cursor *c, Type *out) {
    Word w = word(c), name = {c->start, (size_t)(c->end - c->start)};
    if (!expect(c, '<', "'<'")) return false;
    w = word(c);
    if (!shape(c, w, 1, out->dim, &out->rank, &out->dtype) || !expect(c, '>', "'>'")) return false;
    out->kind = TY_VECTOR;
    bool fits = out->dim[0] > 0 && out->dim[0] <= 8 && out->dim[0] * dtype_size(out->dtype) == 8;
    return (fits && !dtype_is_float(out->dtype)) || fail_at(c, c->start, "a vector of integers, 64 bits in all", name);
}

static bool parse_none(Cursor *c, Type *out) {
    out->kind = TY_NONE;
    c->p = c->end;
    return true;
}

static const struct {
    const char *name;
    bool (*parse)(Cursor *, Type *);
} kinds[] = {
    {"pto.tile_buf", parse_tile}, {"pto.tile", parse_tile}, {"pto.multi_tile_buf", parse_multi}, {"pto.ptr", parse_ptr},
    {"pto.tensor_view", parse_view}, {"pto.partition_tensor_view", parse_part}, {"pto.event", parse_none},
};

static bool has_dots(const Cursor *c) {
    for (const char *p = c->p; p + 2 < c->end; p++)
        if (p[0] == '.' && p[1] == '.' && p[2] == '.') return true;
    return false;
}

static bool parse_named(Cursor *c, Type *out) {
    c->p++;
    Word name = word(c);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!is(name, kinds[i].name)) continue;
        if (has_dots(c)) return parse_none(c, out);
        if (!expect(c, '<', "'<'") || !kinds[i].parse(c, out)) return false;
        return c->p == c->end || fail_at(c, c->p, "the end of the type", (Word){0});
    }
    Word all = {c->start, (size_t)(name.s + name.n - c->start)};
    snprintf(c->e->unknown, sizeof c->e->unknown, "type %.*s", all.n > 40 ? 40 : (int)all.n, all.s);
    return fail_at(c, c->start, "a type (!pto.tile_buf, tile, multi_tile_buf, ptr, tensor_view, partition_tensor_view)",
                   all);
}

bool type_is_word(const char *s, size_t n) {
    Word w = {s, n};
    return is(w, "index") || is(w, "dtype") || dtype_parse(s, n) != DT_NONE;
}

bool type_parse(const char *s, size_t n, Type *out, TypeError *e) {
    Cursor c = {s, s, s + n, e};
    *out = (Type){0};
    e->unknown[0] = 0;
    if (n && *s == '!') return parse_named(&c, out);
    if (memchr(s, '<', n)) return parse_vector(&c, out);
    Word w = {s, n};
    if (is(w, "dtype")) return true;
    out->kind = TY_SCALAR;
    out->is_index = is(w, "index");
    if (out->is_index) out->dtype = DT_I64;
    return out->is_index || element(&c, w, &out->dtype);
}

struct Types {
    Names *spans;
    const Type **type; /* by id of the span; NULL: not parsed yet */
    uint32_t cap;
    Arena *arena;
};

Types *types_new(void) {
    Types *t = xcalloc(1, sizeof *t);
    t->spans = names_new();
    t->arena = arena_new();
    return t;
}

void types_free(Types *t) {
    if (!t) return;
    names_free(t->spans);
    arena_free(t->arena);
    free(t->type);
    free(t);
}

static const Type **types_slot(Types *t, const char *s, size_t n) {
    uint32_t id = names_intern(t->spans, s, n);
    if (id >= t->cap) {
        uint32_t cap = t->cap ? t->cap * 2 : 64;
        t->type = xrealloc(t->type, cap * sizeof *t->type);
        memset(t->type + t->cap, 0, (cap - t->cap) * sizeof *t->type);
        t->cap = cap;
    }
    return &t->type[id];
}

const Type *types_find(Types *t, const char *s, size_t n, TypeError *e) {
    const Type **slot = types_slot(t, s, n);
    if (*slot) return *slot;
    Type parsed;
    if (!type_parse(s, n, &parsed, e)) return NULL;
    Type *kept = arena_alloc(t->arena, sizeof *kept);
    *kept = parsed;
    return *slot = kept;
}

void types_alias(Types *t, const char *s, size_t n, const Type *type) { *types_slot(t, s, n) = type; }

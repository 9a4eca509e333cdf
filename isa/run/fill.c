#include "isa/run/fill.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An integer of the type, as either sign reads its bits: 255 and -1 are the same i8. */
static bool integer_bits(const char *text, int base, DType t, uint64_t *bits) {
    char *end;
    errno = 0;
    bool negative = text[0] == '-';
    uint64_t v = negative ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
    unsigned width = 8 * dtype_size(t);
    uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1, top = 1ull << (width - 1);
    *bits = v & mask;
    return !*end && !errno && (negative ? !v || v >= 0 - top : v <= mask);
}

bool number_bits(const char *s, size_t n, DType t, uint64_t *bits) {
    char text[64], *end;
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    if (!n || n >= sizeof text) return false;
    memcpy(text, s, n);
    text[n] = 0;
    if (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0) {
        *bits = dtype_from_double(t, text[0] == 't' || text[0] == 'T', ROUND_RINT);
        return true;
    }
    bool hex = strncasecmp(text, "0x", 2) == 0;
    if (hex || (!dtype_is_float(t) && strspn(text, "+-0123456789") == n)) return integer_bits(text, hex ? 16 : 10, t, bits);
    double v = strtod(text, &end);
    if (!dtype_is_float(t) && dtype_to_double(t, dtype_from_double(t, v, ROUND_RINT)) != v) return false;
    *bits = isnan(v) && dtype_is_float(t) ? (t == DT_F32 ? 0x7fc00000 : t == DT_F16 ? 0x7e00 : 0x7fc0) : dtype_from_double(t, v, ROUND_RINT);
    return !*end;
}

/* "32x32xf32": dimensions and an element type. */
static bool parse_shape(const char *s, size_t n, Fill *f) {
    const char *end = s + n;
    f->ndim = 0;
    while (s < end && isdigit((unsigned char)*s)) {
        char *after;
        uint64_t dim = strtoull(s, &after, 10);
        if (f->ndim == 8 || after >= end || *after != 'x' || dim > 1ull << 40) return false;
        f->shape[f->ndim++] = dim;
        s = after + 1;
    }
    f->dtype = dtype_parse(s, (size_t)(end - s));
    return f->ndim > 0 && f->dtype != DT_NONE;
}

static bool is_shape(const char *s, size_t n) {
    size_t digits = 0;
    while (digits < n && isdigit((unsigned char)s[digits])) digits++;
    return digits && digits < n && s[digits] == 'x' && !(digits == 1 && s[0] == '0');
}

static bool set_option(Fill *f, const char *key, double v) {
    if (strcmp(key, "seed") == 0 && v >= 0 && v < 0x1p64) f->seed = (uint64_t)v;
    else if (strcmp(key, "lo") == 0 && f->kind == FILL_RANDOM) f->a = v, f->range = true;
    else if (strcmp(key, "hi") == 0 && f->kind == FILL_RANDOM) f->b = v, f->range = true;
    else if (strcmp(key, "start") == 0 && f->kind == FILL_IOTA) f->a = v;
    else if (strcmp(key, "step") == 0 && f->kind == FILL_IOTA) f->b = v;
    else return false;
    return true;
}

/* One argument of a call: a shape, key=value, or the value of fill(). */
static bool parse_arg(Fill *f, const char *s, size_t n) {
    char text[64], *eq;
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    if (!n) return true;
    if (is_shape(s, n)) return parse_shape(s, n, f);
    if (n >= sizeof text) return false;
    memcpy(text, s, n);
    text[n] = 0;
    eq = strchr(text, '=');
    char *end;
    double v = strtod(eq ? eq + 1 : text, &end);
    if (*end && *end != ' ') return false;
    if (!eq) {
        if (f->kind != FILL_VALUE) return false;
        f->a = v;
        return true;
    }
    *eq = 0;
    for (char *c = eq; c > text && c[-1] == ' ';) *--c = 0;
    return set_option(f, text, v);
}

static bool parse_args(Fill *f, const char *s, size_t n) {
    while (n) {
        const char *comma = memchr(s, ',', n);
        size_t len = comma ? (size_t)(comma - s) : n;
        if (!parse_arg(f, s, len)) return false;
        s += len + (comma != NULL);
        n -= len + (comma != NULL);
    }
    return true;
}

static void set_path(Fill *f, const char *dir, const char *s, size_t n) {
    f->kind = FILL_FILE;
    bool relative = n && *s != '/' && dir;
    snprintf(f->path, sizeof f->path, "%s%.*s", relative ? dir : "", (int)n, s);
}

static bool has_suffix(const char *s, const char *suffix) {
    size_t n = strlen(s), m = strlen(suffix);
    return n > m && strcasecmp(s + n - m, suffix) == 0;
}

static bool parse_call(Fill *f, const char *name, size_t len, const char *args, size_t n, const char *dir) {
    static const struct {
        const char *name;
        FillKind kind;
        double a, b;
    } calls[] = {{"zeros", FILL_VALUE, 0, 0}, {"ones", FILL_VALUE, 1, 0}, {"fill", FILL_VALUE, 0, 0}, {"random", FILL_RANDOM, -8, 8},
                 {"normal", FILL_NORMAL, 0, 1}, {"iota", FILL_IOTA, 0, 1}, {"values", FILL_VALUES, 0, 0}};
    if (len == 3 && strncmp(name, "npy", 3) == 0) {
        while (n && (*args == '"' || *args == ' ')) args++, n--;
        while (n && (args[n - 1] == '"' || args[n - 1] == ' ')) n--;
        set_path(f, dir, args, n);
        return n > 0;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strlen(calls[i].name) != len || strncmp(calls[i].name, name, len) != 0) continue;
        f->kind = calls[i].kind;
        f->a = calls[i].a;
        f->b = calls[i].b;
        if (f->kind == FILL_VALUES) {
            f->values = args;
            f->values_len = n;
            return true;
        }
        return parse_args(f, args, n);
    }
    return false;
}

bool fill_is_file(const char *spec) {
    return has_suffix(spec, ".npy") || has_suffix(spec, ".bin") || strncmp(spec, "npy(", 4) == 0;
}

bool fill_parse(const char *spec, const char *dir, uint64_t seed, Fill *f, Loc loc, Diag *d) {
    memset(f, 0, sizeof *f);
    f->seed = seed;
    while (isspace((unsigned char)*spec)) spec++;
    size_t n = strlen(spec);
    while (n && isspace((unsigned char)spec[n - 1])) n--;
    size_t word = strspn(spec, "abcdefghijklmnopqrstuvwxyz");
    if (has_suffix(spec, ".npy") || has_suffix(spec, ".bin")) {
        set_path(f, dir, spec, n);
        return true;
    }
    if (word && spec[word] == '(' && spec[n - 1] == ')' && parse_call(f, spec, word, spec + word + 1, n - word - 2, dir)) return true;
    if (word && spec[word] == ':' && parse_call(f, spec, word, spec + word + 1, n - word - 1, dir)) return true;
    if (word == n && n && parse_call(f, spec, word, spec + n, 0, dir)) return true;
    uint64_t bits;
    if (number_bits(spec, n, DT_F32, &bits)) {
        f->kind = FILL_VALUE;
        f->values = spec;
        f->values_len = n;
        return true;
    }
    diag(d, DIAG_ARG, loc,
         "expected a file (.npy, .bin), npy(\"file\"), zeros, fill, random, normal, iota, values(...) or a number, found %s", n ? spec : "nothing");
    return false;
}

/* A hash of seed and index: the same value whatever piece it is filled in. */
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static double unit(uint64_t h) { return (double)(h >> 11) * 0x1p-53; }

static uint64_t from_number(DType t, double v) { return dtype_from_double(t, v, ROUND_RINT); }

uint64_t fill_bits(const Fill *f, DType t, uint64_t i) {
    uint64_t h = mix(mix(f->seed) + i), bits;
    bool is_float = dtype_is_float(t);
    switch (f->kind) {
    case FILL_RANDOM: {
        double lo = f->a, hi = f->b;
        if (!f->range && !is_float && !dtype_is_signed(t)) lo = 0, hi = 16;
        return from_number(t, is_float ? lo + (hi - lo) * unit(h) : floor(lo + (hi - lo + 1) * unit(h)));
    }
    case FILL_NORMAL: {
        double u = unit(h), v = unit(mix(h));
        return from_number(t, sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v));
    }
    case FILL_IOTA: return from_number(t, f->a + f->b * (double)i);
    default:
        if (f->values && number_bits(f->values, f->values_len, t, &bits)) return bits;
        return from_number(t, f->a);
    }
}

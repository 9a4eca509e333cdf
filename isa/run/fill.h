/* Fills: values of a tile or buffer by a short text.
 *
 * npy("x.npy")  x.npy  x.bin  zeros(2x3xf32)  zeros:2x3xf32  fill(3.5)  random(seed=1, lo=-8, hi=8)
 * normal(seed=1)  iota(start=0, step=1)  values(1, 2, nan, -0.0, inf)  3.5
 * A shape with type may stand first in any of the generated ones. Values depend on the index only,
 * so a region may be filled in pieces.
 */
#ifndef NPU_ISA_FILL_H
#define NPU_ISA_FILL_H

#include "isa/base/diag.h"
#include "isa/base/dtype.h"

typedef enum FillKind { FILL_FILE, FILL_VALUE, FILL_RANDOM, FILL_NORMAL, FILL_IOTA, FILL_VALUES } FillKind;

typedef struct Fill {
    FillKind kind;
    char path[1024];
    double a, b;          /* VALUE: a; RANDOM: lo a, hi b; IOTA: start a, step b */
    bool range;           /* lo or hi was given */
    uint64_t seed;
    const char *values;   /* text of the list */
    size_t values_len;
    DType dtype;          /* DT_NONE: no shape given */
    int ndim;
    uint64_t shape[8];
} Fill;

/* dir: where relative paths start (NULL: working directory). false after an error in d. */
bool fill_parse(const char *spec, const char *dir, uint64_t seed, Fill *out, Loc loc, Diag *d);
/* Whether the text names a file: npy("x.npy"), x.npy, x.bin. */
bool fill_is_file(const char *spec);
/* Element i of a generated fill (not FILE, not VALUES) in type t. */
uint64_t fill_bits(const Fill *f, DType t, uint64_t i);
/* A number as written: decimal, exponent, hexadecimal bits, nan, inf, true, false. An integer type takes
 * what it can hold. */
bool number_bits(const char *s, size_t n, DType t, uint64_t *bits);

#endif

/* .npy 1.0 / 2.0 (little-endian, C order) and raw .bin files. */
#ifndef NPU_ISA_NPY_H
#define NPU_ISA_NPY_H

#include "isa/base/diag.h"
#include "isa/base/dtype.h"

/* Bytes of the largest file and of the largest argument: elements are counted in 32 bits. */
#define FILE_MOST 0xffffffffull

typedef struct NpyArray {
    DType dtype;        /* bf16 is stored as <u2: read as DT_U16, written from DT_BF16 */
    int ndim;
    uint64_t shape[8];
    uint64_t count;     /* elements */
    uint8_t *data;      /* count * dtype_size bytes, owned */
} NpyArray;

/* Reads .npy by content. false after an error in d at loc (the place that named the file). */
bool npy_read(const char *path, NpyArray *out, Loc loc, Diag *d);
void npy_free(NpyArray *a);
/* Written to a temporary file beside and renamed: never half a file. A path ending in .bin gets the
 * raw bytes. */
bool npy_write(const char *path, DType t, int ndim, const uint64_t *shape, const void *data, Loc loc, Diag *d);
/* Whole file as bytes (raw .bin input). */
bool file_read(const char *path, uint8_t **data, size_t *n, Loc loc, Diag *d);
/* Atomic write of any file. */
bool file_write(const char *path, const void *data, size_t n, Loc loc, Diag *d);

#endif

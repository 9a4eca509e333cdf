/* Places tiles that have no address. */
#ifndef NPU_ISA_ALLOC_H
#define NPU_ISA_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Span {
    uint32_t lo, hi;
} Span;

/* Used spans of UB, sorted and disjoint. Zero-initialised plus size is an empty UB. */
typedef struct Allocator {
    Span *used;
    int n, cap;
    uint32_t size;
    uint32_t peak;        /* end of the highest span there ever was */
} Allocator;

/* Lowest free place for n bytes at a multiple of 512, else of 32. Returns -1 if there is none. */
int64_t alloc_take(Allocator *a, uint32_t n);
/* Keeps a place that the text has chosen away from the allocator. */
void alloc_reserve(Allocator *a, uint32_t lo, uint32_t hi);
void alloc_release(Allocator *a, uint32_t lo, uint32_t hi);
void alloc_free(Allocator *a);

#endif

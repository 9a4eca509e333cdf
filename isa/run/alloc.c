#include "isa/run/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"

static void insert(Allocator *a, int at, Span s) {
    if (a->n == a->cap) {
        a->cap = a->cap ? 2 * a->cap : 16;
        a->used = xrealloc(a->used, (size_t)a->cap * sizeof *a->used);
    }
    memmove(a->used + at + 1, a->used + at, (size_t)(a->n - at) * sizeof *a->used);
    a->used[at] = s;
    a->n++;
    if (s.hi > a->peak) a->peak = s.hi;
}

static int64_t take_aligned(Allocator *a, uint32_t n, uint32_t align) {
    uint64_t at = 0;
    for (int i = 0; i <= a->n; i++) {
        uint64_t end = i < a->n ? a->used[i].lo : a->size;
        if (at + n <= end) {
            insert(a, i, (Span){(uint32_t)at, (uint32_t)(at + n)});
            return (int64_t)at;
        }
        if (i < a->n && a->used[i].hi > at) at = (a->used[i].hi + (uint64_t)align - 1) / align * align;
    }
    return -1;
}

int64_t alloc_take(Allocator *a, uint32_t n) {
    int64_t at = take_aligned(a, n, 512);
    return at >= 0 ? at : take_aligned(a, n, 32);
}

void alloc_reserve(Allocator *a, uint32_t lo, uint32_t hi) {
    int i = 0;
    while (i < a->n && a->used[i].hi < lo) i++;
    while (i < a->n && a->used[i].lo <= hi) { /* merge what it touches */
        if (a->used[i].lo < lo) lo = a->used[i].lo;
        if (a->used[i].hi > hi) hi = a->used[i].hi;
        memmove(a->used + i, a->used + i + 1, (size_t)(a->n - i - 1) * sizeof *a->used);
        a->n--;
    }
    insert(a, i, (Span){lo, hi});
}

void alloc_release(Allocator *a, uint32_t lo, uint32_t hi) {
    for (int i = 0; i < a->n; i++) {
        Span s = a->used[i];
        if (s.hi <= lo || s.lo >= hi) continue;
        memmove(a->used + i, a->used + i + 1, (size_t)(a->n - i - 1) * sizeof *a->used);
        a->n--;
        if (s.hi > hi) insert(a, i, (Span){hi, s.hi});
        if (s.lo < lo) insert(a, i, (Span){s.lo, lo});
        else i--;
    }
}

void alloc_free(Allocator *a) {
    free(a->used);
    a->used = NULL;
    a->n = a->cap = 0;
}

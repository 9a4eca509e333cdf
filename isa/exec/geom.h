/* Repeat / block / stride / mask geometry: the only code that turns the fields of a micro-op into
 * bytes. Execution, bank timing and hazard checks all walk through here.
 */
#ifndef NPU_ISA_GEOM_H
#define NPU_ISA_GEOM_H

#include "isa/table/uop.h"

/* Sticky mask state of the a2a3 vector pipe. In norm mode lo/hi are one bit per lane; in count mode
 * lo is a number of elements. */
typedef struct MaskState {
    bool count_mode;
    uint64_t lo, hi;
} MaskState;

static inline MaskState mask_full(void) { return (MaskState){false, ~0ull, ~0ull}; }
/* Applies a MASK-class micro-op. */
void mask_apply(MaskState *m, const Uop *u);

/* How many repeats really run and which lanes are active in each. */
typedef struct Shape {
    uint32_t repeats;     /* executed repeats; 0: the micro-op does nothing */
    uint32_t lanes;       /* lanes per repeat of the operation: 256 / widest element size */
    uint32_t last_lanes;  /* active leading lanes of the last repeat in count mode; = lanes otherwise */
    uint64_t lo, hi;      /* lane mask of every repeat (norm mode); all lanes in count mode */
    bool partial;         /* some repeat has inactive lanes */
    uint32_t elements;    /* VREDUCEV2, VCOPY in count mode: source elements per repeat; else 0 */
} Shape;
Shape uop_shape(const Uop *u, const MaskState *m);

/* Lanes of repeat k that are active, as a mask of up to 128 bits. */
static inline void shape_mask(const Shape *s, uint32_t k, uint64_t *lo, uint64_t *hi) {
    *lo = s->lo;
    *hi = s->hi;
    if (k + 1 == s->repeats && s->last_lanes < s->lanes) {
        uint32_t n = s->last_lanes;
        *lo = n >= 64 ? ~0ull : (1ull << n) - 1;
        *hi = n <= 64 ? 0 : n >= 128 ? ~0ull : (1ull << (n - 64)) - 1;
    }
}
/* The bits of lane i and of those behind it in the same half of a mask. Lanes of 8 bits, which only an illegal instruction
 * has that is executed all the same, are more than a mask has bits: they use the upper half again. */
static inline uint64_t mask_from(uint64_t lo, uint64_t hi, uint32_t i) { return (i < 64 ? lo : hi) >> (i % 64); }
/* Leading lanes that bound the active ones in repeat k (blocks beyond are not accessed). */
uint32_t shape_extent(const Shape *s, uint32_t k);

typedef enum Role { ROLE_DST, ROLE_SRC0, ROLE_SRC1 } Role;

/* One operand as the walker sees it. A repeat of an operand is `blocks` blocks of `bytes` bytes,
 * block b of repeat k at base + k * rpt + b * blk. */
typedef struct Access {
    bool used;
    uint32_t base;
    uint32_t blk, rpt;    /* bytes */
    uint32_t blocks;      /* blocks of a full repeat */
    uint32_t bytes;       /* bytes per block of a full repeat */
    uint32_t esize;       /* element size of the operand */
    bool masked;          /* lanes select elements inside the repeat */
} Access;
Access uop_access(const Uop *u, const Shape *s, Role r);

static inline uint32_t access_addr(const Access *a, uint32_t k, uint32_t b) {
    return a->base + k * a->rpt + b * a->blk;
}
/* Blocks of repeat k that hold an active lane. */
uint32_t access_blocks(const Access *a, const Shape *s, uint32_t k);
/* Smallest address range [lo, hi) that holds every byte of the operand over all repeats. */
void access_range(const Access *a, const Shape *s, uint64_t *lo, uint64_t *hi);

/* Address of a 950 load or store (or the count of PLT) in the iteration idx[0..depth). */
static inline int64_t vf_address(const VfInstr *v, const uint32_t *idx, int depth) {
    int64_t a = v->base;
    for (int d = 0; d < depth; d++) a += (int64_t)idx[d] * v->step[d];
    return a;
}
/* Bytes a load or store moves (ONEPT one element, UNPK 128, DINTLV 512 ...). */
uint32_t vf_bytes(const VfInstr *v);

#endif

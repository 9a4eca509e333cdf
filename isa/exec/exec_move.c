/* Micro-ops that move elements to other places: copies by elements, indexed reads, transposes, sorts
 * and merges. Each repeat reads all it needs before it writes. */
#include <stdlib.h>
#include <string.h>

#include "isa/exec/exec_internal.h"
#include "isa/exec/lanes.h"

/* Bytes of UB into a buffer; what lies outside reads as zero. */
static void read_bytes(Machine *m, uint64_t at, void *to, uint32_t n) {
    const uint8_t *p = ub_at(m, at, n);
    if (p) memcpy(to, p, n);
    else memset(to, 0, n);
}

static void write_bytes(Machine *m, uint64_t at, const void *from, uint32_t n) {
    uint8_t *p = ub_at(m, at, n);
    if (p) memcpy(p, from, n);
}

/* Element i of an operand in repeat k. */
static uint64_t element_at(const Access *a, uint32_t k, uint32_t i) {
    uint32_t per = BLOCK_BYTES / a->esize;
    return (uint64_t)access_addr(a, k, i / per) + i % per * a->esize;
}

static bool lane_on(const Shape *sh, uint32_t k, uint32_t i) {
    uint64_t lo, hi;
    shape_mask(sh, k, &lo, &hi);
    return mask_from(lo, hi, i) & 1;
}

static void copy_elements(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST), s = uop_access(u, sh, ROLE_SRC0);
    uint32_t n = sh->elements ? sh->elements : sh->lanes;
    if ((uint64_t)n * d.esize > m->ub_size) n = m->ub_size / d.esize; /* the rest lies outside UB */
    for (uint32_t k = 0; k < sh->repeats; k++) {
        for (uint32_t i = 0; i < n; i++)
            if (sh->elements || lane_on(sh, k, i)) read_bytes(m, element_at(&s, k, i), m->scratch + i * d.esize, d.esize);
        for (uint32_t i = 0; i < n; i++)
            if (sh->elements || lane_on(sh, k, i)) write_bytes(m, element_at(&d, k, i), m->scratch + i * d.esize, d.esize);
    }
}

static void gather_elements(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST), o = uop_access(u, sh, ROLE_SRC0);
    for (uint32_t k = 0; k < sh->repeats; k++)
        for (uint32_t i = 0; i < sh->lanes; i++) {
            uint32_t offset;
            uint64_t bits;
            if (!lane_on(sh, k, i)) continue;
            read_bytes(m, element_at(&o, k, i), &offset, 4);
            read_bytes(m, (uint64_t)u->src1 + offset, &bits, d.esize);
            write_bytes(m, element_at(&d, k, i), &bits, d.esize);
        }
}

static void gather_blocks(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST), o = uop_access(u, sh, ROLE_SRC0);
    uint32_t offset[BLOCKS_PER_REPEAT];
    uint8_t block[BLOCK_BYTES];
    for (uint32_t k = 0; k < sh->repeats; k++) {
        read_bytes(m, access_addr(&o, k, 0), offset, (uint32_t)u->imm * 4);
        for (uint32_t b = 0; b < u->imm; b++) {
            read_bytes(m, (uint64_t)u->src1 + offset[b], block, BLOCK_BYTES);
            write_bytes(m, access_addr(&d, k, b), block, BLOCK_BYTES);
        }
    }
}

/* Element c of row r goes to element r of row c. Rows that are not there give zeros. */
static void transpose(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST), s = uop_access(u, sh, ROLE_SRC0);
    uint32_t es = d.esize, cols = s.bytes / es;
    uint8_t in[TRANSPOSE_ROWS][BLOCK_BYTES], out[TRANSPOSE_ROWS][2 * BLOCK_BYTES];
    for (uint32_t k = 0; k < sh->repeats; k++) {
        memset(in, 0, sizeof in);
        for (uint32_t r = 0; r < s.blocks; r++) read_bytes(m, access_addr(&s, k, r), in[r], s.bytes);
        for (uint32_t r = 0; r < TRANSPOSE_ROWS; r++)
            for (uint32_t c = 0; c < cols; c++) memcpy(out[c] + r * es, in[r] + c * es, es);
        for (uint32_t c = 0; c < cols; c++) write_bytes(m, access_addr(&d, k, c), out[c], d.bytes);
    }
}

typedef struct Record {
    int64_t key; /* larger first */
    uint8_t bytes[RECORD_BYTES];
} Record;

/* NaN by its sign beyond the infinities, as the padding of the sorts relies on; zeros are equal. */
static int64_t sort_key(DType t, uint64_t bits) {
    int64_t key = dtype_order_key(t, bits);
    return dtype_to_double(t, bits) == 0 ? dtype_order_key(t, 0) : key;
}

static Record record_of(DType t, const uint8_t *bytes) {
    Record r = {.key = sort_key(t, dtype_load(t, bytes))};
    memcpy(r.bytes, bytes, RECORD_BYTES);
    return r;
}

static void insert_sorted(Record *list, uint32_t n, Record r) {
    uint32_t at = n;
    while (at && list[at - 1].key < r.key) at--;
    memmove(list + at + 1, list + at, (n - at) * sizeof *list);
    list[at] = r;
}

static void sort_blocks(Machine *m, const Uop *u, const Shape *sh) {
    DType t = (DType)u->dtype;
    uint32_t es = dtype_size(t);
    Access d = uop_access(u, sh, ROLE_DST), s = uop_access(u, sh, ROLE_SRC0), x = uop_access(u, sh, ROLE_SRC1);
    Record list[SORT_RECORDS + 1];
    for (uint32_t k = 0; k < sh->repeats; k++) {
        for (uint32_t i = 0; i < SORT_RECORDS; i++) {
            uint8_t bytes[RECORD_BYTES] = {0};
            read_bytes(m, (uint64_t)access_addr(&s, k, 0) + i * es, bytes, es);
            read_bytes(m, (uint64_t)access_addr(&x, k, 0) + i * 4, bytes + RECORD_BYTES / 2, 4);
            insert_sorted(list, i, record_of(t, bytes));
        }
        for (uint32_t i = 0; i < SORT_RECORDS; i++)
            write_bytes(m, (uint64_t)access_addr(&d, k, 0) + i * RECORD_BYTES, list[i].bytes, RECORD_BYTES);
    }
}

/* The list whose next record is largest, the first of equal ones; MERGE_LISTS if all are done. */
static int largest_head(const Record *const next[MERGE_LISTS], const uint32_t left[MERGE_LISTS]) {
    int best = MERGE_LISTS;
    for (int k = 0; k < MERGE_LISTS; k++)
        if (left[k] && (best == MERGE_LISTS || next[k]->key > next[best]->key)) best = k;
    return best;
}

static void merge_lists(Machine *m, const Uop *u, const Shape *sh) {
    DType t = (DType)u->dtype;
    Access d = uop_access(u, sh, ROLE_DST);
    Record *all = xcalloc(d.bytes / RECORD_BYTES + 1, sizeof *all);
    for (uint32_t r = 0; r < sh->repeats; r++) {
        const Record *next[MERGE_LISTS];
        uint32_t left[MERGE_LISTS] = {0}, n = 0;
        for (int k = 0; k < u->mode; k++) {
            next[k] = all + n;
            left[k] = merge_records(u, k);
            for (uint32_t i = 0; i < left[k]; i++) {
                uint8_t bytes[RECORD_BYTES];
                read_bytes(m, (uint64_t)merge_list(u, k) + (uint64_t)r * d.rpt + i * RECORD_BYTES, bytes, RECORD_BYTES);
                all[n++] = record_of(t, bytes);
            }
        }
        for (uint64_t at = access_addr(&d, r, 0);; at += RECORD_BYTES) {
            int k = largest_head(next, left);
            if (k == MERGE_LISTS) break;
            write_bytes(m, at, next[k]->bytes, RECORD_BYTES);
            next[k]++;
            if (!--left[k] && u->drpt) break;
        }
        m->merged = 0;
        for (int k = 0; k < u->mode; k++) m->merged |= (uint64_t)(merge_records(u, k) - left[k]) << (16 * k);
    }
    free(all);
}

void exec_move(Machine *m, const Uop *u, const Shape *sh) {
    switch (uop_info[u->op].cls) {
    case UC_VCOPY: copy_elements(m, u, sh); break;
    case UC_INDEXED: gather_elements(m, u, sh); break;
    case UC_BLOCKS: gather_blocks(m, u, sh); break;
    case UC_TRANSPOSE: transpose(m, u, sh); break;
    case UC_SORT: sort_blocks(m, u, sh); break;
    default: merge_lists(m, u, sh); break;
    }
}

/* Memory-to-memory micro-ops of a2a3. Every operand is walked repeat by repeat through geom; inside
 * one instruction all sources are read as they were before it (snapshot), except in the documented
 * accumulation form. */
#include <string.h>

#include "isa/exec/exec_internal.h"
#include "isa/exec/lanes.h"

/* Where a source is read from: UB itself, or a copy made before the instruction wrote anything. */
typedef struct Source {
    Access a;
    const uint8_t *mem; /* mem + address = byte */
    uint64_t limit;     /* addresses below are readable */
} Source;

static bool plain_repeats(const Access *a) {
    return a->blk == BLOCK_BYTES && a->rpt == a->blocks * BLOCK_BYTES && a->bytes == BLOCK_BYTES;
}

/* Sequential execution equals the snapshot when source and destination walk the same bytes. */
static bool same_walk(const Access *a, const Access *b) {
    return a->base == b->base && a->blk == b->blk && a->rpt == b->rpt && a->esize == b->esize &&
           a->blk >= BLOCK_BYTES && a->rpt >= a->blocks * a->blk;
}

static bool accumulates(const Uop *u, const Access *dst) {
    return uop_info[u->op].cls == UC_BIN && dst->base == u->src1 && (u->drpt == 0 || u->srpt1 == 0);
}

static Source open_source(Machine *m, const Uop *u, const Shape *s, Role r, const Access *dst) {
    Source src = {.a = uop_access(u, s, r), .mem = m->ub, .limit = m->ub_size};
    if (!src.a.used || !dst->used) return src;
    uint64_t lo, hi, dlo, dhi;
    access_range(&src.a, s, &lo, &hi);
    access_range(dst, s, &dlo, &dhi);
    bool overlap = lo < dhi && dlo < hi;
    if (!overlap || same_walk(&src.a, dst) || accumulates(u, dst)) return src;
    uint8_t *copy = m->scratch + (r == ROLE_SRC1 ? m->ub_size : 0);
    if (hi > m->ub_size) hi = m->ub_size;
    if (lo < hi) memcpy(copy + lo, m->ub + lo, hi - lo);
    src.mem = copy;
    return src;
}

/* One repeat of a source into 256 consecutive bytes; what lies outside UB reads as zero. */
static const uint8_t *read_repeat(Machine *m, const Source *s, const Shape *sh, uint32_t k, uint8_t *buf) {
    uint64_t first = access_addr(&s->a, k, 0);
    uint32_t blocks = access_blocks(&s->a, sh, k);
    if (s->a.blk == BLOCK_BYTES && first + REPEAT_BYTES <= s->limit) return s->mem + first;
    memset(buf, 0, REPEAT_BYTES);
    for (uint32_t b = 0; b < blocks; b++) {
        uint64_t at = access_addr(&s->a, k, b);
        if (at + BLOCK_BYTES <= s->limit) memcpy(buf + b * BLOCK_BYTES, s->mem + at, BLOCK_BYTES);
        else machine_fault(m, at + BLOCK_BYTES - 1);
    }
    return buf;
}

/* Active lanes of one repeat from 256 consecutive bytes to UB. */
static void write_repeat(Machine *m, const Access *d, const Shape *sh, uint32_t k, const uint8_t *res) {
    uint64_t lo, hi;
    shape_mask(sh, k, &lo, &hi);
    uint32_t blocks = access_blocks(d, sh, k), per = BLOCK_BYTES / d->esize;
    uint64_t all = per >= 64 ? ~0ull : (1ull << per) - 1;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t lane = b * per;
        uint64_t on = mask_from(lo, hi, lane) & all;
        uint64_t at = access_addr(d, k, b);
        uint32_t need = on ? (64 - (uint32_t)__builtin_clzll(on)) * d->esize : 0;
        uint8_t *p = need ? ub_at(m, at, need) : NULL;
        if (!p) continue;
        if (on == all) {
            memcpy(p, res + b * BLOCK_BYTES, BLOCK_BYTES);
            continue;
        }
        for (uint32_t i = 0; i < per; i++)
            if (on >> i & 1) memcpy(p + i * d->esize, res + b * BLOCK_BYTES + i * d->esize, d->esize);
    }
}

/* All lanes of `bytes` bytes. */
static void apply(Machine *m, const Uop *u, uint8_t *dst, const uint8_t *x, const uint8_t *y, uint32_t bytes) {
    if (uop_info[u->op].cls == UC_BINS) lanes_apply_scalar((UopId)u->op, (DType)u->dtype, dst, x, u->imm, bytes, &m->target->sem);
    else lanes_apply((UopId)u->op, (DType)u->dtype, dst, x, y, bytes, &m->target->sem);
}

/* All full repeats at once when nothing is masked and every operand is one contiguous run. */
static uint32_t run_contiguous(Machine *m, const Uop *u, const Shape *sh, const Access *d, const Source *s0, const Source *s1) {
    if (sh->partial && sh->last_lanes == sh->lanes) return 0; /* a lane mask */
    if (!plain_repeats(d) || !plain_repeats(&s0->a) || (s1->a.used && !plain_repeats(&s1->a))) return 0;
    uint32_t n = sh->last_lanes < sh->lanes ? sh->repeats - 1 : sh->repeats;
    uint64_t bytes = (uint64_t)n * REPEAT_BYTES;
    if (d->base + bytes > m->ub_size || s0->a.base + bytes > s0->limit) return 0;
    if (s1->a.used && s1->a.base + bytes > s1->limit) return 0;
    const uint8_t *x = s0->mem + s0->a.base, *y = s1->a.used ? s1->mem + s1->a.base : x;
    apply(m, u, m->ub + d->base, x, y, (uint32_t)bytes);
    return n;
}

static void exec_lanes(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d), s1 = open_source(m, u, sh, ROLE_SRC1, &d);
    uint8_t b0[REPEAT_BYTES], b1[REPEAT_BYTES], res[REPEAT_BYTES];
    uint32_t k = s0.mem == m->ub && s1.mem == m->ub && !accumulates(u, &d) ? run_contiguous(m, u, sh, &d, &s0, &s1) : 0;
    for (; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0), *y = s1.a.used ? read_repeat(m, &s1, sh, k, b1) : x;
        apply(m, u, res, x, y, REPEAT_BYTES);
        write_repeat(m, &d, sh, k, res);
    }
}

static void exec_dup(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    uint8_t res[REPEAT_BYTES];
    lanes_fill((DType)u->dtype, res, u->mode == SCALAR_REGISTER ? m->sreg[u->imm % SREGS] : u->imm, REPEAT_BYTES);
    for (uint32_t k = 0; k < sh->repeats; k++) write_repeat(m, &d, sh, k, res);
}

static void exec_compare(Machine *m, const Uop *u, const Shape *sh) {
    Access none = {0};
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &none), s1 = open_source(m, u, sh, ROLE_SRC1, &none);
    uint8_t b0[REPEAT_BYTES], b1[REPEAT_BYTES];
    const uint8_t *x = read_repeat(m, &s0, sh, 0, b0), *y = read_repeat(m, &s1, sh, 0, b1);
    uint64_t out[4], lo, hi;
    lanes_compare((UopId)u->op, (DType)u->dtype, x, y, sh->lanes, out);
    shape_mask(sh, 0, &lo, &hi);
    if (sh->lanes <= 64) hi = 0; /* 32-bit types write the low word only */
    m->cmpmask[0] = (m->cmpmask[0] & ~lo) | (out[0] & lo);
    m->cmpmask[1] = (m->cmpmask[1] & ~hi) | (out[1] & hi);
}

/* n elements of another type to u's, exactly. */
static const uint8_t *widen(const Uop *u, const uint8_t *from, uint32_t n, uint8_t *to) {
    DType t = (DType)u->dtype, s = (DType)u->dtype2;
    for (uint32_t i = 0; i < n; i++)
        dtype_store(t, to + i * dtype_size(t), dtype_from_double(t, dtype_to_double(s, dtype_load(s, from + i * dtype_size(s))), ROUND_RINT));
    return to;
}

static void exec_axpy(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d), s1 = open_source(m, u, sh, ROLE_SRC1, &d);
    uint8_t b0[REPEAT_BYTES], b1[REPEAT_BYTES], wide[REPEAT_BYTES], res[REPEAT_BYTES];
    uint64_t scalar = u->imm;
    if (u->dtype2) {
        uint8_t bits[sizeof scalar];
        dtype_store((DType)u->dtype2, bits, u->imm);
        scalar = dtype_load((DType)u->dtype, widen(u, bits, 1, wide));
    }
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0), *y = read_repeat(m, &s1, sh, k, b1);
        if (u->dtype2) x = widen(u, x, sh->lanes, wide);
        lanes_axpy((DType)u->dtype, res, x, scalar, y, REPEAT_BYTES, &m->target->sem);
        write_repeat(m, &d, sh, k, res);
    }
}

/* Compare to memory: whole repeats, whatever the mask says. */
static void exec_compare_bits(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d), s1 = open_source(m, u, sh, ROLE_SRC1, &d);
    uint8_t b0[REPEAT_BYTES], b1[REPEAT_BYTES], scalar[REPEAT_BYTES];
    lanes_fill((DType)u->dtype, scalar, u->mode == SCALAR_REGISTER ? m->sreg[u->imm % SREGS] : u->imm, REPEAT_BYTES);
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0), *y = s1.a.used ? read_repeat(m, &s1, sh, k, b1) : scalar;
        uint64_t out[4];
        lanes_compare((UopId)u->op, (DType)u->dtype, x, y, sh->lanes, out);
        uint8_t *p = ub_at(m, access_addr(&d, k, 0), d.bytes);
        if (p) memcpy(p, out, d.bytes);
    }
}

static void exec_set_cmpmask(Machine *m, const Uop *u) {
    const uint8_t *p = ub_at(m, u->src0, sizeof m->cmpmask);
    if (p) memcpy(m->cmpmask, p, sizeof m->cmpmask);
}

static bool selected(Machine *m, const Uop *u, uint32_t lane, uint32_t of_all) {
    if (u->mode == SEL_CMPMASK) return mask_from(m->cmpmask[0], m->cmpmask[1], lane) & 1;
    const uint8_t *p = ub_at(m, (u->mode == SEL_ADDRESS ? (uint32_t)m->cmpmask[0] : u->src1) + of_all / 8, 1);
    return p && *p >> (of_all % 8) & 1;
}

static void exec_select(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d), s1 = open_source(m, u, sh, ROLE_SRC1, &d);
    uint8_t b0[REPEAT_BYTES], b1[REPEAT_BYTES], scalar[REPEAT_BYTES], res[REPEAT_BYTES];
    uint32_t es = d.esize;
    lanes_fill((DType)u->dtype, scalar, m->cmpmask[0], REPEAT_BYTES);
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0), *y = u->mode == SEL_SCALAR ? scalar : read_repeat(m, &s1, sh, k, b1);
        for (uint32_t i = 0; i < shape_extent(sh, k); i++)
            memcpy(res + i * es, (selected(m, u, i, k * sh->lanes + i) ? x : y) + i * es, es);
        write_repeat(m, &d, sh, k, res);
    }
}

static void exec_convert(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    uint8_t b0[REPEAT_BYTES], res[REPEAT_BYTES];
    DType to = (DType)u->dtype, from = (DType)u->dtype2;
    unsigned tsize = dtype_size(to), fsize = dtype_size(from);
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0);
        for (uint32_t i = 0; i < sh->lanes; i++)
            dtype_store(to, res + i * tsize, lanes_convert(to, from, dtype_load(from, x + i * fsize), (RoundMode)u->mode, u->imm != 0));
        write_repeat(m, &d, sh, k, res);
    }
}

static void store_element(Machine *m, uint64_t addr, uint64_t bits, unsigned size) {
    uint8_t *p = ub_at(m, addr, size);
    if (p) memcpy(p, &bits, size);
}

static void exec_reduce(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    uint8_t b0[REPEAT_BYTES];
    DType t = (DType)u->dtype;
    unsigned es = dtype_size(t);
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0);
        uint64_t mask[4] = {0}, bits = 0;
        uint32_t index = 0;
        shape_mask(sh, k, &mask[0], &mask[1]);
        uint64_t at = access_addr(&d, k, 0);
        if (u->op == U_VCADD) {
            store_element(m, at, lanes_sum(t, x, sh->lanes, mask), es);
            continue;
        }
        if (!lanes_reduce((UopId)u->op, t, x, sh->lanes, mask, &m->target->sem, u->mode == ORDER_ONLY_VALUE, &index, &bits)) continue;
        if (u->mode == ORDER_ONLY_INDEX) store_element(m, at, index, 4);
        else store_element(m, at, bits, es);
        if (u->mode == ORDER_VALUE_INDEX) store_element(m, at + es, index, es);
    }
}

static void exec_group_reduce(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    uint8_t b0[REPEAT_BYTES];
    DType t = (DType)u->dtype;
    unsigned es = dtype_size(t), per = BLOCK_BYTES / es;
    UopId op = u->op == U_VCGMAX ? U_VCMAX : U_VCMIN;
    for (uint32_t k = 0; k < sh->repeats; k++) {
        const uint8_t *x = read_repeat(m, &s0, sh, k, b0);
        uint64_t lo, hi;
        shape_mask(sh, k, &lo, &hi);
        for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) {
            uint32_t lane = b * per, index;
            uint64_t mask[4] = {mask_from(lo, hi, lane) & ((1ull << per) - 1)}, bits = 0;
            if (u->op == U_VCGADD) bits = lanes_sum(t, x + b * BLOCK_BYTES, per, mask);
            else if (!lanes_reduce(op, t, x + b * BLOCK_BYTES, per, mask, &m->target->sem, true, &index, &bits)) continue;
            store_element(m, (uint64_t)access_addr(&d, k, 0) + b * es, bits, es);
        }
    }
}

static bool pattern_takes(uint32_t pattern, uint32_t i) {
    if (pattern == 7) return true;
    if (pattern <= 2) return i % 2 == pattern - 1;
    return i % 4 == pattern - 3;
}

static bool bit_at(Machine *m, uint64_t base, uint32_t i) {
    const uint8_t *p = ub_at(m, base + i / 8, 1);
    return p && *p >> (i % 8) & 1;
}

/* Results are packed one after the other over all repeats. */
static void exec_gather(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    unsigned es = d.esize, per = BLOCK_BYTES / es;
    uint64_t at = u->dst;
    m->kept = 0;
    for (uint32_t k = 0; k < sh->repeats; k++)
        for (uint32_t i = 0; i < sh->elements; i++) {
            if (u->mode ? !pattern_takes(u->mode, i) : !bit_at(m, u->src1 + (uint64_t)k * u->srpt1 * BLOCK_BYTES, i)) continue;
            m->kept++;
            uint64_t from = access_addr(&s0.a, k, i / per) + (uint64_t)(i % per) * es;
            uint64_t bits = 0;
            if (from + es <= s0.limit) memcpy(&bits, s0.mem + from, es);
            else machine_fault(m, from + es - 1);
            store_element(m, at, bits, es);
            at += es;
        }
}

static void exec_copy(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    uint64_t n = (uint64_t)d.blocks * BLOCK_BYTES;
    for (uint32_t k = 0; k < sh->repeats; k++) {
        uint64_t from = access_addr(&s0.a, k, 0);
        if (from + n > s0.limit) {
            machine_fault(m, from + n - 1);
            continue;
        }
        uint8_t *p = ub_at(m, access_addr(&d, k, 0), n);
        if (p) memmove(p, s0.mem + from, n);
    }
}

static void exec_broadcast_blocks(Machine *m, const Uop *u, const Shape *sh) {
    Access d = uop_access(u, sh, ROLE_DST);
    Source s0 = open_source(m, u, sh, ROLE_SRC0, &d);
    unsigned es = d.esize;
    uint8_t block[BLOCK_BYTES];
    for (uint32_t k = 0; k < sh->repeats; k++)
        for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) {
            uint64_t from = (uint64_t)access_addr(&s0.a, k, 0) + b * es, bits = 0;
            if (from + es <= s0.limit) memcpy(&bits, s0.mem + from, es);
            else machine_fault(m, from + es - 1);
            lanes_fill((DType)u->dtype, block, bits, BLOCK_BYTES);
            uint8_t *p = ub_at(m, access_addr(&d, k, b), BLOCK_BYTES);
            if (p) memcpy(p, block, BLOCK_BYTES);
        }
}

void exec_memory_op(Machine *m, const Uop *u) {
    Shape sh = uop_shape(u, &m->mask);
    if (!sh.repeats) return;
    /* A runaway count (a bit mask read as a number) stops at the end of UB, as the fault says. */
    if (sh.repeats > 65536) {
        machine_fault(m, m->ub_size);
        sh.repeats = 65536;
        sh.last_lanes = sh.lanes;
    }
    switch (uop_info[u->op].cls) {
    case UC_DUP: exec_dup(m, u, &sh); break;
    case UC_AXPY: exec_axpy(m, u, &sh); break;
    case UC_CMP: exec_compare(m, u, &sh); break;
    case UC_CMPV:
    case UC_CMPVS: exec_compare_bits(m, u, &sh); break;
    case UC_CMPMASK: exec_set_cmpmask(m, u); break;
    case UC_SEL: exec_select(m, u, &sh); break;
    case UC_CVT: exec_convert(m, u, &sh); break;
    case UC_REDUCE: exec_reduce(m, u, &sh); break;
    case UC_GREDUCE: exec_group_reduce(m, u, &sh); break;
    case UC_GATHER: exec_gather(m, u, &sh); break;
    case UC_COPY: exec_copy(m, u, &sh); break;
    case UC_BRCB: exec_broadcast_blocks(m, u, &sh); break;
    case UC_VCOPY:
    case UC_INDEXED:
    case UC_BLOCKS:
    case UC_TRANSPOSE:
    case UC_SORT:
    case UC_MERGE: exec_move(m, u, &sh); break;
    default: exec_lanes(m, u, &sh); break;
    }
}

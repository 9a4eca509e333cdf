#include "isa/exec/geom.h"

void mask_apply(MaskState *m, const Uop *u) {
    switch (u->op) {
    case U_SET_MASK_COUNT: m->count_mode = true; break;
    case U_SET_MASK_NORM: m->count_mode = false; break;
    case U_SET_MASK:
        m->lo = u->imm;
        m->hi = u->imm2;
        break;
    default: break;
    }
}

static uint32_t lane_size(const Uop *u) {
    uint32_t es = dtype_size((DType)u->dtype);
    if (u->op == U_VCONV) {
        uint32_t from = dtype_size((DType)u->dtype2);
        return from > es ? from : es;
    }
    return es;
}

/* GatherMask consumes the count in each repeat, or one whole repeat in norm mode; it ignores bits. */
static Shape gather_shape(const Uop *u, const MaskState *m, uint32_t lanes) {
    Shape s = {.repeats = u->rep, .lanes = lanes, .last_lanes = lanes, .lo = ~0ull, .hi = ~0ull};
    s.elements = m->count_mode ? (uint32_t)m->lo : lanes;
    if (s.elements == 0) s.repeats = 0;
    return s;
}

Shape uop_shape(const Uop *u, const MaskState *m) {
    UopClass cls = uop_info[u->op].cls;
    if (cls == UC_COPY) return (Shape){.repeats = u->imm ? u->rep : 0, .lanes = 1, .last_lanes = 1, .lo = ~0ull, .hi = ~0ull};
    uint32_t lanes = REPEAT_BYTES / lane_size(u);
    if (cls == UC_GATHER) return gather_shape(u, m, lanes);
    if (cls == UC_BRCB) return (Shape){.repeats = u->rep, .lanes = lanes, .last_lanes = lanes, .lo = ~0ull, .hi = ~0ull};

    uint64_t full_lo = lanes >= 64 ? ~0ull : (1ull << lanes) - 1;
    Shape s = {.lanes = lanes, .last_lanes = lanes, .lo = full_lo, .hi = lanes > 64 ? ~0ull : 0};
    if (m->count_mode) {
        uint64_t n = m->lo;
        if (cls == UC_CMP && n > lanes) n = lanes;
        s.repeats = (uint32_t)((n + lanes - 1) / lanes);
        if (n % lanes) s.last_lanes = (uint32_t)(n % lanes);
        s.partial = s.last_lanes != lanes;
        return s;
    }
    s.lo = m->lo;
    s.hi = lanes > 64 ? m->hi : 0;
    s.repeats = cls == UC_CMP ? 1 : u->rep;
    s.lo &= full_lo;
    if ((s.lo | s.hi) == 0) s.repeats = 0;
    s.partial = s.lo != full_lo || (lanes > 64 && s.hi != ~0ull);
    return s;
}

uint32_t shape_extent(const Shape *s, uint32_t k) {
    if (!s->partial) return s->lanes;
    uint64_t lo, hi;
    shape_mask(s, k, &lo, &hi);
    if (hi) return 128 - (uint32_t)__builtin_clzll(hi);
    return lo ? 64 - (uint32_t)__builtin_clzll(lo) : 0;
}

static Access reduce_result(const Uop *u) {
    uint32_t es = dtype_size((DType)u->dtype);
    Access a = {.used = true, .base = u->dst, .blk = BLOCK_BYTES, .blocks = 1, .esize = es};
    uint32_t unit = es;
    if (u->op != U_VCADD && u->mode == ORDER_VALUE_INDEX) unit = 2 * es;
    if (u->op != U_VCADD && u->mode == ORDER_ONLY_INDEX) unit = 4;
    a.bytes = unit;
    a.rpt = u->drpt * unit;
    return a;
}

/* Elements that a pattern selects from n. */
static uint32_t selected(uint32_t pattern, uint32_t n) {
    if (pattern == 7) return n;
    if (pattern == 1) return (n + 1) / 2;
    if (pattern == 2) return n / 2;
    return (n + 3 - (pattern - 3)) / 4;
}

Access uop_access(const Uop *u, const Shape *s, Role r) {
    UopClass cls = uop_info[u->op].cls;
    uint32_t es = dtype_size((DType)u->dtype);
    Access a = {.used = true, .blocks = BLOCKS_PER_REPEAT, .bytes = BLOCK_BYTES, .esize = es, .masked = true};
    if (r == ROLE_DST) {
        if (cls == UC_CMP) return (Access){0};
        if (cls == UC_REDUCE) return reduce_result(u);
        a.base = u->dst;
        a.blk = u->dblk * BLOCK_BYTES;
        a.rpt = u->drpt * BLOCK_BYTES;
        if (cls == UC_GREDUCE) {
            a.masked = false;
            a.blocks = 1;
            a.bytes = BLOCKS_PER_REPEAT * es;
            a.rpt = u->drpt * a.bytes;
        }
        if (cls == UC_GATHER) {
            a.masked = false;
            a.blocks = 1;
            a.bytes = selected(u->mode, s->elements) * es;
            a.rpt = a.bytes;
        }
    } else if (r == ROLE_SRC0) {
        if (cls == UC_DUP) return (Access){0};
        a.base = u->src0;
        a.blk = u->sblk0 * BLOCK_BYTES;
        a.rpt = u->srpt0 * BLOCK_BYTES;
        if (cls == UC_CVT) a.esize = dtype_size((DType)u->dtype2);
        if (cls == UC_GATHER) {
            a.masked = false;
            a.blocks = (s->elements * es + BLOCK_BYTES - 1) / BLOCK_BYTES;
        }
        if (cls == UC_BRCB) {
            a.masked = false;
            a.blocks = 1;
            a.bytes = BLOCKS_PER_REPEAT * es;
            a.rpt = a.bytes;
        }
    } else {
        if (cls != UC_BIN && cls != UC_CMP && cls != UC_SEL) return (Access){0};
        a.base = u->src1;
        a.blk = u->sblk1 * BLOCK_BYTES;
        a.rpt = u->srpt1 * BLOCK_BYTES;
    }
    if (cls == UC_COPY) {
        a.masked = false;
        a.blocks = (uint32_t)u->imm;
        a.blk = BLOCK_BYTES;
    } else if (cls == UC_BRCB && r == ROLE_DST) {
        a.masked = false;
    } else if (a.masked) {
        a.blocks = s->lanes * a.esize / BLOCK_BYTES;
    }
    return a;
}

uint32_t access_blocks(const Access *a, const Shape *s, uint32_t k) {
    if (!a->masked) return a->blocks;
    return (shape_extent(s, k) * a->esize + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

void access_range(const Access *a, const Shape *s, uint64_t *lo, uint64_t *hi) {
    *lo = *hi = a->base;
    if (!a->used || !s->repeats) return;
    uint64_t last = a->base + (uint64_t)(s->repeats - 1) * a->rpt;
    uint32_t full = access_blocks(a, s, 0), tail = access_blocks(a, s, s->repeats - 1);
    uint64_t bytes = a->bytes;
    if (a->masked && s->repeats == 1) { /* exact end of a partly masked block */
        uint32_t used = shape_extent(s, 0) * a->esize % BLOCK_BYTES;
        if (used) bytes = used;
    }
    uint64_t end_first = s->repeats > 1 && full ? last - a->rpt + (uint64_t)(full - 1) * a->blk + a->bytes : 0;
    uint64_t end_last = tail ? last + (uint64_t)(tail - 1) * a->blk + bytes : last;
    *hi = end_first > end_last ? end_first : end_last;
}

uint32_t vf_bytes(const VfInstr *v) {
    uint32_t es = dtype_size((DType)v->dtype);
    switch (v->dist) {
    case DIST_BRC:
    case DIST_ONEPT: return es;
    case DIST_BLK: return BLOCK_BYTES;
    case DIST_US: return REPEAT_BYTES / es / 8;
    case DIST_UNPK:
    case DIST_PK: return REPEAT_BYTES / 2;
    case DIST_DINTLV: return 2 * REPEAT_BYTES;
    default: return v->op == U_PLDS ? REPEAT_BYTES / 8 : REPEAT_BYTES;
    }
}

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

/* Works repeat by repeat whatever the mask says. */
static bool ignores_mask(UopClass c) { return c == UC_BLOCKS || c == UC_TRANSPOSE || c == UC_SORT || c == UC_MERGE || c == UC_SIMT; }

Shape uop_shape(const Uop *u, const MaskState *m) {
    UopClass cls = uop_info[u->op].cls;
    if (ignores_mask(cls)) return (Shape){.repeats = u->rep, .lanes = 1, .last_lanes = 1, .lo = ~0ull, .hi = ~0ull};
    if (cls == UC_COPY) return (Shape){.repeats = u->imm ? u->rep : 0, .lanes = 1, .last_lanes = 1, .lo = ~0ull, .hi = ~0ull};
    uint32_t lanes = REPEAT_BYTES / lane_size(u);
    if (cls == UC_GATHER || (cls == UC_VCOPY && m->count_mode)) return gather_shape(u, m, lanes);
    if (cls == UC_CMPMASK) return (Shape){.repeats = 1, .lanes = 1, .last_lanes = 1, .lo = ~0ull, .hi = ~0ull};
    if (cls == UC_BRCB || cls == UC_CMPV || cls == UC_CMPVS) return (Shape){.repeats = u->rep, .lanes = lanes, .last_lanes = lanes, .lo = ~0ull, .hi = ~0ull};

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

/* One bit per lane, repeat after repeat. */
static Access packed_bits(uint32_t base, uint32_t lanes) {
    return (Access){.used = true, .base = base, .blk = BLOCK_BYTES, .rpt = lanes / 8, .blocks = 1, .bytes = lanes / 8, .esize = 1};
}

/* Elements that a pattern selects from n. */
static uint32_t selected(uint32_t pattern, uint32_t n) {
    if (pattern == 7 || pattern == 0) return n; /* as many as bits say */
    if (pattern == 1) return (n + 1) / 2;
    if (pattern == 2) return n / 2;
    return (n + 3 - (pattern - 3)) / 4;
}

static Access run_of(uint32_t base, uint32_t bytes, uint32_t rpt, uint32_t esize) {
    return (Access){.used = true, .base = base, .blk = BLOCK_BYTES, .rpt = rpt, .blocks = 1, .bytes = bytes, .esize = esize};
}

/* The table of an indexed access: any byte of it may be read in any repeat. */
static Access table(const Uop *u, uint32_t es) {
    Access a = run_of(u->src1, BLOCK_BYTES, 0, es);
    a.blocks = (uint32_t)((u->imm2 + BLOCK_BYTES - 1) / BLOCK_BYTES);
    return a;
}

/* imm blocks, with one 32-bit offset each. */
static Access blocks_access(const Uop *u, uint32_t es, Role r) {
    if (r == ROLE_SRC1) return table(u, es);
    if (r == ROLE_SRC0) return run_of(u->src0, (uint32_t)u->imm * 4, BLOCK_BYTES, 4);
    Access a = run_of(u->dst, BLOCK_BYTES, u->drpt * BLOCK_BYTES, es);
    a.blk = u->dblk * BLOCK_BYTES;
    a.blocks = (uint32_t)u->imm;
    return a;
}

/* imm rows of a block become columns of 16 elements. */
static Access transpose_access(const Uop *u, uint32_t es, Role r) {
    bool dst = r == ROLE_DST;
    uint32_t half = es == 1 && (u->mode & (dst ? TRANSPOSE_DST_HIGH : TRANSPOSE_SRC_HIGH)) ? BLOCK_BYTES / 2 : 0;
    if (r == ROLE_SRC1) return (Access){0};
    Access a = run_of((dst ? u->dst : u->src0) + half, es == 1 ? BLOCK_BYTES / 2 : BLOCK_BYTES, (dst ? u->drpt : u->srpt0) * BLOCK_BYTES, es);
    a.blk = (dst ? u->dblk : u->sblk0) * BLOCK_BYTES;
    a.blocks = dst ? TRANSPOSE_ROWS : (uint32_t)u->imm;
    if (dst && es == 4) {
        a.blocks = TRANSPOSE_ROWS / 2;
        a.bytes = 2 * BLOCK_BYTES;
    }
    return a;
}

/* Lists of records; those beyond the second are not described. */
static Access record_access(const Uop *u, uint32_t es, Role r) {
    uint32_t total = 0;
    if (uop_info[u->op].cls == UC_SORT) {
        if (r == ROLE_DST) return run_of(u->dst, SORT_RECORDS * RECORD_BYTES, SORT_RECORDS * RECORD_BYTES, es);
        if (r == ROLE_SRC0) return run_of(u->src0, SORT_RECORDS * es, SORT_RECORDS * es, es);
        return run_of(u->src1, SORT_RECORDS * 4, SORT_RECORDS * 4, 4);
    }
    for (int k = 0; k < u->mode; k++) total += merge_records(u, k) * RECORD_BYTES;
    if (r == ROLE_DST) return run_of(u->dst, total, total, es);
    return run_of(merge_list(u, r == ROLE_SRC1), merge_records(u, r == ROLE_SRC1) * RECORD_BYTES, total, es);
}

/* Lanes in blocks, repeat after repeat. */
static Access lane_access(const Uop *u, const Shape *s, uint32_t es, Role r) {
    Access a = {.used = true, .blocks = s->lanes * es / BLOCK_BYTES, .bytes = BLOCK_BYTES, .esize = es, .masked = true};
    a.base = r == ROLE_DST ? u->dst : r == ROLE_SRC0 ? u->src0 : u->src1;
    a.blk = (r == ROLE_DST ? u->dblk : r == ROLE_SRC0 ? u->sblk0 : u->sblk1) * BLOCK_BYTES;
    a.rpt = (r == ROLE_DST ? u->drpt : r == ROLE_SRC0 ? u->srpt0 : u->srpt1) * BLOCK_BYTES;
    return a;
}

Access uop_access(const Uop *u, const Shape *s, Role r) {
    UopClass cls = uop_info[u->op].cls;
    uint32_t es = dtype_size((DType)u->dtype);
    if (cls == UC_BIN || ((cls == UC_BINS || cls == UC_UN) && r != ROLE_SRC1)) return lane_access(u, s, es, r);
    if (cls == UC_BLOCKS) return blocks_access(u, es, r);
    if (cls == UC_TRANSPOSE) return transpose_access(u, es, r);
    if (cls == UC_SORT || cls == UC_MERGE) return record_access(u, es, r);
    if (cls == UC_SIMT) return (Access){0}; /* its descriptor says where */
    if (cls == UC_INDEXED && r == ROLE_SRC1) return table(u, es);
    Access a = lane_access(u, s, es, r);
    if (r == ROLE_DST) {
        if (cls == UC_CMP || cls == UC_CMPMASK) return (Access){0};
        if (cls == UC_CMPV || cls == UC_CMPVS) return packed_bits(u->dst, s->lanes);
        if (cls == UC_REDUCE) return reduce_result(u);
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
        if (cls == UC_CMPMASK) return packed_bits(u->src0, 128);
        if (cls == UC_CMPV || cls == UC_CMPVS) a.masked = false;
        if (cls == UC_CVT || (cls == UC_AXPY && u->dtype2)) a.esize = dtype_size((DType)u->dtype2);
        if (cls == UC_INDEXED) a.esize = 4;
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
        if (cls == UC_GATHER && !u->mode) return run_of(u->src1, (s->elements + 7) / 8, u->srpt1 * BLOCK_BYTES, 1);
        if (cls != UC_BIN && cls != UC_AXPY && cls != UC_CMP && cls != UC_CMPV && cls != UC_SEL) return (Access){0};
        if (cls == UC_SEL && u->mode == SEL_SCALAR) return packed_bits(u->src1, s->lanes);
        if (cls == UC_CMPV) a.masked = false;
    }
    if (cls == UC_VCOPY && s->elements) { /* count mode */
        a.masked = false;
        a.blocks = (s->elements * es + BLOCK_BYTES - 1) / BLOCK_BYTES;
    } else if (cls == UC_COPY) {
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
    case DIST_E2B: return BLOCKS_PER_REPEAT * es;
    case DIST_US: return REPEAT_BYTES / es / 8;
    case DIST_UNPK: return REPEAT_BYTES / 2;
    case DIST_PK: return v->op == U_PSTS ? REPEAT_BYTES / 16 : REPEAT_BYTES / 2;
    case DIST_DINTLV: return 2 * REPEAT_BYTES;
    default: return v->op == U_PLDS || v->op == U_PSTS ? REPEAT_BYTES / 8 : REPEAT_BYTES;
    }
}

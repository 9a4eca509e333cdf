#include "isa/check/taint.h"

#include <string.h>

typedef struct Taint {
    const TaintPorts *port;
    uint8_t mark[VF_VREGS][REPEAT_BYTES];
    bool dirty[VF_VREGS];      /* some byte is marked */
    uint64_t origin[VF_VREGS]; /* where the first marked byte was loaded from */
    Pred pmark[VF_PREGS];      /* marked lanes of predicates */
    uint8_t pkind[VF_PREGS];   /* their marks */
    uint64_t porigin[VF_PREGS];
} Taint;

static const Pred all_lanes = {{~0ull, ~0ull, ~0ull, ~0ull}};

static const Pred *governing(const VfInstr *v, const VfRegs *r) { return v->pg == VF_NONE ? &all_lanes : &r->p[v->pg]; }

static bool is_marked(const Pred *p) { return (p->w[0] | p->w[1] | p->w[2] | p->w[3]) != 0; }

static uint8_t any_mark(const uint8_t *m, uint32_t n) {
    uint8_t all = 0;
    for (uint32_t i = 0; i < n; i++) all |= m[i];
    return all;
}

static bool marked(const Taint *t, uint8_t reg) { return reg != VF_NONE && t->dirty[reg]; }

static void set_clean(Taint *t, uint8_t reg) {
    if (reg == VF_NONE || !t->dirty[reg]) return;
    memset(t->mark[reg], 0, REPEAT_BYTES);
    t->dirty[reg] = false;
}

/* Takes over marks that were put together in a buffer. */
static void set_marks(Taint *t, uint8_t reg, const uint8_t *m, uint64_t origin) {
    if (reg == VF_NONE) return;
    memcpy(t->mark[reg], m, REPEAT_BYTES);
    t->dirty[reg] = any_mark(m, REPEAT_BYTES) != 0;
    t->origin[reg] = origin;
}

static uint64_t origin_of(const Taint *t, const VfInstr *v) {
    const uint8_t reg[3] = {v->src0, v->src1, v->dst};
    for (int k = 0; k < 3; k++)
        if (marked(t, reg[k])) return t->origin[reg[k]];
    return 0;
}

/* Marks of the sources lane by lane; a lane is marked as a whole. */
static void join_sources(const Taint *t, const VfInstr *v, unsigned es, uint8_t *out) {
    memset(out, 0, REPEAT_BYTES);
    const uint8_t src[2] = {v->src0, v->src1};
    for (int k = 0; k < 2; k++)
        if (marked(t, src[k]))
            for (uint32_t o = 0; o < REPEAT_BYTES; o++) out[o] |= t->mark[src[k]][o];
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es) memset(out + o, any_mark(out + o, es), es);
}

static uint64_t first_marked(const uint8_t *m, uint64_t addr) {
    uint32_t i = 0;
    while (i < 2 * REPEAT_BYTES && !m[i]) i++;
    return addr + i;
}

static void load(Taint *t, const VfInstr *v, uint64_t addr) {
    uint8_t in[2 * REPEAT_BYTES] = {0}, a[REPEAT_BYTES] = {0}, b[REPEAT_BYTES] = {0};
    uint32_t n = vf_bytes(v);
    unsigned es = dtype_size((DType)v->dtype);
    if (!t->port->load(t->port->ctx, v, addr, n, in)) {
        set_clean(t, v->dst);
        set_clean(t, v->dst2);
        return;
    }
    for (uint32_t o = 0; o < REPEAT_BYTES; o++) switch (v->dist) {
        case DIST_BRC: a[o] = any_mark(in, es); break;
        case DIST_BLK: a[o] = in[o % BLOCK_BYTES]; break;
        case DIST_E2B: a[o] = any_mark(in + o / BLOCK_BYTES * es, es); break;
        case DIST_UNPK: a[o] = o / es % 2 ? 0 : in[o / (2 * es) * es + o % es]; break;
        case DIST_DINTLV:
            a[o] = in[o / es * 2 * es + o % es];
            b[o] = in[(o / es * 2 + 1) * es + o % es];
            break;
        default: a[o] = in[o]; break;
        }
    uint64_t origin = first_marked(in, addr);
    set_marks(t, v->dst, a, origin);
    set_marks(t, v->dst2, b, origin);
}

static void load_mask(Taint *t, const VfInstr *v, uint64_t addr) {
    uint8_t in[2 * REPEAT_BYTES] = {0};
    unsigned es = dtype_size((DType)v->dtype);
    Pred p = {{0}};
    if (t->port->load(t->port->ctx, v, addr, vf_bytes(v), in))
        for (uint32_t i = 0; i < vf_bytes(v) * 8 && i * es < REPEAT_BYTES; i++)
            if (in[i / 8]) pred_set(&p, i * es);
    t->pmark[v->pd] = p;
    t->pkind[v->pd] = any_mark(in, vf_bytes(v));
    t->porigin[v->pd] = first_marked(in, addr);
}

/* Runs of active lanes. */
static void store(Taint *t, const VfInstr *v, const VfRegs *r, uint64_t addr) {
    const Pred *p = governing(v, r);
    unsigned es = dtype_size((DType)v->dtype), out = v->dist == DIST_PK ? es / 2 : es;
    const uint8_t *m = marked(t, v->src0) ? t->mark[v->src0] : NULL;
    uint64_t origin = origin_of(t, v);
    uint32_t lanes = REPEAT_BYTES / es;
    if (v->op == U_VSTAS) return; /* the rest of what VSTUR and VSTUS have stored */
    if (v->op == U_VSTUR && v->mode) {
        t->port->store_somewhere(t->port->ctx, addr); /* data say how far */
        return;
    }
    if (v->op == U_VSTUR) {
        if (r->squeezed) t->port->store(t->port->ctx, v, addr, addr + r->squeezed, m, origin);
        return;
    }
    if (v->op == U_PSTS || v->dist == DIST_ONEPT || (v->dist == DIST_NORM && pred_full(p, es))) {
        t->port->store(t->port->ctx, v, addr, addr + vf_bytes(v), m, origin);
        return;
    }
    uint8_t packed[REPEAT_BYTES] = {0};
    for (uint32_t i = 0; m && i < lanes; i++) memcpy(packed + i * out, m + i * es, out);
    for (uint32_t i = 0, first; i < lanes; i++) {
        if (!pred_bit(p, i * es)) continue;
        for (first = i; i < lanes && pred_bit(p, i * es);) i++;
        t->port->store(t->port->ctx, v, addr + first * out, addr + (uint64_t)i * out, m ? packed + first * out : NULL, origin);
    }
}

static void use(Taint *t, const VfInstr *v, const VfRegs *r) {
    unsigned es = dtype_size((DType)v->dtype);
    if (!marked(t, v->src0) && !marked(t, v->src1)) return;
    uint8_t in[REPEAT_BYTES], all = 0;
    const Pred *p = governing(v, r);
    join_sources(t, v, es, in);
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es)
        if (pred_bit(p, o)) all |= in[o];
    if (all) t->port->use(t->port->ctx, v, all, origin_of(t, v));
}

/* Results of compares with marked bytes are marked lanes of the predicate. */
static void compare(Taint *t, const VfInstr *v, const VfRegs *r) {
    unsigned es = dtype_size((DType)v->dtype);
    t->pmark[v->pd] = (Pred){{0}};
    if (!marked(t, v->src0) && !marked(t, v->src1)) return;
    uint8_t in[REPEAT_BYTES];
    const Pred *p = governing(v, r);
    join_sources(t, v, es, in);
    t->pkind[v->pd] = any_mark(in, REPEAT_BYTES);
    t->porigin[v->pd] = origin_of(t, v);
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es)
        if (in[o] && pred_bit(p, o)) pred_set(&t->pmark[v->pd], o);
}

/* Block b by 32-bit offset b. */
static void use_offsets(Taint *t, const VfInstr *v, const VfRegs *r) {
    uint8_t all = 0;
    for (uint32_t b = 0; marked(t, v->src0) && b < BLOCKS_PER_REPEAT; b++)
        if (pred_bit(governing(v, r), b * BLOCK_BYTES)) all |= any_mark(t->mark[v->src0] + 4 * b, 4);
    if (all) t->port->use(t->port->ctx, v, all, t->origin[v->src0]);
}

/* Indices depend on data, so any element may be read: the table is looked at as a whole, once. */
static void gather(Taint *t, const VfInstr *v, const VfRegs *r, uint64_t addr, bool first) {
    uint8_t in[2 * REPEAT_BYTES];
    VfInstr lanes = *v;
    lanes.dtype = v->dtype2;
    if (v->op == U_VGATHERBR) use_offsets(t, v, r);
    else use(t, &lanes, r);
    for (uint64_t at = 0; first && at < v->imm; at += REPEAT_BYTES)
        t->port->load(t->port->ctx, v, addr + at, (uint32_t)(v->imm - at < REPEAT_BYTES ? v->imm - at : REPEAT_BYTES), in);
    set_clean(t, v->dst);
}

static void squeeze(Taint *t, const VfInstr *v, const VfRegs *r) {
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t out[REPEAT_BYTES] = {0};
    uint32_t n = 0;
    if (!marked(t, v->src0)) {
        set_clean(t, v->dst);
        return;
    }
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es)
        if (pred_bit(governing(v, r), o)) memcpy(out + es * n++, t->mark[v->src0] + o, es);
    set_marks(t, v->dst, out, t->origin[v->src0]);
}

/* A select may take either source; a marked selector marks the lane. */
static void select_lanes(Taint *t, const VfInstr *v) {
    const Pred none = {{0}}, *sel = v->pg == VF_NONE ? &none : &t->pmark[v->pg];
    if (!marked(t, v->src0) && !marked(t, v->src1) && !is_marked(sel)) {
        set_clean(t, v->dst);
        return;
    }
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t out[REPEAT_BYTES];
    join_sources(t, v, es, out);
    uint64_t origin = marked(t, v->src0) || marked(t, v->src1) ? origin_of(t, v) : t->porigin[v->pg];
    for (uint32_t o = 0; is_marked(sel) && o < REPEAT_BYTES; o += es)
        if (pred_bit(sel, o)) memset(out + o, t->pkind[v->pg], es);
    set_marks(t, v->dst, out, origin);
}

/* Active lanes take the sources' marks, the others are zero or, merging, stay. */
static void lanewise(Taint *t, const VfInstr *v, const VfRegs *r) {
    bool sources = marked(t, v->src0) || marked(t, v->src1);
    if (!sources && !(v->merging && t->dirty[v->dst])) {
        set_clean(t, v->dst);
        return;
    }
    unsigned es = dtype_size((DType)v->dtype);
    const Pred *p = governing(v, r);
    uint8_t out[REPEAT_BYTES];
    join_sources(t, v, es, out);
    uint64_t origin = origin_of(t, v);
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es) {
        if (pred_bit(p, o)) continue;
        if (v->merging) memcpy(out + o, t->mark[v->dst] + o, es);
        else memset(out + o, 0, es);
    }
    set_marks(t, v->dst, out, origin);
}

/* Lane 0 of the source, or a scalar, fills the destination. */
static void fill(Taint *t, const VfInstr *v, const VfRegs *r) {
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t lane = marked(t, v->src0) ? any_mark(t->mark[v->src0], es) : 0, out[REPEAT_BYTES] = {0};
    const Pred *p = governing(v, r);
    for (uint32_t o = 0; lane && o < REPEAT_BYTES; o += es)
        if (pred_bit(p, o)) memset(out + o, lane, es);
    if (lane) set_marks(t, v->dst, out, t->origin[v->src0]);
    else set_clean(t, v->dst);
}

static void convert(Taint *t, const VfInstr *v, const VfRegs *r) {
    if (!marked(t, v->src0)) {
        set_clean(t, v->dst);
        return;
    }
    unsigned to = dtype_size((DType)v->dtype), from = dtype_size((DType)v->dtype2), wide = to > from ? to : from, part = v->mode >> 4;
    const Pred *p = governing(v, r);
    uint8_t out[REPEAT_BYTES] = {0};
    for (uint32_t o = 0; o < REPEAT_BYTES; o += wide) {
        if (!pred_bit(p, o)) continue;
        uint8_t m = any_mark(t->mark[v->src0] + o + (from < wide ? part * from : 0), from);
        memset(out + o + (to < wide ? part * to : 0), m, to);
    }
    set_marks(t, v->dst, out, t->origin[v->src0]);
}

static uint8_t lane_mark(const Taint *t, const VfInstr *v, uint32_t i, unsigned es) {
    uint32_t at = i * es;
    uint8_t reg = at < REPEAT_BYTES ? v->src0 : v->src1;
    return marked(t, reg) ? any_mark(t->mark[reg] + at % REPEAT_BYTES, es) : 0;
}

static void permute(Taint *t, const VfInstr *v, const VfRegs *r) {
    unsigned es = dtype_size((DType)v->dtype), n = REPEAT_BYTES / es;
    if (!marked(t, v->src0) && !marked(t, v->src1)) {
        set_clean(t, v->dst);
        set_clean(t, v->dst2);
        return;
    }
    uint8_t first[REPEAT_BYTES], second[REPEAT_BYTES];
    uint64_t origin = origin_of(t, v);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = 2 * i, b = a + 1;
        if (v->op == U_VINTLV) a = i / 2 + i % 2 * n, b = a + n / 2;
        else if (v->op == U_VSELR) a = b = (uint32_t)dtype_load((DType)v->dtype, r->v[v->src1] + i * es) % n;
        memset(first + i * es, lane_mark(t, v, a, es), es);
        memset(second + i * es, lane_mark(t, v, b, es), es);
    }
    set_marks(t, v->dst, first, origin);
    set_marks(t, v->dst2, second, origin);
}

static void predicate(Taint *t, const VfInstr *v, const uint32_t *idx) {
    bool derived = uop_info[v->op].cls == UC_PREDX && v->pg != VF_NONE && is_marked(&t->pmark[v->pg]);
    t->pmark[v->pd] = derived ? pred_result(v, &t->pmark[v->pg], idx) : (Pred){{0}};
    if (!derived) return;
    t->pkind[v->pd] = t->pkind[v->pg];
    t->porigin[v->pd] = t->porigin[v->pg];
}

static bool first_iteration(const uint32_t idx[VF_MAX_DEPTH]) {
    uint32_t any = 0;
    for (int d = 0; d < VF_MAX_DEPTH; d++) any |= idx[d];
    return !any;
}

static void before(void *ctx, const VfInstr *v, const VfRegs *r, const uint32_t idx[VF_MAX_DEPTH]) {
    Taint *t = ctx;
    uint64_t addr = (uint64_t)vf_address(v, idx, VF_MAX_DEPTH);
    switch (uop_info[v->op].cls) {
    case UC_PRED:
    case UC_PREDX: predicate(t, v, idx); break;
    case UC_LOAD:
        if (v->op == U_PLDS) load_mask(t, v, addr);
        else if (v->op != U_VLDAS) load(t, v, addr); /* VLDAS prepares the loads that follow */
        break;
    case UC_STORE: store(t, v, r, addr); break;
    case UC_GLOAD: gather(t, v, r, addr, first_iteration(idx)); break;
    case UC_GSTORE:
        use(t, v, r);
        if (first_iteration(idx)) t->port->store_somewhere(t->port->ctx, addr);
        break;
    case UC_SQUEEZE:
        if (v->pg != VF_NONE && is_marked(&t->pmark[v->pg])) t->port->use(t->port->ctx, v, t->pkind[v->pg], t->porigin[v->pg]);
        squeeze(t, v, r);
        break;
    case UC_REDUCE:
        use(t, v, r);
        set_clean(t, v->dst);
        break;
    case UC_CMP:
    case UC_CMPS: compare(t, v, r); break;
    case UC_PRED2: t->pmark[v->pd] = (Pred){{0}}; break;
    case UC_SEL: select_lanes(t, v); break;
    case UC_INTLV: permute(t, v, r); break;
    case UC_CVT: convert(t, v, r); break;
    case UC_DUP: fill(t, v, r); break;
    default: lanewise(t, v, r); break;
    }
}

void taint_run(const Target *target, const VfInstr *body, uint32_t n, const TaintPorts *p) {
    static const Taint clean;
    Taint t = clean;
    t.port = p;
    Machine no_memory = {.target = target, .fault = ~0u};
    vf_execute(&no_memory, body, n, before, &t);
}

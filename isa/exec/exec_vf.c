/* Vector functions of the 950: the loop nest is walked, never expanded. */
#include <string.h>

#include "isa/exec/exec_internal.h"
#include "isa/exec/lanes.h"
#include "isa/exec/vf.h"

typedef struct Vf {
    Machine *m;
    const VfInstr *body;
    VfHook before;
    void *ctx;
    VfRegs r;
    uint32_t idx[VF_MAX_DEPTH];
} Vf;

static const Pred all_bytes = {{~0ull, ~0ull, ~0ull, ~0ull}};

/* The lowest bit of each lane of the type. */
static uint64_t lane_bits(unsigned es) {
    return es == 1 ? ~0ull : es == 2 ? 0x5555555555555555ull : es == 4 ? 0x1111111111111111ull : 0x0101010101010101ull;
}

static Pred pred_first(int64_t n, unsigned es) {
    Pred p = {{0}};
    int64_t bytes = n < 0 ? 0 : n * es;
    for (int i = 0; i < 4; i++) {
        int64_t left = bytes - 64 * i;
        uint64_t w = left >= 64 ? ~0ull : left <= 0 ? 0 : (1ull << left) - 1;
        p.w[i] = w & lane_bits(es);
    }
    return p;
}

bool pred_full(const Pred *p, unsigned es) {
    uint64_t b = lane_bits(es);
    return (p->w[0] & p->w[1] & p->w[2] & p->w[3] & b) == b;
}

static const Pred *governing(const Vf *f, const VfInstr *v) {
    return v->pg == VF_NONE ? &all_bytes : &f->r.p[v->pg];
}

/* Result lanes into the destination: active ones from res, the rest zero or (merging) kept. */
static void commit(Vf *f, const VfInstr *v, const uint8_t *res) {
    const Pred *p = governing(f, v);
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t *d = f->r.v[v->dst];
    if (pred_full(p, es)) {
        memcpy(d, res, REPEAT_BYTES);
        return;
    }
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es) {
        if (pred_bit(p, o)) memcpy(d + o, res + o, es);
        else if (!v->merging) memset(d + o, 0, es);
    }
}

static void do_load(Vf *f, const VfInstr *v, uint64_t addr) {
    uint8_t *d = f->r.v[v->dst];
    uint8_t buf[2 * REPEAT_BYTES] = {0};
    uint32_t n = vf_bytes(v);
    unsigned es = dtype_size((DType)v->dtype);
    const uint8_t *p = ub_at(f->m, addr, n);
    if (!p && addr < f->m->ub_size) memcpy(buf, f->m->ub + addr, f->m->ub_size - addr < n ? f->m->ub_size - addr : n);
    if (!p) p = buf;
    switch (v->dist) {
    case DIST_BRC: lanes_fill((DType)v->dtype, d, dtype_load((DType)v->dtype, p), REPEAT_BYTES); break;
    case DIST_BLK:
        for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) memcpy(d + b * BLOCK_BYTES, p, BLOCK_BYTES);
        break;
    case DIST_E2B:
        for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) lanes_fill((DType)v->dtype, d + b * BLOCK_BYTES, dtype_load((DType)v->dtype, p + b * es), BLOCK_BYTES);
        break;
    case DIST_UNPK: /* each element into a lane of twice its width */
        memset(d, 0, REPEAT_BYTES);
        for (uint32_t i = 0; i < REPEAT_BYTES / 2 / es; i++) memcpy(d + 2 * i * es, p + i * es, es);
        break;
    case DIST_DINTLV:
        for (uint32_t i = 0; i < REPEAT_BYTES / es; i++) {
            memcpy(d + i * es, p + 2 * i * es, es);
            memcpy(f->r.v[v->dst2] + i * es, p + (2 * i + 1) * es, es);
        }
        break;
    default: memcpy(d, p, REPEAT_BYTES); break;
    }
}

/* A predicate as bits, one per byte or one per 16-bit lane. */
static void do_store_predicate(Vf *f, const VfInstr *v, uint64_t addr) {
    uint8_t bits[REPEAT_BYTES / 8] = {0};
    uint32_t n = vf_bytes(v), step = REPEAT_BYTES / 8 / n;
    for (uint32_t i = 0; i < 8 * n; i++)
        if (pred_bit(governing(f, v), i * step)) bits[i / 8] |= (uint8_t)(1 << i % 8);
    uint8_t *d = ub_at(f->m, addr, n);
    if (d) memcpy(d, bits, n);
}

static void do_store(Vf *f, const VfInstr *v, uint64_t addr) {
    const uint8_t *s = f->r.v[v->src0];
    unsigned es = dtype_size((DType)v->dtype);
    const Pred *p = governing(f, v);
    if (v->dist == DIST_ONEPT) {
        uint8_t *d = ub_at(f->m, addr, es);
        if (d) memcpy(d, s, es);
        return;
    }
    unsigned out = v->dist == DIST_PK ? es / 2 : es;
    for (uint32_t i = 0; i < REPEAT_BYTES / es; i++) {
        if (!pred_bit(p, i * es)) continue;
        uint8_t *d = ub_at(f->m, addr + i * out, out);
        if (d) memcpy(d, s + i * es, out);
    }
}

static void do_store_fast(Vf *f, const VfInstr *v, uint64_t addr) {
    bool whole = v->dist == DIST_NORM && pred_full(governing(f, v), dtype_size((DType)v->dtype));
    uint8_t *d = whole ? ub_at(f->m, addr, REPEAT_BYTES) : NULL;
    if (d) memcpy(d, f->r.v[v->src0], REPEAT_BYTES);
    else do_store(f, v, addr);
}

/* Bit mask in UB, one bit per lane, to a predicate. */
static void do_load_mask(Vf *f, const VfInstr *v, uint64_t addr) {
    unsigned es = dtype_size((DType)v->dtype);
    Pred p = {{0}};
    const uint8_t *m = ub_at(f->m, addr, vf_bytes(v));
    for (uint32_t i = 0; m && i < vf_bytes(v) * 8 && i * es < REPEAT_BYTES; i++)
        if (m[i / 8] >> (i % 8) & 1) pred_set(&p, i * es);
    f->r.p[v->pd] = p;
}

/* Lanes are as wide as their index; a narrower element is extended with zeros. */
static void do_indexed(Vf *f, const VfInstr *v, uint64_t base) {
    DType lane = (DType)v->dtype2;
    unsigned es = dtype_size((DType)v->dtype), step = dtype_size(lane);
    bool load = v->op == U_VGATHER2;
    const uint8_t *index = f->r.v[load ? v->src0 : v->src1];
    uint8_t res[REPEAT_BYTES] = {0};
    for (uint32_t o = 0; o < REPEAT_BYTES; o += step) {
        if (!pred_bit(governing(f, v), o)) continue;
        uint8_t *p = ub_at(f->m, base + dtype_load(lane, index + o) * es, es);
        if (p && load) memcpy(res + o, p, es);
        else if (p) memcpy(p, f->r.v[v->src0] + o, es);
    }
    if (load) memcpy(f->r.v[v->dst], res, REPEAT_BYTES);
}

static void do_gather_blocks(Vf *f, const VfInstr *v, uint64_t base) {
    uint8_t res[REPEAT_BYTES] = {0};
    for (uint32_t b = 0; b < BLOCKS_PER_REPEAT; b++) {
        const uint8_t *p = pred_bit(governing(f, v), b * BLOCK_BYTES) ? ub_at(f->m, base + dtype_load(DT_U32, f->r.v[v->src0] + 4 * b), BLOCK_BYTES) : NULL;
        if (p) memcpy(res + b * BLOCK_BYTES, p, BLOCK_BYTES);
    }
    commit(f, v, res);
}

static void do_squeeze(Vf *f, const VfInstr *v) {
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t res[REPEAT_BYTES] = {0};
    uint32_t n = 0;
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es)
        if (pred_bit(governing(f, v), o)) memcpy(res + es * n++, f->r.v[v->src0] + o, es);
    memcpy(f->r.v[v->dst], res, REPEAT_BYTES);
    f->r.squeezed = n * es;
}

static void do_store_squeezed(Vf *f, const VfInstr *v, uint64_t addr) {
    uint8_t *d = ub_at(f->m, addr + (v->mode ? f->r.running : 0), f->r.squeezed);
    if (d) memcpy(d, f->r.v[v->src0], f->r.squeezed);
    if (v->mode) f->r.running += f->r.squeezed;
}

static void do_store_number(Vf *f, const VfInstr *v, uint64_t addr) {
    uint32_t es = dtype_size((DType)v->dtype);
    uint8_t *d = ub_at(f->m, addr, es);
    if (d) dtype_store((DType)v->dtype, d, f->r.running / es);
    f->r.running = 0;
}

static void do_reduce(Vf *f, const VfInstr *v) {
    DType t = (DType)v->dtype;
    unsigned es = dtype_size(t), n = REPEAT_BYTES / es;
    const uint8_t *s = f->r.v[v->src0];
    const Pred *p = governing(f, v);
    uint64_t mask[4] = {0}, bits;
    for (uint32_t i = 0; i < n; i++)
        if (pred_bit(p, i * es)) mask[i / 64] |= 1ull << (i % 64);
    uint8_t res[REPEAT_BYTES] = {0};
    uint32_t index = 0;
    if (v->op == U_VCADD) bits = lanes_sum(t, s, n, mask);
    else if (!lanes_reduce((UopId)v->op, t, s, n, mask, &f->m->target->sem, v->mode == ORDER_ONLY_VALUE, &index, &bits)) bits = v->imm;
    uint64_t i64 = index;
    if (v->op == U_VCADD) {
        memcpy(res, &bits, dtype_size((DType)v->dtype2));
    } else {
        memcpy(res, &bits, es);
        memcpy(res + es, &i64, es);
    }
    memcpy(f->r.v[v->dst], res, REPEAT_BYTES);
}

static void do_compare(Vf *f, const VfInstr *v) {
    DType t = (DType)v->dtype;
    unsigned es = dtype_size(t), n = REPEAT_BYTES / es;
    uint8_t scalar[REPEAT_BYTES];
    bool with_scalar = uop_info[v->op].cls == UC_CMPS;
    if (with_scalar) lanes_fill(t, scalar, v->imm, REPEAT_BYTES);
    uint64_t out[4];
    lanes_compare((UopId)v->op, t, f->r.v[v->src0], with_scalar ? scalar : f->r.v[v->src1], n, out);
    Pred r = {{0}}, g = *governing(f, v);
    for (uint32_t i = 0; i < n; i++)
        if ((out[i / 64] >> (i % 64) & 1) && pred_bit(&g, i * es)) pred_set(&r, i * es);
    f->r.p[v->pd] = r;
}

/* Both of two predicates, or their even bytes side by side. */
static void do_join_predicates(Vf *f, const VfInstr *v) {
    Pred r = {{0}};
    for (int i = 0; v->op == U_PAND && i < 4; i++) f->r.p[v->pd].w[i] = f->r.p[v->pg].w[i] & f->r.p[v->pg2].w[i];
    if (v->op == U_PAND) return;
    for (uint32_t i = 0; i < REPEAT_BYTES / 2; i++) {
        if (pred_bit(&f->r.p[v->pg], 2 * i)) pred_set(&r, i);
        if (pred_bit(&f->r.p[v->pg2], 2 * i)) pred_set(&r, i + REPEAT_BYTES / 2);
    }
    f->r.p[v->pd] = r;
}

static void do_axpy(Vf *f, const VfInstr *v) {
    uint8_t res[REPEAT_BYTES];
    lanes_axpy((DType)v->dtype, res, f->r.v[v->src0], v->imm, f->r.v[v->dst], REPEAT_BYTES, &f->m->target->sem);
    commit(f, v, res);
}

static void do_select(Vf *f, const VfInstr *v) {
    unsigned es = dtype_size((DType)v->dtype);
    uint8_t res[REPEAT_BYTES];
    const Pred *p = governing(f, v);
    for (uint32_t o = 0; o < REPEAT_BYTES; o += es)
        memcpy(res + o, f->r.v[pred_bit(p, o) ? v->src0 : v->src1] + o, es);
    memcpy(f->r.v[v->dst], res, REPEAT_BYTES);
}

/* Lane i of two registers that stand side by side. */
static const uint8_t *lane_of_two(const Vf *f, const VfInstr *v, uint32_t i) {
    unsigned es = dtype_size((DType)v->dtype);
    uint32_t at = i * es;
    return at < REPEAT_BYTES ? f->r.v[v->src0] + at : f->r.v[v->src1] + (at - REPEAT_BYTES);
}

static void do_permute(Vf *f, const VfInstr *v) {
    unsigned es = dtype_size((DType)v->dtype), n = REPEAT_BYTES / es;
    uint8_t first[REPEAT_BYTES], second[REPEAT_BYTES];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a, b;
        if (v->op == U_VDINTLV) {
            a = 2 * i;
            b = a + 1;
        } else if (v->op == U_VINTLV) {
            a = i / 2 + i % 2 * n;
            b = a + n / 2;
        } else { /* VSELR: by the low bits of the index lanes */
            a = b = (uint32_t)dtype_load((DType)v->dtype, f->r.v[v->src1] + i * es) % n;
        }
        memcpy(first + i * es, lane_of_two(f, v, a), es);
        memcpy(second + i * es, lane_of_two(f, v, b), es);
    }
    memcpy(f->r.v[v->dst], first, REPEAT_BYTES);
    if (v->dst2 != VF_NONE) memcpy(f->r.v[v->dst2], second, REPEAT_BYTES);
}

/* The scalar of this iteration: integers may move with the loops. */
static uint64_t moving_scalar(const Vf *f, const VfInstr *v) { return v->imm + (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH); }

/* Fills lanes with a scalar, with lane 0 of a register, or with their own numbers. */
static void do_fill(Vf *f, const VfInstr *v) {
    DType t = (DType)v->dtype;
    uint8_t res[REPEAT_BYTES];
    unsigned es = dtype_size(t);
    lanes_fill(t, res, v->src0 == VF_NONE ? v->imm : dtype_load(t, f->r.v[v->src0]), REPEAT_BYTES);
    for (uint32_t i = 0; v->op == U_VCI && i < REPEAT_BYTES / es; i++) dtype_store(t, res + i * es, moving_scalar(f, v) + i);
    commit(f, v, res);
}

/* Lanes of the wider type. The narrow side sits in part `mode >> 4` of each wide lane. */
static void do_convert(Vf *f, const VfInstr *v) {
    DType to = (DType)v->dtype, from = (DType)v->dtype2;
    unsigned tsize = dtype_size(to), fsize = dtype_size(from), wide = tsize > fsize ? tsize : fsize;
    unsigned part = v->mode >> 4;
    uint8_t res[REPEAT_BYTES] = {0};
    const Pred *p = governing(f, v);
    for (uint32_t o = 0; o < REPEAT_BYTES; o += wide) {
        if (!pred_bit(p, o)) continue;
        const uint8_t *s = f->r.v[v->src0] + o + (fsize < wide ? part * fsize : 0);
        uint64_t bits = lanes_convert(to, from, dtype_load(from, s), (RoundMode)(v->mode & 15), v->imm != 0);
        dtype_store(to, res + o + (tsize < wide ? part * tsize : 0), bits);
    }
    memcpy(f->r.v[v->dst], res, REPEAT_BYTES);
}

static Pred pred_outside(const Pred *g, unsigned es) {
    Pred r;
    for (int i = 0; i < 4; i++) r.w[i] = ~g->w[i] & lane_bits(es);
    return r;
}

/* Predicate widening, narrowing and interleaving, 16-bit lanes against 32-bit lanes. */
Pred pred_result(const VfInstr *v, const Pred *g, const uint32_t idx[VF_MAX_DEPTH]) {
    Pred r = {{0}};
    unsigned es = dtype_size((DType)v->dtype);
    switch (v->op) {
    case U_PLT: r = pred_first(vf_address(v, idx, VF_MAX_DEPTH), es); break;
    case U_PSET: r = v->imm ? pred_first(1, es) : pred_first(REPEAT_BYTES / es, es); break;
    case U_PNOT: r = pred_outside(g, es); break;
    case U_PUNPACK:
        for (uint32_t i = 0; i < REPEAT_BYTES / 4; i++)
            if (pred_bit(g, 2 * (i + (v->imm ? REPEAT_BYTES / 4 : 0)))) pred_set(&r, 4 * i);
        break;
    case U_PINTLV:
        for (uint32_t i = 0; i < REPEAT_BYTES / 2 / es; i++)
            if (pred_bit(g, (i + (v->imm & 1 ? REPEAT_BYTES / 2 / es : 0)) * es)) pred_set(&r, (2 * i + (v->imm >> 1 & 1)) * es);
        break;
    default: /* PPACK */
        for (uint32_t i = 0; i < REPEAT_BYTES / 4; i++)
            if (pred_bit(g, 4 * i)) pred_set(&r, 2 * i);
        break;
    }
    return r;
}

static void do_instr(Vf *f, const VfInstr *v) {
    uint8_t res[REPEAT_BYTES];
    DType t = (DType)v->dtype;
    switch (uop_info[v->op].cls) {
    case UC_PRED:
    case UC_PREDX: f->r.p[v->pd] = pred_result(v, governing(f, v), f->idx); return;
    case UC_LOAD:
        if (v->op == U_VLDAS) return;
        if (v->op == U_PLDS) do_load_mask(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        else do_load(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        return;
    case UC_STORE:
        if (v->op == U_PSTS) do_store_predicate(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        else if (v->op == U_SPRSTS) do_store_number(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        else if (v->op == U_VSTUR) do_store_squeezed(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        else if (v->op != U_VSTAS) do_store_fast(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        return;
    case UC_GLOAD:
    case UC_GSTORE:
        if (v->op == U_VGATHERBR) do_gather_blocks(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        else do_indexed(f, v, (uint64_t)vf_address(v, f->idx, VF_MAX_DEPTH));
        return;
    case UC_SQUEEZE: do_squeeze(f, v); return;
    case UC_REDUCE: do_reduce(f, v); return;
    case UC_CMP:
    case UC_CMPS: do_compare(f, v); return;
    case UC_PRED2: do_join_predicates(f, v); return;
    case UC_AXPY: do_axpy(f, v); return;
    case UC_SEL: do_select(f, v); return;
    case UC_INTLV: do_permute(f, v); return;
    case UC_CVT: do_convert(f, v); return;
    case UC_DUP: do_fill(f, v); return;
    case UC_BINS:
        lanes_apply_scalar((UopId)v->op, t, res, f->r.v[v->src0], moving_scalar(f, v), REPEAT_BYTES, &f->m->target->sem);
        commit(f, v, res);
        return;
    default:
        lanes_apply((UopId)v->op, t, res, f->r.v[v->src0], f->r.v[v->src1 == VF_NONE ? v->src0 : v->src1],
                    REPEAT_BYTES, &f->m->target->sem);
        commit(f, v, res);
        return;
    }
}

/* Runs lines from `at` to the end of the block; returns the line behind it. */
static uint32_t run_block(Vf *f, uint32_t at, uint32_t n, int depth) {
    while (at < n) {
        const VfInstr *v = &f->body[at];
        if (v->op == U_END) return at + 1;
        if (v->op != U_LOOP) {
            if (f->before) f->before(f->ctx, v, &f->r, f->idx);
            do_instr(f, v);
            at++;
            continue;
        }
        uint32_t next = at + 1;
        for (uint64_t i = 0; i < v->imm; i++) {
            f->idx[depth] = (uint32_t)i;
            next = run_block(f, at + 1, n, depth + 1);
        }
        if (v->imm == 0) /* skip the body */
            for (int open = 1; open; next++) open += (f->body[next].op == U_LOOP) - (f->body[next].op == U_END);
        f->idx[depth] = 0;
        at = next;
    }
    return at;
}

void vf_execute(Machine *m, const VfInstr *body, uint32_t n, VfHook before, void *ctx) {
    static const VfRegs zero;
    Vf f = {.m = m, .body = body, .before = before, .ctx = ctx, .r = zero};
    run_block(&f, 0, n, 0);
}

void exec_vector_function(Machine *m, const VfInstr *body, uint32_t n) { vf_execute(m, body, n, NULL, NULL); }

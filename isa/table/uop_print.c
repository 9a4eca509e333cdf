/* One stable line of text per micro-operation. Operands read NAME=ADDRESS/BLOCK STRIDE/REPEAT STRIDE. */
#include <inttypes.h>

#include "isa/table/uop.h"

static const char *const round_name[] = {"rint", "round", "floor", "ceil", "trunc", "odd"};

static const char *const beyond_name[] = {"undefined", "clamp", "wrap", "zero"};

static void operand(StrBuf *o, const char *name, uint32_t addr, uint16_t blk, uint16_t rpt) {
    sb_printf(o, " %s=0x%x/%u/%u", name, addr, blk, rpt);
}

static void mask(const Uop *u, StrBuf *o) {
    if (u->op == U_SET_MASK) sb_printf(o, " lo=0x%" PRIx64 " hi=0x%" PRIx64, u->imm, u->imm2);
}

static void gm_index(const Uop *u, StrBuf *o) {
    if (u->src1) sb_printf(o, " + r%u", u->src1);
    sb_puts(o, "]");
    if (u->imm2) sb_printf(o, " below=%" PRIu64, u->imm2);
}

static void scalar(const Uop *u, StrBuf *o) {
    const char *t = dtype_name((DType)u->dtype2);
    switch (u->op) {
    case U_S_LOAD:
        sb_printf(o, " r%u %s [0x%x", u->dst, t, u->src0);
        if (u->src1) sb_printf(o, " + r%u*%" PRIu64, u->src1, u->imm);
        sb_puts(o, "]");
        break;
    case U_S_STORE:
        sb_printf(o, " %s [0x%x", t, u->dst);
        if (u->src1) sb_printf(o, " + r%u*%" PRIu64, u->src1, u->imm);
        sb_printf(o, "] r%u", u->src0);
        break;
    case U_S_GM_LOAD:
        sb_printf(o, " r%u %s buffer=%u [0x%" PRIx64, u->dst, t, u->src0, u->imm);
        gm_index(u, o);
        break;
    case U_S_GM_STORE:
        sb_printf(o, " %s buffer=%u [0x%" PRIx64, t, u->dst, u->imm);
        gm_index(u, o);
        sb_printf(o, " r%u", u->src0);
        break;
    case U_S_REM: sb_printf(o, " r%u r%u %% %" PRIu64, u->dst, u->src0, u->imm); break;
    case U_S_SET: sb_printf(o, " r%u 0x%" PRIx64, u->dst, u->imm); break;
    case U_S_MADD: sb_printf(o, " r%u %s r%u*%" PRIu64 " + r%u", u->dst, t, u->src0, u->imm, u->src1); break;
    case U_S_CVT: sb_printf(o, " r%u %s<-%s r%u", u->dst, dtype_name((DType)u->dtype), t, u->src0); break;
    case U_S_KEPT:
    case U_S_MERGED: sb_printf(o, " r%u", u->dst); break;
    case U_S_DIV:
    case U_S_MUL:
    case U_S_SHL:
    case U_S_SHR:
    case U_S_MAX:
    case U_S_MIN: sb_printf(o, " r%u %s r%u r%u", u->dst, t, u->src0, u->src1); break;
    default: sb_puts(o, u->imm ? " rows" : " iteration"); break;
    }
}

static void sync(const Uop *u, StrBuf *o) {
    sb_printf(o, " %s", pipe_name((Pipe)u->src0));
    if (u->op == U_BARRIER) return;
    sb_printf(o, "->%s", pipe_name((Pipe)u->src1));
    if (u->op != U_WAIT_DONE) sb_printf(o, " event=%u", u->dst);
    else sb_printf(o, u->dst ? " item=%" PRIu64 " event=%u" : " item=%" PRIu64, u->imm, u->dst - 1);
}

static void dma(const Uop *u, const UopBuf *b, StrBuf *o) {
    if (!b || u->imm >= b->ndma) return;
    const Dma *d = &b->dma[u->imm];
    sb_printf(o, " %s buffer=%u gm=0x%" PRIx64 "/%" PRId64 "/%" PRId64 " ub=0x%x/%" PRId64 "/%" PRId64 " len=%u n=%ux%u", dtype_name((DType)d->dtype),
              d->buffer, (uint64_t)d->gm, d->gm_step0, d->gm_step1, d->ub, d->ub_step0, d->ub_step1, d->len, d->n0, d->n1);
    if (d->scatter) sb_printf(o, " elements=%" PRId64 "->%" PRId64, d->gm_elem, d->ub_elem);
    if (d->atomic_add) sb_puts(o, " add");
    if (d->pad) sb_printf(o, " pad=0x%" PRIx64, d->pad_bits);
    if (d->index_reg) sb_printf(o, " gm+=r%u*%" PRId64, d->index_reg, d->index_step);
    if (uop_info[u->op].cls == UC_SIMT)
        sb_printf(o, " gm+=%s[0x%x/%" PRId64 "/%" PRId64 "]*%" PRId64 " accesses=%u", dtype_name((DType)d->index_dtype), d->index_ub, d->index_ub_step0, d->index_ub_step1,
                  d->index_step, u->rep);
    if (d->beyond) sb_printf(o, " below=%" PRIu64 " else %s", d->limit, beyond_name[d->beyond % 4]);
}

/* What a class has besides operands. */
static void vector_mode(const Uop *u, StrBuf *o) {
    static const char *const order[] = {"pair", "value", "index"}, *const select[] = {"", " scalar", " address"};
    switch (uop_info[u->op].cls) {
    case UC_CVT:
        sb_printf(o, "<-%s %s", dtype_name((DType)u->dtype2), round_name[u->mode % 6]);
        if (u->imm) sb_puts(o, " saturate");
        break;
    case UC_REDUCE: sb_printf(o, " %s", order[u->mode % 3]); break;
    case UC_GATHER:
        sb_printf(o, " pattern=%u", u->mode);
        if (!u->mode) sb_printf(o, " bits=0x%x", u->src1);
        break;
    case UC_AXPY:
        if (u->dtype2) sb_printf(o, "<-%s", dtype_name((DType)u->dtype2));
        sb_printf(o, " scalar=0x%" PRIx64, u->imm);
        break;
    case UC_BINS: sb_printf(o, " scalar=0x%" PRIx64, u->imm); break;
    case UC_SEL: sb_puts(o, select[u->mode % 3]); break;
    case UC_CMPVS:
    case UC_DUP: sb_printf(o, u->mode == SCALAR_REGISTER ? " scalar=r%" PRIu64 : " scalar=0x%" PRIx64, u->imm); break;
    case UC_COPY:
    case UC_BLOCKS: sb_printf(o, " blocks=%" PRIu64, u->imm); break;
    case UC_TRANSPOSE:
        sb_printf(o, " rows=%" PRIu64, u->imm);
        if (u->mode) sb_printf(o, " halves=%u%u", (u->mode & TRANSPOSE_SRC_HIGH) != 0, (u->mode & TRANSPOSE_DST_HIGH) != 0);
        break;
    case UC_MERGE:
        for (int k = 0; k < u->mode; k++) sb_printf(o, " %u@0x%x", merge_records(u, k), merge_list(u, k));
        if (u->drpt) sb_puts(o, " exhausted");
        break;
    default: break;
    }
}

static bool two_sources(UopClass c) {
    return c == UC_BIN || c == UC_AXPY || c == UC_CMP || c == UC_CMPV || c == UC_SEL || c == UC_INDEXED || c == UC_BLOCKS || c == UC_SORT;
}

static void vector(const Uop *u, StrBuf *o) {
    UopClass c = uop_info[u->op].cls;
    sb_printf(o, " %s", dtype_name((DType)u->dtype));
    vector_mode(u, o);
    sb_printf(o, " rep=%u", u->rep);
    if (c != UC_CMP && c != UC_CMPMASK) operand(o, "dst", u->dst, u->dblk, u->drpt);
    if (c != UC_DUP && c != UC_MERGE) operand(o, two_sources(c) ? "src0" : "src", u->src0, u->sblk0, u->srpt0);
    if (two_sources(c)) operand(o, "src1", u->src1, u->sblk1, u->srpt1);
}

void uop_print(const Uop *u, const UopBuf *b, StrBuf *out) {
    sb_puts(out, uop_info[u->op].name);
    switch (uop_info[u->op].cls) {
    case UC_MASK: mask(u, out); break;
    case UC_SCALAR: scalar(u, out); break;
    case UC_SYNC: sync(u, out); break;
    case UC_SIMT:
    case UC_DMA: dma(u, b, out); break;
    case UC_VFUNC: sb_printf(out, " lines=%u", u->rep); break;
    default: vector(u, out); break;
    }
}

/* ---- vector functions of the 950 ---- */

static void vf_reg(StrBuf *o, const char *text, char kind, uint8_t reg) {
    if (reg != VF_NONE) sb_printf(o, "%s%c%u", text, kind, reg);
}

static void vf_steps(const VfInstr *v, int depth, StrBuf *o) {
    for (int d = 0; d < depth && d < VF_MAX_DEPTH; d++)
        if (v->step[d]) sb_printf(o, " %+d*i%d", v->step[d], d);
}

/* Base and the step of every enclosing loop. */
static void vf_walk(const VfInstr *v, int depth, StrBuf *o) {
    sb_printf(o, " [0x%" PRIx64, (uint64_t)v->base);
    vf_steps(v, depth, o);
    sb_puts(o, v->post ? "] post" : "]");
}

static void vf_memory(const VfInstr *v, int depth, StrBuf *o) {
    static const char *const dist[] = {"norm", "brc", "blk", "us", "unpk", "dintlv", "onept", "pk", "e2b"};
    sb_printf(o, " %s", dist[v->dist % 9]);
    vf_walk(v, depth, o);
}

void vf_print(const VfInstr *v, int depth, StrBuf *out) {
    UopClass c = uop_info[v->op].cls;
    sb_printf(out, "%*s%s", 2 * depth, "", uop_info[v->op].name);
    if (v->op == U_LOOP) sb_printf(out, " %" PRIu64, v->imm);
    if (c == UC_CONTROL) return;
    sb_printf(out, " %s", dtype_name((DType)v->dtype));
    if (c == UC_CVT) sb_printf(out, "<-%s %s %s", dtype_name((DType)v->dtype2), round_name[(v->mode & 15) % 6], v->mode >> 4 ? "odd" : "even");
    vf_reg(out, " ", 'v', v->dst);
    vf_reg(out, ",", 'v', v->dst2);
    vf_reg(out, " ", 'p', v->pd);
    if (v->src0 != VF_NONE || v->src1 != VF_NONE) sb_puts(out, " <-");
    vf_reg(out, " ", 'v', v->src0);
    vf_reg(out, " ", 'v', v->src1);
    vf_reg(out, " ", 'p', v->pg2);
    if (c == UC_LOAD || c == UC_STORE || v->op == U_PLT) vf_memory(v, depth, out);
    if (v->op == U_VSTUR && v->mode) sb_puts(out, " running");
    if (c == UC_GLOAD || c == UC_GSTORE) vf_walk(v, depth, out);
    if (c == UC_BINS || c == UC_AXPY || c == UC_CMPS || c == UC_DUP || c == UC_PREDX || v->op == U_PSET) {
        sb_printf(out, " 0x%" PRIx64, v->imm);
        vf_steps(v, depth, out);
    }
    vf_reg(out, " if ", 'p', v->pg);
    if (v->merging) sb_puts(out, " merging");
}

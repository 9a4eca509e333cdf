#include "isa/table/uop.h"

#include <stdlib.h>
#include <string.h>

enum { FAM_CODE_A = FAM_A, FAM_CODE_R = FAM_R, FAM_CODE_AR = FAM_AR };

const UopInfo uop_info[UOP_COUNT] = {
#define UOP(id, name, timing, cls, fam, doc) {name, timing, UC_##cls, FAM_CODE_##fam, doc},
#include "isa/table/uop.def"
#undef UOP
};

const char stage_sync[] = "sync";

const char *pipe_name(Pipe p) {
    static const char *const names[] = {"S", "V", "MTE2", "MTE3", "ALL"};
    return names[p];
}

void uopbuf_clear(UopBuf *b) {
    b->n = b->nvf = b->ndma = b->nstage = 0;
    b->cur_stage = 0;
}

void uopbuf_free(UopBuf *b) {
    free(b->uop);
    free(b->vf);
    free(b->dma);
    memset(b, 0, sizeof *b);
}

static void *grow(void *p, uint32_t n, uint32_t *cap, size_t size) {
    if (n < *cap) return p;
    *cap = *cap ? *cap * 2 : 64;
    return xrealloc(p, (size_t)*cap * size);
}

Uop *uopbuf_add(UopBuf *b, UopId op) {
    b->uop = grow(b->uop, b->n, &b->cap, sizeof *b->uop);
    Uop *u = &b->uop[b->n++];
    memset(u, 0, sizeof *u);
    u->op = (uint16_t)op;
    u->stage = b->cur_stage;
    return u;
}

VfInstr *uopbuf_vf(UopBuf *b, UopId op) {
    b->vf = grow(b->vf, b->nvf, &b->vf_cap, sizeof *b->vf);
    VfInstr *v = &b->vf[b->nvf++];
    memset(v, 0, sizeof *v);
    v->op = (uint16_t)op;
    v->dst = v->dst2 = v->src0 = v->src1 = v->pd = v->pg = v->pg2 = VF_NONE;
    return v;
}

Dma *uopbuf_dma(UopBuf *b, UopId op) {
    b->dma = grow(b->dma, b->ndma, &b->dma_cap, sizeof *b->dma);
    uopbuf_add(b, op)->imm = b->ndma;
    Dma *d = &b->dma[b->ndma++];
    memset(d, 0, sizeof *d);
    d->n0 = d->n1 = 1;
    return d;
}

void uopbuf_stage(UopBuf *b, const char *name) {
    for (uint32_t i = 0; i < b->nstage; i++)
        if (b->stage[i] == name || (*b->stage[i] == *name && strcmp(b->stage[i], name) == 0)) {
            b->cur_stage = (uint8_t)i;
            return;
        }
    if (b->nstage < sizeof b->stage / sizeof b->stage[0]) b->stage[b->nstage++] = name;
    b->cur_stage = (uint8_t)(b->nstage - 1);
}

Pipe uop_pipe(const Uop *u) {
    switch (uop_info[u->op].cls) {
    case UC_MASK:
    case UC_SCALAR: return PIPE_S;
    case UC_DMA: return u->op == U_GM_TO_UB ? PIPE_MTE2 : PIPE_MTE3;
    case UC_SYNC:
        if (u->op == U_WAIT_FLAG || u->op == U_WAIT_DONE) return (Pipe)u->src1;
        return (Pipe)u->src0;
    default: return PIPE_V;
    }
}

#include "isa/exec/machine.h"

#include <stdlib.h>
#include <string.h>

#include "isa/exec/exec_internal.h"

/* A 950 load reads 256 bytes whatever the predicate says; the slack keeps such a read inside the
 * allocation when the tile ends at the top of UB. */
enum { UB_SLACK = 2 * REPEAT_BYTES };

Machine *machine_new(const Target *t, uint64_t poison) {
    Machine *m = xcalloc(1, sizeof *m);
    m->target = t;
    m->ub_size = (uint32_t)t->ub.bytes.v;
    m->ub = xcalloc(1, m->ub_size + UB_SLACK);
    m->scratch = xmalloc(2 * ((size_t)m->ub_size + UB_SLACK));
    m->mask = mask_full();
    m->fault = ~0u;
    for (uint32_t i = 0; i + 8 <= m->ub_size; i += 8) memcpy(m->ub + i, &poison, 8);
    return m;
}

void machine_free(Machine *m) {
    if (!m) return;
    free(m->ub);
    free(m->scratch);
    free(m);
}

static uint64_t extreme(const Machine *m, const Uop *u) {
    uint64_t a = m->sreg[u->src0], b = m->sreg[u->src1];
    bool a_larger = dtype_to_int((DType)u->dtype2, a) > dtype_to_int((DType)u->dtype2, b);
    return a_larger == (u->op == U_S_MAX) ? a : b;
}

static uint64_t shifted(const Machine *m, const Uop *u) {
    DType t = (DType)u->dtype2;
    uint64_t a = m->sreg[u->src0], n = m->sreg[u->src1], width = 8 * dtype_size(t);
    if (u->op == U_S_SHL) return n < width ? a << n : 0;
    if (!dtype_is_signed(t)) return n < width ? a >> n : 0;
    return (uint64_t)(dtype_to_int(t, a) >> (n < width ? n : width - 1));
}

static uint64_t product(const Machine *m, const Uop *u) {
    DType t = (DType)u->dtype2;
    uint64_t a = m->sreg[u->src0], b = m->sreg[u->src1];
    if (!dtype_is_float(t)) return a * b;
    return dtype_from_double(t, dtype_to_double(t, a) * dtype_to_double(t, b), ROUND_RINT);
}

static uint64_t quotient(const Machine *m, const Uop *u) {
    DType t = (DType)u->dtype2;
    int64_t a = dtype_to_int(t, m->sreg[u->src0]), b = dtype_to_int(t, m->sreg[u->src1]);
    return b ? (uint64_t)(a / b) : 0;
}

/* An element of a global buffer; NULL: beyond the table or, as a fault, beyond the buffer. */
static uint8_t *gm_element(Machine *m, const Uop *u, uint32_t buffer) {
    uint64_t size = dtype_size((DType)u->dtype2), index = u->src1 ? m->sreg[u->src1] : 0, at = u->imm + index * size;
    const GmBuffer *g = &m->gm[buffer];
    if (u->imm2 && index >= u->imm2) return NULL;
    if (index > g->size || at + size > g->size) {
        m->gm_fault = true;
        return NULL;
    }
    if (m->gm_touched) m->gm_touched(m->gm_ctx, buffer, (unsigned)size, at, at + size, u->op == U_S_GM_LOAD ? GM_READ : GM_WRITE);
    return g->data + at;
}

static void exec_scalar(Machine *m, const Uop *u) {
    unsigned size = dtype_size((DType)u->dtype2);
    uint64_t keep = size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
    switch (u->op) {
    case U_S_LOAD: {
        uint64_t addr = u->src0 + (u->src1 ? m->sreg[u->src1] * u->imm : 0);
        const uint8_t *p = ub_at(m, addr, size);
        m->sreg[u->dst] = p ? dtype_load((DType)u->dtype2, p) : 0;
        break;
    }
    case U_S_STORE: {
        uint8_t *p = ub_at(m, u->dst + (u->src1 ? m->sreg[u->src1] * u->imm : 0), size);
        if (p) dtype_store((DType)u->dtype2, p, m->sreg[u->src0] & keep);
        break;
    }
    case U_S_GM_LOAD: {
        const uint8_t *p = gm_element(m, u, u->src0);
        m->sreg[u->dst] = p ? dtype_load((DType)u->dtype2, p) : 0;
        break;
    }
    case U_S_GM_STORE: {
        uint8_t *p = gm_element(m, u, u->dst);
        if (p) dtype_store((DType)u->dtype2, p, m->sreg[u->src0] & keep);
        break;
    }
    case U_S_DIV: m->sreg[u->dst] = quotient(m, u) & keep; break;
    case U_S_REM: m->sreg[u->dst] = m->sreg[u->src0] % u->imm; break;
    case U_S_SET: m->sreg[u->dst] = u->imm; break;
    case U_S_MADD: m->sreg[u->dst] = (m->sreg[u->src0] * u->imm + m->sreg[u->src1]) & keep; break;
    case U_S_MUL: m->sreg[u->dst] = product(m, u) & keep; break;
    case U_S_SHL:
    case U_S_SHR: m->sreg[u->dst] = shifted(m, u) & keep; break;
    case U_S_KEPT: m->sreg[u->dst] = m->kept; break;
    case U_S_MERGED: m->sreg[u->dst] = m->merged; break;
    case U_S_CVT: m->sreg[u->dst] = dtype_from_double((DType)u->dtype, dtype_to_double((DType)u->dtype2, m->sreg[u->src0]), ROUND_RINT); break;
    case U_S_MAX:
    case U_S_MIN: m->sreg[u->dst] = extreme(m, u); break;
    default: break;
    }
}

void machine_exec(Machine *m, const UopBuf *b) {
    for (uint32_t i = 0; i < b->n; i++) {
        const Uop *u = &b->uop[i];
        switch (uop_info[u->op].cls) {
        case UC_MASK: mask_apply(&m->mask, u); break;
        case UC_SCALAR: exec_scalar(m, u); break;
        case UC_SYNC: break;
        case UC_DMA: exec_dma(m, &b->dma[u->imm], u->op == U_GM_TO_UB); break;
        case UC_SIMT: exec_simt(m, &b->dma[u->imm], u->op == U_SIMT_GATHER); break;
        case UC_VFUNC: exec_vector_function(m, b->vf + u->imm, u->rep); break;
        default: exec_memory_op(m, u); break;
        }
    }
}

void machine_exec_masks(Machine *m, const UopBuf *b) {
    for (uint32_t i = 0; i < b->n; i++)
        if (uop_info[b->uop[i].op].cls == UC_MASK) mask_apply(&m->mask, &b->uop[i]);
}

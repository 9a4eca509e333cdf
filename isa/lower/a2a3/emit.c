#include "isa/lower/a2a3/emit.h"

void emit_mask_count(LowerCtx *c) { uopbuf_add(c->out, U_SET_MASK_COUNT); }
void emit_mask_norm(LowerCtx *c) { uopbuf_add(c->out, U_SET_MASK_NORM); }

static void set_mask(LowerCtx *c, uint64_t lo, uint64_t hi) {
    Uop *u = uopbuf_add(c->out, U_SET_MASK);
    u->imm = lo;
    u->imm2 = hi;
}

void emit_mask_full(LowerCtx *c) { set_mask(c, ~0ull, ~0ull); }

void emit_mask_lanes(LowerCtx *c, uint32_t n) {
    uint64_t lo = n >= 64 ? ~0ull : (1ull << n) - 1;
    uint64_t hi = n <= 64 ? 0 : n >= 128 ? ~0ull : (1ull << (n - 64)) - 1;
    set_mask(c, lo, hi);
}

void emit_count(LowerCtx *c, uint64_t n) { set_mask(c, n, 0); }

void emit_barrier(LowerCtx *c) { uopbuf_add(c->out, U_BARRIER)->src0 = PIPE_V; }

void emit_flag(LowerCtx *c, Pipe from, Pipe to) {
    for (int wait = 0; wait < 2; wait++) {
        Uop *u = uopbuf_add(c->out, wait ? U_WAIT_FLAG : U_SET_FLAG);
        u->src0 = from;
        u->src1 = to;
    }
}

Uop *emit_vec(LowerCtx *c, UopId op, DType t, uint32_t rep, uint32_t dst, uint32_t drpt,
              uint32_t src0, uint32_t srpt0, uint32_t src1, uint32_t srpt1) {
    Uop *u = uopbuf_add(c->out, op);
    u->dtype = (uint8_t)t;
    u->rep = rep;
    u->dst = dst;
    u->src0 = src0;
    u->src1 = src1;
    u->dblk = u->sblk0 = u->sblk1 = 1;
    u->drpt = (uint16_t)drpt;
    u->srpt0 = (uint16_t)srpt0;
    u->srpt1 = (uint16_t)srpt1;
    return u;
}

void emit_reduce(LowerCtx *c, UopId op, DType t, int order, uint32_t rep, uint32_t dst, uint32_t drpt,
                 uint32_t src, uint32_t srpt) {
    emit_vec(c, op, t, rep, dst, drpt, src, srpt, 0, 0)->mode = (uint8_t)order;
}

void emit_gather(LowerCtx *c, DType t, int pattern, uint32_t dst, uint32_t src) {
    emit_vec(c, U_VREDUCEV2, t, 1, dst, 0, src, BLOCKS_PER_REPEAT, src, 0)->mode = (uint8_t)pattern;
}

void emit_dup(LowerCtx *c, DType t, uint64_t bits, uint32_t rep, uint32_t dst, uint32_t drpt) {
    emit_vec(c, U_VDUP, t, rep, dst, drpt, 0, 0, 0, 0)->imm = bits;
}

void emit_dup_register(LowerCtx *c, DType t, int reg, uint32_t rep, uint32_t dst, uint32_t drpt) {
    Uop *u = emit_vec(c, U_VDUP, t, rep, dst, drpt, 0, 0, 0, 0);
    u->imm = (uint64_t)reg;
    u->mode = SCALAR_REGISTER;
}

void emit_copy(LowerCtx *c, uint32_t bursts, uint32_t blocks, uint32_t dst, uint32_t dpitch,
               uint32_t src, uint32_t spitch) {
    Uop *u = emit_vec(c, U_COPY_UB, DT_U16, bursts, dst, dpitch, src, spitch, 0, 0);
    u->imm = blocks;
}

void emit_convert(LowerCtx *c, DType to, DType from, RoundMode r, uint32_t rep, uint32_t dst, uint32_t drpt, uint32_t src, uint32_t srpt) {
    Uop *u = emit_vec(c, U_VCONV, to, rep, dst, drpt, src, srpt, 0, 0);
    u->dtype2 = (uint8_t)from;
    u->mode = (uint8_t)r;
    u->imm = 1;
}

void emit_cmpmask(LowerCtx *c, uint32_t src) { emit_vec(c, U_SET_CMPMASK, DT_U32, 1, 0, 0, src, 0, 0, 0); }

/* The compare mask register takes the address from UB: 128 bits for 16-bit lanes, 64 for 32-bit ones. */
void emit_select_bits(LowerCtx *c, DType t, uint32_t n, uint32_t bits, uint32_t scratch, uint32_t dst, uint32_t yes, uint32_t no) {
    emit_count(c, dtype_size(t) == 2 ? 4 : 2);
    emit_dup(c, DT_U32, bits, 1, scratch, 8);
    emit_barrier(c);
    emit_cmpmask(c, scratch);
    emit_barrier(c);
    emit_count(c, n);
    emit_vec(c, U_VSEL, t, 1, dst, 8, yes, 8, no, 8)->mode = SEL_ADDRESS;
}

void emit_rows(LowerCtx *c, DType t, uint32_t rows, uint32_t dst, uint32_t dpitch, uint32_t src, uint32_t spitch) {
    for (uint32_t r = 0; r < rows; r += MAX_REPEAT)
        emit_vec(c, U_VCOPY, t, min_u32(rows - r, MAX_REPEAT), dst + r * dpitch * BLOCK_BYTES, dpitch, src + r * spitch * BLOCK_BYTES, spitch, 0, 0);
}

void emit_s_load(LowerCtx *c, int reg, DType t, uint32_t addr) { emit_s_load_indexed(c, reg, t, addr, 0, 0); }

void emit_s_load_indexed(LowerCtx *c, int reg, DType t, uint32_t addr, int index, uint32_t scale) {
    Uop *u = uopbuf_add(c->out, U_S_LOAD);
    u->dst = (uint32_t)reg;
    u->dtype2 = (uint8_t)t;
    u->src0 = addr;
    u->src1 = (uint32_t)index;
    u->imm = scale;
}

void emit_s_madd(LowerCtx *c, int reg, DType t, int a, uint64_t mul, int b) {
    Uop *u = uopbuf_add(c->out, U_S_MADD);
    u->dst = (uint32_t)reg;
    u->dtype2 = (uint8_t)t;
    u->src0 = (uint32_t)a;
    u->src1 = (uint32_t)b;
    u->imm = mul;
}

void emit_s_binary(LowerCtx *c, UopId op, int reg, DType t, int a, int b) {
    Uop *u = uopbuf_add(c->out, op);
    u->dst = (uint32_t)reg;
    u->dtype2 = (uint8_t)t;
    u->src0 = (uint32_t)a;
    u->src1 = (uint32_t)b;
}

void emit_s_remainder(LowerCtx *c, int reg, uint64_t divisor) {
    Uop *u = uopbuf_add(c->out, U_S_REM);
    u->dst = u->src0 = (uint32_t)reg;
    u->imm = divisor;
}

void emit_s_gm(LowerCtx *c, UopId op, DType t, int reg, uint32_t buffer, uint64_t base, int index, uint64_t limit) {
    Uop *u = uopbuf_add(c->out, op);
    u->dtype2 = (uint8_t)t;
    u->dst = op == U_S_GM_LOAD ? (uint32_t)reg : buffer;
    u->src0 = op == U_S_GM_LOAD ? buffer : (uint32_t)reg;
    u->src1 = (uint32_t)index;
    u->imm = base;
    u->imm2 = limit;
}

void emit_s_set(LowerCtx *c, int reg, uint64_t bits) {
    Uop *u = uopbuf_add(c->out, U_S_SET);
    u->dst = (uint32_t)reg;
    u->imm = bits;
}

void emit_s_convert(LowerCtx *c, int reg, DType to, DType from) {
    Uop *u = uopbuf_add(c->out, U_S_CVT);
    u->dst = u->src0 = (uint32_t)reg;
    u->dtype = (uint8_t)to;
    u->dtype2 = (uint8_t)from;
}

void emit_s_store(LowerCtx *c, DType t, uint32_t addr, int reg) { emit_s_store_indexed(c, t, addr, 0, 0, reg); }

void emit_s_store_indexed(LowerCtx *c, DType t, uint32_t addr, int index, uint32_t scale, int reg) {
    Uop *u = uopbuf_add(c->out, U_S_STORE);
    u->dst = addr;
    u->dtype2 = (uint8_t)t;
    u->src0 = (uint32_t)reg;
    u->src1 = (uint32_t)index;
    u->imm = scale;
}

void emit_s_iteration(LowerCtx *c) { uopbuf_add(c->out, U_S_LOOP); }
void emit_row_loop(LowerCtx *c) { uopbuf_add(c->out, U_S_LOOP)->imm = 1; }

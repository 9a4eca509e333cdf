/* TREM, TREMS (TRem, TRemS): a - floor(a / b) * b, plus b where the sign of TREM's result is not that of
 * b. f16 is computed as f32, even and odd elements apart. TFMOD, TFMODS truncate. */
#include "isa/lower/v950/elementwise.h"

enum { V_A0 = V_FREE, V_B0, V_A1, V_B1, V_Q0, V_Q1, V_LOW, V_HIGH, V_RESULT, V_OTHER };

static bool by_scalar(const Elementwise *e) { return !e->src1; }

static void vcvt(LowerCtx *c, UopId op, DType to, DType from, int dst, int src, RoundMode r, int part) {
    VfInstr *v = vf_op(c, op, to, dst, src, VF_NONE, P_CHUNK);
    v->dtype2 = (uint8_t)from;
    v->mode = (uint8_t)(r | part << 4);
}

/* One register of f32; q may be a. */
static void f32_remainder(LowerCtx *c, const Elementwise *e, RoundMode r, int q, int a, int b) {
    vf_op(c, U_VDIV, DT_F32, q, a, b, P_CHUNK);
    vcvt(c, U_VTRC, DT_F32, DT_F32, q, q, r, 0);
    if (by_scalar(e)) {
        uint64_t x = dtype_from_double(DT_F32, dtype_to_double(e->dst->type.dtype, e->scalar), ROUND_RINT);
        vf_scalar(c, U_VMULS, DT_F32, q, q, x, P_CHUNK);
    } else {
        vf_op(c, U_VMUL, DT_F32, q, q, b, P_CHUNK);
    }
    vf_op(c, U_VSUB, DT_F32, q, a, q, P_CHUNK);
}

static void f16_remainder(LowerCtx *c, const Elementwise *e, RoundMode r) {
    for (int part = 0; part < 2; part++) {
        int a = part ? V_A1 : V_A0, b = part ? V_B1 : V_B0, q = part ? V_Q1 : V_Q0, half = part ? V_HIGH : V_LOW;
        vcvt(c, U_VCONV, DT_F32, DT_F16, a, V_SRC0, ROUND_RINT, part);
        vcvt(c, U_VCONV, DT_F32, DT_F16, b, V_SRC1, ROUND_RINT, part);
        f32_remainder(c, e, r, q, a, b);
        vcvt(c, U_VCONV, DT_F16, DT_F32, half, q, ROUND_TRUNC, part);
    }
    vf_op(c, U_VOR, DT_U16, V_RESULT, V_LOW, V_HIGH, P_CHUNK);
}

static void remainder_of(LowerCtx *c, const Elementwise *e, RoundMode r) {
    DType t = e->dst->type.dtype;
    if (by_scalar(e)) vf_scalar(c, U_VDUPR, t, V_SRC1, VF_NONE, e->scalar, P_CHUNK);
    if (t == DT_F16) f16_remainder(c, e, r);
    else if (t == DT_F32) f32_remainder(c, e, r, V_RESULT, V_SRC0, V_SRC1);
    else vf_op(c, U_VMOD, t, V_RESULT, V_SRC0, V_SRC1, P_CHUNK);
}

static void correct_sign(LowerCtx *c, DType t) {
    vf_op(c, U_VMUL, t, V_OTHER, V_SRC1, V_RESULT, P_CHUNK);
    VfInstr *v = vf_op(c, U_VCMPS_LT, t, VF_NONE, V_OTHER, VF_NONE, P_CHUNK);
    v->pd = P_SIGN;
    vf_op(c, U_VADD, t, V_OTHER, V_RESULT, V_SRC1, P_SIGN);
    vf_select(c, t, V_RESULT, V_OTHER, V_RESULT, P_SIGN);
}

static int floored(LowerCtx *c, const Elementwise *e) {
    remainder_of(c, e, ROUND_FLOOR);
    if (!by_scalar(e) && dtype_is_float(e->dst->type.dtype)) correct_sign(c, e->dst->type.dtype);
    return V_RESULT;
}

static int truncated(LowerCtx *c, const Elementwise *e) {
    remainder_of(c, e, ROUND_TRUNC);
    return V_RESULT;
}

static void lower(LowerCtx *c, const Instr *i, UopId op, int (*body)(LowerCtx *, const Elementwise *)) {
    v950_elementwise(c, &(Elementwise){op, i->out[0], i->in[0], i->nin > 1 ? i->in[1] : NULL, FORM_BODY, i->scalar, body});
}

void v950_rem(LowerCtx *c, const Instr *i, int variant) { lower(c, i, (UopId)variant, floored); }
void v950_fmod(LowerCtx *c, const Instr *i, int variant) { lower(c, i, (UopId)variant, truncated); }

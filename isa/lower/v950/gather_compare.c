/* TGATHER by comparison: chunks of 32-bit lanes are compared, and the numbers of those that pass are packed
 * behind each other. Narrower elements are spread over the lanes. Numbers run on from row to row by whole
 * chunks. What the library does instead, see check_gather. */
#include "isa/lower/v950/move.h"

enum { V_NUMBER, V_STEP, V_GIVEN, V_THRESHOLD, V_DATA, V_WIDE, V_OUT };
enum { P_CHUNK, P_HIT };

static DType lane_of(DType t) { return t == DT_F16 ? DT_F32 : t == DT_I16 ? DT_I32 : t == DT_U16 ? DT_U32 : t; }

/* Register of a loaded value in lanes of type `lane`; a conversion goes to register `wide`. */
static int in_lanes(LowerCtx *c, DType lane, DType from, int loaded, int wide) {
    if (from == lane || (from == DT_U16 && lane == DT_U32)) return loaded;
    vf_op(c, U_VCONV, lane, wide, loaded, VF_NONE, VF_NONE)->dtype2 = (uint8_t)from;
    return wide;
}

static uint64_t threshold(DType lane, DType t, uint64_t bits) {
    return dtype_is_float(t) ? dtype_from_double(lane, dtype_to_double(t, bits), ROUND_RINT) : (uint64_t)dtype_to_int(t, bits) & 0xffffffff;
}

void v950_gather_compare(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0], *d = i->out[0], *counts = i->out[1], *k = i->nin > 1 ? i->in[1] : NULL;
    DType t = s->type.dtype, lane = lane_of(t);
    uint32_t lanes = REPEAT_BYTES / 4;
    int limit = V_GIVEN;
    vf_ramp(c, DT_I32, V_NUMBER, walk_scalar(i->index[0], 0, 0));
    vf_scalar(c, U_VBR, DT_I32, V_STEP, VF_NONE, lanes, VF_NONE);
    if (!k) vf_scalar(c, U_VBR, lane, V_GIVEN, VF_NONE, threshold(lane, t, i->scalar), VF_NONE);
    vf_loop(c, s->vrows);
    if (k) {
        vf_load(c, k->type.dtype, V_GIVEN, walk_by(k, 0, 1))->dist = DIST_BRC;
        limit = in_lanes(c, lane, k->type.dtype, V_GIVEN, V_THRESHOLD);
    }
    vf_loop(c, ceil_div(s->vcols, lanes));
    vf_load(c, t, V_DATA, walk_tile(s, 0, 0, 1, lanes))->dist = lane == t ? DIST_NORM : DIST_UNPK;
    int data = in_lanes(c, lane, t, V_DATA, V_WIDE);
    vf_plt(c, lane, P_CHUNK, walk_count(s->vcols, 1, lanes));
    vf_compare(c, i->cmp == CMP_GT ? U_VCMP_GT : U_VCMP_EQ, lane, P_HIT, data, limit, P_CHUNK);
    vf_op(c, U_VSQZ, DT_U32, V_OUT, V_NUMBER, VF_NONE, P_HIT);
    VfInstr *packed = vf_store_any(c, DT_U32, walk_tile(d, 0, 0, 1, 0), V_OUT, VF_NONE);
    packed->op = U_VSTUR;
    packed->mode = 1;
    vf_op(c, U_VADD, DT_I32, V_NUMBER, V_NUMBER, V_STEP, VF_NONE);
    vf_end(c);
    vf_store_rest(c, DT_U32, walk_tile(d, 0, 0, 1, 0));
    VfInstr *count = vf_store(c, DT_U32, walk_by(counts, 0, 1), VF_NONE, VF_NONE);
    count->op = U_SPRSTS;
    count->dist = DIST_ONEPT;
    vf_end(c);
}

/* TCVT: each pair of types has its own way through the registers. A conversion works on lanes of the
 * widest type; a narrow operand sits in one part of each lane. The flat path packs narrow results
 * while storing them, the row path converts even and odd elements apart and joins them. Address
 * registers are never post-updated. */
#include "isa/lower/v950/vf.h"

enum { P_CHUNK, P_NEXT, P_LOW, P_LOW_NEXT };
enum { EVEN, ODD };
enum { MAX_CHAIN = 5 };

typedef struct Convert {
    LowerCtx *c;
    const Tile *d, *s;
    DType to, from;
    uint8_t round;
    bool saturate, flat;
} Convert;

static void vcvt(const Convert *v, DType to, DType from, int dst, int src, int part) {
    VfInstr *i = vf_op(v->c, U_VCONV, to, dst, src, VF_NONE, VF_NONE);
    i->dtype2 = (uint8_t)from;
    i->mode = (uint8_t)(v->round | part << 4);
    i->imm = v->saturate;
}

static DType lanes_of(unsigned size) { return size == 1 ? DT_U8 : size == 2 ? DT_U16 : DT_U32; }

/* The types that an element passes. Without saturation the library takes detours on the flat path, so
 * that infinities end as in PyTorch. */
static int chain(const Convert *v, DType t[MAX_CHAIN]) {
    int n = 0;
    bool detour = v->flat && !v->saturate;
    t[n++] = v->from;
    if (detour && v->to == DT_I16 && (v->from == DT_F32 || v->from == DT_F16)) t[n++] = DT_I32;
    if (detour && v->to == DT_I8 && v->from == DT_F16) {
        t[n++] = DT_I16;
        t[n++] = DT_F16;
    }
    t[n++] = v->to;
    return n;
}

/* The low byte of a 16-bit integer, on its way to 8 bits by a float. */
static void keep_low_byte(const Convert *v, int dst, int src) {
    enum { V_BYTE = MAX_CHAIN + 1 };
    vf_scalar(v->c, U_VDUPR, DT_I16, V_BYTE, VF_NONE, 0xff, VF_NONE);
    vf_op(v->c, U_VAND, DT_I16, dst, src, V_BYTE, P_CHUNK);
}

/* One register in, one register out. */
static void straight(const Convert *v) {
    LowerCtx *c = v->c;
    DType t[MAX_CHAIN];
    int n = chain(v, t);
    unsigned wide = 1;
    for (int k = 0; k < n; k++) wide = max_u32(wide, dtype_size(t[k]));
    Chunks k = chunks_over(v->d, v->s, NULL, REPEAT_BYTES / wide);
    bool unpack = dtype_size(v->from) < wide, pack = dtype_size(v->to) < wide;
    chunks_open(c, &k);
    vf_plt(c, lanes_of(wide), P_CHUNK, chunks_count(&k, 0));
    vf_load(c, v->from, 0, chunks_walk(&k, v->s))->dist = unpack ? DIST_UNPK : DIST_NORM;
    for (int i = 1; i < n; i++) {
        vcvt(v, t[i], t[i - 1], i, i - 1, EVEN);
        if (v->to == DT_I8 && t[i] == DT_I16) keep_low_byte(v, i, i);
    }
    vf_store(c, pack ? lanes_of(wide) : v->to, chunks_walk(&k, v->d), n - 1, P_CHUNK)->dist = pack ? DIST_PK : DIST_NORM;
    chunks_close(c, &k);
}

/* Rows of results half as wide: even and odd elements are loaded into two registers. */
static void halves(const Convert *v) {
    LowerCtx *c = v->c;
    Chunks k = chunks_over(v->d, v->s, NULL, epr(v->d));
    DType narrow = lanes_of(dtype_size(v->to));
    chunks_open(c, &k);
    vf_plt(c, narrow, P_CHUNK, chunks_count(&k, 0));
    VfInstr *load = vf_load(c, v->from, 0, chunks_walk(&k, v->s));
    load->dst2 = 1;
    load->dist = DIST_DINTLV;
    vcvt(v, v->to, v->from, 2, 1, ODD);
    vcvt(v, v->to, v->from, 3, 0, EVEN);
    vf_op(c, U_VOR, narrow, 4, 3, 2, P_CHUNK);
    vf_store(c, v->to, chunks_walk(&k, v->d), 4, P_CHUNK);
    chunks_close(c, &k);
}

/* 8 to 32 bits: bytes spread over 16-bit lanes by the load and over 32-bit lanes by a register of
 * zeros; two registers of results per load. */
static void four_times_wider(const Convert *v) {
    LowerCtx *c = v->c;
    uint32_t half = epr(v->d);
    Chunks k = chunks_over(v->d, v->s, NULL, 2 * half);
    Walk low = chunks_walk(&k, v->d), high = low;
    high.base += REPEAT_BYTES;
    vf_scalar(c, U_VDUPR, DT_U8, 5, VF_NONE, 0, VF_NONE);
    chunks_open(c, &k);
    vf_plt(c, DT_U16, P_CHUNK, chunks_count(&k, 0));
    vf_plt(c, DT_U16, P_NEXT, chunks_count(&k, half));
    vf_predicate(c, U_PUNPACK, DT_U32, P_LOW, P_CHUNK, 0);
    vf_predicate(c, U_PUNPACK, DT_U32, P_LOW_NEXT, P_NEXT, 0);
    vf_load(c, v->from, 0, chunks_walk(&k, v->s))->dist = DIST_UNPK;
    vf_op(c, U_VINTLV, DT_U8, 1, 0, 5, VF_NONE)->dst2 = 2;
    vcvt(v, v->to, v->from, 3, 1, EVEN);
    vcvt(v, v->to, v->from, 4, 2, EVEN);
    vf_store(c, v->to, low, 3, P_LOW);
    vf_store(c, v->to, high, 4, P_LOW_NEXT);
    chunks_close(c, &k);
}

/* 32 to 8 bits: an index register picks every fourth byte. The predicate counts all that is left of
 * the row, so each store runs into the next chunk, which is stored after it. */
static void four_times_narrower(const Convert *v) {
    LowerCtx *c = v->c;
    enum { V_INDEX = 3 };
    Chunks k = chunks_over(v->d, v->s, NULL, epr(v->s));
    vf_op(c, U_VCI, DT_U8, V_INDEX, VF_NONE, VF_NONE, VF_NONE);
    vf_scalar(c, U_VMULS, DT_I16, V_INDEX, V_INDEX, 4, VF_NONE);
    chunks_open(c, &k);
    vf_plt(c, DT_U8, P_CHUNK, chunks_count(&k, 0));
    vf_load(c, v->from, 0, chunks_walk(&k, v->s));
    vcvt(v, v->to, v->from, 1, 0, EVEN);
    vf_op(c, U_VSELR, DT_U8, 2, 1, V_INDEX, VF_NONE);
    vf_store(c, v->to, chunks_walk(&k, v->d), 2, P_CHUNK);
    chunks_close(c, &k);
}

void v950_convert(LowerCtx *c, const Instr *i, int variant) {
    (void)variant;
    const Tile *d = i->out[0], *s = i->in[0];
    DType t = d->type.dtype, f = s->type.dtype;
    RoundMode r = convert_round(t, f, i->round);
    Convert v = {c, d, s, t, f, (uint8_t)r, i->saturate, chunks_over(d, s, NULL, 1).flat};
    unsigned to = tile_esize(d), from = tile_esize(s);
    vf_open(c, "convert");
    if (to == 4 * from) four_times_wider(&v);
    else if (from == 4 * to) four_times_narrower(&v);
    else if (from == 2 * to && !v.flat) halves(&v);
    else straight(&v);
    vf_close(c);
}

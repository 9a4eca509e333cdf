/* TSORT32 and TMRGSORT: the same instructions on both targets, which the 950 runs outside vector
 * functions. Blocks of 32 values become records sorted by value, sorted lists of records one list.
 * What a row has beyond whole blocks is filled in tmp with NaN of negative sign, the smallest. */
#include "isa/lower/a2a3/emit.h"
#include "isa/lower/move.h"
#include "isa/lower/v950/vf.h"

enum { TMP_BLOCKS = MAX_REPEAT }; /* rows of up to so many blocks go through tmp as a whole */

typedef struct Sort {
    LowerCtx *c;
    const Tile *d, *s, *x, *tmp;
    DType t;
    uint32_t es, whole, rest; /* blocks of 32 in a row, and values beyond */
} Sort;

static bool a2a3(const LowerCtx *c) { return c->target->family == FAMILY_A2A3; }

/* Vector instructions of the 950 follow each other in order. */
static void barrier(LowerCtx *c) {
    if (a2a3(c)) emit_barrier(c);
}

static uint32_t index_at(const Sort *s, uint32_t row, uint32_t block) {
    return tile_elem_addr(s->x, s->x->vrows == 1 ? 0 : row, 0) + block * SORT_RECORDS * 4;
}

static void bitsort(const Sort *s, uint32_t n, uint32_t row, uint32_t block, uint32_t src) {
    uint32_t dst = tile_elem_addr(s->d, row, 0) + block * SORT_RECORDS * RECORD_BYTES;
    emit_vec(s->c, U_VBITSORT, s->t, n, dst, 0, src, 0, index_at(s, row, block), 0);
    barrier(s->c);
}

static void sort_from_source(const Sort *s, uint32_t row, uint32_t blocks) {
    for (uint32_t k = 0; k < blocks; k += MAX_REPEAT)
        bitsort(s, min_u32(blocks - k, MAX_REPEAT), row, k, tile_elem_addr(s->s, row, k * SORT_RECORDS));
}

static uint64_t negative_nan(DType t) { return t == DT_F32 ? 0xffc00000 : 0xfe00; }

static void pad_a2a3(const Sort *s, uint32_t at) {
    emit_mask_norm(s->c);
    uopbuf_add(s->c->out, U_SET_MASK)->imm = ~((1ull << s->rest) - 1) & 0xffffffff;
    emit_dup(s->c, s->t, negative_nan(s->t), 1, at, 8);
    emit_barrier(s->c);
}

/* The block is loaded, filled and stored in 16-bit lanes. */
static void pad_950(const Sort *s, uint32_t at) {
    enum { P_BLOCK, P_DATA, P_ALL, P_PAD };
    uint32_t unit = s->es / 2;
    Walk place = {.base = at};
    vf_open(s->c, "pad");
    vf_plt(s->c, DT_U16, P_BLOCK, (Walk){.base = SORT_RECORDS * unit});
    vf_plt(s->c, DT_U16, P_DATA, (Walk){.base = s->rest * unit});
    vf_predicate(s->c, U_PSET, DT_U16, P_ALL, VF_NONE, 0);
    vf_predicate(s->c, U_PNOT, DT_U16, P_PAD, P_DATA, 0);
    vf_load(s->c, s->t, 0, place);
    VfInstr *fill = vf_op(s->c, U_VDUPR, s->t, 0, VF_NONE, VF_NONE, P_PAD);
    fill->imm = negative_nan(s->t);
    fill->merging = true;
    vf_store(s->c, DT_U16, place, 0, P_BLOCK);
    vf_close(s->c);
}

/* The last `blocks` whole blocks and the rest of a row, which begin at block `first`. */
static void sort_through_tmp(const Sort *s, uint32_t row, uint32_t first, uint32_t blocks) {
    uint32_t tmp = (uint32_t)s->tmp->addr, bytes = (blocks * SORT_RECORDS + s->rest) * s->es;
    uint32_t at = tmp + blocks * SORT_RECORDS * s->es;
    uopbuf_stage(s->c->out, "pad");
    emit_copy(s->c, 1, ceil_div(bytes, BLOCK_BYTES), tmp, 0, tile_elem_addr(s->s, row, first * SORT_RECORDS), 0);
    barrier(s->c);
    if (a2a3(s->c)) pad_a2a3(s, at);
    else pad_950(s, at);
    uopbuf_stage(s->c->out, uop_info[U_VBITSORT].name);
    bitsort(s, blocks + 1, row, first, tmp);
    if (a2a3(s->c)) emit_mask_full(s->c);
}

void lower_sort32(LowerCtx *c, const Instr *i, int variant) {
    Sort s = {.c = c, .d = i->out[0], .s = i->in[0], .x = i->in[1], .tmp = i->tmp, .t = i->in[0]->type.dtype, .es = tile_esize(i->in[0])};
    s.whole = s.s->vcols / SORT_RECORDS;
    s.rest = s.s->vcols % SORT_RECORDS;
    uopbuf_stage(c->out, uop_info[variant].name);
    for (uint32_t r = 0; r < s.s->vrows; r++) {
        bool all = s.whole <= TMP_BLOCKS - 1;
        if (!s.rest) {
            sort_from_source(&s, r, s.whole);
        } else {
            if (!all) sort_from_source(&s, r, s.whole);
            sort_through_tmp(&s, r, all ? 0 : s.whole, all ? s.whole : 0);
        }
    }
}

TmpNeed tmp_sort32(const Target *t, const Instr *i) {
    uint32_t cols = i->in[0]->vcols, whole = cols / SORT_RECORDS;
    (void)t;
    if (cols % SORT_RECORDS == 0) return (TmpNeed){0};
    uint32_t n = (whole <= TMP_BLOCKS - 1 ? whole + 1 : 1) * SORT_RECORDS;
    return (TmpNeed){1, n, n};
}

static Uop *merge(LowerCtx *c, const Instr *i, int lists, const uint32_t at[MERGE_LISTS], const uint32_t records[MERGE_LISTS], uint32_t rep,
                  uint32_t dst) {
    Uop *u = emit_vec(c, U_VMRGSORT4, i->in[0]->type.dtype, rep, dst, 0, at[0], 0, at[1], 0);
    u->mode = (uint8_t)lists;
    u->imm2 = at[2] | (uint64_t)at[3] << 32;
    for (int k = 0; k < lists; k++) u->imm |= (uint64_t)records[k] << (16 * k);
    return u;
}

/* A row of sorted blocks of that length: four of them at a time. */
static void merge_blocks(LowerCtx *c, const Instr *i) {
    const Tile *s = i->in[0];
    uint32_t bytes = (uint32_t)i->index[0] * tile_esize(s), at[MERGE_LISTS], records[MERGE_LISTS];
    for (uint32_t k = 0; k < MERGE_LISTS; k++) {
        at[k] = (uint32_t)s->addr + k * bytes;
        records[k] = bytes / RECORD_BYTES;
    }
    merge(c, i, MERGE_LISTS, at, records, valid_row_bytes(s) / (MERGE_LISTS * bytes), (uint32_t)i->out[0]->addr);
}

/* The numbers of records taken go to scalar register `counts`. */
static void merge_tiles(LowerCtx *c, const Instr *i, int counts) {
    const Tile *d = i->out[0];
    uint32_t at[MERGE_LISTS] = {0}, records[MERGE_LISTS] = {0};
    for (int k = 0; k < i->nin; k++) {
        at[k] = (uint32_t)i->in[k]->addr;
        records[k] = valid_row_bytes(i->in[k]) / RECORD_BYTES;
    }
    merge(c, i, i->nin, at, records, 1, (uint32_t)i->tmp->addr)->drpt = i->exhausted;
    if (i->exhausted) {
        emit_flag(c, PIPE_V, PIPE_S);
        uopbuf_add(c->out, U_S_MERGED)->dst = (uint32_t)counts;
    }
    barrier(c);
    emit_copy(c, 1, ceil_div(valid_row_bytes(d), BLOCK_BYTES), (uint32_t)d->addr, 0, (uint32_t)i->tmp->addr, 0);
}

void lower_mrgsort(LowerCtx *c, const Instr *i, int variant) {
    uopbuf_stage(c->out, uop_info[U_VMRGSORT4].name);
    if (i->nin == 1) merge_blocks(c, i);
    else merge_tiles(c, i, variant);
}

TmpNeed tmp_mrgsort(const Target *t, const Instr *i) {
    uint32_t n = 0;
    (void)t;
    if (i->nin < 2) return (TmpNeed){0};
    for (int k = 0; k < i->nin; k++) n += i->in[k]->vcols;
    return (TmpNeed){1, n, n};
}

#include "isa/run/single.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/lower.h"

enum { OPERAND_STEP = 0x10000, OPERAND_ALIGN = 512 };
#define NO_PLACE (~0ull)

static const Loc nowhere = {NULL, 0, 0};

static bool is_index_name(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, "Idx") == 0;
}

/* Index results: the type that was asked for, else one that holds every column. */
static DType index_type(const SingleSpec *s, bool pair) {
    if (s->dst_dtype != DT_NONE && !dtype_is_float(s->dst_dtype) && s->dst_dtype != s->dtype) return s->dst_dtype;
    return pair && dtype_size(s->dtype) == 2 ? DT_U16 : DT_U32;
}

static DType input_type(const SingleSpec *s, const Signature *sig, int k) {
    uint32_t es = dtype_size(s->dtype);
    switch (sig->in_shape[k]) {
    case SHAPE_BITS: return DT_U8;
    case SHAPE_INDEX: return es == 1 || (es == 2 && sig == instr_signature(I_TSCATTER)) ? DT_U16 : DT_U32;
    case SHAPE_OFFSET: return DT_U32;
    default: return is_index_name(sig->in_name[k]) ? index_type(s, true) : s->dtype;
    }
}

static void set_moved_shape(Tile *t, OperandShape shape, const SingleSpec *s) {
    uint32_t es = dtype_size(t->type.dtype), of = dtype_size(s->dtype);
    TileType *y = &t->type;
    switch (shape) {
    case SHAPE_TURNED:
        y->rows = s->tile_cols;
        y->cols = round_up(s->tile_rows, BLOCK_BYTES / es);
        t->vrows = s->cols;
        t->vcols = s->rows;
        break;
    case SHAPE_WIDE:
        y->cols = 2 * s->tile_cols;
        t->vcols = 2 * s->cols;
        break;
    case SHAPE_PADDED:
        y->pad = PAD_ZERO;
        t->vrows = y->rows;
        t->vcols = y->cols;
        break;
    case SHAPE_INDEX: y->cols = round_up(s->tile_cols, SORT_RECORDS); break;
    case SHAPE_OFFSET:
        t->vcols = ceil_div(s->cols * of, BLOCK_BYTES);
        y->cols = round_up(ceil_div(s->tile_cols * of, BLOCK_BYTES), BLOCK_BYTES / es);
        break;
    case SHAPE_RECORD:
        y->cols = round_up(s->tile_cols, SORT_RECORDS) * RECORD_BYTES / es;
        t->vcols = round_up(s->cols, SORT_RECORDS) * RECORD_BYTES / es;
        break;
    default: break;
    }
}

static void set_shape(Tile *t, OperandShape shape, const SingleSpec *s) {
    uint32_t es = dtype_size(t->type.dtype), block = BLOCK_BYTES / es;
    TileType *y = &t->type;
    y->rows = s->tile_rows;
    y->cols = s->tile_cols;
    t->vrows = s->rows;
    t->vcols = s->cols;
    switch (shape) {
    case SHAPE_COLUMN:
        y->blayout = COL_MAJOR;
        y->rows = round_up(s->tile_rows, block);
        y->cols = t->vcols = 1;
        break;
    case SHAPE_ROW: y->rows = t->vrows = 1; break;
    case SHAPE_BLOCK:
        y->cols = block;
        t->vcols = 1;
        break;
    case SHAPE_BITS:
        y->cols = round_up(ceil_div(s->tile_cols, 8), BLOCK_BYTES);
        t->vcols = ceil_div(s->cols, 8);
        break;
    default: set_moved_shape(t, shape, s); break;
    }
    y->fractal = 512;
    y->vrows = s->dynamic ? VALID_DYN : (int32_t)t->vrows;
    y->vcols = s->dynamic ? VALID_DYN : (int32_t)t->vcols;
}

static Tile *make_tile(Tile *x, const char *name, DType t, OperandShape shape, const SingleSpec *spec) {
    *x = (Tile){.type = {.dtype = t}, .name = name, .loc = nowhere};
    set_shape(x, shape, spec);
    return x;
}

/* A multiple of 64 KiB behind the other operands if there is room, else on top of them: cycles
 * depend on the banks, not on the data. */
static uint64_t spread_place(uint64_t own, uint64_t behind, uint64_t bytes, uint64_t ub) {
    uint64_t clear = (behind + OPERAND_STEP - 1) / OPERAND_STEP * OPERAND_STEP;
    if (clear < own) clear = own;
    if (clear + bytes <= ub) return clear;
    return own + bytes <= ub ? own : NO_PLACE;
}

static bool place(Tile *const *tile, int n, const SingleSpec *spec, const Target *t, Diag *d) {
    const char *layout = spec->layout && *spec->layout ? spec->layout : "spread";
    bool spread = strcmp(layout, "spread") == 0, packed = strcmp(layout, "packed") == 0;
    uint64_t ub = (uint64_t)t->ub.bytes.v, behind = 0;
    const char *next = layout;
    for (int k = 0; k < n; k++) {
        Tile *x = tile[k];
        uint64_t own = spread_place((uint64_t)k * OPERAND_STEP, behind, tile_bytes(x), ub);
        if (spread && own != NO_PLACE) {
            x->addr = (int64_t)own;
        } else if (spread || packed) {
            x->addr = (int64_t)((behind + OPERAND_ALIGN - 1) / OPERAND_ALIGN * OPERAND_ALIGN);
        } else {
            char *end;
            x->addr = strtoll(next, &end, 0);
            if (end == next || x->addr < 0) {
                diag(d, DIAG_OPERANDS, nowhere, "layout: expected spread, packed or %d addresses, found %s", n, layout);
                return false;
            }
            next = *end == ',' || *end == ';' ? end + 1 : end;
        }
        if ((uint64_t)x->addr + tile_bytes(x) > behind) behind = (uint64_t)x->addr + tile_bytes(x);
    }
    return true;
}

/* Whether one is needed depends on the other operands. */
static Tile *give_tmp(Single *s, const SingleSpec *spec, const Target *t) {
    Instr *i = &s->instr;
    TmpNeed need = instr_tmp_need(t, i);
    if (!need.rows && !(spec->tmp && instr_signature(i->id)->tmp)) return NULL;
    Tile *x = make_tile(&s->tmp, "tmp", i->in[0]->type.dtype, SHAPE_TILE, spec);
    bool large = x->type.rows >= need.rows && x->type.cols >= need.real_cols; /* compilers give tmp the shape of src */
    if (!large || need.rows == 1) {
        x->type.rows = x->vrows = need.rows;
        x->type.cols = x->vcols = round_up(need.real_cols, epb(x));
        x->type.vrows = (int32_t)x->vrows;
        x->type.vcols = (int32_t)x->vcols;
    }
    return i->tmp = x;
}

static bool plausible(const SingleSpec *s, const Target *t, Diag *d) {
    const char *wrong = s->dtype == DT_NONE ? "dtype" : !s->rows ? "rows" : !s->cols ? "cols" : s->tile_rows < s->rows ? "tile_rows" : s->tile_cols < s->cols ? "tile_cols" : NULL;
    if (wrong) diag(d, DIAG_OPERANDS, nowhere, "%s is missing, zero or too small", wrong);
    if (wrong) return false;
    uint64_t row = (uint64_t)s->tile_cols * dtype_size(s->dtype), ub = (uint64_t)t->ub.bytes.v;
    bool fits = s->tile_rows <= ub / row;
    if (!fits) diag(d, DIAG_UB_FULL, nowhere, "a tile of %ux%u %s is larger than the unified buffer of %" PRIu64 " bytes", s->tile_rows, s->tile_cols, dtype_name(s->dtype), ub);
    return fits;
}

bool single_build(Single *s, const SingleSpec *spec, const Target *t, Diag *d) {
    InstrId id = instr_find(spec->op, strlen(spec->op));
    if (id == INSTR_COUNT) {
        diag(d, DIAG_UNKNOWN_OP, nowhere, "no instruction %s; `npusim isa` lists them", spec->op);
        return false;
    }
    const Signature *sig = instr_signature(id);
    if (sig->view_in || sig->view_out) {
        diag(d, DIAG_OPERANDS, nowhere, "%s moves data to or from global memory: use a trace", spec->op);
        return false;
    }
    if (!plausible(spec, t, d)) return false;
    Instr *i = &s->instr;
    *i = (Instr){.id = id, .info = &instr_info[id], .nin = sig->nin, .has_scalar = sig->scalar};
    int n = 0, form = spec->both && sig->nout[1];
    Tile *order[MAX_IN + MAX_OUT + 1];
    for (int k = 0; k < sig->nin; k++) {
        order[n++] = i->in[k] = make_tile(&s->in[k], sig->in_name[k], input_type(spec, sig, k), sig->in_shape[k], spec);
    }
    i->nout = sig->nout[form];
    for (int k = 0; k < i->nout; k++) {
        const char *name = sig->out_name[form][k];
        bool index = is_index_name(name) || (sig->nout[1] && !form);
        DType own = index ? index_type(spec, form) : sig->out_shape[form][k] == SHAPE_BITS ? DT_U8 : spec->dst_dtype != DT_NONE && i->nout == 1 ? spec->dst_dtype : spec->dtype;
        i->out[k] = make_tile(&s->out[k], name, own, sig->out_shape[form][k], spec);
    }
    if (give_tmp(s, spec, t)) order[n++] = i->tmp;
    for (int k = 0; k < i->nout; k++) order[n++] = i->out[k];
    if (!place(order, n, spec, t, d)) return false;
    if (id == I_TFILLPAD_INPLACE) i->out[0]->addr = i->in[0]->addr;
    if (id == I_TMRGSORT) i->index[0] = spec->cols / MERGE_LISTS;
    i->scalar = dtype_from_double(spec->dtype, 1.0, ROUND_RINT);
    LowerCtx c = {.target = t, .diag = d, .out = &s->uops, .timing_only = true};
    if (!instr_check(&c, i)) return false;
    instr_lower(&c, i);
    return true;
}

void single_free(Single *s) { uopbuf_free(&s->uops); }

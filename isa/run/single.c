#include "isa/run/single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/lower.h"

enum { OPERAND_STEP = 0x10000, OPERAND_ALIGN = 512 };

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
    default: break;
    }
    y->fractal = 512;
    y->vrows = s->dynamic ? VALID_DYN : (int32_t)t->vrows;
    y->vcols = s->dynamic ? VALID_DYN : (int32_t)t->vcols;
}

static Tile *add_tile(Single *s, int *n, const char *name, DType t, OperandShape shape, const SingleSpec *spec) {
    Tile *x = &s->tile[(*n)++];
    *x = (Tile){.type = {.dtype = t}, .name = name, .loc = nowhere};
    set_shape(x, shape, spec);
    return x;
}

static bool place(Single *s, int n, const SingleSpec *spec, const Target *t, Diag *d) {
    const char *layout = spec->layout && *spec->layout ? spec->layout : "spread";
    bool spread = strcmp(layout, "spread") == 0, packed = strcmp(layout, "packed") == 0;
    uint64_t ub = (uint64_t)t->ub.bytes.v, behind = 0;
    const char *next = layout;
    for (int k = 0; k < n; k++) {
        Tile *x = &s->tile[k];
        uint64_t own = (uint64_t)k * OPERAND_STEP;
        if (spread && own >= behind && own + tile_bytes(x) <= ub) {
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

static void give_tmp(Single *s, int *n, const SingleSpec *spec, const Target *t) {
    Instr *i = &s->instr;
    TmpNeed need = instr_tmp_need(t, i);
    if (!need.rows && !(spec->tmp && instr_signature(i->id)->tmp)) return;
    Tile *x = add_tile(s, n, "tmp", i->in[0]->type.dtype, SHAPE_TILE, spec);
    if (need.rows) {
        x->type.rows = x->vrows = need.rows;
        x->type.cols = x->vcols = round_up(need.real_cols, epb(x));
    }
    i->tmp = x;
}

static bool plausible(const SingleSpec *s, Diag *d) {
    const char *wrong = s->dtype == DT_NONE ? "dtype" : !s->rows ? "rows" : !s->cols ? "cols" : s->tile_rows < s->rows ? "tile_rows" : s->tile_cols < s->cols ? "tile_cols" : NULL;
    if (wrong) diag(d, DIAG_OPERANDS, nowhere, "%s is missing, zero or too small", wrong);
    return !wrong;
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
    if (!plausible(spec, d)) return false;
    Instr *i = &s->instr;
    *i = (Instr){.id = id, .info = &instr_info[id], .nin = sig->nin, .has_scalar = sig->scalar};
    int n = 0, form = spec->both && sig->nout[1];
    for (int k = 0; k < sig->nin; k++) {
        DType own = is_index_name(sig->in_name[k]) ? index_type(spec, true) : sig->in_shape[k] == SHAPE_BITS ? DT_U8 : spec->dtype;
        i->in[k] = add_tile(s, &n, sig->in_name[k], own, sig->in_shape[k], spec);
    }
    i->nout = sig->nout[form]; /* tmp depends on the form */
    give_tmp(s, &n, spec, t);
    for (int k = 0; k < i->nout; k++) {
        const char *name = sig->out_name[form][k];
        bool index = is_index_name(name) || (sig->nout[1] && !form);
        DType own = index ? index_type(spec, form) : spec->dst_dtype != DT_NONE && i->nout == 1 ? spec->dst_dtype : spec->dtype;
        i->out[k] = add_tile(s, &n, name, own, sig->out_shape[form][k], spec);
    }
    if (!place(s, n, spec, t, d)) return false;
    i->scalar = dtype_from_double(spec->dtype, 1.0, ROUND_RINT);
    LowerCtx c = {t, d, &s->uops, NULL, NULL};
    if (!instr_check(&c, i)) return false;
    instr_lower(&c, i);
    return true;
}

void single_free(Single *s) { uopbuf_free(&s->uops); }

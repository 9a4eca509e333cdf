/* Tile instructions: operands, checks, lowering, execution. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "isa/check/uops.h"
#include "isa/lower/indexed.h"
#include "isa/run/interp_internal.h"

/* ---- operands ---- */

/* A scalar operand in the element type of the tile, rounded once. */
static bool convert_scalar(Interp *in, Loc loc, DType from, uint64_t bits, DType to, uint64_t *out) {
    *out = bits;
    if (from == to) return true;
    if (dtype_is_float(from)) {
        double v = dtype_to_double(from, bits);
        *out = dtype_from_double(to, v, ROUND_RINT);
        if (dtype_is_float(to)) {
            if (v - v == 0 && dtype_to_double(to, *out) - dtype_to_double(to, *out) != 0)
                diag(in->diag, DIAG_SCALAR_RANGE, loc, "scalar %g is beyond the range of %s and becomes infinity", v, dtype_name(to));
            return true;
        }
        if (dtype_to_double(to, *out) == v) return true;
        diag(in->diag, DIAG_SCALAR_INEXACT, loc, "scalar %g cannot be represented in %s", v, dtype_name(to));
        return false;
    }
    int64_t v = dtype_to_int(from, bits);
    if (dtype_is_float(to)) {
        *out = dtype_from_double(to, (double)v, ROUND_RINT);
        return true;
    }
    unsigned size = dtype_size(to);
    *out = size == 8 ? (uint64_t)v : (uint64_t)v & ((1ull << (8 * size)) - 1);
    bool fits = dtype_to_int(to, *out) == v || (size == dtype_size(from)); /* same width: the bits are meant */
    if (!fits) diag(in->diag, DIAG_SCALAR_RANGE, loc, "scalar %" PRId64 " is beyond the range of %s", v, dtype_name(to));
    return true;
}

static const char *kind_name(const Value *v) {
    static const char *const names[] = {"nothing", "a scalar", "a tile", "a pointer", "a view", "a multi-buffer", "a vector"};
    return names[v->kind];
}

static bool take_scalar(Interp *in, Instr *i, const Operand *o) {
    if (o->kind == OPD_INT || o->kind == OPD_FLOAT) {
        bool hex = o->hex;
        i->scalar_type = o->kind == OPD_FLOAT ? DT_F32 : hex ? DT_NONE : DT_I64;
        i->scalar = o->kind == OPD_FLOAT ? dtype_from_double(DT_F32, o->f, ROUND_RINT) : (uint64_t)o->i;
    } else {
        Value *v = interp_lookup(in, o);
        if (!v) return false;
        if (v->kind != VAL_SCALAR) {
            diag(in->diag, DIAG_OPERANDS, o->loc, "%s: expected a scalar, %s is %s", i->info->name, operand_text(in, o), kind_name(v));
            return false;
        }
        i->scalar_type = v->dtype;
        i->scalar = v->bits;
    }
    i->has_scalar = true;
    i->scalar_loc = o->loc;
    return true;
}

static bool take_view(Interp *in, Instr *i, const Operand *o, bool written) {
    Value *v = interp_lookup(in, o);
    if (!v) return false;
    if (v->kind != VAL_VIEW) {
        diag(in->diag, DIAG_OPERANDS, o->loc, "%s: expected a partition or tensor view, %s is %s", i->info->name, operand_text(in, o), kind_name(v));
        return false;
    }
    i->gm = *v->view;
    i->reads_view = !written;
    i->writes_view = written;
    return true;
}

/* As in InputForm; whatever is neither a scalar nor a view should be a tile. */
static char kind_of(Interp *in, const Operand *o) {
    if (o->kind == OPD_INT || o->kind == OPD_FLOAT) return '$';
    Frame *f = &in->frame[in->nframe - 1];
    uint32_t id = o->kind == OPD_NAME ? interp_name(in, o) : ~0u;
    if (id >= f->n) return 't';
    return f->v[id].kind == VAL_SCALAR ? '$' : f->v[id].kind == VAL_VIEW ? '@' : 't';
}

static bool wrong_count(Interp *in, const Instr *i, Loc loc, const char *what, const char *want, int found) {
    diag(in->diag, DIAG_OPERANDS, loc, "%s: expected the %s %s, found %d operand%s", i->info->name, what, want, found, found == 1 ? "" : "s");
    return false;
}

/* Whether scalars and views stand where the form says so. */
static bool kinds_match(Interp *in, const InputForm *f, const Operand *o, int n) {
    for (const char *k = f->kinds; *k; k++) {
        if (*k == '?' && n < f->n) continue;
        char want = *k == '#' ? '$' : *k == '?' ? 't' : *k;
        if (kind_of(in, o++) != want) return false;
    }
    return true;
}

/* The alternative of the row that takes n operands, with or without its optional one: the first one with
 * scalars and views at the same places, else the first one; NULL: none. */
static const InputForm *alternative(Interp *in, const Signature *s, const Operand *o, int n) {
    const InputForm *first = NULL;
    for (const InputForm *f = s->form; f < s->form + s->nform; f++) {
        if (n != f->n && (n != f->n - 1 || !f->optional)) continue;
        if (s->nform == 1 || kinds_match(in, f, o, n)) return f;
        if (!first) first = f;
    }
    return first;
}

static bool take_index(Interp *in, Instr *i, const Operand *o) { return interp_int(in, o, &i->index[i->nindex++]); }

static bool take_tile(Interp *in, Instr *i, const Operand *o, bool tmp) {
    Tile *t = interp_tile(in, o);
    if (t && tmp) i->tmp = t;
    else if (t) i->in[i->nin++] = t;
    return t != NULL;
}

static bool take_input(Interp *in, Instr *i, const Operand *o, char kind) {
    switch (kind) {
    case '$': return take_scalar(in, i, o);
    case '#': return take_index(in, i, o);
    case '@': return take_view(in, i, o, false);
    default: return take_tile(in, i, o, kind == '?');
    }
}

/* Inputs in the order of the row. */
static bool take_inputs(Interp *in, Instr *i, const Operand *o, int n) {
    const InputForm *f = alternative(in, instr_signature(i->id), o, n);
    if (!f) return wrong_count(in, i, i->loc, "inputs", i->info->ins, n);
    for (const char *k = f->kinds; *k; k++) {
        if (*k == '?' && n < f->n) continue;
        if (*k == 't' && f->scalar && !i->has_scalar && kind_of(in, o) == '$') { /* tdivs takes (tile, scalar) and (scalar, tile) */
            if (!take_scalar(in, i, o++)) return false;
            i->scalar_first = true;
        }
        if (*k == '$' && i->scalar_first) break;
        if (!take_input(in, i, o++, *k)) return false;
    }
    return true;
}

/* Names on the left that are no tiles yet become new ones of the result type. */
static Tile *result_tile(Interp *in, const Stmt *s, Instr *i, int k) {
    const Operand *o = &s->results[k];
    uint32_t name = interp_name(in, o);
    Frame *f = &in->frame[in->nframe - 1];
    if (name < f->n && f->v[name].kind == VAL_TILE) return f->v[name].tile;
    const Type *t = k < s->notype ? s->otype[k] : NULL;
    if (t && t->kind == TY_TILE) {
        const TileType *x = &t->tile;
        return declare_tile(in, name, x, -1, x->vrows < 0 ? (int64_t)x->rows : x->vrows, x->vcols < 0 ? (int64_t)x->cols : x->vcols, o->loc);
    }
    if (!i->nin) {
        diag(in->diag, DIAG_NAME, o->loc, "%s: the result %s needs a tile type", i->info->name, operand_text(in, o));
        return NULL;
    }
    const Tile *src = i->in[0]; /* a short type list: the type of the first source */
    return declare_tile(in, name, &src->type, -1, src->vrows, src->vcols, o->loc);
}

/* tmrgsort: [, tmp], numbers of records taken. The value of the numbers is set when they are known; it
 * need not be there before. */
static int tiles_of_merge(Interp *in, const Stmt *s, Instr *i, int n) {
    if (n == 3 && s->nouts && !i->tmp) return (i->tmp = interp_tile(in, &s->outs[1])) ? 1 : -1;
    return n == 2 && i->nin > 1 ? 1 : n;
}

static bool take_outputs(Interp *in, const Stmt *s, Instr *i) {
    const Signature *sig = instr_signature(i->id);
    int n = s->nouts ? s->nouts : s->nresults;
    if (i->id == I_TGETVAL || (!*i->info->outs && !n)) return true;
    if (sig->view_out) {
        if (n != 1) return wrong_count(in, i, i->loc, "outputs", i->info->outs, n);
        return take_view(in, i, s->nouts ? &s->outs[0] : &s->results[0], true);
    }
    int tiles = i->id == I_TMRGSORT ? tiles_of_merge(in, s, i, n) : n;
    if (tiles < 0) return false;
    if (tiles != sig->nout[0] && (tiles != sig->nout[1] || !tiles)) return wrong_count(in, i, i->loc, "outputs", i->info->outs, n);
    for (int k = 0; k < tiles; k++) {
        Tile *t = s->nouts ? interp_tile(in, &s->outs[k]) : result_tile(in, s, i, k);
        if (!t) return false;
        i->out[i->nout++] = t;
    }
    return true;
}

static const char *word_of(const Stmt *s, const char *key) {
    const Named *n = stmt_named(s, key);
    return n && n->n && n->v[0].kind == OPD_WORD ? n->v[0].word : NULL;
}

/* rmode; the nearest value if the text has none. */
static bool take_round(Interp *in, Instr *i, const Stmt *s) {
    static const char *const names[] = {"RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"};
    const char *w = word_of(s, "rmode"), *name = w && strncmp(w, "CAST_", 5) == 0 ? w + 5 : w;
    if (w && strcmp(name, "NONE") == 0) i->round = ROUND_BY_TYPES;
    if (!w || i->round == ROUND_BY_TYPES) return true;
    for (int k = ROUND_RINT; k <= ROUND_ODD; k++)
        if (strcmp(name, names[k]) == 0) {
            i->round = k;
            return true;
        }
    diag(in->diag, DIAG_OPERANDS, stmt_named(s, "rmode")->v[0].loc, "%s: expected an rmode of NONE, RINT, ROUND, FLOOR, CEIL, TRUNC or ODD, found %s", i->info->name, w);
    return false;
}

/* cmpMode; equality if the text has none. */
static bool take_compare(Interp *in, Instr *i, const char *w) {
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    if (!w) return true;
    for (int k = CMP_EQ; k <= CMP_GE; k++)
        if (strcasecmp(w, names[k]) == 0) {
            i->cmp = k;
            return true;
        }
    diag(in->diag, DIAG_OPERANDS, i->loc, "%s: expected a cmpMode of eq, ne, lt, le, gt or ge, found %s", i->info->name, w);
    return false;
}

/* What tload writes behind the rows. Other ways to pad are refused rather than left out. */
static bool take_padding(Interp *in, Instr *i, const Stmt *s) {
    static const char *const refused[] = {"left_padding_num", "right_padding_num", "init_out_buffer", "init_condition"};
    const Named *mode = stmt_named(s, "pad_mode"), *value = stmt_named(s, "pad_value");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const Named *n = stmt_named(s, refused[k]);
        if (!n || !n->n || (n->v[0].kind == OPD_INT && !n->v[0].i)) continue;
        diag(in->diag, DIAG_OPERANDS, n->v[0].loc, "%s: %s is not supported", i->info->name, refused[k]);
        return false;
    }
    if (!mode && !value) return true;
    const char *w = word_of(s, "pad_mode");
    if (w && !value && strcmp(w, "PadNull") == 0) return true;
    if (w && value && value->n && strcmp(w, "PadValue") == 0) return take_scalar(in, i, &value->v[0]);
    diag(in->diag, DIAG_OPERANDS, mode && mode->n ? mode->v[0].loc : i->loc, "%s: expected pad_mode PadNull, or PadValue with pad_value, found %s%s", i->info->name,
         w ? w : "no pad_mode", value ? " with pad_value" : "");
    return false;
}

/* Without attributes every one of them is 0: the default. */
static bool build_instr(Interp *in, const Stmt *s, Instr *i) {
    memset(i, 0, sizeof *i);
    i->id = s->kind == ST_TGETVAL ? I_TGETVAL : s->kind == ST_TSETVAL ? I_TSETVAL : s->instr;
    i->info = &instr_info[i->id];
    i->loc = s->loc;
    if (!take_inputs(in, i, s->ins, s->nins) || !take_outputs(in, s, i)) return false;
    if (i->scalar_first && i->id != I_TDIVS) {
        diag(in->diag, DIAG_OPERANDS, i->scalar_loc, "%s: the scalar stands behind the tile", i->info->name);
        return false;
    }
    if (s->nnamed && !(take_attributes(in, s, i) && take_round(in, i, s) && take_padding(in, i, s) && take_compare(in, i, word_of(s, "cmpMode")))) return false;
    if (i->has_scalar) {
        const Tile *t = i->nin ? i->in[i->nin - 1] : i->out[0]; /* tsels: the source, not the mask */
        if (i->scalar_type == DT_NONE) return true; /* a bit pattern */
        return convert_scalar(in, i->scalar_loc, i->scalar_type, i->scalar, t->type.dtype, &i->scalar);
    }
    return true;
}

/* ---- tmp ---- */

static const Tile *written_tile(void *ctx, const Instr *i, uint32_t lo, uint32_t hi);

/* The library's own scratch has a fixed place, whatever lies there. */
static bool fixed_tmp(Interp *in, Instr *i, Tile *t) {
    uint32_t end = (uint32_t)(t->addr + (int64_t)tile_bytes(t));
    const Tile *hit = written_tile(in, i, (uint32_t)t->addr, end);
    i->tmp = t;
    if (!hit) return true;
    diag(in->diag, DIAG_ALIAS, i->loc, "%s: without tmp the library uses 0x%" PRIx64 "..0x%x as scratch and overwrites %s\ngive a tmp tile, or move %s", i->info->name,
         (uint64_t)t->addr, end - 1, hit->name, hit->name);
    return false;
}

static bool implicit_tmp(Interp *in, Instr *i) {
    if (i->tmp) return true;
    TmpNeed n = instr_tmp_need(in->target, i);
    if (!n.rows) return true;
    uint32_t per_block = BLOCK_BYTES / tile_esize(i->in[0]);
    Tile *t = &in->implicit_tmp;
    *t = (Tile){.type = i->in[0]->type, .name = "(implicit tmp)", .loc = i->loc};
    t->type.rows = t->vrows = n.rows;
    t->type.cols = t->vcols = round_up(n.real_cols, per_block);
    t->type.vrows = (int32_t)t->type.rows;
    t->type.vcols = (int32_t)t->type.cols;
    t->type.blayout = ROW_MAJOR;
    t->addr = instr_tmp_place(i);
    if (t->addr >= 0) return fixed_tmp(in, i, t);
    t->addr = alloc_take(&in->alloc, (uint32_t)tile_bytes(t));
    if (t->addr < 0) {
        diag(in->diag, DIAG_UB_FULL, i->loc, "%s: no room for the tmp tile of %ux%u %s (%" PRIu64 " bytes) that %s needs", i->info->name, t->type.rows,
             t->type.cols, dtype_name(t->type.dtype), tile_bytes(t), in->target->name);
        return false;
    }
    i->tmp = t;
    i->tmp_implicit = true;
    diag(in->diag, DIAG_TMP_IMPLICIT, i->loc, "%s: tmp of %ux%u %s allocated at 0x%" PRIx64, i->info->name, t->type.rows, t->type.cols,
         dtype_name(t->type.dtype), (uint64_t)t->addr);
    return true;
}

static const Tile *written_tile(void *ctx, const Instr *i, uint32_t lo, uint32_t hi) {
    Interp *in = ctx;
    for (int k = 0; k < in->ntile; k++) {
        const Tile *t = in->tile[k];
        if (!t->written || t->addr < 0 || t->addr >= hi || t->addr + (int64_t)tile_bytes(t) <= lo) continue;
        bool own = t == i->tmp;
        for (int j = 0; j < i->nin; j++) own |= t == i->in[j];
        for (int j = 0; j < i->nout; j++) own |= t == i->out[j];
        if (!own) return t;
    }
    return NULL;
}

/* Whether the last vector micro-op is followed by a barrier or a flag that waits for it. */
static bool drains(const UopBuf *b) {
    for (uint32_t k = b->n; k--;) {
        if (b->uop[k].op == U_BARRIER) return true;
        if (uop_pipe(&b->uop[k]) == PIPE_V && uop_info[b->uop[k].op].cls != UC_SYNC) return false;
    }
    return false;
}

/* ---- one instruction ---- */

static void append(UopBuf *to, const UopBuf *from) {
    for (uint32_t k = 0; k < from->n; k++) {
        uopbuf_stage(to, from->stage[from->uop[k].stage]);
        Uop *u = uopbuf_add(to, (UopId)from->uop[k].op);
        uint8_t stage = u->stage;
        *u = from->uop[k];
        u->stage = stage;
        if (u->op == U_VF) u->imm += to->nvf;
        if (uop_info[u->op].cls == UC_DMA || uop_info[u->op].cls == UC_SIMT) u->imm += to->ndma;
    }
    for (uint32_t k = 0; k < from->nvf; k++) {
        VfInstr *v = uopbuf_vf(to, (UopId)from->vf[k].op);
        *v = from->vf[k];
    }
    for (uint32_t k = 0; k < from->ndma; k++) {
        uopbuf_dma(to, U_GM_TO_UB);
        to->n--; /* the micro-op is already there */
        to->dma[to->ndma - 1] = from->dma[k];
    }
}

static uint64_t valid_bytes(const Tile *t) { return (uint64_t)t->vrows * t->vcols * tile_esize(t); }

/* Single elements of a table are moved by the scalar unit where no threads do it. */
static Pipe pipe_of_instr(const Interp *in, const Instr *i) {
    return i->by_element && in->target->family == FAMILY_A2A3 ? PIPE_S : i->info->pipe[in->target->family];
}

static void describe_step(Interp *in, const Instr *i) {
    Step *st = &in->step;
    const Tile *main = instr_main_tile(i); /* NULL: a view is printed */
    st->instr = i;
    st->op = i->info->name;
    st->pipe = pipe_of_instr(in, i);
    st->dtype = main ? main->type.dtype : i->gm.dtype;
    st->rows = main ? main->vrows : (uint32_t)stacked_rows(&i->gm);
    st->cols = main ? main->vcols : (uint32_t)table_cols(&i->gm);
    for (int k = 0; k < i->nout && i->id != I_TLOAD; k++) /* element-wise: the destination's region is worked on */
        if (i->out[k]->vrows * i->out[k]->vcols > st->rows * st->cols) st->rows = i->out[k]->vrows, st->cols = i->out[k]->vcols;
    for (int k = 0; k < i->nin; k++) st->bytes_read += valid_bytes(i->in[k]);
    for (int k = 0; k < i->nout; k++) st->bytes_written += valid_bytes(i->out[k]);
    if (i->reads_view) st->bytes_read += main ? valid_bytes(main) : st->rows * st->cols * dtype_size(i->gm.dtype);
    if (i->writes_view) st->bytes_written += valid_bytes(main);
}

static void report_fault(Interp *in, const Instr *i) {
    if (in->machine->gm_fault)
        diag(in->diag, DIAG_ARG, i->loc, "%s: a transfer leaves the array of %s", i->info->name, i->gm.name);
    in->machine->gm_fault = false;
    if (in->machine->fault == ~0u) return;
    diag(in->diag, DIAG_UB_OOB, i->loc, "%s: a micro-operation accesses 0x%x, the unified buffer of %s ends at 0x%x", i->info->name, in->machine->fault,
         in->target->name, in->machine->ub_size);
    in->machine->fault = ~0u;
}

static void compute(Interp *in, const Instr *i) {
    if (in->o->checks) check_uops(in->diag, in->target, i, &in->body, in->machine->mask);
    bool listing = !in->frame[in->nframe - 1].func;
    bool stale = in->o->stale && in->check && in->o->results;
    if (in->mem->races) races_at(in->mem->races, i->loc, i->info->name);
    if (in->check && !stale) check_instr(in->check, i, &in->body, in->machine, listing);
    if (in->o->results) {
        if (stale) check_execute_stale(in->check, i, &in->body, in->machine, listing);
        else machine_exec(in->machine, &in->body);
        report_fault(in, i);
    } else {
        machine_exec_masks(in->machine, &in->body);
    }
    for (int k = 0; k < i->nout; k++) i->out[k]->written = true;
}

/* How many numbers a comparison gives is known only now. */
static void check_hits(Interp *in, const Instr *i) {
    const Tile *d = i->out[0], *counts = i->out[1];
    for (uint32_t r = 0; r < i->in[0]->vrows; r++) {
        uint32_t at = (uint32_t)counts->addr + 4 * r;
        uint64_t n = at + 4 <= in->machine->ub_size ? dtype_load(DT_U32, in->machine->ub + at) : 0;
        if (n <= d->type.cols) continue;
        diag(in->diag, DIAG_TILE_OOB, i->loc, "%s: %" PRIu64 " elements of row %u pass, the rows of %s hold %u", i->info->name, n, r, d->name, d->type.cols);
        return;
    }
}

/* The library reads them only from a merge that stops when a list is done: else they stay as they are. */
static void give_counts(Interp *in, const Stmt *s, const Instr *i) {
    const Operand *o = s->nresults == 2 ? &s->results[1] : s->nouts > 1 ? &s->outs[s->nouts - 1] : NULL;
    if (!o || (!i->exhausted && s->nouts)) return;
    uint64_t bits = i->exhausted ? in->machine->sreg[i->info->variant[in->target->family]] : 0;
    interp_set(in, interp_name(in, o), (Value){.kind = VAL_VECTOR, .dtype = DT_I16, .bits = bits});
}

/* Results outside tiles: the scalar that was read, text on standard output. */
static void give_results(Interp *in, const Stmt *s, const Instr *i) {
    if (i->id == I_TGETVAL) {
        Value v = {.kind = VAL_SCALAR, .dtype = i->in[0]->type.dtype, .bits = in->machine->sreg[i->info->variant[in->target->family]]};
        const Operand *o = s->nresults ? s->results : s->outs;
        if (s->nresults || s->nouts) interp_set(in, interp_name(in, o), v);
    }
    if (i->nout == 2 && i->id == I_TGATHER && in->o->results) check_hits(in, i);
    if (i->id == I_TMRGSORT && i->nin > 1) give_counts(in, s, i);
    if (i->id == I_TPRINT && in->o->results) print_operand(in, i);
}

bool instr_operands(Interp *in, const Stmt *s, Instr *i) { return build_instr(in, s, i) && implicit_tmp(in, i); }

bool exec_instr(Interp *in, const Stmt *s) {
    Instr *i = &in->instr;
    if (!instr_operands(in, s, i)) return false;
    LowerCtx c = {in->target, in->diag, &in->body, written_tile, in, false, in->alias};
    uint64_t errors = diag_total(in->diag, SEV_ERROR); /* an error that is allowed does not stop the run */
    if (!instr_check(&c, i) && diag_total(in->diag, SEV_ERROR) != errors && !in->o->go_on) return false;
    if (i->reads_view || i->writes_view) {
        AccessRange r = view_access(&i->gm, false);
        if (!buffer_reach(in, i->gm.buffer, r.hi, i->loc)) return false;
    }
    instr_lower(&c, i);
    if (in->o->results && in->o->checks) note_special_values(in, i);
    AccessRange a[MAX_IN + MAX_OUT + 2];
    int n = instr_accesses(in, i, a);
    describe_step(in, i);
    charge_scalar_work(in);
    settle_order(in, &(Work){i->info->name, i->loc, in->step.pipe}, a, n);
    in->step.seq = order_next(in->order, in->step.pipe);
    uint32_t repeats = (uint32_t)(in->step.bytes_written / REPEAT_BYTES);
    order_enter(in->order, in->step.pipe, in->step.seq, i->loc, i->info->name, a, n, repeats, drains(&in->body));
    compute(in, i);
    give_results(in, s, i);
    if (in->uops.n) append(&in->uops, &in->body);
    else {
        UopBuf t = in->uops;
        in->uops = in->body;
        in->body = t;
    }
    if (i->tmp_implicit) alloc_release(&in->alloc, (uint32_t)i->tmp->addr, (uint32_t)(i->tmp->addr + (int64_t)tile_bytes(i->tmp)));
    return true;
}

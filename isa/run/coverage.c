#include "isa/run/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/lower.h"
#include "isa/run/interp_internal.h"

/* One target's view of the names. */
typedef struct View {
    const Target *target;
    Diag *diag;
    Memory *mem;
    Interp *in;
} View;

typedef struct Walk {
    Coverage *c;
    TraceReader *reader;
    View view[COVERAGE_TARGETS];
    int n;
    bool gap;             /* something could not be read: names may be missing */
} Walk;

/* ---- needs ---- */

static Need *find_need(Coverage *c, const char *kind, const char *what, const char *unit, Loc loc) {
    uint32_t id = names_intern(c->whats, what, strlen(what));
    if (id < c->n) return &c->need[id];
    if (c->n == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 8;
        c->need = xrealloc(c->need, c->cap * sizeof *c->need);
    }
    c->need[c->n] = (Need){.kind = kind, .what = names_text(c->whats, id), .unit = unit, .first = loc};
    return &c->need[c->n++];
}

static void need_all(Walk *w, const char *kind, const char *what, const char *unit, Loc loc) {
    Need *x = find_need(w->c, kind, what, unit, loc);
    for (int t = 0; t < w->n; t++) x->count[t]++;
}

/* A message names what was found, which differs from place to place; the need is what was expected. */
static void on_gap(void *ctx, const TraceGap *g) {
    Walk *w = ctx;
    char what[512];
    w->gap = true;
    if (g->construct) {
        need_all(w, g->id == DIAG_UNKNOWN_OP ? "construct" : "type", g->construct, g->unit, g->loc);
        return;
    }
    const char *found = strstr(g->text, ", found ");
    size_t n = found ? (size_t)(found - g->text) : strcspn(g->text, "\n");
    bool named = !g->operation || strstr(g->text, g->operation);
    snprintf(what, sizeof what, "%.80s%s%.*s", named ? "" : g->operation, named ? "" : ": ", n > 400 ? 400 : (int)n, g->text);
    need_all(w, "text", what, NULL, g->loc);
}

static const char NAMELESS[] = "%"; /* every tile: messages about equal uses are equal */

static void drop_text(char *s, const char *part) {
    size_t n = strlen(part);
    for (char *p; (p = strstr(s, part));) memmove(p, p + n, strlen(p + n) + 1);
}

/* The message without what tells one use from another. */
static void general_text(char *out, size_t size, const DiagMsg *m, const Target *t) {
    char on[80];
    snprintf(out, size, "%s", m->text);
    char *list = strstr(out, ", expected one of");
    if (list) *list = 0;
    snprintf(on, sizeof on, " on %s", t->name);
    drop_text(out, on);
    drop_text(out, " (%)");
    drop_text(out, " %");
}

static const char *kind_of(const Walk *w, const DiagMsg *m) {
    if (m->severity != SEV_ERROR) return NULL;
    switch (m->id) {
    case DIAG_DTYPE: return "element type";
    case DIAG_LAYOUT: return "layout";
    case DIAG_OPERANDS: return "operands";
    case DIAG_FLAG: return "synchronisation";
    case DIAG_UNKNOWN_OP: return "construct";
    case DIAG_NAME: return w->gap || !strstr(m->text, "not defined") ? NULL : "name"; /* what declares it may not have been read */
    default: return NULL;
    }
}

/* Takes the messages of one statement; the next one starts with none. */
static void take_messages(Walk *w, int t) {
    View *v = &w->view[t];
    char text[1200];
    if (!diag_count(v->diag)) return;
    for (size_t i = 0; i < diag_count(v->diag); i++) {
        const DiagMsg *m = diag_at(v->diag, i);
        const char *kind = kind_of(w, m);
        if (!kind) continue;
        general_text(text, sizeof text, m, v->target);
        find_need(w->c, kind, text, NULL, m->loc)->count[t]++;
    }
    diag_free(v->diag);
    v->in->diag = v->diag = diag_new();
}

/* ---- names without values ---- */

static void set(Interp *in, const Operand *o, Value v) {
    if (o->kind == OPD_NAME) interp_set(in, interp_name(in, o), v);
}

static Value *known(Interp *in, const Operand *o) {
    Frame *f = &in->frame[in->nframe - 1];
    uint32_t id = o->kind == OPD_NAME ? interp_name(in, o) : UINT32_MAX;
    return id < f->n && f->v[id].kind != VAL_NONE ? &f->v[id] : NULL;
}

static Value scalar(DType t) { return (Value){.kind = VAL_SCALAR, .dtype = t}; }

/* A name that is declared again in a bare list keeps its tile: memory does not grow with the text. */
static Value tile(Interp *in, const Operand *o, const TileType *type) {
    Value *old = in->frame[0].func ? NULL : known(in, o);
    Tile *t = old && old->kind == VAL_TILE ? old->tile : arena_alloc(in->arena, sizeof *t);
    *t = (Tile){.type = *type, .name = NAMELESS};
    t->vrows = type->vrows < 0 ? type->rows : (uint32_t)type->vrows;
    t->vcols = type->vcols < 0 ? type->cols : (uint32_t)type->vcols;
    return (Value){.kind = VAL_TILE, .tile = t};
}

static Value multi(Interp *in, const Operand *o, const Type *type) {
    MultiTile *m = arena_alloc(in->arena, sizeof *m);
    m->count = type->count;
    m->slot[0] = tile(in, o, &type->tile).tile;
    return (Value){.kind = VAL_MULTI, .multi = m};
}

/* Sizes that the type leaves open are large enough for any tile. */
static Value view(Interp *in, const Operand *o, const Type *type) {
    enum { LARGE = 1 << 20 };
    Value *old = in->frame[0].func ? NULL : known(in, o);
    GmView *v = old && old->kind == VAL_VIEW ? old->view : arena_alloc(in->arena, sizeof *v);
    *v = (GmView){.dtype = type->dtype, .rank = type->rank, .name = "an argument"};
    int64_t step = 1;
    for (int k = type->rank - 1; k >= 0; k--) {
        v->size[k] = type->dim[k] >= 0 ? type->dim[k] : k + 2 < type->rank ? 1 : LARGE;
        v->stride[k] = step;
        step *= v->size[k] && step < LARGE ? v->size[k] : 1;
    }
    return (Value){.kind = VAL_VIEW, .view = v};
}

static Value of_type(Interp *in, const Operand *o, const Type *t) {
    switch (t->kind) {
    case TY_SCALAR: return scalar(t->dtype);
    case TY_TILE: return tile(in, o, &t->tile);
    case TY_MULTI: return multi(in, o, t);
    case TY_PTR: return (Value){.kind = VAL_PTR, .dtype = t->dtype};
    case TY_VIEW:
    case TY_PART: return view(in, o, t);
    default: return scalar(DT_I64);
    }
}

static void set_typed(Interp *in, const Operand *o, int n, const Type *const *t, int nt) {
    for (int i = 0; i < n && i < nt; i++) set(in, &o[i], of_type(in, &o[i], t[i]));
}

/* ---- statements ---- */

static void arith(Interp *in, const Stmt *s) {
    Value *chosen = s->nins == 3 ? known(in, &s->ins[1]) : NULL; /* select may choose between tiles */
    DType t = s->notype ? s->otype[0]->dtype : stmt_named(s, "predicate") ? DT_I1 : s->ntype ? s->type[0]->dtype : DT_I64;
    set(in, &s->results[0], chosen ? *chosen : scalar(t));
}

static void tensor_view(Interp *in, const Stmt *s) {
    bool dn = false;
    Value v = of_type(in, &s->results[0], s->otype[0]);
    if (v.kind != VAL_VIEW || !view_layout(in, s, &dn)) return;
    v.view->dn = dn;
    const Named *strides = stmt_named(s, "strides");
    for (int k = 0; k < v.view->rank && k < strides->n; k++) {
        const Value *x = known(in, &strides->v[k]);
        bool constant = x && x->kind == VAL_SCALAR && x->bits; /* 0: not known */
        if (constant || strides->v[k].kind == OPD_INT) v.view->stride[k] = constant ? (int64_t)x->bits : strides->v[k].i;
    }
    set(in, &s->results[0], v);
}

/* The part keeps the strides; its sizes are those of its type or of the list. */
static void partition(Interp *in, const Stmt *s) {
    const Value *whole = known(in, &s->ins[0]);
    const Named *sizes = stmt_named(s, "sizes");
    if (!whole || whole->kind != VAL_VIEW) return;
    if (sizes->n != whole->view->rank) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "pto.partition_view: the view has %d dimensions, found %d sizes", whole->view->rank, sizes->n);
        return;
    }
    Type t = {.kind = TY_PART, .dtype = whole->view->dtype, .rank = whole->view->rank};
    bool typed = s->notype && s->otype[0]->kind == TY_PART && s->otype[0]->rank == t.rank;
    for (int k = 0; k < t.rank; k++) {
        const Value *x = known(in, &sizes->v[k]);
        t.dim[k] = typed ? s->otype[0]->dim[k] : sizes->v[k].kind == OPD_INT ? sizes->v[k].i : x && x->bits ? (int64_t)x->bits : -1;
    }
    Value v = view(in, &s->results[0], &t);
    memcpy(v.view->stride, whole->view->stride, sizeof v.view->stride);
    v.view->dn = whole->view->dn;
    set(in, &s->results[0], v);
}

static void subview(Interp *in, const Stmt *s) {
    const Value *whole = known(in, &s->ins[0]);
    if (!whole || whole->kind != VAL_TILE) return;
    const Named *sizes = stmt_named(s, "sizes");
    TileType t = whole->tile->type; /* keeps its pitch, as the run does */
    uint32_t size[2] = {t.rows, t.cols};
    for (int k = 0; k < 2 && k < sizes->n; k++)
        if (sizes->v[k].kind == OPD_INT && sizes->v[k].i > 0 && sizes->v[k].i <= size[k]) size[k] = (uint32_t)sizes->v[k].i;
    t.vrows = (int32_t)size[0];
    t.vcols = (int32_t)size[1];
    if (t.blayout == ROW_MAJOR) t.rows = size[0];
    else t.cols = size[1];
    set(in, &s->results[0], tile(in, &s->results[0], &t));
}

static void multi_get(Interp *in, const Stmt *s) {
    const Value *m = known(in, &s->ins[0]);
    if (m && m->kind == VAL_MULTI) set(in, &s->results[0], (Value){.kind = VAL_TILE, .tile = m->multi->slot[0]});
}

static const char *space_name(TileLoc loc) {
    static const char *const names[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
    return names[loc];
}

/* What the table itself rules out. false: nothing of that. */
static bool outside_table(Walk *w, int t, const Instr *i) {
    char what[96];
    const char *kind = NULL, *unit = NULL;
    const Tile *first = i->nin ? i->in[0] : i->nout ? i->out[0] : NULL;
    Family f = w->view[t].target->family;
    for (int k = 0; k < i->nin + i->nout && !unit; k++) {
        const Tile *x = k < i->nin ? i->in[k] : i->out[k - i->nin];
        if (x->type.loc == LOC_VEC) continue;
        kind = "operands";
        unit = "cube unit";
        snprintf(what, sizeof what, "%s: tile in %s", i->info->name, space_name(x->type.loc));
    }
    if (!unit && !i->info->lower[f]) {
        kind = "instruction";
        snprintf(what, sizeof what, "%s", i->info->name);
    } else if (!unit && first && !instr_type_ok(i->info, f, first->type.dtype)) {
        kind = "element type";
        snprintf(what, sizeof what, "%s: element type %s", i->info->name, dtype_name(first->type.dtype));
    }
    if (kind) find_need(w->c, kind, what, unit, i->loc)->count[t]++;
    return kind != NULL;
}

static void instruction(Walk *w, int t, const Stmt *s) {
    Interp *in = w->view[t].in;
    Instr *i = &in->instr;
    bool built = instr_operands(in, s, i);
    if (built && !outside_table(w, t, i)) {
        LowerCtx c = {.target = in->target, .diag = in->diag, .out = &in->body, .timing_only = true};
        instr_check(&c, i);
    }
    if (built && i->tmp_implicit) alloc_release(&in->alloc, (uint32_t)i->tmp->addr, (uint32_t)(i->tmp->addr + (int64_t)tile_bytes(i->tmp)));
    const Operand *value = s->nouts ? s->outs : s->results;
    if (s->kind == ST_TGETVAL && (s->nouts || s->nresults)) set(in, value, scalar(built ? i->in[0]->type.dtype : DT_I64));
    else set_typed(in, s->results, s->nresults, s->otype, s->notype);
}

static void synchronisation(Interp *in, const Stmt *s) {
    const Named *pipes = stmt_named(s, "pipes");
    Pipe p;
    int n = s->kind == ST_SET_FLAG || s->kind == ST_WAIT_FLAG ? 2 : 1;
    for (int k = 0; pipes && k < n && k < pipes->n; k++) pipe_of(in, &pipes->v[k], &p);
    if (s->kind == ST_BUF && in->target->family != FAMILY_950) exec_buf(in, s);
}

static void walk(Walk *w, const Stmt *s);

static void call(Walk *w, int t, const Stmt *s) {
    const Func *f = trace_funcs(w->reader);
    while (f && strcmp(f->name, s->op) != 0) f = f->next;
    if (!f || !f->body) find_need(w->c, "construct", "func.call of a function without a body", NULL, s->loc)->count[t]++;
    set_typed(w->view[t].in, s->results, s->nresults, s->otype, s->notype);
}

/* Carried values have the types of the results. */
static void region(Interp *in, const Stmt *s) {
    const Named *init = stmt_named(s, "init");
    int first = s->kind == ST_FOR;
    if (first) set(in, &s->args[0], scalar(s->ntype ? s->type[0]->dtype : DT_I64));
    for (int k = 0; init && k < init->n && first + k < s->nargs; k++) {
        const Value *v = known(in, &init->v[k]);
        if (v) set(in, &s->args[first + k], v->kind == VAL_SCALAR ? scalar(v->dtype) : *v);
    }
    if (s->kind == ST_WHILE) set_typed(in, s->outs, s->nouts, s->otype, s->notype);
    set_typed(in, s->results, s->nresults, s->otype, s->notype);
}

static void statement(Walk *w, int t, const Stmt *s) {
    Interp *in = w->view[t].in;
    switch (s->kind) {
    case ST_INSTR:
    case ST_TGETVAL:
    case ST_TSETVAL: instruction(w, t, s); break;
    case ST_CONSTANT: exec_statement(in, s); break;
    case ST_ARITH: arith(in, s); break;
    case ST_TENSOR_VIEW: tensor_view(in, s); break;
    case ST_PARTITION: partition(in, s); break;
    case ST_SUBVIEW: subview(in, s); break;
    case ST_MULTI_GET: multi_get(in, s); break;
    case ST_GET_VALIDSHAPE:
        for (int k = 0; k < s->nresults; k++) set(in, &s->results[k], scalar(DT_I64));
        break;
    case ST_BLOCK_INFO: set(in, &s->results[0], scalar(s->notype ? s->otype[0]->dtype : DT_I64)); break;
    case ST_SET_FLAG:
    case ST_WAIT_FLAG:
    case ST_BARRIER:
    case ST_BUF: synchronisation(in, s); break;
    case ST_CALL: call(w, t, s); break;
    case ST_FOR:
    case ST_IF:
    case ST_WHILE: region(in, s); break;
    default: set_typed(in, s->results, s->nresults, s->otype, s->notype);
    }
    uopbuf_clear(&in->uops);
    take_messages(w, t);
}

static void walk(Walk *w, const Stmt *s) {
    for (; s; s = s->next) {
        w->c->instructions += s->kind == ST_INSTR || s->kind == ST_TGETVAL || s->kind == ST_TSETVAL;
        if (s->kind == ST_SECTION && !strcmp(s->op, "cube")) need_all(w, "construct", "pto.section.cube", "cube unit", s->loc);
        for (int t = 0; t < w->n; t++) statement(w, t, s);
        walk(w, s->body);
        walk(w, s->orelse);
    }
}

/* ---- functions and files ---- */

static void new_frame(Interp *in, const Func *f) {
    free(in->frame[0].v);
    in->frame[0] = (Frame){NULL, 0, f};
}

static void function(Walk *w, const Func *f) {
    if (f->cube) need_all(w, "construct", "function of kind cube", "cube unit", f->loc);
    for (int t = 0; t < w->n; t++) {
        Interp *in = w->view[t].in;
        new_frame(in, f);
        for (int k = 0; k < f->nargs; k++) {
            Operand name = {.kind = OPD_NAME, .name = f->args[k].name};
            if (name.name != UINT32_MAX) set(in, &name, of_type(in, &name, &f->args[k].type));
        }
    }
    walk(w, f->body);
}

static void open_view(Walk *w, View *v, const RunOptions *o, const Target *t, Names *names, const char *path) {
    *v = (View){t, diag_new(), memory_new(false), NULL};
    v->in = interp_new(o, t, w->reader, names, v->mem, v->diag, path);
    v->in->frame = xcalloc(1, sizeof *v->in->frame);
    v->in->nframe = v->in->frame_cap = 1;
}

static void close_view(View *v) {
    interp_free(v->in);
    memory_free(v->mem);
    diag_free(v->diag);
}

static int by_place(const void *a, const void *b) {
    const Loc *x = &((const Need *)a)->first, *y = &((const Need *)b)->first;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->col < y->col ? -1 : x->col > y->col;
}

Coverage *coverage_new(const char *path, const Target *const *targets, int n, Diag *d) {
    Coverage *c = xcalloc(1, sizeof *c);
    c->whats = names_new();
    Names *names = names_new();
    uint64_t errors = diag_total(d, SEV_ERROR);
    Walk w = {.c = c, .reader = trace_open(path, names, d), .n = n};
    if (w.reader) {
        RunOptions o = {.check_only = true};
        trace_go_on(w.reader, on_gap, &w);
        for (int t = 0; t < n; t++) open_view(&w, &w.view[t], &o, targets[t], names, path);
        for (const Stmt *s; (s = trace_next(w.reader));) walk(&w, s);
        for (const Func *f = trace_funcs(w.reader); f; f = f->next) function(&w, f);
        for (int t = 0; t < n; t++) close_view(&w.view[t]);
        trace_close(w.reader);
    }
    c->readable = diag_total(d, SEV_ERROR) == errors;
    names_free(names);
    if (c->n) qsort(c->need, c->n, sizeof *c->need, by_place);
    return c;
}

void coverage_free(Coverage *c) {
    if (!c) return;
    free(c->need);
    names_free(c->whats);
    free(c);
}

bool coverage_runs(const Coverage *c, int target) {
    for (size_t i = 0; i < c->n; i++)
        if (c->need[i].count[target]) return false;
    return c->readable;
}

/* Control flow: which statement comes next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/run/interp_internal.h"

void binding_add(BindingList *l, Binding b) {
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 8;
        l->v = xrealloc(l->v, (size_t)l->cap * sizeof *l->v);
    }
    l->v[l->n++] = b;
}

static void copy_bindings(BindingList *to, const BindingList *from) {
    for (int i = 0; i < from->n; i++) binding_add(to, from->v[i]);
}

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char *dir = xcalloc(1, n + 1);
    memcpy(dir, path, n);
    return dir;
}

Interp *interp_new(const RunOptions *o, const Target *t, TraceReader *r, Names *names, Memory *mem, Diag *d, const char *path) {
    Interp *in = xcalloc(1, sizeof *in);
    in->o = o;
    in->target = t;
    in->reader = r;
    in->names = names;
    in->diag = d;
    in->path = path;
    in->dir = folder_of(path);
    in->arena = arena_new();
    in->machine = machine_new(t, o->poison);
    in->mem = mem;
    if (mem->races) {
        races_enter(mem->races, o->block_name);
        in->machine->gm_touched = races_touch;
        in->machine->gm_ctx = mem->races;
    }
    in->alloc.size = in->machine->ub_size;
    in->order = order_new(t->family);
    if (o->show_sync) in->sync_log = sync_log_new();
    in->alias = alias_cache_new(t);
    if (o->full || o->stale) in->check = check_new(t, d, (CheckOptions){o->sync == SYNC_AS_WRITTEN, o->stale && o->sync == SYNC_AS_WRITTEN, o->check_only});
    copy_bindings(&in->args, &o->args);
    copy_bindings(&in->inits, &o->inits);
    copy_bindings(&in->dumps, &o->dumps);
    copy_bindings(&in->prints, &o->prints);
    copy_bindings(&in->expects, &o->expects);
    return in;
}

void interp_free(Interp *in) {
    if (!in) return;
    for (int i = 0; i < in->nframe; i++) free(in->frame[i].v);
    BindingList *lists[] = {&in->args, &in->inits, &in->dumps, &in->prints, &in->expects};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->v);
    free(in->frame);
    free(in->ctl);
    free(in->tile);
    free(in->dir);
    alloc_free(&in->alloc);
    order_free(in->order);
    sync_log_free(in->sync_log);
    alias_cache_free(in->alias);
    check_free(in->check);
    liveness_free(in->live);
    names_free(in->odd_keys);
    uopbuf_free(&in->uops);
    uopbuf_free(&in->body);
    sb_free(&in->printed);
    machine_free(in->machine);
    arena_free(in->arena);
    free(in);
}

static void push_frame(Interp *in, const Func *f) {
    if (in->nframe == in->frame_cap) {
        in->frame_cap = in->frame_cap ? 2 * in->frame_cap : 4;
        in->frame = xrealloc(in->frame, (size_t)in->frame_cap * sizeof *in->frame);
    }
    in->frame[in->nframe++] = (Frame){NULL, 0, f};
}

static Ctl *push_ctl(Interp *in, CtlKind kind, const Stmt *body, const Stmt *owner) {
    if (in->nctl == in->ctl_cap) {
        in->ctl_cap = in->ctl_cap ? 2 * in->ctl_cap : 16;
        in->ctl = xrealloc(in->ctl, (size_t)in->ctl_cap * sizeof *in->ctl);
    }
    Ctl *c = &in->ctl[in->nctl++];
    *c = (Ctl){.kind = kind, .cur = body, .owner = owner};
    return c;
}

void interp_set(Interp *in, uint32_t name, Value v) {
    Frame *f = &in->frame[in->nframe - 1];
    if (name >= f->n) {
        uint32_t n = names_count(in->names);
        if (n < 2 * f->n) n = 2 * f->n;
        if (n <= name) n = name + 1;
        f->v = xrealloc(f->v, n * sizeof *f->v);
        memset(f->v + f->n, 0, (n - f->n) * sizeof *f->v);
        f->n = n;
    }
    f->v[name] = v;
}

const char *operand_text(Interp *in, const Operand *o) {
    static char text[4][280]; /* a message shows at most a few names */
    static unsigned next;
    char *t = text[next++ % 4];
    if (o->kind == OPD_NAME) snprintf(t, sizeof text[0], o->sub ? "%%%s#%u" : "%%%s", names_text(in->names, o->name), o->sub);
    else snprintf(t, sizeof text[0], "%s", o->kind == OPD_WORD ? o->word : "literal");
    return t;
}

uint32_t interp_name(Interp *in, const Operand *o) {
    if (!o->sub) return o->name;
    StrBuf text = {0};
    sb_printf(&text, "%s#%u", names_text(in->names, o->name), o->sub);
    uint32_t id = names_intern(in->names, text.s, text.n);
    sb_free(&text);
    return id;
}

Value *interp_lookup(Interp *in, const Operand *o) {
    Frame *f = &in->frame[in->nframe - 1];
    uint32_t id = o->kind == OPD_NAME ? interp_name(in, o) : ~0u;
    if (id < f->n && f->v[id].kind != VAL_NONE) return &f->v[id];
    diag(in->diag, DIAG_NAME, o->loc, "%s is not defined here", operand_text(in, o));
    return NULL;
}

bool interp_int(Interp *in, const Operand *o, int64_t *out) {
    if (o->kind == OPD_INT) {
        *out = o->i;
        return true;
    }
    Value *v = interp_lookup(in, o);
    if (!v) return false;
    if (v->kind != VAL_SCALAR || dtype_is_float(v->dtype)) {
        diag(in->diag, DIAG_NAME, o->loc, "%s: expected an integer value", operand_text(in, o));
        return false;
    }
    *out = dtype_to_int(v->dtype, v->bits);
    return true;
}

Tile *interp_tile(Interp *in, const Operand *o) {
    Value *v = interp_lookup(in, o);
    if (!v) return NULL;
    if (v->kind == VAL_TILE) return v->tile;
    diag(in->diag, DIAG_NAME, o->loc, "%s: expected a tile", operand_text(in, o));
    return NULL;
}

static void set_results(Interp *in, const Stmt *s, const Value *v, int n) {
    for (int i = 0; i < n && i < s->nresults; i++) interp_set(in, interp_name(in, &s->results[i]), v[i]);
}

static bool gather(Interp *in, const Operand *o, int n, Value *out) {
    if (n > MAX_CARRIED) {
        diag(in->diag, DIAG_OPERANDS, o->loc, "at most %d values can be carried by a region, found %d", MAX_CARRIED, n);
        return false;
    }
    for (int i = 0; i < n; i++) {
        Value *v = interp_lookup(in, &o[i]);
        if (!v) return false;
        out[i] = *v;
    }
    return true;
}

static void set_args(Interp *in, const Operand *args, int n, const Value *v) {
    for (int i = 0; i < n; i++) interp_set(in, args[i].name, v[i]);
}

/* The induction variable has the type that the loop gives, index without one. */
static void set_induction(Interp *in, const Stmt *s, int64_t i) {
    DType t = s->ntype ? s->type[0]->dtype : DT_I64;
    unsigned bits = 8 * dtype_size(t);
    uint64_t kept = bits == 64 ? (uint64_t)i : (uint64_t)i & ((1ull << bits) - 1);
    interp_set(in, s->args[0].name, (Value){.kind = VAL_SCALAR, .dtype = t, .bits = kept});
}

static bool enter_for(Interp *in, const Stmt *s) {
    int64_t lb, ub, step;
    if (!interp_int(in, &s->ins[0], &lb) || !interp_int(in, &s->ins[1], &ub) || !interp_int(in, &s->ins[2], &step)) return false;
    if (step <= 0) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "scf.for: the step must be positive, found %lld", (long long)step);
        return false;
    }
    Value init[MAX_CARRIED];
    const Named *n = stmt_named(s, "init");
    int count = n ? n->n : 0;
    if (count && !gather(in, n->v, count, init)) return false;
    Ctl *c = push_ctl(in, CTL_FOR, s->body, s);
    c->iv = lb;
    c->ub = ub;
    c->step = step;
    c->ncarried = count;
    memcpy(c->carried, init, (size_t)count * sizeof *init);
    if (lb >= ub) {
        c->cur = NULL;
        c->iv = ub;
        return true;
    }
    set_induction(in, s, lb);
    set_args(in, s->args + 1, count, init);
    return true;
}

static bool enter_while(Interp *in, const Stmt *s) {
    const Named *n = stmt_named(s, "init");
    Value init[MAX_CARRIED];
    int count = n ? n->n : 0;
    if (count && !gather(in, n->v, count, init)) return false;
    set_args(in, s->args, count < s->nargs ? count : s->nargs, init);
    push_ctl(in, CTL_WHILE_BEFORE, s->body, s);
    return true;
}

static const Func *callee(Interp *in, const Stmt *s) {
    const Func *f = trace_funcs(in->reader);
    while (f && strcmp(f->name, s->op) != 0) f = f->next;
    if (!f) diag(in->diag, DIAG_NAME, s->loc, "call of @%s: no such function", s->op);
    else if (!f->body) diag(in->diag, DIAG_NAME, s->loc, "call of @%s: the function has no body (line %u)", s->op, f->loc.line);
    else if (f->nargs != s->nins)
        diag(in->diag, DIAG_NAME, s->loc, "call of @%s: expected %d argument%s, found %d", s->op, f->nargs, f->nargs == 1 ? "" : "s", s->nins);
    else return f;
    return NULL;
}

static bool enter_call(Interp *in, const Stmt *s) {
    enum { MOST = 64 };
    const Func *f = callee(in, s);
    Value v[MOST];
    if (!f) return false;
    if (f->nargs > MOST || in->nframe >= MOST) {
        diag(in->diag, DIAG_OPERANDS, s->loc, f->nargs > MOST ? "a call takes at most %d arguments" : "calls nested deeper than %d", MOST);
        return false;
    }
    for (int i = 0; i < f->nargs; i++) {
        Value *x = interp_lookup(in, &s->ins[i]);
        if (!x) return false;
        v[i] = *x;
    }
    push_frame(in, f);
    for (int i = 0; i < f->nargs; i++)
        if (f->args[i].name != UINT32_MAX) interp_set(in, f->args[i].name, v[i]);
    push_ctl(in, CTL_CALL, f->body, s);
    return true;
}

/* How many values the open region takes; -1: any number. */
static int values_taken(const Ctl *c) {
    const Stmt *s = c->owner;
    switch (c->kind) {
    case CTL_FOR: return s->nargs - 1;
    case CTL_WHILE_BEFORE: return s->nouts ? s->nouts : s->notype;
    case CTL_WHILE_AFTER: return s->nargs;
    case CTL_BLOCK: return s->notype;
    case CTL_CALL: return s && s->nresults ? s->nresults : -1; /* results need no names */
    default: return -1;
    }
}

/* Values of yield, condition and return go to the region they leave. */
static bool leave_with(Interp *in, const Stmt *s) {
    const Operand *o = s->ins;
    int n = s->nins;
    Ctl *c = &in->ctl[in->nctl - 1];
    if (s->kind == ST_CONDITION) {
        int64_t again;
        if (!n || !interp_int(in, &o[0], &again)) return false;
        c->again = again != 0;
        o++;
        n--;
    }
    if (s->kind == ST_RETURN)
        while (in->nctl > 1 && in->ctl[in->nctl - 1].kind != CTL_CALL) in->nctl--;
    c = &in->ctl[in->nctl - 1];
    int want = values_taken(c);
    if (want >= 0 && n != want) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "%s: expected %d value%s for line %u, found %d", s->op, want, want == 1 ? "" : "s", c->owner->loc.line, n);
        return false;
    }
    if (!gather(in, o, n, c->carried)) return false;
    c->ncarried = n;
    c->cur = NULL;
    bool leaves_kernel = s->kind == ST_RETURN && c->kind == CTL_CALL && !c->owner;
    if (leaves_kernel && in->o->sync == SYNC_AUTO) insert_tail(in, s->loc);
    return true;
}

static bool enter_region(Interp *in, const Stmt *s) {
    int64_t cond;
    switch (s->kind) {
    case ST_FOR: return enter_for(in, s);
    case ST_WHILE: return enter_while(in, s);
    case ST_CALL: return enter_call(in, s);
    case ST_SECTION: push_ctl(in, CTL_BLOCK, s->body, s); return true;
    case ST_IF:
        if (!interp_int(in, &s->ins[0], &cond)) return false;
        push_ctl(in, CTL_BLOCK, cond ? s->body : s->orelse, s);
        return true;
    default: return leave_with(in, s);
    }
}

static bool is_control(StmtKind k) {
    return k == ST_FOR || k == ST_WHILE || k == ST_CALL || k == ST_SECTION || k == ST_IF || k == ST_YIELD || k == ST_CONDITION ||
           k == ST_RETURN;
}

/* Declarations, constants and directives cost nothing at run time. */
static bool is_scalar_work(StmtKind k) {
    return k == ST_ARITH || k == ST_LOAD_SCALAR || k == ST_STORE_SCALAR || k == ST_FOR || k == ST_IF || k == ST_CONDITION || k == ST_CALL;
}

/* Tiles that the allocator placed and nobody uses any more give their place back. */
static void release_after(Interp *in, const Stmt *s) {
    if (!in->live) return;
    uint32_t name;
    for (int i = 0; (name = liveness_death(in->live, s, i)) != ~0u; i++) {
        Frame *f = &in->frame[in->nframe - 1];
        Tile *t = name < f->n && f->v[name].kind == VAL_TILE ? f->v[name].tile : NULL;
        if (t && t->placed && !t->keep) {
            alloc_release(&in->alloc, (uint32_t)t->addr, (uint32_t)(t->addr + (int64_t)tile_bytes(t)));
            t->placed = false;
        }
    }
}

/* The way from the first to the last 64-bit number fits no signed type. */
static bool iterates_again(const Ctl *c) { return c->iv < c->ub && (uint64_t)c->ub - (uint64_t)c->iv > (uint64_t)c->step; }

/* The end of a block: next iteration, or back to the statement behind the region. */
static void end_block(Interp *in) {
    Ctl *c = &in->ctl[in->nctl - 1];
    const Stmt *s = c->owner;
    if (c->kind == CTL_FOR && iterates_again(c)) {
        in->scalar_work++;
        c->iv += c->step;
        set_induction(in, s, c->iv);
        set_args(in, s->args + 1, c->ncarried, c->carried);
        c->cur = s->body;
        return;
    }
    if (c->kind == CTL_WHILE_BEFORE && c->again) {
        c->kind = CTL_WHILE_AFTER;
        set_args(in, s->outs, c->ncarried < s->nouts ? c->ncarried : s->nouts, c->carried);
        c->cur = s->orelse;
        return;
    }
    if (c->kind == CTL_WHILE_AFTER) {
        c->kind = CTL_WHILE_BEFORE;
        set_args(in, s->args, c->ncarried < s->nargs ? c->ncarried : s->nargs, c->carried);
        c->cur = s->body;
        return;
    }
    in->nctl--; /* c stays until the next region is entered */
    if (c->kind == CTL_CALL && s) free(in->frame[--in->nframe].v);
    if (s) release_after(in, s);
    if (s) set_results(in, s, c->carried, c->ncarried);
}

static const Func *find_entry(Interp *in) {
    const Func *only = NULL, *marked = NULL;
    int defined = 0;
    for (const Func *f = trace_funcs(in->reader); f; f = f->next) {
        if (!f->body) continue;
        if (in->o->entry && strcmp(f->name, in->o->entry) == 0) return f;
        defined++;
        only = f;
        if (f->entry) marked = f;
    }
    if (in->o->entry) {
        diag(in->diag, DIAG_USAGE, (Loc){in->path, 0, 0}, "--entry %s: the trace has no such function", in->o->entry);
        return NULL;
    }
    if (marked) return marked;
    if (defined > 1)
        diag(in->diag, DIAG_USAGE, (Loc){in->path, 0, 0}, "the trace has %d functions and none is marked pto.entry: choose one with --entry", defined);
    return defined == 1 ? only : NULL;
}

/* After the bare statements (directives, usually) comes the entry function. */
static bool start_entry(Interp *in) {
    in->started = true;
    if (diag_unreadable(in->diag)) return false;
    const Func *f = find_entry(in);
    if (!f) return false;
    in->frame[0].func = f;
    for (int i = 0; i < f->nargs; i++) {
        Value v;
        if (f->args[i].name == UINT32_MAX) {
            diag(in->diag, DIAG_ARG, f->args[i].loc, "argument %d of @%s has no name", i, f->name);
            in->stopped = true;
        } else if (!bind_argument(in, &f->args[i], &v)) in->stopped = true;
        else interp_set(in, f->args[i].name, v);
    }
    if (in->stopped) return false;
    in->live = liveness_new(f, in->names);
    push_ctl(in, CTL_CALL, f->body, NULL);
    return true;
}

static const Stmt *next_statement(Interp *in) {
    for (;;) {
        Ctl *c = &in->ctl[in->nctl - 1];
        if (c->kind == CTL_TOP) {
            const Stmt *s = in->started ? NULL : trace_next(in->reader);
            if (s) return s;
            if (in->started || !start_entry(in)) return NULL;
            continue;
        }
        if (c->cur) {
            const Stmt *s = c->cur;
            c->cur = s->next;
            return s;
        }
        end_block(in);
    }
}

/* Scalar work behind the last instruction takes its time too. */
static const Step *last_scalar_work(Interp *in) {
    if (in->stopped || !in->scalar_work) return NULL;
    uopbuf_clear(&in->uops);
    in->step.op = "scalar";
    in->step.uops = &in->uops;
    in->step.instr = NULL;
    in->step.pipe = PIPE_S;
    charge_scalar_work(in);
    return &in->step;
}

const Step *interp_step(Interp *in) {
    if (!in->nctl) {
        push_frame(in, NULL);
        push_ctl(in, CTL_TOP, NULL, NULL);
    }
    while (!in->stopped) {
        const Stmt *s = next_statement(in);
        if (!s) break;
        uopbuf_clear(&in->uops);
        in->step = (Step){.uops = &in->uops, .op = s->op, .loc = s->loc};
        if (is_scalar_work(s->kind)) in->scalar_work++;
        bool ok = is_control(s->kind) ? enter_region(in, s) : exec_statement(in, s);
        if (s->kind != ST_DIRECTIVE && in->allow_next) {
            diag_allow_end(in->diag);
            in->allow_next = false;
        }
        if (!ok) in->stopped = true;
        else if (!is_control(s->kind)) release_after(in, s);
        if (in->uops.n || in->step.instr) return &in->step;
    }
    return last_scalar_work(in);
}

bool interp_stopped(const Interp *in) { return in->stopped; }
Machine *interp_machine(Interp *in) { return in->machine; }
const SyncLog *interp_sync_log(const Interp *in) { return in->sync_log; }
uint32_t interp_ub_peak(const Interp *in) { return in->alloc.peak; }
int interp_tile_count(const Interp *in) { return in->ntile; }
const Tile *interp_tile_at(const Interp *in, int i) { return in->tile[i]; }

const char *interp_buffer(const Interp *in, uint32_t i, DType *dtype) {
    *dtype = in->buffer[i].dtype;
    return in->buffer[i].name;
}

bool interp_cycles_expected(const Interp *in, uint64_t *cycles, double *percent, Loc *loc) {
    *cycles = in->cycles;
    *percent = in->cycles_percent;
    *loc = in->cycles_loc;
    return in->has_cycles;
}

#include "isa/time/v950_core.h"

#include <stdlib.h>
#include <string.h>

/* Parameters. */

static int number(Params *p, const Num *n, int lo, int hi) {
    p->weakest = prov_weaker(p->weakest, n->prov);
    return plan_int(n, lo, hi);
}

static void read_params(Params *p, const V950Params *t) {
    enum { WIDE = 64, LONG = 1000000 };
    p->width = number(p, &t->dispatch_width, 1, WIDE);
    p->load_ports = number(p, &t->load_ports, 1, WIDE);
    p->store_ports = number(p, &t->store_ports, 1, WIDE);
    p->exec_ports = number(p, &t->exec_ports, 1, PORTS);
    p->exq_depth = number(p, &t->exq_depth, 1, V950_MAX_WINDOW);
    p->inflight = number(p, &t->inflight, 1, V950_MAX_INFLIGHT);
    p->window = number(p, &t->window, 1, V950_MAX_WINDOW);
    p->retire_delay = number(p, &t->retire_delay, 0, LONG);
    p->to_queue = number(p, &t->to_queue, 0, LONG);
    p->drain = number(p, &t->drain, 0, LONG);
    p->store_done = number(p, &t->store_done, 0, LONG);
    p->write_delay = number(p, &t->write_delay, 0, LONG);
    p->nest_restart = plan_int(&t->nest_restart, 0, LONG);
    p->sibling_restart = plan_int(&t->sibling_restart, 0, LONG);
    p->sibling_min = plan_int(&t->sibling_min, 0, LONG);
    p->convert_restart = plan_int(&t->convert_restart, 0, LONG);
    p->iteration_stride = number(p, &t->iteration_stride, 0, LONG);
    p->vregs = plan_int(&t->vregs, 0, LONG);
    p->shq_depth = plan_int(&t->shq_depth, 0, LONG);
    p->alternate = number(p, &t->alternate_ports, 0, 1);
    p->read_conflicts = number(p, &t->read_conflicts, 0, 1);
    p->write_conflicts = number(p, &t->write_conflicts, 0, 1);
    p->split = number(p, &t->split_access, 0, 1);
    p->reads_first = number(p, &t->reads_first, 0, 1);
    if (p->vregs) number(p, &t->vregs, 0, LONG);
    if (p->shq_depth) number(p, &t->shq_depth, 0, LONG);
}

static void read_forward(V950Sched *s, const Target *t) {
    for (int p = 0; p < UOP_COUNT; p++)
        for (int c = 0; c < UOP_COUNT; c++) {
            const Num *n = &t->forward[p][c];
            int cycles = n->v < 0 ? -1 : plan_int(n, 0, INT16_MAX);
            s->forward[p][c] = (Forward){(int16_t)cycles, (uint8_t)n->prov};
            if (cycles > s->longest_forward) s->longest_forward = cycles;
        }
}

V950Sched *v950_new(const Target *t) {
    V950Sched *s = xcalloc(1, sizeof *s);
    s->target = t;
    read_params(&s->par, &t->v950);
    read_forward(s, t);
    return s;
}

void v950_free(V950Sched *s) {
    if (!s) return;
    plan_free(&s->plan);
    for (int d = 0; d < VF_MAX_DEPTH; d++) free(s->watch[d].wait);
    free(s->wait);
    free(s);
}

/* Walk through the loop nest. */

static void enter_loops(V950Sched *r, int32_t first) {
    State *s = &r->s;
    for (uint32_t i = (uint32_t)first; i < r->plan.nloop && r->plan.loop[i].first == s->pc; i++) {
        uint8_t d = r->plan.loop[i].depth;
        s->loop = (int32_t)i;
        s->index[d] = 0;
        r->watch[d].held = false;
        r->watch[d].renew = 2;
    }
}

/* Loops that begin at pc, reached from the line before. */
static void arrive(V950Sched *r) {
    State *s = &r->s;
    s->gate = GATE_NONE;
    s->edge = NO_LOOP;
    if (s->pc == r->plan.nline || r->plan.line[s->pc].loop == NO_LOOP) return;
    s->gate = r->plan.loop[r->plan.line[s->pc].loop].enter;
    enter_loops(r, r->plan.line[s->pc].loop);
}

static void advance(V950Sched *r) {
    State *s = &r->s;
    s->pc++;
    while (s->loop != NO_LOOP && r->plan.loop[s->loop].end == s->pc) {
        const PlanLoop *l = &r->plan.loop[s->loop];
        if (++s->index[l->depth] < l->trip) {
            s->pc = l->first;
            s->gate = l->again;
            s->edge = s->loop;
            enter_loops(r, s->edge + 1);
            return;
        }
        s->loop = l->parent;
    }
    arrive(r);
}

/* Dispatch. */

/* Cycles from the start of an iteration to that of the next. */
static int stride(const V950Sched *r) {
    return r->s.edge == NO_LOOP ? r->par.iteration_stride : r->plan.loop[r->s.edge].stride;
}

static bool gate_open(const V950Sched *r) {
    const State *s = &r->s;
    const Params *p = &r->par;
    int64_t idle = s->now - s->last_dispatch, age = s->now - s->last_instance;
    if (s->gate != GATE_NONE && s->now < s->last_iteration + stride(r)) return false;
    switch ((Gate)s->gate) {
    case GATE_NEST: return idle >= p->nest_restart;
    case GATE_SIBLING: return idle >= p->sibling_restart && age >= p->sibling_min;
    case GATE_CONVERT: return idle >= p->convert_restart && age >= p->sibling_min;
    default: return true;
    }
}

/* Loops and accesses to UB begin later than operations in front of the first loop. */
static bool begun(const V950Sched *r, const PlanLine *l) {
    bool ahead = r->s.loop == NO_LOOP && l->unit != UNIT_LOAD && l->unit != UNIT_STORE;
    return ahead || r->s.now >= r->plan.first_dispatch;
}

static void pass_gate(State *s) {
    if (s->gate == GATE_NONE) return;
    s->last_iteration = s->now;
    if (s->gate != GATE_ITERATION || s->edge == NO_LOOP) s->last_instance = s->now;
}

static uint16_t touched_blocks(const State *s, const PlanLine *l) {
    if (!l->bytes) return 0;
    uint64_t a = (uint64_t)l->base;
    for (int d = 0; d < VF_MAX_DEPTH; d++) a += s->index[d] * (uint64_t)l->step[d];
    uint64_t first = a / BLOCK_BYTES, n = (a + l->bytes - 1) / BLOCK_BYTES - first + 1;
    uint32_t run = n >= 16 ? 0xffff : (1u << n) - 1;
    run <<= first % 16;
    return (uint16_t)(run | run >> 16);
}

static void dispatch(V950Sched *r) {
    State *s = &r->s;
    while (s->pc < r->plan.nline && s->dispatched < r->par.width) {
        const PlanLine *l = &r->plan.line[s->pc];
        if (!core_has_room(r, l) || !gate_open(r) || !begun(r, l)) return;
        if (r->skip && s->edge != NO_LOOP) skip_periods(r);
        pass_gate(s);
        core_dispatch(r, s->pc, touched_blocks(s, l));
        advance(r);
    }
}

/* One function. */

static void count_lines(V950Sched *r, V950Result *out) {
    for (uint32_t i = 0; i < r->plan.nline; i++) {
        uint64_t n = plan_count(&r->plan, i);
        out->uops += n;
        if (!r->lines) continue;
        r->lines[r->plan.line[i].body].count = n;
        r->lines[r->plan.line[i].body].wait = r->wait[i];
    }
}

/* Waits of all lines, zero, and their copies in the reference states. */
static void reset_waits(V950Sched *r) {
    uint32_t n = r->plan.nline;
    if (n > r->wait_cap) {
        r->wait_cap = n;
        r->wait = xrealloc(r->wait, n * sizeof *r->wait);
        for (int d = 0; d < VF_MAX_DEPTH; d++) r->watch[d].wait = xrealloc(r->watch[d].wait, n * sizeof *r->wait);
    }
    if (n) memset(r->wait, 0, n * sizeof *r->wait);
}

void v950_run(V950Sched *s, const VfInstr *body, uint32_t n, bool skip, V950Result *out, V950Line *lines) {
    memset(out, 0, sizeof *out);
    if (lines) memset(lines, 0, n * sizeof *lines);
    plan_build(&s->plan, s->target, body, n);
    s->lines = lines;
    s->skip = skip;
    s->skipped = 0;
    s->weakest = prov_weaker(s->par.weakest, s->plan.weakest);
    reset_waits(s);
    core_reset(s);
    arrive(s);
    for (;; s->s.now++) {
        core_cycle_back(s);
        dispatch(s);
        if (s->s.pc == s->plan.nline && core_idle(&s->s)) break;
    }
    count_lines(s, out);
    memcpy(out->port_busy, s->s.counts.port_busy, sizeof out->port_busy);
    out->loads = s->s.counts.loads;
    out->stores = s->s.counts.stores;
    out->load_wait = s->s.counts.load_wait;
    out->store_wait = s->s.counts.store_wait;
    out->cycles = (uint64_t)(s->s.epoch + s->s.last_done + s->par.drain);
    out->skipped = s->skipped;
    out->weakest = s->weakest;
}

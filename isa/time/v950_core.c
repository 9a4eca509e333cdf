/* Window, queues, execution ports and UB banks. */
#include "isa/time/v950_core.h"

#include <string.h>

/* Queues of window slots. */

static void push(Queue *q, uint8_t slot) { q->slot[(q->first + q->n++) % V950_MAX_WINDOW] = slot; }
static uint8_t front(const Queue *q) { return q->slot[q->first]; }
static void pop(Queue *q) {
    q->first = (q->first + 1) % V950_MAX_WINDOW;
    q->n--;
}
static uint8_t *place(Queue *q, uint32_t i) { return &q->slot[(q->first + i) % V950_MAX_WINDOW]; }
/* Takes out entry i; the older ones move up. */
static void take(Queue *q, uint32_t i) {
    for (; i > 0; i--) *place(q, i) = *place(q, i - 1);
    pop(q);
}

/* Results. */

int core_forward(const V950Sched *r, const PlanLine *p, const PlanLine *c, Prov *prov) {
    const Forward *f = &r->forward[p->op][c->op];
    if (p->unit != UNIT_LOAD && f->cycles >= 0) {
        *prov = prov_weaker(*prov, (Prov)f->prov);
        return f->cycles;
    }
    return c->unit == UNIT_STORE ? p->forward_store : p->forward;
}

static int64_t forward(V950Sched *r, const PlanLine *p, const PlanLine *c) {
    return core_forward(r, p, c, &r->weakest);
}

static void later(int64_t *t, int64_t than) {
    if (*t < than) *t = than;
}

/* Tells all operands that wait for this result when it arrives. */
static void wake(V950Sched *r, const Entry *e) {
    State *s = &r->s;
    const PlanLine *p = &r->plan.line[e->line];
    for (uint16_t ref = e->waiting; ref != NO_OPERAND;) {
        Entry *c = &s->window[ref / LINE_SOURCES];
        later(&c->ready, s->now + forward(r, p, &r->plan.line[c->line]));
        c->unknown--;
        ref = c->next[ref % LINE_SOURCES];
    }
}

static void publish(V950Sched *r, const Entry *e, uint8_t slot) {
    const PlanLine *l = &r->plan.line[e->line];
    for (int k = 0; k < LINE_RESULTS; k++) {
        if (l->result[k] == REG_NONE) continue;
        Writer *w = &r->s.reg[l->result[k]];
        if (!w->pending || w->slot != slot) continue;
        w->pending = false;
        w->start = r->s.now;
    }
}

static void record(V950Sched *r, const PlanLine *l, int64_t start, int64_t end) {
    if (!r->lines) return;
    V950Line *v = &r->lines[l->body];
    uint64_t first = (uint64_t)(r->s.epoch + start), last = (uint64_t)(r->s.epoch + end);
    if (!v->last_end || first < v->first_start) v->first_start = first;
    if (last > v->last_end) v->last_end = last;
}

/* The entry's times are settled: it started at `start` and retires once it is done. A compute
 * operation passes the queue of its port, which takes a cycle. */
static void settle(V950Sched *r, Entry *e, int64_t start, int64_t done) {
    const PlanLine *l = &r->plan.line[e->line];
    record(r, l, start, done);
    r->wait[e->line] += (uint64_t)(done - l->latency - e->queued - (l->unit == UNIT_COMPUTE));
    later(&r->s.last_done, done);
    e->stage = STAGE_DONE;
    e->at = done + r->par.retire_delay;
    e->waiting = NO_OPERAND;
}

static void start(V950Sched *r, uint8_t slot) {
    Entry *e = &r->s.window[slot];
    wake(r, e);
    publish(r, e, slot);
    settle(r, e, r->s.now, r->s.now + r->plan.line[e->line].latency);
}

/* 1. In-order retirement. */

static uint32_t results(const PlanLine *l) { return (l->result[0] != REG_NONE) + (l->result[1] != REG_NONE); }

static void retire(V950Sched *r) {
    State *s = &r->s;
    for (; s->head != s->tail; s->head++) {
        const Entry *e = entry(s, s->head);
        if (e->stage != STAGE_DONE || e->at > s->now) return;
        s->renamed -= results(&r->plan.line[e->line]);
    }
}

/* 2. and 3. UB: each bank of each group serves one read or one write per cycle. */

typedef struct Banks { uint16_t read, written; } Banks;

/* Serves the blocks whose bank is free; true when the access is complete. */
static bool serve(const V950Sched *r, Entry *e, uint16_t busy, uint16_t *taken) {
    uint16_t can = e->blocks & (uint16_t)~busy;
    if (!r->par.split && can != e->blocks) can = 0;
    *taken |= can;
    e->blocks &= (uint16_t)~can;
    return !e->blocks;
}

static int serve_loads(V950Sched *r, Banks *b) {
    State *s = &r->s;
    int served = 0;
    while (s->loads.n && served < r->par.load_ports && s->read_free <= s->now) {
        uint8_t slot = front(&s->loads);
        Entry *e = &s->window[slot];
        uint16_t busy = (r->par.read_conflicts ? b->read : 0) | (r->par.write_conflicts ? b->written : 0);
        if (e->at > s->now || !serve(r, e, busy, &b->read)) break;
        pop(&s->loads);
        start(r, slot);
        served++;
        int hold = r->plan.line[e->line].hold;
        if (hold > 1) s->read_free = s->now + hold;
    }
    return served;
}

static void read_side(V950Sched *r, Banks *b) {
    State *s = &r->s;
    bool asked = s->loads.n && s->window[front(&s->loads)].at <= s->now;
    int served = serve_loads(r, b);
    s->counts.loads += (uint64_t)served;
    s->counts.load_wait += asked && !served;
}

/* Start of a store, which reaches UB write_delay cycles later; false while its data is unknown. */
static bool store_start(const Entry *e, int64_t *start_time) {
    *start_time = e->at > e->ready ? e->at : e->ready;
    return !e->unknown;
}

static void write_side(V950Sched *r, Banks *b) {
    State *s = &r->s;
    int64_t started;
    int served = 0;
    bool asked = false;
    while (s->stores.n && served < r->par.store_ports) {
        Entry *e = &s->window[front(&s->stores)];
        if (!store_start(e, &started) || started + r->par.write_delay > s->now) break;
        asked = true;
        if (!serve(r, e, b->written | (r->par.write_conflicts ? b->read : 0), &b->written)) break;
        pop(&s->stores);
        settle(r, e, started, s->now - r->par.write_delay + r->par.store_done);
        served++;
    }
    s->counts.stores += (uint64_t)served;
    s->counts.store_wait += asked && !served;
}

static void banks(V950Sched *r) {
    Banks b = {0, 0};
    if (!r->par.reads_first) write_side(r, &b);
    read_side(r, &b);
    if (r->par.reads_first) write_side(r, &b);
}

/* 4. From the compute queue to the ports, oldest first, one per port. */

static bool port_takes(const V950Sched *r, int p, unsigned moved) {
    return !(moved >> p & 1) && r->s.port[p].n < (uint32_t)r->par.exq_depth;
}

/* The port that would start the operation first. */
static int least_loaded(const V950Sched *r, unsigned moved) {
    const State *s = &r->s;
    int best = -1;
    int64_t best_at = 0;
    for (int p = 0; p < r->par.exec_ports; p++) {
        if (!port_takes(r, p, moved)) continue;
        int64_t at = (s->port_free[p] > s->now ? s->port_free[p] : s->now + 1) + s->port_work[p];
        if (best >= 0 && (at > best_at || (at == best_at && s->port[p].n >= s->port[best].n))) continue;
        best = p;
        best_at = at;
    }
    return best;
}

static int pick_port(const V950Sched *r, const Entry *e, unsigned moved) {
    if (e->port == ANY_PORT) return least_loaded(r, moved);
    return port_takes(r, e->port, moved) ? e->port : -1;
}

static void fill_ports(V950Sched *r) {
    State *s = &r->s;
    unsigned moved = 0, all = (1u << r->par.exec_ports) - 1;
    for (uint32_t i = 0; i < s->compute.n && moved != all;) {
        uint8_t slot = *place(&s->compute, i);
        Entry *e = &s->window[slot];
        if (e->at > s->now) return;
        int p = e->unknown || e->ready > s->now + 1 ? -1 : pick_port(r, e, moved);
        if (p < 0) {
            i++;
            continue;
        }
        moved |= 1u << p;
        e->stage = STAGE_PORT;
        e->port = (uint8_t)p;
        e->at = s->now;
        s->port_work[p] += r->plan.line[e->line].interval;
        push(&s->port[p], slot);
        take(&s->compute, i);
    }
}

/* 5. Execution ports. */

static void land(State *s, int p) {
    int n = 0;
    for (int i = 0; i < s->nflight[p]; i++)
        if (s->in_flight[p][i] > s->now) s->in_flight[p][n++] = s->in_flight[p][i];
    s->nflight[p] = n;
}

static void execute(V950Sched *r, int p) {
    State *s = &r->s;
    land(s, p);
    if (!s->port[p].n || s->port_free[p] > s->now || s->nflight[p] >= r->par.inflight) return;
    uint8_t slot = front(&s->port[p]);
    const Entry *e = &s->window[slot];
    if (e->at >= s->now || e->ready > s->now) return;
    const PlanLine *l = &r->plan.line[e->line];
    pop(&s->port[p]);
    s->port_work[p] -= l->interval;
    s->port_free[p] = s->now + l->interval;
    s->in_flight[p][s->nflight[p]++] = s->now + l->latency;
    s->counts.port_busy[p] += (uint64_t)l->interval;
    start(r, slot);
}

void core_cycle_back(V950Sched *r) {
    retire(r);
    banks(r);
    fill_ports(r);
    for (int p = 0; p < r->par.exec_ports; p++) execute(r, p);
    r->s.dispatched = 0;
}

/* 6. Dispatch. */

bool core_has_room(const V950Sched *r, const PlanLine *l) {
    const State *s = &r->s;
    const Params *p = &r->par;
    if (s->tail - s->head >= (uint32_t)p->window) return false;
    /* A physical register is taken at dispatch; the one it replaces returns at retirement. */
    if (p->vregs && r->plan.registers + s->renamed + results(l) > (uint32_t)p->vregs && s->renamed) return false;
    bool credit = l->unit == UNIT_COMPUTE || l->unit == UNIT_STORE;
    return !(p->shq_depth && credit && s->compute.n + s->stores.n >= (uint32_t)p->shq_depth);
}

static void depend(V950Sched *r, Entry *e, uint8_t slot, int operand, uint8_t reg) {
    Writer *w = &r->s.reg[reg];
    if (w->pending) {
        Entry *producer = &r->s.window[w->slot];
        e->next[operand] = producer->waiting;
        producer->waiting = (uint16_t)(slot * LINE_SOURCES + operand);
        e->unknown++;
    } else if (w->start != NEVER) {
        later(&e->ready, w->start + forward(r, &r->plan.line[w->line], &r->plan.line[e->line]));
    }
}

static void rename_results(State *s, const PlanLine *l, uint32_t line, uint8_t slot) {
    for (int k = 0; k < LINE_RESULTS; k++)
        if (l->result[k] != REG_NONE)
            s->reg[l->result[k]] = (Writer){NEVER, line, slot, l->unit != UNIT_NONE};
    s->renamed += results(l);
}

static uint8_t next_port(V950Sched *r, const PlanLine *l) {
    if (l->port0) return 0;
    if (!r->par.alternate) return ANY_PORT;
    uint8_t p = (uint8_t)r->s.next_port;
    r->s.next_port = (p + 1) % r->par.exec_ports;
    return p;
}

void core_dispatch(V950Sched *r, uint32_t line, uint16_t blocks) {
    State *s = &r->s;
    const PlanLine *l = &r->plan.line[line];
    uint8_t slot = (uint8_t)(s->tail % V950_MAX_WINDOW);
    int64_t at = s->now + r->par.to_queue;
    Entry *e = &s->window[slot];
    *e = (Entry){.at = at, .ready = at, .queued = at, .line = line, .blocks = blocks, .waiting = NO_OPERAND};
    memset(e->next, 0xff, sizeof e->next);
    s->tail++;
    s->last_dispatch = s->now;
    s->dispatched++;
    for (int k = 0; k < LINE_SOURCES; k++)
        if (l->source[k] != REG_NONE) depend(r, e, slot, k, l->source[k]);
    rename_results(s, l, line, slot);
    switch ((Unit)l->unit) {
    case UNIT_NONE:
        record(r, l, s->now, s->now + 1);
        e->stage = STAGE_DONE;
        e->at = s->now;
        break;
    case UNIT_LOAD: push(&s->loads, slot); break;
    case UNIT_STORE: push(&s->stores, slot); break;
    case UNIT_COMPUTE:
        e->port = next_port(r, l);
        push(&s->compute, slot);
        break;
    }
}

bool core_idle(const State *s) {
    return !s->loads.n && !s->stores.n && !s->compute.n && !s->port[0].n && !s->port[1].n;
}

void core_reset(V950Sched *r) {
    State *s = &r->s;
    memset(s, 0, sizeof *s);
    s->now = r->plan.prologue_dispatch;
    s->loop = s->edge = NO_LOOP;
    s->last_dispatch = s->last_iteration = s->last_instance = NEVER;
    s->last_done = s->now;
    for (int i = 0; i < REG_COUNT; i++) s->reg[i].start = NEVER;
}

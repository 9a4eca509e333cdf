/* Skipping whole periods of a loop.
 *
 * When a loop iteration is about to be dispatched and the state equals that of an earlier iteration
 * of the same instance, the cycles between the two repeat for as long as the loop lasts: nothing the
 * core decides depends on more than the state, the lines to come and the bank bits of their
 * addresses. "Equals" means: times relative to now, window and queues slot by slot, and the blocks
 * still to serve turned by the distance the addresses have moved, which must be the same for every
 * access of the loop (a common shift by whole blocks permutes the banks and changes no conflict).
 * The reference is renewed at iterations 2, 4, 8, ..., so that any period is found whatever its
 * length and the length of the transient before it. */
#include "isa/time/v950_core.h"

#include <string.h>

/* Ages are equal, or both so large that they no longer matter. */
static bool same_age(int64_t a, int64_t b, int64_t limit) { return a == b || (a >= limit && b >= limit); }

static bool same_times(const V950Sched *r, const State *a, const State *b) {
    const Params *p = &r->par;
    int64_t restart = p->nest_restart > p->sibling_restart ? p->nest_restart : p->sibling_restart;
    if (restart < p->convert_restart) restart = p->convert_restart;
    for (int i = 0; i < PORTS; i++)
        if (!same_age(a->now - a->port_free[i], b->now - b->port_free[i], 0)) return false;
    return same_age(a->now - a->read_free, b->now - b->read_free, 0) &&
           same_age(a->now - a->last_dispatch, b->now - b->last_dispatch, restart) &&
           same_age(a->now - a->last_iteration, b->now - b->last_iteration, r->plan.longest_stride) &&
           same_age(a->now - a->last_instance, b->now - b->last_instance, p->sibling_min) &&
           a->now - a->last_done == b->now - b->last_done;
}

static uint16_t turn(uint16_t blocks, unsigned by) { return (uint16_t)(blocks << by | blocks >> (16 - by) % 16); }

static bool same_entry(const State *a, const Entry *x, const State *b, const Entry *y, unsigned by) {
    return x->line == y->line && x->stage == y->stage && x->port == y->port && x->at - a->now == y->at - b->now &&
           x->ready - a->now == y->ready - b->now && x->queued - a->now == y->queued - b->now &&
           turn(x->blocks, by) == y->blocks;
}

/* All else about the window follows: the queues and the operations in flight from stages, ports and
 * times; who waits for whom, and which register is pending, from the order of the lines. */
static bool same_window(const State *a, const State *b, unsigned by) {
    for (uint32_t i = 0; i < a->tail - a->head; i++)
        if (!same_entry(a, &a->window[(a->head + i) % V950_MAX_WINDOW], b, &b->window[(b->head + i) % V950_MAX_WINDOW], by))
            return false;
    return true;
}

/* A result that started long ago no longer delays anybody. */
static bool same_registers(const V950Sched *r, const State *a, const State *b) {
    int64_t limit = r->plan.longest_forward > r->longest_forward ? r->plan.longest_forward : r->longest_forward;
    for (int i = 0; i < REG_COUNT; i++)
        if (!same_age(a->now - a->reg[i].start, b->now - b->reg[i].start, limit)) return false;
    return true;
}

/* Cheap differences first. */
static bool same_state(const V950Sched *r, const State *a, const State *b, unsigned by) {
    return a->tail - a->head == b->tail - b->head && a->dispatched == b->dispatched &&
           a->compute.n == b->compute.n && a->loads.n == b->loads.n && a->stores.n == b->stores.n &&
           a->next_port == b->next_port && same_times(r, a, b) && same_window(a, b, by) &&
           same_registers(r, a, b);
}

static void add_periods(Counts *now, const Counts *then, uint64_t times) {
    for (int p = 0; p < PORTS; p++) now->port_busy[p] += times * (now->port_busy[p] - then->port_busy[p]);
    now->loads += times * (now->loads - then->loads);
    now->stores += times * (now->stores - then->stores);
    now->load_wait += times * (now->load_wait - then->load_wait);
    now->store_wait += times * (now->store_wait - then->store_wait);
}

static void add_waits(V950Sched *r, const uint64_t *then, uint64_t times) {
    for (uint32_t i = 0; i < r->plan.nline; i++) r->wait[i] += times * (r->wait[i] - then[i]);
}

/* The state reached `times` periods later. At least one iteration follows, so every line of the loop
 * still sets its own last_end. */
static void jump(V950Sched *r, const PlanLoop *l, const Watch *w, uint64_t times) {
    State *s = &r->s;
    const State *then = &w->state;
    uint64_t period = s->index[l->depth] - then->index[l->depth];
    uint64_t cycles = times * (uint64_t)(clock_now(s) - clock_now(then));
    unsigned by = (unsigned)(times * (period / l->phase_period) * l->phase_step % 16);
    add_periods(&s->counts, &then->counts, times);
    add_waits(r, w->wait, times);
    for (uint32_t i = s->head; i != s->tail; i++) entry(s, i)->blocks = turn(entry(s, i)->blocks, by);
    s->index[l->depth] += times * period;
    s->epoch += (int64_t)cycles;
    r->skipped += times * period;
}

void skip_periods(V950Sched *r) {
    State *s = &r->s;
    const PlanLoop *l = &r->plan.loop[s->edge];
    Watch *w = &r->watch[l->depth];
    uint64_t at = s->index[l->depth], left = l->trip - 1 - at;
    if (w->held) {
        uint64_t period = at - w->state.index[l->depth], times = left / period;
        unsigned by = (unsigned)(period / l->phase_period * l->phase_step % 16);
        if (times && period % l->phase_period == 0 && same_state(r, &w->state, s, by)) {
            jump(r, l, w, times);
            w->held = false;
            w->renew = UINT64_MAX;
            return;
        }
    }
    if (at < w->renew) return;
    w->renew = at * 2;
    w->held = left > l->phase_period;
    if (!w->held) return;
    w->state = *s;
    memcpy(w->wait, r->wait, r->plan.nline * sizeof *r->wait);
}

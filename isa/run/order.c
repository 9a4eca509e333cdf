#include "isa/run/order.h"

#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"
#include "isa/check/clocks.h"

enum { MAX_ENTRIES = 512, LONG_PRODUCER = 16 };

typedef struct Entry {
    AccessRange a;
    Pipe pipe;
    uint64_t seq, position;
    Clock known;      /* what the instruction itself had waited for */
    uint32_t repeats;
    Loc loc;
    const char *op;
} Entry;

struct Order {
    Entry entry[MAX_ENTRIES];
    int n;
    Clocks clocks; /* of instructions */
    uint64_t position;                                   /* of the last instruction */
    uint64_t waited[PIPE_COUNT][PIPE_COUNT][EVENTS];     /* position of the instruction behind the last wait */
};

Order *order_new(Family f) {
    Order *o = xcalloc(1, sizeof *o);
    o->clocks.family = f;
    return o;
}

void order_free(Order *o) { free(o); }

static bool conflict(const AccessRange *x, const AccessRange *y) {
    return x->space == y->space && (x->write || y->write) && x->lo < y->hi && y->lo < x->hi;
}

static int latest_first(const void *a, const void *b) {
    uint64_t x = ((const Dependence *)a)->position, y = ((const Dependence *)b)->position;
    return (x < y) - (x > y);
}

int order_dependences(Order *o, Pipe pipe, const AccessRange *a, int n, Dependence out[PIPE_COUNT]) {
    int found[PIPE_COUNT], count = 0;
    uint64_t done[PIPE_COUNT];
    for (int p = 0; p < PIPE_COUNT; p++) {
        found[p] = -1;
        done[p] = clocks_done(&o->clocks, pipe, (Pipe)p);
    }
    for (int k = 0; k < o->n; k++) {
        const Entry *e = &o->entry[k];
        if (e->seq <= done[e->pipe]) continue;
        for (int j = 0; j < n; j++) {
            if (!conflict(&e->a, &a[j])) continue;
            bool pruned = e->pipe == pipe && e->a.whole && a[j].whole && e->a.lo == a[j].lo && e->a.hi == a[j].hi &&
                          e->repeats >= LONG_PRODUCER && !e->a.scratch && !a[j].scratch;
            int at = found[e->pipe];
            if (at < 0) at = found[e->pipe] = count++;
            else if (out[at].pruned <= pruned && out[at].seq >= e->seq) continue;
            else if (pruned && !out[at].pruned) continue;
            out[at] = (Dependence){e->pipe, e->seq, e->position, e->loc, e->op, e->a, a[j], pruned};
        }
    }
    if (count > 1) qsort(out, (size_t)count, sizeof *out, latest_first);
    return count;
}

bool order_settled(const Order *o, Pipe waiter, const Dependence *d) { return d->seq <= clocks_done(&o->clocks, waiter, d->pipe); }

static void remember(Order *o, Entry e) {
    for (int k = 0; k < o->n; k++) { /* a later access of the same kind that covers an earlier one replaces it */
        Entry *x = &o->entry[k];
        bool covered = x->a.space == e.a.space && x->pipe == e.pipe && x->a.write == e.a.write &&
                       e.a.lo <= x->a.lo && x->a.hi <= e.a.hi;
        if (covered && (e.a.lo == x->a.lo && e.a.hi == x->a.hi)) {
            *x = e;
            return;
        }
        if (covered) {
            *x = o->entry[--o->n];
            k--;
        }
    }
    if (o->n == MAX_ENTRIES) { /* the oldest is the one least likely to matter */
        int oldest = 0;
        for (int k = 1; k < o->n; k++)
            if (o->entry[k].seq < o->entry[oldest].seq) oldest = k;
        o->entry[oldest] = o->entry[--o->n];
    }
    o->entry[o->n++] = e;
}

uint64_t order_next(Order *o, Pipe pipe) { return o->clocks.last[pipe] + 1; }

void order_enter(Order *o, Pipe pipe, uint64_t seq, Loc loc, const char *op, const AccessRange *a, int n,
                 uint32_t repeats, bool drained) {
    Clock known = o->clocks.known[pipe];
    o->position++;
    for (int k = 0; k < n; k++) remember(o, (Entry){a[k], pipe, seq, o->position, known, repeats, loc, op});
    o->clocks.last[pipe] = seq;
    if (drained) o->clocks.drained[pipe] = seq;
}

/* Of the free ids the one that became free last: the pairs end in order, so no assignment needs fewer. */
int order_event(Order *o, Pipe waiter, const Dependence *d) {
    uint64_t *waited = o->waited[d->pipe][waiter];
    int best = -1;
    for (int e = 0; e < EVENTS; e++)
        if (waited[e] <= d->position && (best < 0 || waited[e] > waited[best])) best = e;
    if (best >= 0) waited[best] = o->position + 1;
    return best;
}

void order_wait(Order *o, Pipe waiter, Pipe on, uint64_t seq) {
    Clocks *c = &o->clocks;
    if (waiter == on) {
        if (seq > c->drained[on]) c->drained[on] = seq;
        return;
    }
    for (int k = 0; k < o->n; k++)
        if (o->entry[k].pipe == on && o->entry[k].seq <= seq) clock_merge(&c->known[waiter], &o->entry[k].known);
    if (seq > c->known[waiter].seq[on]) c->known[waiter].seq[on] = seq;
}

void order_barrier(Order *o, Pipe pipe) { clocks_barrier(&o->clocks, pipe); }
void order_set_flag(Order *o, Pipe from, Pipe to, unsigned event) { clocks_set_flag(&o->clocks, from, to, event); }
void order_wait_flag(Order *o, Pipe from, Pipe to, unsigned event) { clocks_wait_flag(&o->clocks, from, to, event); }

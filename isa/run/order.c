#include "isa/run/order.h"

#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"

enum { MAX_ENTRIES = 512, EVENTS = 8, LONG_PRODUCER = 16 };

/* Per pipe: the number of the last instruction that is known to be done. */
typedef struct Clock {
    uint64_t seq[PIPE_COUNT];
} Clock;

typedef struct Entry {
    AccessRange a;
    Pipe pipe;
    uint64_t seq;
    Clock known;      /* what the instruction itself had waited for */
    uint32_t repeats;
    Loc loc;
    const char *op;
} Entry;

struct Order {
    Family family;
    Entry entry[MAX_ENTRIES];
    int n;
    Clock known[PIPE_COUNT];        /* by waiting pipe */
    uint64_t last[PIPE_COUNT];      /* last instruction entered */
    uint64_t drained[PIPE_COUNT];   /* last instruction before the pipe's last barrier */
    Clock flag[PIPE_COUNT][PIPE_COUNT][EVENTS];
};

Order *order_new(Family f) {
    Order *o = xcalloc(1, sizeof *o);
    o->family = f;
    return o;
}

void order_free(Order *o) { free(o); }

static void merge(Clock *into, const Clock *c) {
    for (int p = 0; p < PIPE_COUNT; p++)
        if (c->seq[p] > into->seq[p]) into->seq[p] = c->seq[p];
}

/* Transfer pipes finish in order; vector functions of the 950 too. */
static bool ordered_by_pipe(const Order *o, Pipe p) { return p != PIPE_V || o->family == FAMILY_950; }

static bool is_ordered(const Order *o, const Entry *e, Pipe pipe) {
    if (e->pipe == pipe) return ordered_by_pipe(o, pipe) || e->seq <= o->drained[pipe];
    return e->seq <= o->known[pipe].seq[e->pipe];
}

static bool conflict(const AccessRange *x, const AccessRange *y) {
    return x->space == y->space && (x->write || y->write) && x->lo < y->hi && y->lo < x->hi;
}

int order_dependences(Order *o, Pipe pipe, const AccessRange *a, int n, Dependence out[PIPE_COUNT]) {
    int found[PIPE_COUNT], count = 0;
    memset(found, -1, sizeof found);
    for (int k = 0; k < o->n; k++) {
        const Entry *e = &o->entry[k];
        if (is_ordered(o, e, pipe)) continue;
        for (int j = 0; j < n; j++) {
            if (!conflict(&e->a, &a[j])) continue;
            bool pruned = e->pipe == pipe && e->a.whole && a[j].whole && e->a.lo == a[j].lo && e->a.hi == a[j].hi &&
                          e->repeats >= LONG_PRODUCER && !e->a.scratch && !a[j].scratch;
            int at = found[e->pipe];
            if (at < 0) at = found[e->pipe] = count++;
            else if (out[at].pruned <= pruned && out[at].seq >= e->seq) continue;
            else if (pruned && !out[at].pruned) continue;
            out[at] = (Dependence){e->pipe, e->seq, e->loc, e->op, e->a, a[j], pruned};
        }
    }
    return count;
}

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

uint64_t order_next(Order *o, Pipe pipe) { return o->last[pipe] + 1; }

void order_enter(Order *o, Pipe pipe, uint64_t seq, Loc loc, const char *op, const AccessRange *a, int n,
                 uint32_t repeats, bool drained) {
    Clock known = o->known[pipe];
    for (int k = 0; k < n; k++) remember(o, (Entry){a[k], pipe, seq, known, repeats, loc, op});
    o->last[pipe] = seq;
    if (drained) o->drained[pipe] = seq;
}

void order_wait(Order *o, Pipe waiter, Pipe on, uint64_t seq) {
    if (waiter == on) {
        if (seq > o->drained[on]) o->drained[on] = seq;
        return;
    }
    for (int k = 0; k < o->n; k++)
        if (o->entry[k].pipe == on && o->entry[k].seq <= seq) merge(&o->known[waiter], &o->entry[k].known);
    if (seq > o->known[waiter].seq[on]) o->known[waiter].seq[on] = seq;
}

void order_barrier(Order *o, Pipe pipe) {
    if (pipe != PIPE_ALL) {
        o->drained[pipe] = o->last[pipe];
        return;
    }
    for (int p = 0; p < PIPE_COUNT; p++) {
        o->drained[p] = o->last[p];
        for (int q = 0; q < PIPE_COUNT; q++) o->known[q].seq[p] = o->last[p];
    }
}

void order_set_flag(Order *o, Pipe from, Pipe to, unsigned event) {
    Clock c = o->known[from];
    c.seq[from] = o->last[from];
    o->flag[from][to][event % EVENTS] = c;
}

void order_wait_flag(Order *o, Pipe from, Pipe to, unsigned event) {
    merge(&o->known[to], &o->flag[from][to][event % EVENTS]);
}

#include "isa/check/clocks.h"

void clock_merge(Clock *into, const Clock *c) {
    for (int p = 0; p < PIPE_COUNT; p++)
        if (c->seq[p] > into->seq[p]) into->seq[p] = c->seq[p];
}

/* Transfer pipes and the scalar unit finish in order; vector functions of the 950 too. */
static bool in_order(const Clocks *c, Pipe p) { return p != PIPE_V || c->family == FAMILY_950; }

uint64_t clocks_done(const Clocks *c, Pipe pipe, Pipe by) {
    uint64_t known = c->known[pipe].seq[by]; /* of the own pipe: by way of another one and back */
    if (pipe != by) return known;
    if (in_order(c, by)) return c->last[by];
    return c->drained[by] > known ? c->drained[by] : known;
}

void clocks_barrier(Clocks *c, Pipe pipe) {
    if (pipe != PIPE_ALL) {
        c->drained[pipe] = c->last[pipe];
        return;
    }
    for (int p = 0; p < PIPE_COUNT; p++) {
        c->drained[p] = c->last[p];
        for (int q = 0; q < PIPE_COUNT; q++) c->known[q].seq[p] = c->last[p];
    }
}

void clocks_set_flag(Clocks *c, Pipe from, Pipe to, unsigned event) {
    Clock carried = c->known[from];
    carried.seq[from] = c->last[from];
    c->flag[from][to][event % EVENTS] = carried;
}

void clocks_wait_flag(Clocks *c, Pipe from, Pipe to, unsigned event) {
    clock_merge(&c->known[to], &c->flag[from][to][event % EVENTS]);
}

void clocks_take_buffer(Clocks *c, Pipe pipe, unsigned buffer) {
    for (int p = 0; p < PIPE_COUNT; p++)
        if (p != (int)pipe) clock_merge(&c->known[pipe], &c->buffer[buffer % BUFFERS][p]);
}

void clocks_release_buffer(Clocks *c, Pipe pipe, unsigned buffer) {
    Clock *b = &c->buffer[buffer % BUFFERS][pipe];
    *b = c->known[pipe];
    b->seq[pipe] = c->last[pipe];
}

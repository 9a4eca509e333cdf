#include "isa/time/v950_bound.h"

#include <stdlib.h>
#include <string.h>

#include "isa/time/v950_core.h"

enum { BANKS = 16 };

static double larger(double a, double b) { return a > b ? a : b; }

/* Execution ports. With alternation an odd number of operations changes sides from one iteration to
 * the next, so two iterations are counted; else the ports share what is not bound to one. */
static void bound_ports(const V950Sched *s, const PlanLoop *l, V950Bound *b) {
    double bound = 0, all = 0;
    int next = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = l->first; i < l->end; i++) {
            const PlanLine *p = &s->plan.line[i];
            if (p->unit != UNIT_COMPUTE) continue;
            b->port[p->port0 ? 0 : next] += p->interval / 2.0;
            all += p->interval / 2.0;
            if (p->port0) bound += p->interval / 2.0;
            else next = (next + 1) % s->par.exec_ports;
        }
    if (s->par.alternate || s->par.exec_ports == 1) return;
    b->port[0] = larger(bound, all / PORTS);
    b->port[1] = all - b->port[0];
}

static void bound_memory(const V950Sched *s, const PlanLoop *l, V950Bound *b) {
    double blocks[2] = {0, 0};
    for (uint32_t i = l->first; i < l->end; i++) {
        const PlanLine *p = &s->plan.line[i];
        if (p->unit != UNIT_LOAD && p->unit != UNIT_STORE) continue;
        blocks[p->unit == UNIT_STORE] += (p->bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
        if (p->unit == UNIT_STORE) b->stores += 1.0 / s->par.store_ports;
        else b->loads += p->hold > 1 ? p->hold : 1.0 / s->par.load_ports;
    }
    b->banks = ((s->par.read_conflicts ? blocks[0] : 0) + (s->par.write_conflicts ? blocks[1] : 0)) / BANKS;
}

static void bound_dispatch(const V950Sched *s, const PlanLoop *l, V950Bound *b) {
    b->dispatch = larger(l->stride, (double)(l->end - l->first) / s->par.width);
}

/* The chain: the closed walk through the dependences of the loop that takes the most cycles per
 * iteration it passes. For each line as the start, the longest walks by the number of iterations
 * passed (laps) and the line reached. */

typedef struct Step { int64_t length; uint32_t from; bool lap; } Step;

typedef struct Search {
    const V950Sched *s;
    uint32_t first, n;           /* lines of the loop */
    Step *step;                  /* [lap * n + line]; length < 0: not reached */
    V950Bound *b;
} Search;

static bool writes(const PlanLine *p, uint8_t reg) {
    return p->result[0] == reg || p->result[1] == reg || p->result[2] == reg;
}

/* Line of the loop whose result operand k of line c reads: the last writer before c, else the last one
 * of the iteration before; n if the value comes from outside. */
static uint32_t producer(const Search *f, uint32_t c, int k, bool *lap) {
    const PlanLine *line = &f->s->plan.line[f->first];
    uint8_t reg = line[c].source[k];
    *lap = false;
    if (reg == REG_NONE) return f->n;
    for (uint32_t back = 1; back <= f->n; back++) {
        uint32_t p = (c + f->n - back) % f->n;
        *lap |= p >= c;
        if (writes(&line[p], reg)) return line[p].unit == UNIT_NONE ? f->n : p;
    }
    return f->n;
}

static void keep_chain(Search *f, uint32_t start, uint32_t laps) {
    V950Bound *b = f->b;
    uint32_t at = start, lap = laps;
    b->nchain = 0;
    b->chain_span = laps;
    do {
        const Step *s = &f->step[lap * f->n + at];
        if (b->nchain < V950_CHAIN_MAX) b->chain_line[b->nchain++] = f->s->plan.line[f->first + s->from].body;
        lap -= s->lap;
        at = s->from;
    } while (lap || at != start);
    for (uint32_t i = 0; i < b->nchain / 2; i++) {
        uint32_t t = b->chain_line[i];
        b->chain_line[i] = b->chain_line[b->nchain - 1 - i];
        b->chain_line[b->nchain - 1 - i] = t;
    }
}

/* Longest walk that ends in line c after `lap` laps. */
static void extend(Search *f, uint32_t c, uint32_t lap) {
    const PlanLine *line = &f->s->plan.line[f->first];
    Step *to = &f->step[lap * f->n + c];
    Prov prov = PROV_DOCUMENTED;
    for (int k = 0; k < LINE_SOURCES; k++) {
        bool back;
        uint32_t p = producer(f, c, k, &back);
        if (p == f->n || (back && !lap)) continue;
        const Step *from = &f->step[(lap - back) * f->n + p];
        if (from->length < 0) continue;
        int64_t length = from->length + core_forward(f->s, &line[p], &line[c], &prov);
        if (length > to->length) *to = (Step){length, p, back};
    }
}

static void search_from(Search *f, uint32_t start) {
    for (uint32_t i = 0; i < f->n * (f->n + 1); i++) f->step[i].length = -1;
    f->step[start].length = 0;
    for (uint32_t lap = 0; lap <= f->n; lap++) {
        for (uint32_t c = lap ? 0 : start + 1; c < f->n; c++) extend(f, c, lap);
        const Step *round = &f->step[lap * f->n + start];
        if (!lap || round->length < 0 || (double)round->length / lap <= f->b->chain) continue;
        f->b->chain = (double)round->length / lap;
        keep_chain(f, start, lap);
    }
}

static void bound_chain(const V950Sched *s, const PlanLoop *l, V950Bound *b) {
    Search f = {.s = s, .first = l->first, .n = l->end - l->first, .b = b};
    f.step = xcalloc((size_t)f.n * (f.n + 1), sizeof *f.step);
    for (uint32_t start = 0; start < f.n; start++) search_from(&f, start);
    free(f.step);
}

static bool innermost(const Plan *p, uint32_t loop) { return p->loop[loop].last_child == NO_LOOP; }

uint32_t v950_bounds(V950Sched *s, const VfInstr *body, uint32_t n, V950Bound *out, uint32_t cap) {
    uint32_t found = 0;
    plan_build(&s->plan, s->target, body, n);
    for (uint32_t i = 0; i < s->plan.nloop; i++) {
        if (!innermost(&s->plan, i) || found++ >= cap) continue;
        const PlanLoop *l = &s->plan.loop[i];
        V950Bound *b = &out[found - 1];
        *b = (V950Bound){.first = s->plan.line[l->first].body, .last = s->plan.line[l->end - 1].body, .trip = l->trip,
                         .iterations = plan_count(&s->plan, l->first)};
        bound_dispatch(s, l, b);
        bound_ports(s, l, b);
        bound_memory(s, l, b);
        bound_chain(s, l, b);
    }
    return found;
}

double v950_bound_max(const V950Bound *b) {
    double ports = larger(b->port[0], b->port[1]), memory = larger(larger(b->loads, b->stores), b->banks);
    return larger(larger(b->dispatch, b->chain), larger(ports, memory));
}

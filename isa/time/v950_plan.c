#include "isa/time/v950_plan.h"

#include <stdlib.h>
#include <string.h>

enum { BANK_PERIOD = 512, COUNT_MAX = 1000000 };

int plan_int(const Num *n, int lo, int hi) {
    if (!(n->v > lo)) return lo;
    return n->v < hi ? (int)n->v : hi;
}

static int use(Plan *p, const Num *n) {
    p->weakest = prov_weaker(p->weakest, n->prov);
    return plan_int(n, 0, COUNT_MAX);
}

static void *reserve(void *mem, uint32_t n, uint32_t *cap, size_t size) {
    if (n < *cap) return mem;
    *cap = *cap ? *cap * 2 : 32;
    return xrealloc(mem, (size_t)*cap * size);
}

/* Registers. */

static uint8_t vreg(uint8_t r) { return r < VF_VREGS ? r : REG_NONE; }
static uint8_t preg(uint8_t r) { return r < VF_PREGS ? (uint8_t)(VF_VREGS + r) : REG_NONE; }

/* Loads and constant predicates wait for no register; a store of lane 0 ignores its predicate. */
static void set_registers(PlanLine *l, const VfInstr *v) {
    bool waits = l->unit == UNIT_STORE || l->unit == UNIT_COMPUTE;
    bool lane0 = l->unit == UNIT_STORE && v->dist == DIST_ONEPT;
    l->source[0] = waits ? v->pg2 != VF_NONE ? preg(v->pg2) : vreg(v->src0) : REG_NONE;
    l->source[1] = waits ? vreg(v->src1) : REG_NONE;
    l->source[2] = waits && !lane0 ? preg(v->pg) : REG_NONE;
    l->source[3] = waits && v->merging ? vreg(v->dst) : REG_NONE;
    l->result[0] = vreg(v->dst);
    l->result[1] = vreg(v->dst2);
    l->result[2] = preg(v->pd);
}

/* Costs. */

static uint32_t access_bytes(const VfInstr *v) {
    if (v->op == U_PLDS || v->op == U_PSTS) return v->dist == DIST_NORM ? BLOCK_BYTES : BLOCK_BYTES / 2;
    switch (v->dist) {
    case DIST_BRC:
    case DIST_ONEPT: return dtype_size((DType)v->dtype);
    case DIST_E2B: return BLOCKS_PER_REPEAT * dtype_size((DType)v->dtype);
    case DIST_BLK: return BLOCK_BYTES;
    case DIST_UNPK:
    case DIST_PK: return REPEAT_BYTES / 2;
    case DIST_DINTLV: return REPEAT_BYTES * 2;
    default: return REPEAT_BYTES;
    }
}

static void cost_load(Plan *p, PlanLine *l, const V950Params *t, const VfInstr *v) {
    l->latency = use(p, &t->load_done);
    l->forward = use(p, &t->forward_load);
    if (v->dist == DIST_UNPK) {
        l->forward += use(p, &t->unpack_extra);
        l->hold = use(p, &t->unpack_hold);
    } else if (v->dist == DIST_DINTLV) {
        l->forward += use(p, &t->dintlv_extra);
    }
    l->forward_store = l->forward;
    l->bytes = access_bytes(v);
}

static void cost_compute(Plan *p, PlanLine *l, const Target *t, const VfInstr *v) {
    const UopCost *c = &t->cost[v->op][v->dtype < DT_COUNT ? v->dtype : DT_NONE];
    l->latency = use(p, &c->latency);
    l->interval = use(p, &c->interval);
    if (l->interval < 1) l->interval = 1;
    l->port0 = use(p, &c->port) == 1;
    l->forward = l->latency - use(p, &t->forward_compute);
    l->forward_store = l->latency - use(p, &t->forward_store);
}

static void set_cost(Plan *p, PlanLine *l, const Target *t, const VfInstr *v) {
    switch (uop_info[v->op].cls) {
    case UC_PRED: l->unit = UNIT_NONE; break;
    case UC_LOAD:
        l->unit = UNIT_LOAD;
        cost_load(p, l, &t->v950, v);
        break;
    case UC_STORE:
        l->unit = UNIT_STORE;
        l->latency = use(p, &t->v950.store_done);
        l->bytes = access_bytes(v);
        break;
    default:
        l->unit = UNIT_COMPUTE;
        cost_compute(p, l, t, v);
    }
}

/* The loop tree. */

typedef struct Builder {
    Plan *p;
    const Target *t;
    const VfInstr *body;
    uint32_t n, at;
    int32_t loop;                    /* innermost open loop that counts */
    int nest;                        /* open loops as written */
    uint8_t level[VF_MAX_DEPTH];     /* by depth of the plan: level as written */
} Builder;

static void add_line(Builder *b) {
    Plan *p = b->p;
    const VfInstr *v = &b->body[b->at];
    p->line = reserve(p->line, p->nline, &p->line_cap, sizeof *p->line);
    PlanLine *l = &p->line[p->nline++];
    memset(l, 0, sizeof *l);
    l->body = b->at;
    l->op = v->op;
    l->loop = NO_LOOP;
    l->base = v->base;
    for (int d = 0; b->loop != NO_LOOP && d <= p->loop[b->loop].depth; d++) l->step[d] = v->step[b->level[d]];
    set_cost(p, l, b->t, v);
    set_registers(l, v);
    int64_t forward = l->forward > l->forward_store ? l->forward : l->forward_store;
    if (forward > p->longest_forward) p->longest_forward = forward;
}

static int32_t open_loop(Builder *b, uint64_t trip) {
    Plan *p = b->p;
    p->loop = reserve(p->loop, p->nloop, &p->loop_cap, sizeof *p->loop);
    PlanLoop *l = &p->loop[p->nloop];
    memset(l, 0, sizeof *l);
    l->first = p->nline;
    l->trip = trip;
    l->parent = b->loop;
    l->last_child = NO_LOOP;
    l->depth = b->loop == NO_LOOP ? 0 : (uint8_t)(p->loop[b->loop].depth + 1);
    b->level[l->depth] = (uint8_t)(b->nest - 1);
    return (int32_t)p->nloop++;
}

static void skip_loop(Builder *b) {
    for (int open = 1; open && b->at < b->n; b->at++) {
        if (b->body[b->at].op == U_LOOP) open++;
        else if (b->body[b->at].op == U_END) open--;
    }
}

/* Reads lines up to the end of the loop that is open. A loop of no trips leaves nothing, a loop of
 * one trip is straight code, and so is a level deeper than an address can follow. */
static void read_body(Builder *b) {
    while (b->at < b->n) {
        const VfInstr *v = &b->body[b->at];
        if (v->op == U_END) {
            b->at++;
            return;
        }
        if (v->op != U_LOOP) {
            add_line(b);
            b->at++;
            continue;
        }
        b->at++;
        if (v->imm == 0) {
            skip_loop(b);
            continue;
        }
        int32_t outer = b->loop;
        b->nest++;
        if (v->imm > 1 && b->nest <= VF_MAX_DEPTH) b->loop = open_loop(b, v->imm);
        int32_t self = b->loop;
        read_body(b);
        if (self != outer) b->p->loop[self].end = b->p->nline;
        if (self != outer && b->p->loop[self].first == b->p->nline) b->p->nloop = (uint32_t)self;
        b->nest--;
        b->loop = outer;
    }
}

/* Gates. */

/* Restart of a nested loop, or of loops that stand side by side. */
static uint8_t restart(Plan *p, const V950Params *t, bool sibling) {
    if (!sibling && !p->converts) {
        use(p, &t->nest_restart);
        return GATE_NEST;
    }
    use(p, sibling ? &t->sibling_restart : &t->convert_restart);
    use(p, &t->sibling_min);
    return sibling ? GATE_SIBLING : GATE_CONVERT;
}

/* Lines are dispatched in groups. An iteration that needs several begins with a new one. */
static void set_stride(Plan *p, const V950Params *t, PlanLoop *l) {
    int width = use(p, &t->dispatch_width), lines = (int)(l->end - l->first);
    l->stride = use(p, &t->iteration_stride);
    if (l->again != GATE_ITERATION || lines <= width || !use(p, &t->whole_groups)) return;
    int groups = width ? (lines + width - 1) / width : 1;
    if (l->stride < groups) l->stride = groups;
    if (p->longest_stride < l->stride) p->longest_stride = l->stride;
}

/* An outer loop of two trips is unrolled by the compiler: it adds no level, and its trips stand
 * side by side. From the inside out, so that the levels of a loop's children are known. */
static void set_levels(Plan *p, const V950Params *t) {
    for (uint32_t i = p->nloop; i-- > 0;) {
        PlanLoop *l = &p->loop[i];
        bool inner = l->levels == 0, unrolled = !inner && l->trip == 2 && use(p, &t->unroll_two);
        if (!unrolled) l->levels++;
        l->again = inner ? GATE_ITERATION : restart(p, t, unrolled && l->levels == 1);
        set_stride(p, t, l);
        if (l->parent != NO_LOOP && p->loop[l->parent].levels < l->levels) p->loop[l->parent].levels = l->levels;
    }
}

static void set_entries(Plan *p, const V950Params *t) {
    int32_t last_root = NO_LOOP;
    for (uint32_t i = p->nloop; i-- > 0;) p->line[p->loop[i].first].loop = (int32_t)i;
    for (uint32_t i = 0; i < p->nloop; i++) {
        PlanLoop *l = &p->loop[i];
        int32_t *last = l->parent == NO_LOOP ? &last_root : &p->loop[l->parent].last_child;
        l->enter = *last == NO_LOOP ? GATE_ITERATION : restart(p, t, p->loop[*last].levels == 1 && l->levels == 1);
        *last = (int32_t)i;
    }
}

static bool moves_alike(const Plan *p, const PlanLoop *l, uint64_t trips, uint64_t *step) {
    bool any = false;
    *step = 0;
    for (uint32_t i = l->first; i < l->end; i++) {
        if (!p->line[i].bytes) continue;
        uint64_t by = (uint64_t)p->line[i].step[l->depth] * trips % BANK_PERIOD;
        if (by % BLOCK_BYTES || (any && by != *step)) return false;
        any = true;
        *step = by;
    }
    return true;
}

static void set_phase(const Plan *p, PlanLoop *l) {
    uint64_t step;
    l->phase_period = 1;
    while (!moves_alike(p, l, l->phase_period, &step)) l->phase_period *= 2;
    l->phase_step = step / BLOCK_BYTES;
}

/* The whole function. */

static bool converts(const Plan *p) {
    for (uint32_t i = 0; i < p->nline; i++)
        if (p->line[i].op == U_VCONV) return true;
    return false;
}

/* Operations in front of the first loop go with the header of that loop. */
static void set_start(Plan *p, const V950Params *t, const VfInstr *body) {
    int levels = 0, streams = 0;
    for (uint32_t i = 0; i < p->nloop; i++)
        if (p->loop[i].levels > levels) levels = p->loop[i].levels;
    for (uint32_t i = 0; i < p->nline; i++)
        streams += p->line[i].unit == UNIT_LOAD && body[p->line[i].body].post;
    int64_t load = use(p, levels == 0 ? &t->start_flat : levels == 1 ? &t->start_loop : &t->start_nest);
    if (levels && p->converts) load += use(p, &t->start_convert);
    else if (levels && streams) load += (int64_t)streams * use(p, &t->start_post);
    load -= use(p, &t->to_queue);
    p->first_dispatch = p->prologue_dispatch = load > 0 ? load : 0;
    bool prologue = p->nloop && p->loop[0].first > 0 && p->line[0].unit != UNIT_LOAD;
    if (prologue && use(p, &t->start_prologue) < p->first_dispatch) p->prologue_dispatch = use(p, &t->start_prologue);
}

static void count_registers(Plan *p) {
    bool written[REG_COUNT] = {false};
    for (uint32_t i = 0; i < p->nline; i++)
        for (int k = 0; k < 2; k++) {
            uint8_t r = p->line[i].result[k];
            if (r == REG_NONE || written[r]) continue;
            written[r] = true;
            p->registers++;
        }
}

void plan_build(Plan *p, const Target *t, const VfInstr *body, uint32_t n) {
    p->nline = p->nloop = p->registers = 0;
    p->longest_forward = 0;
    p->weakest = PROV_DOCUMENTED;
    p->longest_stride = use(p, &t->v950.iteration_stride);
    Builder b = {.p = p, .t = t, .body = body, .n = n, .loop = NO_LOOP};
    while (b.at < n) read_body(&b);
    p->converts = converts(p);
    set_levels(p, &t->v950);
    set_entries(p, &t->v950);
    for (uint32_t i = 0; i < p->nloop; i++) set_phase(p, &p->loop[i]);
    set_start(p, &t->v950, body);
    count_registers(p);
}

void plan_free(Plan *p) {
    free(p->line);
    free(p->loop);
}

uint64_t plan_count(const Plan *p, uint32_t line) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < p->nloop && p->loop[i].first <= line; i++)
        if (line < p->loop[i].end) n *= p->loop[i].trip;
    return n;
}

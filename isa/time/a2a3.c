#include "isa/time/a2a3.h"

enum { MAX_GROUPS = 64, BANK_BITS = 64 };

/* Bank groups and sets of UB, in blocks. */
typedef struct Layout {
    uint32_t groups, set_blocks, sets;
} Layout;

static Layout layout(const Target *t) {
    uint32_t groups = (uint32_t)t->ub.groups.v, bytes = (uint32_t)(t->ub.bytes.v / t->ub.banks.v);
    return (Layout){groups, bytes > BLOCK_BYTES ? bytes / BLOCK_BYTES : 1, BANK_BITS / groups};
}

static Prov weaker(Prov a, Prov b) { return a > b ? a : b; }

/* Blocks of one operand in one repeat, as groups. */
static void count_groups(const Access *a, uint32_t blocks, uint32_t k, uint32_t groups, uint8_t count[MAX_GROUPS]) {
    for (uint32_t b = 0; b < blocks; b++) {
        if (b && !a->blk) return; /* one block used again and again is read once */
        count[access_addr(a, k, b) / BLOCK_BYTES % groups]++;
    }
}

static uint32_t most(const uint8_t count[MAX_GROUPS]) {
    uint32_t m = 0;
    for (int g = 0; g < MAX_GROUPS; g++)
        if (count[g] > m) m = count[g];
    return m;
}

/* The groups of n neighbouring blocks from `block` on, as 16 bits. */
static uint32_t group_run(uint32_t block, uint32_t n) {
    uint32_t run = n >= GROUPS ? 0xffff : (1u << n) - 1;
    run <<= block % GROUPS;
    return (run | run >> GROUPS) & 0xffff;
}

static bool unit_stride(const Access *a) { return a->blk == BLOCK_BYTES && a->blocks <= GROUPS; }

/* Most accesses to one group among the sources of repeat k. */
static uint32_t group_reads(const Access op[3], const Shape *s, uint32_t k) {
    const Access *x = &op[ROLE_SRC0], *y = &op[ROLE_SRC1];
    if (x->used && unit_stride(x) && (!y->used || unit_stride(y))) {
        uint32_t gx = group_run(access_addr(x, k, 0) / BLOCK_BYTES, access_blocks(x, s, k));
        uint32_t gy = y->used ? group_run(access_addr(y, k, 0) / BLOCK_BYTES, access_blocks(y, s, k)) : 0;
        return 1 + ((gx & gy) != 0);
    }
    uint8_t rd[GROUPS] = {0};
    for (int r = ROLE_SRC0; r <= ROLE_SRC1; r++)
        if (op[r].used) count_groups(&op[r], access_blocks(&op[r], s, k), k, groups, rd);
    return most(rd);
}

/* Cycles that the reads and the writes of repeat k need at one access per group and cycle. A
 * destination of unit block stride never collides with itself. */
static uint32_t repeat_cycles(const Target *t, const Access op[3], const Shape *s, uint32_t k, uint32_t occupy, uint32_t *reads) {
    uint8_t wr[GROUPS] = {0};
    *reads = group_reads(op, s, k);
    if (t->a2a3.read_conflicts.v == 0 && *reads > 1) *reads = 1;
    uint32_t cycles = occupy > *reads ? occupy : *reads;
    if (op[ROLE_DST].used && op[ROLE_DST].blk != BLOCK_BYTES) {
        count_groups(&op[ROLE_DST], access_blocks(&op[ROLE_DST], s, k), k, groups, wr);
        if (most(wr) > cycles) cycles = most(wr);
    }
    return cycles ? cycles : 1;
}

static void open_accesses(const Uop *u, const Shape *s, Access op[3]) {
    for (int r = ROLE_DST; r <= ROLE_SRC1; r++) op[r] = uop_access(u, s, (Role)r);
}

static uint32_t interval(const Target *t, const Uop *u) { return (uint32_t)t->cost[u->op][u->dtype].interval.v; }

/* The group pattern repeats with the number of groups, except for a partly filled last one. */
static uint64_t sum_repeats(const Target *t, const Access op[3], const Shape *s, uint32_t n, uint32_t occupy) {
    uint64_t period = 0, total = 0;
    uint32_t groups = (uint32_t)t->ub.groups.v, reads, p = n < groups ? n : groups, full = s->last_lanes < s->lanes && n == s->repeats ? n - 1 : n;
    uint32_t cycles[MAX_GROUPS];
    if (p > full) p = full;
    for (uint32_t k = 0; k < p; k++) period += cycles[k] = repeat_cycles(t, op, s, k, occupy, &reads);
    if (p) {
        total = full / p * period;
        for (uint32_t k = 0; k < full % p; k++) total += cycles[k];
    }
    if (full < n) total += repeat_cycles(t, op, s, full, occupy, &reads);
    return total;
}

/* Micro-ops without lanes: packed gathers and block copies move so many bytes a cycle. */
static uint64_t bulk_cycles(const Target *t, const Uop *u, const Shape *s) {
    if (u->op == U_COPY_UB) {
        uint64_t per = (uint64_t)t->a2a3.copy_bytes.v;
        return s->repeats * ((u->imm * BLOCK_BYTES + per - 1) / per) * interval(t, u);
    }
    uint64_t per_repeat = (s->elements + s->lanes - 1) / s->lanes;
    return s->repeats * per_repeat * interval(t, u);
}

static bool is_bulk(const Uop *u) { return u->op == U_COPY_UB || u->op == U_VREDUCEV2; }

uint64_t a2a3_occupancy(const Target *t, const Uop *u, const Shape *s) {
    if (!s->repeats) return 0;
    if (is_bulk(u)) return bulk_cycles(t, u, s);
    Access op[3];
    open_accesses(u, s, op);
    return sum_repeats(t, op, s, s->repeats, interval(t, u));
}

/* Banks of one operand in repeat k: bit groups * set + group. */
static uint64_t bank_bits(Layout l, const Access *a, const Shape *s, uint32_t k) {
    uint64_t bits = 0;
    uint32_t n = a->used ? access_blocks(a, s, k) : 0;
    uint32_t first = a->used ? access_addr(a, k, 0) / BLOCK_BYTES : 0;
    if (n && unit_stride(a) && first >> 11 == (first + n - 1) >> 11)
        return (uint64_t)group_run(first, n) << (first >> 11) % 4 * GROUPS;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t x = access_addr(a, k, b) / BLOCK_BYTES;
        bits |= 1ull << (x / l.set_blocks % l.sets * l.groups + x % l.groups);
    }
    return bits;
}

static uint64_t written_in(const A2a3Banks *b, uint64_t cycle) {
    return cycle <= b->last && b->cycle[cycle % WRITE_RING] == cycle ? b->banks[cycle % WRITE_RING] : 0;
}

static void write_in(A2a3Banks *b, uint64_t cycle, uint64_t banks) {
    if (b->cycle[cycle % WRITE_RING] != cycle) {
        b->cycle[cycle % WRITE_RING] = cycle;
        b->banks[cycle % WRITE_RING] = 0;
    }
    b->banks[cycle % WRITE_RING] |= banks;
    if (cycle > b->last) b->last = cycle;
}

/* Repeats first..n one by one: a read that meets a write of its bank waits a cycle, and the
 * repeat's own write lands a fixed number of cycles after its last read. */
static uint64_t step_repeats(A2a3Banks *b, const Target *t, const Access op[3], const Shape *s, uint32_t first, uint32_t occupy,
                             uint64_t land, uint64_t at) {
    bool wait = t->a2a3.write_conflicts.v != 0;
    Layout l = layout(t);
    for (uint32_t k = first; k < s->repeats; k++) {
        uint32_t reads;
        uint64_t slot = at, need = repeat_cycles(t, op, s, k, occupy, &reads);
        uint64_t r0 = bank_bits(l, &op[ROLE_SRC0], s, k), r1 = bank_bits(l, &op[ROLE_SRC1], s, k);
        uint64_t turn[2] = {r0 | r1, 0};
        int turns = r0 | r1 ? 1 : 0;
        if (reads > 1 && r0 && r1) turn[0] = r0, turn[1] = r1, turns = 2; /* conflicting sources are read one after the other */
        for (int i = 0; i < turns; i++, at++)
            while (wait && (turn[i] & written_in(b, at))) at++;
        uint64_t last = turns ? at - 1 : slot;
        if (at < slot + need) at = slot + need;
        if (op[ROLE_DST].used) write_in(b, last + land, bank_bits(l, &op[ROLE_DST], s, k));
    }
    return at;
}

/* Sets that an operand touches. */
static uint64_t sets_of(Layout l, const Access *a, const Shape *s) {
    uint64_t lo, hi, sets = 0, bytes = (uint64_t)l.set_blocks * BLOCK_BYTES;
    if (!a->used) return 0;
    access_range(a, s, &lo, &hi);
    for (uint64_t x = lo / bytes; x <= (hi ? hi - 1 : 0) / bytes && x < lo / bytes + l.sets; x++) sets |= 1ull << x % l.sets;
    return sets;
}

static bool lane_pipeline(const Uop *u) {
    UopClass c = uop_info[u->op].cls;
    return c != UC_REDUCE && c != UC_GREDUCE && c != UC_BRCB && !is_bulk(u);
}

static uint64_t issue_lanes(A2a3Banks *b, const Target *t, const Uop *u, const Shape *s, uint64_t at) {
    Access op[3];
    open_accesses(u, s, op);
    Layout l = layout(t);
    uint32_t occupy = interval(t, u);
    uint64_t land = (uint64_t)(t->cost[u->op][u->dtype].latency.v - t->a2a3.write_back.v);
    uint64_t reads = sets_of(l, &op[ROLE_SRC0], s) | sets_of(l, &op[ROLE_SRC1], s);
    bool meets = (reads & sets_of(l, &op[ROLE_DST], s)) || (b->last >= at && reads);
    uint32_t skip = 0;
    /* Without a bank in common only the writes that land after the last repeat matter, to what comes next. */
    if (!meets && s->repeats > land) skip = s->repeats - (uint32_t)land;
    if (skip) at += sum_repeats(t, op, s, skip, occupy);
    return step_repeats(b, t, op, s, skip, occupy, land, at);
}

VectorTime a2a3_issue(A2a3Vector *v, A2a3Banks *b, const Target *t, const Uop *u, const Shape *s, uint64_t arrival) {
    const UopCost *c = &t->cost[u->op][u->dtype];
    VectorTime r = {.start = v->slot > arrival ? v->slot : arrival};
    uint64_t there = arrival + (uint64_t)t->a2a3.dispatch.v;
    r.weakest = weaker(t->a2a3.dispatch.prov, weaker(c->latency.prov, c->interval.prov));
    r.issue = v->slot > there ? v->slot : there;
    if (!s->repeats) { /* nothing to do: it only passes the queue */
        v->slot = r.issued = r.end = r.issue;
        return r;
    }
    uint64_t least = is_bulk(u) ? bulk_cycles(t, u, s) : (uint64_t)s->repeats * interval(t, u);
    r.issued = lane_pipeline(u) ? issue_lanes(b, t, u, s, r.issue) : r.issue + a2a3_occupancy(t, u, s);
    r.conflicts = r.issued - r.issue - least;
    r.end = r.issued + (uint64_t)c->latency.v;
    b->conflict_cycles += r.conflicts;
    v->slot = r.issued;
    if (r.end > v->done) v->done = r.end;
    if (u->op != U_COPY_UB) v->mask_busy = r.issued;
    return r;
}

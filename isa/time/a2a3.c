#include "isa/time/a2a3.h"

#include <string.h>

#include "isa/time/bulk.h"

enum { MAX_GROUPS = 64, BANK_BITS = 64 };

/* Sets of bank groups in UB, in blocks: a bank is bit groups * set + group. */
typedef struct Layout {
    uint32_t set_blocks, sets;
} Layout;

/* One instruction on its way through the issue slot. */
typedef struct Issue {
    const Target *t;
    const Shape *s;
    Access op[3];
    uint32_t interval, groups;
    Layout l; /* for banks only */
} Issue;

static Layout layout(const Target *t) {
    uint32_t blocks = (uint32_t)(t->ub.bytes.v / t->ub.banks.v) / BLOCK_BYTES;
    return (Layout){blocks ? blocks : 1, BANK_BITS / (uint32_t)t->ub.groups.v};
}

static uint32_t interval(const Target *t, const Uop *u) { return (uint32_t)t->cost[u->op][u->dtype].interval.v; }

/* Integer division, which nearly always is by a power of two. */
static uint32_t div_by(uint32_t x, uint32_t n) { return n & (n - 1) ? x / n : x >> __builtin_ctz(n); }
static uint32_t mod_by(uint32_t x, uint32_t n) { return n & (n - 1) ? x % n : x & (n - 1); }

static Issue open_issue(const Target *t, const Uop *u, const Shape *s) {
    Issue i = {.t = t, .s = s, .groups = (uint32_t)t->ub.groups.v, .interval = interval(t, u)};
    for (int r = ROLE_DST; r <= ROLE_SRC1; r++) i.op[r] = uop_access(u, s, (Role)r);
    return i;
}

static Prov weaker(Prov a, Prov b) { return a > b ? a : b; }

/* ---- groups ---- */

/* Blocks of one operand in one repeat, as groups. */
static void count_groups(const Issue *i, const Access *a, uint32_t k, uint8_t count[MAX_GROUPS]) {
    uint32_t blocks = access_blocks(a, i->s, k);
    for (uint32_t b = 0; b < blocks; b++) {
        if (b && !a->blk) return; /* one block used again and again is read once */
        count[mod_by(access_addr(a, k, b) / BLOCK_BYTES, i->groups)]++;
    }
}

static uint32_t most(const uint8_t count[MAX_GROUPS]) {
    uint32_t m = 0;
    for (int g = 0; g < MAX_GROUPS; g++)
        if (count[g] > m) m = count[g];
    return m;
}

static bool unit_stride(const Issue *i, const Access *a) { return a->blk == BLOCK_BYTES && a->blocks < i->groups; }

/* Groups of a repeat with unit block stride. */
static uint64_t group_run(const Issue *i, const Access *a, uint32_t k) {
    uint32_t groups = i->groups, first = mod_by(access_addr(a, k, 0) / BLOCK_BYTES, groups);
    uint64_t run = (1ull << access_blocks(a, i->s, k)) - 1, all = groups == MAX_GROUPS ? ~0ull : (1ull << groups) - 1;
    return first ? (run << first | run >> (groups - first)) & all : run;
}

/* Most accesses to one group among the sources of repeat k. */
static uint32_t group_reads(const Issue *i, uint32_t k) {
    const Access *x = &i->op[ROLE_SRC0], *y = &i->op[ROLE_SRC1];
    if (x->used && unit_stride(i, x) && (!y->used || unit_stride(i, y))) {
        uint64_t both = y->used ? group_run(i, x, k) & group_run(i, y, k) : 0;
        return 1 + (both != 0);
    }
    uint8_t count[MAX_GROUPS] = {0};
    for (int r = ROLE_SRC0; r <= ROLE_SRC1; r++)
        if (i->op[r].used) count_groups(i, &i->op[r], k, count);
    return most(count);
}

/* A destination of unit block stride never collides with itself. */
static uint32_t group_writes(const Issue *i, uint32_t k) {
    const Access *d = &i->op[ROLE_DST];
    uint8_t count[MAX_GROUPS] = {0};
    if (!d->used || d->blk == BLOCK_BYTES) return 0;
    count_groups(i, d, k, count);
    return most(count);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Issue cycles of repeat k at one access per group and cycle, without slips. */
static uint32_t repeat_cycles(const Issue *i, uint32_t k, uint32_t *reads) {
    *reads = group_reads(i, k);
    if (i->t->a2a3.read_conflicts.v == 0 && *reads > 1) *reads = 1;
    return larger(1, larger(i->interval, larger(*reads, group_writes(i, k))));
}

/* The group pattern repeats with the number of groups, except for a partly filled last repeat. */
static uint64_t sum_repeats(const Issue *i, uint32_t n) {
    uint64_t period = 0, total = 0;
    uint32_t cycles[MAX_GROUPS], reads;
    uint32_t full = i->s->last_lanes < i->s->lanes && n == i->s->repeats ? n - 1 : n;
    uint32_t p = full < i->groups ? full : i->groups;
    for (uint32_t k = 0; k < p; k++) period += cycles[k] = repeat_cycles(i, k, &reads);
    if (p) total = full / p * period;
    for (uint32_t k = 0; p && k < full % p; k++) total += cycles[k];
    if (full < n) total += repeat_cycles(i, full, &reads);
    return total;
}

/* ---- banks: reads that meet writes ---- */

static uint32_t set_of(const Issue *i, uint32_t addr) { return mod_by(div_by(addr / BLOCK_BYTES, i->l.set_blocks), i->l.sets); }

/* Banks of one operand in repeat k. */
static uint64_t bank_bits(const Issue *i, Role r, uint32_t k) {
    const Access *a = &i->op[r];
    uint32_t n = a->used ? access_blocks(a, i->s, k) : 0;
    if (!n) return 0;
    uint32_t lo = access_addr(a, k, 0), set = set_of(i, lo);
    if (unit_stride(i, a) && set == set_of(i, lo + (n - 1) * BLOCK_BYTES)) return group_run(i, a, k) << set * i->groups;
    uint64_t bits = 0;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t at = access_addr(a, k, b);
        bits |= 1ull << (set_of(i, at) * i->groups + mod_by(at / BLOCK_BYTES, i->groups));
    }
    return bits;
}

/* The writes of an instruction, in the order in which they land: write k in cycle land[k % IN_FLIGHT]. */
enum { IN_FLIGHT = 1 << 14 }; /* more than any latency */
typedef struct Writes {
    uint64_t land[IN_FLIGHT];
    uint32_t next, n; /* the next one to land; how many there are */
} Writes;

/* First cycle from `at` on in which none of the banks is written. */
static uint64_t read_cycle(const Issue *i, Writes *w, uint64_t banks, uint64_t at) {
    for (; w->next < w->n; w->next++) {
        uint64_t land = w->land[w->next % IN_FLIGHT];
        if (land > at) break;
        if (land == at && (banks & bank_bits(i, ROLE_DST, w->next))) at++;
    }
    return at;
}

/* Repeat by repeat: a read that meets a write of its bank waits a cycle, and the repeat's own write
 * lands a fixed number of cycles after its last read. Sources that conflict are read one after the
 * other. */
static uint64_t step_repeats(const Issue *i, uint64_t landing) {
    Writes w;
    uint64_t at = 0;
    w.next = w.n = 0;
    for (uint32_t k = 0; k < i->s->repeats; k++) {
        uint32_t reads;
        uint64_t slot = at, need = repeat_cycles(i, k, &reads);
        uint64_t r0 = bank_bits(i, ROLE_SRC0, k), r1 = bank_bits(i, ROLE_SRC1, k);
        bool apart = reads > 1 && r0 && r1;
        uint64_t last = read_cycle(i, &w, apart ? r0 : r0 | r1, at);
        if (apart) last = read_cycle(i, &w, r1, last + 1);
        at = last + 1 > slot + need ? last + 1 : slot + need;
        w.land[w.n++ % IN_FLIGHT] = last + landing;
    }
    return at;
}

/* Sets that an operand touches. */
static uint64_t sets_of(const Issue *i, Role r) {
    uint64_t lo, hi, sets = 0, bytes = (uint64_t)i->l.set_blocks * BLOCK_BYTES;
    if (!i->op[r].used) return 0;
    access_range(&i->op[r], i->s, &lo, &hi);
    if (hi == lo) hi++;
    for (uint64_t x = lo / bytes; x <= (hi - 1) / bytes && x < lo / bytes + i->l.sets; x++) sets |= 1ull << x % i->l.sets;
    return sets;
}

/* Reductions and block moves do not show read/write conflicts. */
static bool lane_pipeline(const Uop *u) {
    UopClass c = uop_info[u->op].cls;
    return c != UC_REDUCE && c != UC_GREDUCE && c != UC_BRCB;
}

uint64_t a2a3_occupancy(const Target *t, const Uop *u, const Shape *s) {
    if (!s->repeats) return 0;
    if (is_bulk(u)) return bulk_cycles(t, u, s);
    Issue i = open_issue(t, u, s);
    uint64_t apart = sum_repeats(&i, s->repeats);
    double landing = t->cost[u->op][u->dtype].latency.v - t->a2a3.write_back.v;
    if ((double)apart <= landing || t->a2a3.write_conflicts.v == 0 || !lane_pipeline(u)) return apart; /* read before the first write lands */
    i.l = layout(t);
    uint64_t reads = sets_of(&i, ROLE_SRC0) | sets_of(&i, ROLE_SRC1);
    return reads & sets_of(&i, ROLE_DST) ? step_repeats(&i, (uint64_t)landing) : apart;
}

static bool same_shape(const Shape *a, const Shape *b) {
    return a->repeats == b->repeats && a->lanes == b->lanes && a->last_lanes == b->last_lanes && a->lo == b->lo && a->hi == b->hi && a->elements == b->elements;
}

static uint64_t known_occupancy(A2a3Vector *v, const Target *t, const Uop *u, const Shape *s) {
    uint32_t hash = (u->dst ^ u->src0 * 3 ^ u->src1 * 5) / BLOCK_BYTES ^ u->op * 31u ^ s->repeats * 7;
    A2a3Known *k = &v->known[(hash ^ hash >> 8) % A2A3_KNOWN];
    if (same_shape(&k->s, s) && memcmp(&k->u, u, sizeof *u) == 0) return k->cycles;
    *k = (A2a3Known){*u, *s, a2a3_occupancy(t, u, s)};
    return k->cycles;
}

uint64_t a2a3_groups(const Target *t, const Uop *u, const Shape *s) {
    Issue i = open_issue(t, u, s);
    uint64_t groups = 0;
    for (uint32_t k = 0; k < s->repeats && k < i.groups; k++) /* the pattern repeats */
        for (int r = ROLE_DST; r <= ROLE_SRC1; r++) {
            const Access *a = &i.op[r];
            uint32_t blocks = a->used ? access_blocks(a, s, k) : 0;
            for (uint32_t b = 0; b < blocks && b < i.groups; b++) groups |= 1ull << mod_by(access_addr(a, k, b) / BLOCK_BYTES, i.groups);
        }
    return groups;
}

VectorTime a2a3_issue(A2a3Vector *v, const Target *t, const Uop *u, const Shape *s, uint64_t arrival) {
    const UopCost *c = &t->cost[u->op][u->dtype];
    VectorTime r = {.start = v->slot > arrival ? v->slot : arrival};
    uint64_t there = arrival + (uint64_t)t->a2a3.dispatch.v;
    r.weakest = weaker(t->a2a3.dispatch.prov, weaker(c->latency.prov, c->interval.prov));
    r.issue = v->slot > there ? v->slot : there;
    if (!s->repeats) { /* nothing to do: it only passes the queue */
        r.issued = r.end = r.issue;
        return r;
    }
    uint64_t least = is_bulk(u) ? bulk_cycles(t, u, s) : (uint64_t)s->repeats * interval(t, u);
    r.issued = r.issue + known_occupancy(v, t, u, s);
    r.conflicts = r.issued - r.issue - least;
    r.end = r.issued + (uint64_t)c->latency.v;
    v->slot = r.issued;
    if (r.end > v->done) v->done = r.end;
    if (u->op != U_COPY_UB) v->mask_busy = r.issued;
    return r;
}

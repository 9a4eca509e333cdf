/* Order of accesses to UB: every byte knows its last writer and its last readers. */
#include <inttypes.h>
#include <string.h>

#include "isa/base/text.h"
#include "isa/check/shadow.h"

static const uint64_t MAX_SEQ = UINT32_MAX >> STAMP_PIPE_BITS;

/* Stamps are 32 bits: after 2^30 micro-ops of a pipe the past is forgotten, and counts as ordered. */
static void forget(Check *c) {
    memset(c->writer, 0, c->size * sizeof *c->writer);
    for (int p = 0; p < PIPE_COUNT; p++)
        if (c->reader[p]) memset(c->reader[p], 0, c->size * sizeof *c->reader[p]);
    Family f = c->clocks.family;
    memset(&c->clocks, 0, sizeof c->clocks);
    c->clocks.family = f;
    memset(c->wrote, 0, sizeof c->wrote);
    memset(c->read, 0, sizeof c->read);
    memset(c->norigin, 0, sizeof c->norigin);
    for (int p = 0; p < PIPE_COUNT; p++) c->first[p] = 1;
}

static void remember(Check *c, Pipe p, uint64_t seq) {
    uint32_t n = c->norigin[p];
    if (n && c->origin[p][(n - 1) % HISTORY].first_seq >= c->first[p]) return; /* this instruction is there */
    c->origin[p][n % HISTORY] = (Origin){seq, c->loc, c->op};
    c->norigin[p]++;
}

static const Origin *origin_of(const Check *c, Stamp s) {
    Pipe p = stamp_pipe(s);
    uint32_t n = c->norigin[p], kept = n < HISTORY ? n : HISTORY;
    uint32_t lo = n - kept, hi = n; /* the last one that begins at or before the stamp */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->origin[p][mid % HISTORY].first_seq <= stamp_seq(s)) lo = mid + 1;
        else hi = mid;
    }
    return lo > n - kept ? &c->origin[p][(lo - 1) % HISTORY] : NULL;
}

void shadow_open(Check *c, Loc loc, const char *op) {
    c->loc = loc;
    c->op = op;
    c->nhazard = 0;
    c->said = 0;
    for (int p = 0; p < PIPE_COUNT; p++) c->first[p] = c->clocks.last[p] + 1;
}

void shadow_enter(Check *c, const Uop *u, Pipe pipe) {
    c->uop = u;
    c->uop_name = uop_info[u->op].name;
    c->pipe = pipe;
    c->npatch = 0;
    c->ordered = true;
    for (int p = 0; p < PIPE_COUNT; p++) {
        c->done[p] = clocks_done(&c->clocks, pipe, (Pipe)p);
        c->ordered &= c->wrote[p] <= c->done[p] && c->read[p] <= c->done[p];
    }
    if (c->clocks.last[pipe] >= MAX_SEQ) forget(c);
    uint64_t seq = ++c->clocks.last[pipe];
    remember(c, pipe, seq);
    c->stamp = stamp_of(pipe, seq);
}

/* Not ordered, and not the instruction's own affair. */
static bool races(const Check *c, Stamp s) {
    Pipe p = stamp_pipe(s);
    return s && stamp_seq(s) > c->done[p] && stamp_seq(s) < c->first[p];
}

static void add_hazard(Check *c, HazardKind kind, Stamp s, uint64_t lo, uint64_t hi) {
    const Origin *o = origin_of(c, s);
    uint32_t line = o ? o->loc.line : 0;
    for (int k = 0; k < c->nhazard; k++) {
        Hazard *h = &c->hazard[k];
        if (h->kind != kind || h->before != stamp_pipe(s) || h->now != c->pipe || h->line != line) continue;
        if (lo < h->lo) h->lo = lo;
        if (hi > h->hi) h->hi = hi;
        return;
    }
    if (c->nhazard == MAX_HAZARDS) return;
    c->hazard[c->nhazard++] = (Hazard){kind, stamp_pipe(s), c->pipe, line, o ? o->op : "an instruction", lo, hi};
}

static void patch(Check *c, uint64_t byte) {
    if (c->npatch == c->patch_cap) {
        c->patch_cap = c->patch_cap ? 2 * c->patch_cap : 256;
        c->patch = xrealloc(c->patch, c->patch_cap * sizeof *c->patch);
    }
    c->patch[c->npatch++] = (uint32_t)byte;
}

static void compare(Check *c, HazardKind kind, const Stamp *stamp, uint64_t lo, uint64_t hi) {
    Stamp last = 0;
    bool racing = false;
    for (uint64_t b = lo; b < hi; b++) {
        if (stamp[b] != last) racing = races(c, last = stamp[b]);
        if (!racing) continue;
        add_hazard(c, kind, last, b, b + 1);
        if (kind == RAW && c->o.stale && c->reader[c->pipe][b] != c->stamp) patch(c, b); /* once */
    }
}

static void set_stamps(Stamp *stamp, uint64_t lo, uint64_t hi, Stamp s) {
    for (uint64_t b = lo; b < hi; b++) stamp[b] = s;
}

void shadow_read_order(Check *c, uint64_t lo, uint64_t hi) {
    if (!c->o.as_written) return;
    if (!c->ordered) compare(c, RAW, c->writer, lo, hi);
    set_stamps(c->reader[c->pipe], lo, hi, c->stamp);
    c->read[c->pipe] = stamp_seq(c->stamp);
}

void shadow_write_order(Check *c, uint64_t lo, uint64_t hi) {
    if (c->o.as_written && !c->ordered) {
        compare(c, WAW, c->writer, lo, hi);
        for (int p = 0; p < PIPE_COUNT; p++)
            if (c->read[p] > c->done[p]) compare(c, WAR, c->reader[p], lo, hi);
    }
    set_stamps(c->writer, lo, hi, c->stamp);
    c->wrote[c->pipe] = stamp_seq(c->stamp);
}

void shadow_report_hazards(Check *c) {
    static const char *const kinds[] = {"RAW", "WAW", "WAR"};
    for (int k = 0; k < c->nhazard; k++) {
        const Hazard *h = &c->hazard[k];
        const Tile *t = shadow_tile_at(c, h->lo);
        const char *fix = h->before == h->now ? "a barrier on PIPE_V between them" : "a set_flag and wait_flag pair between the pipes";
        const char *seen = c->o.stale && h->kind == RAW ? "; the old bytes are read (--stale)" : "";
        diag(c->diag, DIAG_HAZARD, c->loc, "%s: %s hazard on bytes 0x%" PRIx64 "..0x%" PRIx64 " of %s: %s in line %u on pipe %s is not ordered before pipe %s%s\nput %s",
             c->op, kinds[h->kind], h->lo, h->hi - 1, t ? t->name : "UB", h->op, h->line, pipe_name(h->before), pipe_name(h->now), seen, fix);
    }
}

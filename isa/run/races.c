#include "isa/run/races.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"

enum { MAX_SITES = UINT16_MAX, MAX_RACES = 256 };

/* A line of the text in one block. */
typedef struct Site {
    uint32_t block;
    Loc loc;
    const char *op;
    bool add;
} Site;

/* By element: number of a site + 1; 0: none. */
typedef struct Trail {
    uint16_t *site;
    uint64_t n;
} Trail;

typedef struct Shadow {
    unsigned unit; /* bytes of an element */
    Trail reader, writer;
} Shadow;

typedef enum RaceKind { READS_WRITTEN, WRITES_WRITTEN, WRITES_READ } RaceKind;

typedef struct Race {
    RaceKind kind;
    uint32_t buffer;
    uint16_t now, before; /* sites of the first time */
    uint64_t lo, hi;
    uint64_t bytes;       /* over all blocks */
} Race;

struct Races {
    char (*block)[32];
    uint32_t nblock;
    Site *site;
    uint32_t nsite, first_site; /* of the block at hand */
    Shadow *shadow;
    uint32_t nshadow;
    Race race[MAX_RACES];
    uint32_t nrace;
    uint64_t unlisted;    /* bytes of further pairs of lines */
    bool full;            /* more sites than numbers */
    Loc loc;
    const char *op;
};

Races *races_new(void) { return xcalloc(1, sizeof(Races)); }

void races_free(Races *r) {
    if (!r) return;
    for (uint32_t i = 0; i < r->nshadow; i++) {
        free(r->shadow[i].reader.site);
        free(r->shadow[i].writer.site);
    }
    free(r->shadow);
    free(r->site);
    free(r->block);
    free(r);
}

void races_enter(Races *r, const char *block) {
    r->block = xrealloc(r->block, (r->nblock + 1) * sizeof *r->block);
    snprintf(r->block[r->nblock++], sizeof *r->block, "%s", block);
    r->first_site = r->nsite;
}

void races_at(Races *r, Loc loc, const char *op) {
    r->loc = loc;
    r->op = op;
}

/* Number + 1 of the site at hand; 0 when there are no numbers left. */
static uint16_t site_here(Races *r, bool add) {
    for (uint32_t i = r->nsite; i-- > r->first_site;)
        if (loc_same(r->site[i].loc, r->loc) && r->site[i].add == add) return (uint16_t)(i + 1);
    if (r->nsite == MAX_SITES) {
        r->full = true;
        return 0;
    }
    if (!(r->nsite & (r->nsite - 1))) r->site = xrealloc(r->site, (r->nsite ? 2 * (size_t)r->nsite : 1) * sizeof *r->site);
    r->site[r->nsite++] = (Site){r->nblock - 1, r->loc, r->op, add};
    return (uint16_t)r->nsite;
}

static Shadow *shadow_of(Races *r, uint32_t buffer, unsigned unit) {
    if (buffer >= r->nshadow) {
        r->shadow = xrealloc(r->shadow, (buffer + 1) * sizeof *r->shadow);
        memset(r->shadow + r->nshadow, 0, (buffer + 1 - r->nshadow) * sizeof *r->shadow);
        r->nshadow = buffer + 1;
    }
    Shadow *s = &r->shadow[buffer];
    if (!s->unit) s->unit = unit;
    return s;
}

static void reach(Trail *t, uint64_t n) {
    if (n <= t->n) return;
    if (n < 2 * t->n) n = 2 * t->n;
    t->site = xrealloc(t->site, n * sizeof *t->site);
    memset(t->site + t->n, 0, (n - t->n) * sizeof *t->site);
    t->n = n;
}

static const Site *site_at(const Races *r, const Trail *t, uint64_t i) { return i < t->n && t->site[i] ? &r->site[t->site[i] - 1] : NULL; }

static bool same_pair(const Races *r, const Race *a, const Race *b) {
    return a->kind == b->kind && a->buffer == b->buffer && loc_same(r->site[a->now - 1].loc, r->site[b->now - 1].loc) &&
           loc_same(r->site[a->before - 1].loc, r->site[b->before - 1].loc);
}

static void note(Races *r, Race now) {
    now.bytes = now.hi - now.lo;
    for (uint32_t i = r->nrace; i--;) {
        Race *x = &r->race[i];
        if (!same_pair(r, x, &now)) continue;
        x->bytes += now.bytes;
        if (x->now == now.now && x->before == now.before && x->hi == now.lo) x->hi = now.hi;
        return;
    }
    if (r->nrace < MAX_RACES) r->race[r->nrace++] = now;
    else r->unlisted += now.bytes;
}

/* Runs of elements [first, end) that an earlier block left its trace on. */
static void meet(Races *r, uint32_t buffer, RaceKind kind, uint16_t now, uint64_t first, uint64_t end) {
    const Shadow *s = &r->shadow[buffer];
    const Trail *t = kind == WRITES_READ ? &s->reader : &s->writer;
    const Site *here = &r->site[now - 1];
    if (end > t->n) end = t->n;
    for (uint64_t i = first, next; i < end; i = next) {
        uint16_t before = t->site[i];
        for (next = i + 1; next < end && t->site[next] == before; next++) {}
        const Site *b = site_at(r, t, i);
        if (!b || b->block == here->block || (b->add && here->add)) continue;
        const Site *w = kind == WRITES_READ ? site_at(r, &s->writer, i) : NULL; /* who also wrote it has been met already */
        if (w && w->block == b->block) continue;
        note(r, (Race){kind, buffer, now, before, i * s->unit, next * s->unit, 0});
    }
}

void races_touch(void *races, uint32_t buffer, unsigned unit, uint64_t lo, uint64_t hi, GmAccess how) {
    Races *r = races;
    uint16_t now = site_here(r, how == GM_ADD);
    if (!now || lo >= hi) return;
    Shadow *s = shadow_of(r, buffer, unit);
    uint64_t first = lo / s->unit, end = (hi + s->unit - 1) / s->unit;
    if (how == GM_READ) {
        meet(r, buffer, READS_WRITTEN, now, first, end);
        reach(&s->reader, end);
        for (uint64_t i = first; i < end; i++)
            if (!s->reader.site[i]) s->reader.site[i] = now;
        return;
    }
    meet(r, buffer, WRITES_WRITTEN, now, first, end);
    meet(r, buffer, WRITES_READ, now, first, end);
    reach(&s->writer, end);
    for (uint64_t i = first; i < end; i++) s->writer.site[i] = now;
}

void races_report(const Races *r, const char *(*name)(void *ctx, uint32_t buffer), void *ctx, Diag *d) {
    for (uint32_t i = 0; i < r->nrace; i++) {
        const Race *x = &r->race[i];
        const Site *now = &r->site[x->now - 1], *before = &r->site[x->before - 1];
        diag(d, DIAG_BLOCK_RACE, now->loc, "%s: %s %s bytes 0x%" PRIx64 "..0x%" PRIx64 " of %s, which %s %s in line %u (%" PRIu64 " bytes over all blocks)", now->op,
             r->block[now->block], x->kind == READS_WRITTEN ? "reads" : "writes", x->lo, x->hi - 1, name(ctx, x->buffer), r->block[before->block],
             x->kind == WRITES_READ ? "reads" : "writes", before->loc.line, x->bytes);
    }
    if (r->unlisted)
        diag_sev(d, DIAG_BLOCK_RACE, SEV_NOTE, (Loc){NULL, 0, 0}, "blocks meet in %" PRIu64 " more bytes, by further pairs of lines", r->unlisted);
    if (r->full)
        diag_sev(d, DIAG_BLOCK_RACE, SEV_NOTE, (Loc){NULL, 0, 0}, "accesses of %d lines and blocks were compared, further ones were not", MAX_SITES);
}

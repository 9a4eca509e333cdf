#include "isa/run/sync_log.h"

#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"

enum { BUCKETS = 1 << 14, KEPT = 1 << 16 };

struct SyncLog {
    SyncEntry *v;
    int *next;           /* chain of a bucket: index + 1 */
    int n, cap;
    uint64_t dropped;
    int bucket[BUCKETS];
};

SyncLog *sync_log_new(void) { return xcalloc(1, sizeof(SyncLog)); }

void sync_log_free(SyncLog *l) {
    if (!l) return;
    free(l->v);
    free(l->next);
    free(l);
}

const char *hazard_name(const AccessRange *was, const AccessRange *now) { return was->write ? (now->write ? "WAW" : "RAW") : "WAR"; }

static unsigned hash(const SyncEntry *e) {
    uint64_t h = e->after.line * 0x9e3779b97f4a7c15ull ^ e->before.line * 0xc2b2ae3d27d4eb4full;
    return (unsigned)(h >> 40) % BUCKETS;
}

static bool same(const SyncEntry *a, const SyncEntry *b) {
    return a->kind == b->kind && a->from == b->from && a->to == b->to && loc_same(a->after, b->after) && loc_same(a->before, b->before);
}

void sync_log_add(SyncLog *l, SyncEntry e) {
    if (!l) return;
    int *first = &l->bucket[hash(&e)];
    for (int k = *first; k; k = l->next[k - 1]) {
        SyncEntry *x = &l->v[k - 1];
        if (!same(x, &e)) continue;
        x->times++;
        x->events |= e.events;
        return;
    }
    if (l->n == KEPT) {
        l->dropped++;
        return;
    }
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        l->v = xrealloc(l->v, (size_t)l->cap * sizeof *l->v);
        l->next = xrealloc(l->next, (size_t)l->cap * sizeof *l->next);
    }
    e.times = 1;
    l->v[l->n] = e;
    l->next[l->n] = *first;
    *first = ++l->n;
}

uint64_t sync_log_dropped(const SyncLog *l) { return l->dropped; }
int sync_log_count(const SyncLog *l) { return l->n; }
const SyncEntry *sync_log_at(const SyncLog *l, int i) { return &l->v[i]; }

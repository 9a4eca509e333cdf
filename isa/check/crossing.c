#include "isa/check/crossing.h"

#include <stdlib.h>
#include <string.h>

void repeat_map_init(RepeatMap *m, uint32_t size) { *m = (RepeatMap){xcalloc(size, sizeof *m->at), size, 0}; }
void repeat_map_free(RepeatMap *m) { free(m->at); }

typedef struct Walk {
    RepeatMap *m;
    uint32_t first, repeat; /* stamp of repeat 0; the one at hand */
    Crossing found;
    uint64_t byte;
} Walk;

static void note_written(void *ctx, uint64_t lo, uint64_t hi) {
    Walk *w = ctx;
    for (uint64_t b = lo; b < hi && b < w->m->size; b++)
        if (w->m->at[b] < w->first) w->m->at[b] = w->first + w->repeat;
}

static void look(void *ctx, uint64_t lo, uint64_t hi) {
    Walk *w = ctx;
    for (uint64_t b = lo; b < hi && b < w->m->size && w->found != CROSS_AHEAD; b++) {
        if (w->m->at[b] < w->first) continue;
        bool ahead = w->m->at[b] < w->first + w->repeat;
        if (w->found == CROSS_NONE || ahead) w->byte = b;
        w->found = ahead ? CROSS_AHEAD : CROSS_BEHIND;
    }
}

static bool apart(const Access *a, const Access *b, const Shape *s) {
    uint64_t alo, ahi, blo, bhi;
    access_range(a, s, &alo, &ahi);
    access_range(b, s, &blo, &bhi);
    return ahi <= blo || bhi <= alo;
}

Crossing crossing(RepeatMap *m, const Uop *u, const Shape *s, Role source, uint64_t *byte) {
    Access d = uop_access(u, s, ROLE_DST), a = uop_access(u, s, source);
    if (!s->repeats || !a.used || !d.used || footprint_same_walk(&a, &d) || apart(&a, &d, s)) return CROSS_NONE;
    if (m->stamp > UINT32_MAX - s->repeats - 1) {
        memset(m->at, 0, m->size * sizeof *m->at);
        m->stamp = 0;
    }
    Walk w = {.m = m, .first = m->stamp + 1};
    m->stamp += s->repeats;
    for (w.repeat = 0; w.repeat < s->repeats; w.repeat++) footprint_runs(u, s, ROLE_DST, w.repeat, w.repeat + 1, note_written, &w);
    for (w.repeat = 0; w.repeat < s->repeats && w.found != CROSS_AHEAD; w.repeat++)
        footprint_runs(u, s, source, w.repeat, w.repeat + 1, look, &w);
    *byte = w.byte;
    return w.found;
}

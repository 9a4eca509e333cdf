#include "isa/base/diag.h"

#include "isa/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const DiagRule rules[DIAG_COUNT] = {
#define DIAG(id, sev, title, text, source, repair) {#id, sev, title, text, source, repair},
#include "isa/base/diag.def"
#undef DIAG
};

const DiagRule *diag_rule(DiagId id) { return &rules[id]; }

DiagId diag_find(const char *id) {
    for (int i = 0; i < DIAG_COUNT; i++)
        if (strcmp(rules[i].id, id) == 0) return (DiagId)i;
    return DIAG_COUNT;
}

/* Errors of the first group of diag.def: the input could not be read. */
static bool is_syntax(DiagId id, Severity sev) { return id <= DIAG_USAGE && sev == SEV_ERROR; }

/* Bounds on what hostile input can make us keep. Occurrences beyond them are still counted. */
enum { MAX_MESSAGES = 10000, MAX_TEXT = 4096 };

typedef struct Suppression {
    DiagId id;
    uint32_t line; /* 0: everywhere */
} Suppression;

/* Open addressing; the hash is kept so that a search rarely touches a message. */
typedef struct MsgSlot {
    uint32_t hash;
    uint32_t ref; /* index + 1; 0: empty */
} MsgSlot;

struct Diag {
    DiagMsg *msg;
    size_t n, cap;
    MsgSlot *slot;
    uint32_t mask; /* slots - 1 */
    uint64_t total[SEV_ERROR + 1];
    uint64_t raised[DIAG_COUNT];
    bool unreadable;
    bool allowed[DIAG_COUNT];
    Suppression *suppressed;
    size_t nsuppressed;
    DiagSource source;
    void *source_ctx;
    StrBuf text; /* of the message at hand, re-used */
    const char *block; /* NULL: the first */
    Names *files; /* messages outlive what named their file */
};

Diag *diag_new(void) {
    Diag *d = xcalloc(1, sizeof *d);
    d->mask = 63;
    d->slot = xcalloc(d->mask + 1, sizeof *d->slot);
    d->files = names_new();
    return d;
}

void diag_free(Diag *d) {
    if (!d) return;
    for (size_t i = 0; i < d->n; i++) {
        free(d->msg[i].text);
        free(d->msg[i].hint);
        free(d->msg[i].excerpt);
    }
    free(d->msg);
    free(d->slot);
    free(d->suppressed);
    sb_free(&d->text);
    names_free(d->files);
    free(d);
}

void diag_next_block(Diag *d, const char *block) {
    d->block = block;
    for (size_t i = 0; i < d->n; i++) d->msg[i].here = 0;
}

void diag_set_source(Diag *d, DiagSource fn, void *ctx) {
    d->source = fn;
    d->source_ctx = ctx;
}

void diag_suppress(Diag *d, DiagId id, uint32_t line) {
    d->suppressed = xrealloc(d->suppressed, (d->nsuppressed + 1) * sizeof *d->suppressed);
    d->suppressed[d->nsuppressed++] = (Suppression){id, line};
}

void diag_allow(Diag *d, DiagId id) { d->allowed[id] = true; }
void diag_allow_end(Diag *d) { memset(d->allowed, 0, sizeof d->allowed); }

static bool is_suppressed(const Diag *d, DiagId id, uint32_t line) {
    if (d->allowed[id]) return true;
    for (size_t i = 0; i < d->nsuppressed; i++) {
        const Suppression *s = &d->suppressed[i];
        if (s->id == id && (s->line == 0 || s->line == line)) return true;
    }
    return false;
}

static uint32_t msg_hash(DiagId id, Loc loc, const char *text) {
    uint64_t h = ((uint64_t)loc.line << 32 | loc.col) ^ (uint64_t)id << 56;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 0x100000001B3u;
    return (uint32_t)(h ^ h >> 32);
}

static bool same_file(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_msg(const DiagMsg *m, DiagId id, Loc loc, const char *text) {
    return m->id == id && loc_same(m->loc, loc) &&
           same_file(m->loc.file, loc.file) && strcmp(m->text, text) == 0;
}

/* The slot of an equal message, or the empty slot where it belongs. */
static MsgSlot *find_slot(const Diag *d, uint32_t hash, DiagId id, Loc loc, const char *text) {
    for (uint32_t i = hash & d->mask;; i = (i + 1) & d->mask) {
        MsgSlot *s = &d->slot[i];
        if (!s->ref) return s;
        if (s->hash == hash && same_msg(&d->msg[s->ref - 1], id, loc, text)) return s;
    }
}

static void grow_slots(Diag *d) {
    MsgSlot *old = d->slot;
    uint32_t n = d->mask + 1;
    d->mask = n * 2 - 1;
    d->slot = xcalloc((size_t)n * 2, sizeof *d->slot);
    for (uint32_t i = 0; i < n; i++) {
        if (!old[i].ref) continue;
        uint32_t j = old[i].hash & d->mask;
        while (d->slot[j].ref) j = (j + 1) & d->mask;
        d->slot[j] = old[i];
    }
    free(old);
}

static char *keep(const char *s, size_t n) {
    if (!s) return NULL;
    if (n > MAX_TEXT) n = MAX_TEXT;
    char *p = xmalloc(n + 1);
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

static DiagMsg *add_msg(Diag *d) {
    if (d->n == d->cap) {
        d->cap = d->cap ? d->cap * 2 : 16;
        d->msg = xrealloc(d->msg, d->cap * sizeof *d->msg);
    }
    return &d->msg[d->n++];
}

/* false: an earlier block has said it as often. */
static bool store(Diag *d, DiagId id, Severity sev, Loc loc, const char *text, const char *hint) {
    uint32_t hash = msg_hash(id, loc, text);
    MsgSlot *s = find_slot(d, hash, id, loc, text);
    if (s->ref) {
        DiagMsg *m = &d->msg[s->ref - 1];
        if (++m->here <= m->count) return false;
        m->count = m->here;
        return true;
    }
    if (d->n == MAX_MESSAGES) return true;
    size_t len = 0;
    const char *line = d->source && loc.line ? d->source(d->source_ctx, loc, &len) : NULL;
    if (loc.file) loc.file = names_text(d->files, names_intern(d->files, loc.file, strlen(loc.file)));
    *add_msg(d) = (DiagMsg){.id = id, .severity = sev, .loc = loc, .text = keep(text, strlen(text)),
                            .hint = keep(hint, hint ? strlen(hint) : 0), .excerpt = keep(line, len),
                            .count = 1, .here = 1, .syntax = is_syntax(id, sev)};
    if (d->block) snprintf(d->msg[d->n - 1].block, sizeof d->msg->block, "%s", d->block);
    *s = (MsgSlot){hash, (uint32_t)d->n};
    if (d->n > d->mask / 2) grow_slots(d);
    return true;
}

static void report(Diag *d, DiagId id, Severity sev, Loc loc, const char *fmt, va_list ap) {
    bool syntax = is_syntax(id, sev);
    d->raised[id]++;
    if (!syntax && is_suppressed(d, id, loc.line)) return;
    d->unreadable |= syntax;
    d->text.n = 0;
    sb_vprintf(&d->text, fmt, ap);
    char *hint = strchr(d->text.s, '\n');
    if (hint) *hint++ = 0;
    const char *shown = hint ? hint : rules[id].repair[0] ? rules[id].repair : NULL;
    /* Cut before the search: equal is what is equal as stored. */
    if (strlen(d->text.s) > MAX_TEXT) d->text.s[MAX_TEXT] = 0;
    if (store(d, id, sev, loc, d->text.s, shown)) d->total[sev]++;
}

void diag(Diag *d, DiagId id, Loc loc, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    report(d, id, rules[id].severity, loc, fmt, ap);
    va_end(ap);
}

void diag_sev(Diag *d, DiagId id, Severity sev, Loc loc, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    report(d, id, sev, loc, fmt, ap);
    va_end(ap);
}

size_t diag_count(const Diag *d) { return d->n; }
const DiagMsg *diag_at(const Diag *d, size_t i) { return &d->msg[i]; }
uint64_t diag_total(const Diag *d, Severity sev) { return d->total[sev]; }
uint64_t diag_raised(const Diag *d, DiagId id) { return d->raised[id]; }
bool diag_unreadable(const Diag *d) { return d->unreadable; }

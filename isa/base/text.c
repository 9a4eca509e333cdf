#include "isa/base/text.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *or_die(void *p) {
    static const char message[] = "npusim: out of memory\n";
    if (p) return p;
    /* No stdio: it may allocate. */
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(2);
}

void *xmalloc(size_t n) { return or_die(malloc(n ? n : 1)); }
void *xcalloc(size_t n, size_t size) { return or_die(n && size ? calloc(n, size) : calloc(1, 1)); }
void *xrealloc(void *p, size_t n) { return or_die(realloc(p, n ? n : 1)); }

/* Makes room for n more bytes and the terminator. */
static void sb_room(StrBuf *b, size_t n) {
    size_t cap = b->cap ? b->cap : 64;
    if (n >= SIZE_MAX / 2 - b->n) or_die(NULL);
    while (cap <= b->n + n) cap *= 2;
    if (cap == b->cap) return;
    b->s = xrealloc(b->s, cap);
    b->cap = cap;
}

void sb_add(StrBuf *b, const char *s, size_t n) {
    sb_room(b, n);
    if (n) memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = 0;
}

void sb_puts(StrBuf *b, const char *s) { sb_add(b, s, strlen(s)); }

void sb_vprintf(StrBuf *b, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    sb_room(b, 0);
    size_t room = b->cap - b->n;
    int n = vsnprintf(b->s + b->n, room, fmt, ap);
    if (n > 0 && (size_t)n >= room) {
        sb_room(b, (size_t)n);
        vsnprintf(b->s + b->n, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    if (n > 0) b->n += (size_t)n;
    b->s[b->n] = 0;
}

void sb_printf(StrBuf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    sb_vprintf(b, fmt, ap);
    va_end(ap);
}

void sb_free(StrBuf *b) {
    free(b->s);
    *b = (StrBuf){0};
}

enum { ARENA_ALIGN = 16, ARENA_CHUNK = 64 << 10 };

typedef struct Chunk {
    struct Chunk *next;
    size_t cap;
    alignas(ARENA_ALIGN) unsigned char data[];
} Chunk;

struct Arena {
    Chunk *first, *cur;
    size_t used; /* of cur */
};

static Chunk *chunk_new(size_t n, Chunk *next) {
    size_t cap = n > ARENA_CHUNK ? n : ARENA_CHUNK;
    Chunk *c = xmalloc(sizeof *c + cap);
    c->next = next;
    c->cap = cap;
    return c;
}

Arena *arena_new(void) {
    Arena *a = xmalloc(sizeof *a);
    a->first = chunk_new(0, NULL);
    arena_reset(a);
    return a;
}

void arena_reset(Arena *a) {
    a->cur = a->first;
    a->used = 0;
}

/* Goes on to a chunk with room for n bytes: the next one, kept by a reset, or a new one before it. */
static void arena_advance(Arena *a, size_t n) {
    if (!a->cur->next || a->cur->next->cap < n) a->cur->next = chunk_new(n, a->cur->next);
    a->cur = a->cur->next;
    a->used = 0;
}

void *arena_alloc(Arena *a, size_t n) {
    if (n > SIZE_MAX / 2) or_die(NULL);
    n = n ? (n + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN : ARENA_ALIGN;
    if (a->cur->cap - a->used < n) arena_advance(a, n);
    void *p = a->cur->data + a->used;
    a->used += n;
    return memset(p, 0, n);
}

char *arena_strdup(Arena *a, const char *s, size_t n) {
    char *p = arena_alloc(a, n + 1);
    if (n) memcpy(p, s, n);
    return p;
}

void arena_free(Arena *a) {
    if (!a) return;
    for (Chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

typedef struct Name {
    const char *text;
    size_t len;
} Name;

/* A slot keeps the hash, so that a search compares texts only when they are very likely equal and
 * growing needs no text at all. */
typedef struct Slot {
    uint32_t hash;
    uint32_t ref; /* id + 1; 0: empty */
} Slot;

struct Names {
    Arena *arena;
    Name *name;
    uint32_t count, cap;
    Slot *slot;
    uint32_t mask; /* slots - 1, a power of two less one */
};

Names *names_new(void) {
    Names *t = xcalloc(1, sizeof *t);
    t->arena = arena_new();
    t->mask = 255;
    t->slot = xcalloc(t->mask + 1, sizeof *t->slot);
    return t;
}

void names_free(Names *t) {
    if (!t) return;
    arena_free(t->arena);
    free(t->name);
    free(t->slot);
    free(t);
}

/* Multiplicative hash of eight bytes at a time: names are short and this is the reader's hot path. */
static uint32_t names_hash(const char *s, size_t n) {
    const uint64_t k = 0x9E3779B97F4A7C15u;
    uint64_t h = n * k;
    for (; n >= 8; s += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = (h ^ w) * k;
        h ^= h >> 32;
    }
    uint64_t w = 0;
    while (n) w = w << 8 | (unsigned char)s[--n];
    h = (h ^ w) * k;
    return (uint32_t)(h >> 32 ^ h >> 16);
}

static void names_grow_slots(Names *t) {
    uint32_t mask = t->mask * 2 + 1;
    Slot *slot = xcalloc((size_t)mask + 1, sizeof *slot);
    for (uint32_t i = 0; i <= t->mask; i++) {
        if (!t->slot[i].ref) continue;
        uint32_t j = t->slot[i].hash & mask;
        while (slot[j].ref) j = (j + 1) & mask;
        slot[j] = t->slot[i];
    }
    free(t->slot);
    t->slot = slot;
    t->mask = mask;
}

static void names_append(Names *t, const char *s, size_t n) {
    if (t->count == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 128;
        t->name = xrealloc(t->name, (size_t)t->cap * sizeof *t->name);
    }
    t->name[t->count++] = (Name){arena_strdup(t->arena, s, n), n};
}

uint32_t names_intern(Names *t, const char *s, size_t n) {
    uint32_t hash = names_hash(s, n), i = hash & t->mask;
    for (; t->slot[i].ref; i = (i + 1) & t->mask) {
        if (t->slot[i].hash != hash) continue;
        const Name *m = &t->name[t->slot[i].ref - 1];
        if (m->len == n && (n == 0 || memcmp(m->text, s, n) == 0)) return t->slot[i].ref - 1;
    }
    names_append(t, s, n);
    t->slot[i] = (Slot){hash, t->count};
    if (t->count > t->mask / 2) names_grow_slots(t);
    return t->count - 1;
}

const char *names_text(const Names *t, uint32_t id) { return t->name[id].text; }
uint32_t names_count(const Names *t) { return t->count; }

unsigned text_distance(const char *a, const char *b) {
    enum { LONGEST = 64 };
    size_t na = strlen(a), nb = strlen(b);
    /* Names this long are no misspellings of anything: as far apart as can be. */
    if (na > LONGEST || nb > LONGEST) return (unsigned)(na > nb ? na : nb);
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= nb; j++) row[j] = j;
    for (unsigned i = 1; i <= na; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= nb; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

/* One slip in a short word, a few in a long one; a very long text is no slip of anything. */
Nearest nearest_to(const char *word) {
    size_t n = strlen(word);
    return (Nearest){word, NULL, n > 64 ? 0 : 2u + (n >= 4) + (n >= 8) + (n >= 16)};
}

bool nearest_try(Nearest *n, const char *candidate) {
    unsigned d = n->distance ? text_distance(n->to, candidate) : 0;
    if (d >= n->distance) return false;
    *n = (Nearest){n->to, candidate, d};
    return true;
}

/* Growing buffers and interned names. */
#ifndef NPU_ISA_TEXT_H
#define NPU_ISA_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zero-initialised StrBuf is empty and valid. s is always terminated once something was added. */
typedef struct StrBuf {
    char *s;
    size_t n, cap;
} StrBuf;
void sb_add(StrBuf *b, const char *s, size_t n);
void sb_puts(StrBuf *b, const char *s);
void sb_printf(StrBuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_vprintf(StrBuf *b, const char *fmt, va_list ap);
void sb_free(StrBuf *b);

/* Memory that is released all at once. */
typedef struct Arena Arena;
Arena *arena_new(void);
void *arena_alloc(Arena *a, size_t n); /* zeroed, 16-byte aligned */
char *arena_strdup(Arena *a, const char *s, size_t n);
void arena_reset(Arena *a);            /* keeps the memory for the next use */
void arena_free(Arena *a);

/* Names to small consecutive ids, from 0. Text lives as long as the table. */
typedef struct Names Names;
Names *names_new(void);
void names_free(Names *t);
uint32_t names_intern(Names *t, const char *s, size_t n);
const char *names_text(const Names *t, uint32_t id);
uint32_t names_count(const Names *t);

/* Fails loudly when memory is out: no caller can go on without it. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);

/* Levenshtein distance. */
unsigned text_distance(const char *a, const char *b);

/* "did you mean": the most similar of the words that are tried, if it is close enough to be meant. */
typedef struct Nearest {
    const char *to, *best; /* best: NULL if none is close enough */
    unsigned distance;     /* the next one must be closer */
} Nearest;
Nearest nearest_to(const char *word);
bool nearest_try(Nearest *n, const char *candidate); /* whether it is the best so far */

#endif

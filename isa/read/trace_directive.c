/* Directives: comments that begin with //! */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/read/trace_parse.h"

/* The text of one directive, a copy in the arena. */
typedef struct Line {
    Parser *p;
    char *text, *at;
    Loc loc; /* of text */
    Directive *d;
} Line;

static Loc place(const Line *l) {
    Loc loc = l->loc;
    loc.col += (uint32_t)(l->at - l->text);
    return loc;
}

static _Noreturn void expected(Line *l, const char *what) {
    int n = (int)strcspn(l->at, " \t");
    if (n == 0) parse_fail(l->p, DIAG_SYNTAX, place(l), "expected %s, found end of line", what);
    parse_fail(l->p, DIAG_SYNTAX, place(l), "expected %s, found '%.*s'", what, n > 40 ? 40 : n, l->at);
}

static void blanks(Line *l) { l->at += strspn(l->at, " \t"); }

/* The next word, terminated in place. */
static char *next_word(Line *l, const char *what) {
    blanks(l);
    char *s = l->at, *end = s + strcspn(s, " \t");
    if (s == end) expected(l, what);
    l->at = *end ? end + 1 : end;
    *end = 0;
    return s;
}

static void end_of_line(Line *l) {
    blanks(l);
    if (*l->at) expected(l, "end of line");
}

static uint64_t number(Line *l, const char *what, uint64_t most) {
    char *end;
    blanks(l);
    bool hex = l->at[0] == '0' && (l->at[1] | 32) == 'x';
    unsigned long long v = strtoull(l->at, &end, hex ? 16 : 10);
    if (*l->at - '0' + 0u >= 10u || (*end && !strchr(" \t+", *end)) || v > most) expected(l, what);
    l->at = end;
    return v;
}

/* [%]name = */
static void name_and_sign(Line *l, bool tile) {
    static const char chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-";
    const char *what = tile ? "a tile (%name)" : "a name";
    blanks(l);
    l->d->is_tile = *l->at == '%';
    if (tile && !l->d->is_tile) expected(l, what);
    char *s = l->at + l->d->is_tile;
    size_t n = strspn(s, chars);
    if (n == 0) expected(l, what);
    l->d->name = arena_strdup(l->p->arena, s, n);
    l->at = s + n;
    blanks(l);
    if (*l->at != '=') expected(l, "'='");
    l->at++;
    blanks(l);
    if (!*l->at) expected(l, "a value");
}

/* Behind the value at s: a word, or a word with everything up to the matching bracket. */
static char *value_end(char *s) {
    int depth = 0;
    bool quoted = false;
    for (; *s && (depth > 0 || quoted || !strchr(" \t", *s)); s++) {
        if (*s == '"') quoted = !quoted;
        else if (!quoted) depth += (*s == '(') - (*s == ')');
    }
    return s;
}

static void dir_target(Line *l) {
    l->d->name = next_word(l, "the name of a target");
    end_of_line(l);
}

static void dir_arg(Line *l) {
    name_and_sign(l, false);
    l->d->spec = l->at;
}

static void dir_init(Line *l) {
    name_and_sign(l, true);
    l->d->spec = l->at;
}

static void dir_poison(Line *l) {
    l->d->num[0] = number(l, "a byte (0 to 0xFF)", 0xFF);
    end_of_line(l);
}

static void dir_mask(Line *l) {
    blanks(l);
    Line word = *l;
    l->d->name = next_word(l, "'norm' or 'count'");
    bool norm = strcmp(l->d->name, "norm") == 0;
    if (!norm && strcmp(l->d->name, "count") != 0) expected(&word, "'norm' or 'count'");
    l->d->num[0] = number(l, norm ? "the high mask word" : "the number of elements", UINT64_MAX);
    if (norm) l->d->num[1] = number(l, "the low mask word", UINT64_MAX);
    end_of_line(l);
}

static void dir_allow(Line *l) {
    blanks(l);
    Loc loc = place(l);
    l->d->name = next_word(l, "the ID of a diagnostic");
    end_of_line(l);
    if (diag_find(l->d->name) != DIAG_COUNT) return;
    Nearest near = nearest_to(l->d->name);
    for (int i = 0; i < DIAG_COUNT; i++) nearest_try(&near, diag_rule((DiagId)i)->id);
    if (near.best) parse_fail(l->p, DIAG_SYNTAX, loc, "unknown diagnostic '%.40s'\ndid you mean '%s'?", l->d->name, near.best);
    parse_fail(l->p, DIAG_SYNTAX, loc, "unknown diagnostic '%.40s'\n`npusim check --list` lists them", l->d->name);
}

static void dir_expect(Line *l) {
    name_and_sign(l, false);
    l->d->spec = l->at;
    char *end = value_end(l->at);
    l->at = end;
    blanks(l);
    if (*l->at) l->d->tolerance = l->at;
    *end = 0;
}

/* cycles 87 [+- 5%] */
static void dir_cycles(Line *l) {
    l->d->num[0] = number(l, "a number of cycles", UINT64_MAX);
    blanks(l);
    if (!*l->at) return;
    if (strncmp(l->at, "+-", 2) == 0) l->at += 2;
    else expected(l, "'+-' and a percentage");
    blanks(l);
    char *end;
    l->d->percent = strtod(l->at, &end);
    if (end == l->at || !isfinite(l->d->percent) || l->d->percent < 0) expected(l, "a percentage");
    l->at = end;
    blanks(l);
    if (*l->at != '%') expected(l, "'%'");
    l->at++;
    end_of_line(l);
}

static const struct {
    const char *word;
    void (*parse)(Line *l);
} directives[] = { /* in the order of Directive.kind */
    {"target", dir_target}, {"arg", dir_arg}, {"init", dir_init}, {"poison", dir_poison}, {"mask", dir_mask},
    {"allow", dir_allow}, {"dump", dir_arg}, {"expect", dir_expect}, {"cycles", dir_cycles},
};
enum { NDIRECTIVES = sizeof directives / sizeof *directives };

static _Noreturn void unknown(Line *l, Loc loc, const char *word) {
    Nearest near = nearest_to(word);
    for (int i = 0; i < NDIRECTIVES; i++) nearest_try(&near, directives[i].word);
    if (near.best) parse_fail(l->p, DIAG_SYNTAX, loc, "unknown directive '%.40s'\ndid you mean '%s'?", word, near.best);
    parse_fail(l->p, DIAG_SYNTAX, loc, "unknown directive '%.40s'\n"
               "directives are target, arg, init, poison, mask, allow, dump, expect and cycles", word);
}

Stmt *parse_directive(Parser *p) {
    Stmt *s = arena_alloc(p->arena, sizeof *s);
    Line l = {.p = p, .loc = tok(p)->loc};
    s->kind = ST_DIRECTIVE;
    s->instr = INSTR_COUNT;
    s->op = "//!";
    s->loc = l.loc;
    s->dir = l.d = arena_alloc(p->arena, sizeof *s->dir);
    l.text = l.at = keep_text(p);
    l.loc.col += 3; /* behind the //! */
    blanks(&l);
    Loc loc = place(&l);
    const char *word = next_word(&l, "a directive");
    int i = 0;
    while (i < NDIRECTIVES && strcmp(directives[i].word, word) != 0) i++;
    if (i == NDIRECTIVES) unknown(&l, loc, word);
    s->dir->kind = i;
    directives[i].parse(&l);
    lex_next(&p->lex);
    return s;
}

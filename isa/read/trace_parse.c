#include "isa/read/trace_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table/attribute.h"

enum { MAX_DEPTH = 200 };

static _Noreturn void fail_v(Parser *p, DiagId id, Loc loc, const char *fmt, va_list ap) {
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    TraceGap g = {id, loc, p->construct[0] ? p->construct : NULL, p->unit, p->operation, text};
    if (id == DIAG_IO) diag(p->diag, id, loc, "%s", text);
    else p->gap(p->gap_ctx, &g);
    p->construct[0] = 0;
    p->unit = NULL;
    longjmp(*p->fail, 1);
}

void parse_unknown(Parser *p, const char *construct, const char *unit, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    snprintf(p->construct, sizeof p->construct, "%s", construct);
    p->unit = unit;
    fail_v(p, DIAG_UNKNOWN_OP, tok(p)->loc, fmt, ap);
}

void parse_fail(Parser *p, DiagId id, Loc loc, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fail_v(p, id, loc, fmt, ap);
}

void parse_expected(Parser *p, const char *fmt, ...) {
    char what[512], found[96];
    const Token *t = tok(p);
    if (t->kind == T_BAD)
        parse_fail(p, p->lex.error ? DIAG_IO : DIAG_SYNTAX, t->loc, "%.*s", (int)t->n, t->s);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    lex_describe(t, found, sizeof found);
    parse_fail(p, DIAG_SYNTAX, t->loc, "expected %s, found %s", what, found);
}

bool accept(Parser *p, int kind) {
    if (!at(p, kind)) return false;
    lex_next(&p->lex);
    return true;
}

bool accept_word(Parser *p, const char *word) {
    if (!at_word(p, word)) return false;
    lex_next(&p->lex);
    return true;
}

void expect(Parser *p, int kind, const char *what) {
    if (!accept(p, kind)) parse_expected(p, "%s", what);
}

void expect_word(Parser *p, const char *word, const char *what) {
    if (!accept_word(p, word)) parse_expected(p, "%s", what);
}

char *keep_text(Parser *p) { return arena_strdup(p->arena, tok(p)->s, tok(p)->n); }

void enter(Parser *p) {
    if (++p->depth > MAX_DEPTH) parse_fail(p, DIAG_SYNTAX, tok(p)->loc, "nested more than %d deep", MAX_DEPTH);
}

void leave(Parser *p) { p->depth--; }

void *stack_push(Stack *s, size_t size) {
    if ((s->n + 1) * size > s->cap) {
        s->cap = s->cap ? s->cap * 2 : 16 * size;
        s->items = xrealloc(s->items, s->cap);
    }
    return memset(s->items + s->n++ * size, 0, size);
}

void *stack_take(Parser *p, Stack *s, size_t mark, size_t size, int *n) {
    *n = (int)(s->n - mark);
    s->n = mark;
    if (*n == 0) return NULL;
    size_t bytes = (size_t)*n * size;
    return memcpy(arena_alloc(p->arena, bytes), s->items + mark * size, bytes);
}

Operand *push_operand(Parser *p) {
    Operand *o = stack_push(&p->operands, sizeof *o);
    o->loc = tok(p)->loc;
    return o;
}

Operand *take_operands(Parser *p, size_t mark, int *n) {
    return stack_take(p, &p->operands, mark, sizeof(Operand), n);
}

uint32_t parse_value(Parser *p, const char *what) {
    const Token *t = tok(p);
    if (t->kind != T_VALUE) parse_expected(p, "%s", what);
    uint32_t id = names_intern(p->names, t->s, t->n);
    lex_next(&p->lex);
    return id;
}

/* Decimal integers may use all 64 bits. Beyond the signed range they are bit patterns, as
 * hexadecimal ones are. */
static bool integer(const char *s, Operand *o) {
    bool minus = *s == '-';
    char *end;
    errno = 0;
    uint64_t v = strtoull(s + minus, &end, o->hex ? 16 : 10);
    o->hex |= !minus && v > INT64_MAX;
    o->i = (int64_t)(minus ? 0 - v : v);
    return errno == 0 && !*end && !(minus && v > (uint64_t)INT64_MAX + 1);
}

void parse_number(Parser *p, Operand *o) {
    const Token *t = tok(p);
    char text[128], *end = NULL;
    if (t->kind != T_NUMBER) parse_expected(p, "a number");
    snprintf(text, sizeof text, "%.*s", (int)(t->n < sizeof text ? t->n : sizeof text - 1), t->s);
    const char *digits = text + (*text == '-');
    o->hex = digits[0] == '0' && (digits[1] | 32) == 'x';
    o->kind = !o->hex && strpbrk(digits, ".eE") ? OPD_FLOAT : OPD_INT;
    errno = 0;
    if (o->kind == OPD_FLOAT) o->f = strtod(text, &end);
    bool ok = o->kind == OPD_FLOAT ? !*end : integer(text, o);
    bool range = errno == ERANGE && (o->kind == OPD_INT || o->f > 1 || o->f < -1);
    if (range) parse_fail(p, DIAG_SYNTAX, t->loc, "number %s does not fit 64 bits", text);
    if (!ok || t->n >= sizeof text) parse_expected(p, "a number");
    lex_next(&p->lex);
}

/* @tile(0x1000) is an address; any other symbol or string is a word. */
static void parse_symbol(Parser *p, Operand *o) {
    bool tile = at(p, T_SYMBOL) && tok(p)->n == 4 && memcmp(tok(p)->s, "tile", 4) == 0;
    o->kind = OPD_WORD;
    o->word = keep_text(p);
    lex_next(&p->lex);
    if (!tile || !accept(p, '(')) return;
    parse_number(p, o);
    expect(p, ')', "')' after the address");
}

void parse_operand(Parser *p) {
    Operand *o = push_operand(p);
    switch (tok(p)->kind) {
    case T_VALUE:
        o->kind = OPD_NAME;
        o->sub = tok(p)->sub;
        o->name = parse_value(p, "a value");
        return;
    case T_NUMBER:
        parse_number(p, o);
        return;
    case T_SYMBOL:
    case T_STRING:
        parse_symbol(p, o);
        return;
    default:
        o->kind = OPD_INT;
        o->i = at_word(p, "true");
        if (!o->i && !at_word(p, "false")) parse_expected(p, "an operand (%%name or a number)");
        lex_next(&p->lex);
    }
}

void parse_operands(Parser *p) {
    do parse_operand(p);
    while (accept(p, ','));
}

const Type *parse_type(Parser *p, const char *where) {
    const Token *t = tok(p);
    TypeError e;
    if (t->kind != T_TYPE && !(t->kind == T_WORD && type_is_word(t->s, t->n))) {
        if (t->kind == T_WORD) snprintf(p->construct, sizeof p->construct, "type %.*s", t->n > 40 ? 40 : (int)t->n, t->s);
        parse_expected(p, "a type after %s", where);
    }
    const Type *type = types_find(p->types, t->s, t->n, &e);
    if (!type) {
        /* The place inside a type that may span lines. */
        Loc loc = t->loc;
        for (size_t i = 0; i < e.at; i++) {
            if (t->s[i] == '\n') loc.line++;
            loc.col = t->s[i] == '\n' ? 1 : loc.col + 1;
        }
        snprintf(p->construct, sizeof p->construct, "%s", e.unknown);
        parse_fail(p, DIAG_SYNTAX, loc, "%s", e.text);
    }
    lex_next(&p->lex);
    return type;
}

static void push_type(Parser *p, const char *where) {
    const Type *t = parse_type(p, where);
    *(const Type **)stack_push(&p->typelist, sizeof t) = t;
}

const Type **parse_types(Parser *p, const char *where, int *n) {
    size_t mark = p->typelist.n;
    bool paren = accept(p, '(');
    if (paren) where = "'('";
    if (!paren || !at(p, ')')) {
        push_type(p, where);
        while (accept(p, ',') && !at(p, T_STRING)) push_type(p, "','"); /* a string is no type: see parse_group */
    }
    if (paren) expect(p, ')', "',' or ')'");
    return stack_take(p, &p->typelist, mark, sizeof(Type *), n);
}

void parse_signature(Parser *p, Stmt *s) {
    s->type = parse_types(p, "':'", &s->ntype);
    if (accept(p, T_ARROW)) s->otype = parse_types(p, "'->'", &s->notype);
    else if (accept_word(p, "to")) s->otype = parse_types(p, "'to'", &s->notype);
}

/* What is skipped need not be made of good tokens, only of readable ones. */
void skip_balanced(Parser *p, int open, int close) {
    Loc loc = tok(p)->loc;
    int depth = 0;
    do {
        if (p->lex.error || p->lex.spent > LEX_STATEMENT) parse_expected(p, "'%c'", close);
        if (at(p, T_END))
            parse_expected(p, "'%c' to close the '%c' of line %u", close, open, loc.line);
        depth += at(p, open) - at(p, close);
        lex_mark(&p->lex);
        lex_next(&p->lex);
    } while (depth > 0);
}

void parse_location(Parser *p) {
    if (!accept_word(p, "loc")) return;
    if (!at(p, '(')) parse_expected(p, "'(' after 'loc'");
    skip_balanced(p, '(', ')');
}

/* <kind WORD>, <WORD>: the value is the last word. */
static void parse_angle(Parser *p, Operand *o) {
    int depth = 0;
    do {
        int kind = tok(p)->kind;
        if (kind == T_WORD || kind == T_NUMBER || kind == T_STRING) o->word = keep_text(p);
        else if (kind == T_END || kind == T_BAD) parse_expected(p, "'>'");
        depth += at(p, '<') - at(p, '>');
        lex_next(&p->lex);
    } while (depth > 0);
}

typedef struct Alias {
    char *name;
    Operand value;
} Alias;

static const Operand *find_alias(const Parser *p, const char *name) {
    const Alias *a = (const Alias *)(const void *)p->aliases.items;
    for (size_t i = 0; i < p->aliases.n; i++)
        if (strcmp(a[i].name, name) == 0) return &a[i].value;
    return NULL;
}

/* #dialect.kind<WORD>, #dialect<kind WORD>, #alias, <WORD>, word, word<...>, word(...) */
static void parse_attr_word(Parser *p) {
    Operand *o = push_operand(p);
    bool sharp = at(p, T_ATTR);
    o->kind = OPD_WORD;
    o->word = "";
    if (!at(p, '<')) {
        o->word = keep_text(p);
        lex_next(&p->lex);
    }
    if (at(p, '<')) parse_angle(p, o);
    else if (at(p, '(')) skip_balanced(p, '(', ')');
    else if (sharp && find_alias(p, o->word)) *o = *find_alias(p, o->word);
}

static void parse_attr_list(Parser *p) {
    lex_next(&p->lex);
    if (accept(p, ']')) return;
    do parse_attr_value(p);
    while (accept(p, ','));
    expect(p, ']', "',' or ']'");
}

/* The type of an attribute carries nothing: it is skipped, whatever dialect it comes from. */
static void skip_attr_type(Parser *p) {
    if (!accept(p, T_TYPE) && !accept(p, T_WORD)) parse_expected(p, "a type after ':'");
    if (at(p, '<')) skip_balanced(p, '<', '>');
}

/* (T, T) -> T */
static void skip_function_type(Parser *p) {
    skip_balanced(p, '(', ')');
    expect(p, T_ARROW, "'->'");
    if (at(p, '(')) skip_balanced(p, '(', ')');
    else skip_attr_type(p);
}

void parse_attr_value(Parser *p) {
    enter(p);
    switch (tok(p)->kind) {
    case '[': parse_attr_list(p); break;
    case '{': skip_balanced(p, '{', '}'); break;
    case T_ATTR:
    case T_TYPE:
    case '<': parse_attr_word(p); break;
    case T_WORD:
        if (!at_word(p, "true") && !at_word(p, "false")) {
            parse_attr_word(p);
            break;
        } /* fall through */
    case T_VALUE:
    case T_NUMBER:
    case T_STRING: parse_operand(p); break;
    case T_SYMBOL:
        parse_operand(p);
        while (at(p, ':') && lex_peek(&p->lex) == ':') { /* @outer::@inner */
            lex_next(&p->lex);
            lex_next(&p->lex);
            expect(p, T_SYMBOL, "the name of a symbol (@name)");
        }
        break;
    case '(': skip_function_type(p); break;
    default: parse_expected(p, "an attribute value");
    }
    if (accept(p, ':')) skip_attr_type(p);
    leave(p);
}

void parse_attr_alias(Parser *p) {
    Alias *a = stack_push(&p->aliases, sizeof *a);
    a->name = keep_text(p);
    lex_next(&p->lex);
    expect(p, '=', "'=' after the alias");
    size_t mark = p->operands.n;
    parse_attr_value(p);
    int n;
    Operand *v = take_operands(p, mark, &n);
    if (n == 1) a->value = *v;
}

Named *add_named(Parser *p, const char *key, size_t mark) {
    Named *n = stack_push(&p->named, sizeof *n);
    *n = (Named){.key = key};
    n->v = take_operands(p, mark, &n->n);
    return n;
}

void finish_named(Parser *p, Stmt *s, size_t mark) {
    s->named = stack_take(p, &p->named, mark, sizeof(Named), &s->nnamed);
}

const Named *find_named(const Parser *p, size_t mark, const char *key) {
    const Named *n = (const Named *)(const void *)p->named.items;
    for (size_t i = mark; i < p->named.n; i++)
        if (strcmp(n[i].key, key) == 0) return &n[i];
    return NULL;
}

void parse_attrs(Parser *p) {
    expect(p, '{', "'{'");
    p->braces++;
    while (!at(p, '}')) {
        if (!at(p, T_WORD) && !at(p, T_STRING)) parse_expected(p, "the name of an attribute");
        const char *key = keep_text(p);
        Loc loc = tok(p)->loc;
        size_t mark = p->operands.n;
        lex_next(&p->lex);
        if (accept(p, '=')) parse_attr_value(p);
        Named *n = add_named(p, key, mark);
        n->odd = !attribute_known(key);
        n->loc = loc;
        if (!accept(p, ',')) break;
    }
    expect(p, '}', "',' or '}'");
    p->braces--;
}

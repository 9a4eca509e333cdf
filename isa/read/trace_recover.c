/* Going on behind text that cannot be read: to the next statement, through the bodies on the way. */
#include <string.h>

#include "isa/read/trace_parse.h"

static bool at_end(const Parser *p) { return at(p, T_END) || p->lex.error; }

/* What was collected for something that failed is dropped. */
typedef struct Marks {
    size_t operands, typelist, named;
    int depth, braces;
} Marks;

static Marks marks(const Parser *p) { return (Marks){p->operands.n - p->pending, p->typelist.n, p->named.n, p->depth, p->braces}; }

static void drop(Parser *p, Marks m) {
    p->operands.n = m.operands;
    p->typelist.n = m.typelist;
    p->named.n = m.named;
    p->depth = m.depth;
    for (; p->braces > m.braces && !at_end(p); lex_next(&p->lex)) p->braces += at(p, '{') - at(p, '}');
    p->braces = m.braces;
}

bool attempt(Parser *p, void (*parse)(Parser *p, void *ctx), void *ctx) {
    jmp_buf here, *outer = p->fail;
    Marks m = marks(p);
    p->fail = &here;
    if (setjmp(here) != 0) {
        p->fail = outer;
        drop(p, m);
        return false;
    }
    parse(p, ctx);
    p->fail = outer;
    return true;
}

/* An operation's name has a dialect, apart from a few. */
static bool names_operation(const Parser *p) {
    const Token *t = tok(p);
    if (t->kind == T_STRING) return lex_peek(&p->lex) == '(';
    return t->kind == T_WORD && (memchr(t->s, '.', t->n) || is_operation(p));
}

/* Whether the `{` in front of the current token opened a body, and no attributes. */
static bool in_body(const Parser *p) {
    int kind = tok(p)->kind, next = lex_peek(&p->lex);
    if (kind == T_VALUE || kind == '^' || kind == T_DIRECTIVE) return true;
    return names_operation(p) && next != '=' && next != ',' && (next != '}' || is_operation(p));
}

/* Behind a `{`: past the `}` that closes it. */
static void skip_attributes(Parser *p) {
    for (int depth = 1; depth > 0 && !at_end(p);) {
        depth += at(p, '{') - at(p, '}');
        lex_mark(&p->lex);
        lex_next(&p->lex);
    }
}

bool skip_to_body(Parser *p) {
    while (!at_end(p) && !at(p, '}')) {
        lex_mark(&p->lex);
        if (!accept(p, '{')) lex_next(&p->lex);
        else if (in_body(p)) return true;
        else skip_attributes(p);
    }
    return false;
}

void skip_label(Parser *p) {
    while (!at_end(p) && !at(p, ':') && !at(p, '}')) {
        if (at(p, '(')) skip_balanced(p, '(', ')');
        else lex_next(&p->lex);
    }
    accept(p, ':');
}

static void append(Stmt **to, Stmt *more) {
    while (*to) to = &(*to)->next;
    *to = more;
}

/* A body is read, attributes are stepped over. */
static void skip_braces(Parser *p, Stmt *s) {
    uint32_t line = tok(p)->loc.line;
    lex_next(&p->lex);
    if (at(p, '^')) skip_label(p);
    if (in_body(p)) append(&s->body, parse_statements(p, line));
    else skip_attributes(p);
}

/* Collects `%a, %b:2` in front of an `=`; `more`: a comma was the last token. */
static void follow_results(Parser *p, size_t mark, bool *more) {
    if (!at(p, T_VALUE)) {
        *more = at(p, ',') && p->operands.n > mark;
        if (!*more && !at(p, '=')) p->operands.n = mark;
        lex_next(&p->lex);
        return;
    }
    if (!*more) p->operands.n = mark;
    parse_operand(p);
    *more = false;
    if (accept(p, ':') && !accept(p, T_NUMBER)) p->operands.n = mark;
}

/* Whether the first token of a line starts a statement or an alias. */
static bool starts(const Parser *p) {
    if (at(p, T_TYPE) || at(p, T_ATTR)) return lex_peek(&p->lex) == '=';
    return at(p, T_DIRECTIVE) || names_operation(p);
}

void skip_statement(Parser *p, Stmt *s) {
    size_t mark = p->operands.n;
    int depth = 0;
    bool more = false, fresh = false; /* fresh: first token of a line, or behind a `;` or a body */
    while (!at_end(p)) {
        int kind = tok(p)->kind;
        uint32_t line = tok(p)->loc.line;
        if (depth == 0 && (kind == '}' || (fresh && starts(p)))) break;
        lex_mark(&p->lex);
        bool assigned = kind == '=' && p->operands.n > mark;
        if (kind == '{') skip_braces(p, s);
        else follow_results(p, mark, &more);
        depth += (kind == '(' || kind == '[') - (kind == ')' || kind == ']');
        if (depth < 0) depth = 0; /* the failure lay inside brackets */
        if (assigned && names_operation(p)) {
            p->pending = p->operands.n - mark;
            return;
        }
        fresh = kind == '{' || kind == ';' || tok(p)->loc.line != line;
    }
    p->operands.n = mark;
}

static void statement(Parser *p, void *ctx) { parse_into(p, ctx); }
static void directive(Parser *p, void *ctx) { *(Stmt **)ctx = parse_directive(p); }

Stmt *recover_statement(Parser *p) {
    Stmt *s = arena_alloc(p->arena, sizeof *s);
    bool comment = at(p, T_DIRECTIVE);
    if (comment ? attempt(p, directive, &s) : attempt(p, statement, s)) return s;
    *s = (Stmt){.kind = ST_UNKNOWN, .instr = INSTR_COUNT, .op = "", .loc = tok(p)->loc, .results = s->results, .nresults = s->nresults};
    if (comment) lex_next(&p->lex);
    else skip_statement(p, s);
    return s;
}

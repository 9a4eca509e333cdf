#include "isa/read/trace_memo.h"

#include <stdlib.h>
#include <string.h>

/* Lines remembered at a time, and the longest of them: bounds of the memory that this takes. */
enum { MOST_LINES = 4096, LONGEST_LINE = 1024 };

struct Memo {
    Names *line;             /* every line met since the last clear */
    Stmt *stmt[MOST_LINES];  /* of each: NULL: met once; &unfit: always parsed */
    Arena *arena;            /* of the statements */
};

static Stmt unfit;

Memo *memo_new(void) {
    Memo *m = xcalloc(1, sizeof *m);
    m->line = names_new();
    m->arena = arena_new();
    return m;
}

void memo_free(Memo *m) {
    if (!m) return;
    names_free(m->line);
    arena_free(m->arena);
    free(m);
}

void memo_clear(Memo *m) {
    memset(m->stmt, 0, names_count(m->line) * sizeof *m->stmt);
    names_free(m->line);
    m->line = names_new();
    arena_reset(m->arena);
}

/* Only these are worth it: they make up straight-line traces. */
static bool fits(const Stmt *s) {
    return s->kind == ST_INSTR || s->kind == ST_SET_FLAG || s->kind == ST_WAIT_FLAG || s->kind == ST_BARRIER;
}

static void move_operands(Operand *o, int n, uint32_t line) {
    for (int k = 0; k < n; k++) o[k].loc.line = line;
}

static void move_to_line(Stmt *s, uint32_t line) {
    s->loc.line = line;
    move_operands(s->results, s->nresults, line);
    move_operands(s->ins, s->nins, line);
    move_operands(s->outs, s->nouts, line);
    for (int k = 0; k < s->nnamed; k++) {
        if (s->named[k].loc.line) s->named[k].loc.line = line;
        move_operands(s->named[k].v, s->named[k].n, line);
    }
}

/* Where the next line starts with `%` or `pto.`, neither of which goes on with a statement, the text of
 * this one alone decides how it is read. */
static bool ends_with_line(const char *next) { return *next == '%' || memcmp(next, "pto.", 4) == 0; }

static Stmt *parse_and_keep(Memo *m, Parser *p, Stmt **kept, uint32_t next_col) {
    Arena *own = p->arena;
    uint32_t line = tok(p)->loc.line;
    p->arena = m->arena;
    Stmt *s = parse_statement(p);
    p->arena = own;
    bool whole = tok(p)->loc.line == line + 1 && tok(p)->loc.col == next_col; /* neither more nor less than the line */
    *kept = whole && fits(s) ? s : &unfit;
    return s;
}

Stmt *memo_statement(Memo *m, Parser *p) {
    uint32_t line = tok(p)->loc.line, next_col;
    size_t n;
    const char *next, *text = lex_rest(&p->lex, &n, &next, &next_col);
    if (!text || n > LONGEST_LINE || p->go_on || !ends_with_line(next)) return parse_statement(p);
    if (names_count(m->line) == MOST_LINES) memo_clear(m);
    uint32_t known = names_count(m->line), id = names_intern(m->line, text, n);
    Stmt **kept = &m->stmt[id];
    if (id == known || *kept == &unfit) return parse_statement(p);
    if (!*kept) return parse_and_keep(m, p, kept, next_col);
    move_to_line(*kept, line);
    lex_skip_line(&p->lex, text + n);
    return *kept;
}

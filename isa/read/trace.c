/* The reader: files, modules and functions, and the stream of top-level statements. */
#define _POSIX_C_SOURCE 200809L
#include "isa/read/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "isa/read/trace_memo.h"
#include "isa/read/trace_parse.h"

enum { MAX_MODULES = 32 };

typedef struct Module {
    uint32_t line;
    bool cube;
} Module;

struct TraceReader {
    Parser p;
    TraceScan scan;
    Arena *statement, *functions;
    Memo *memo;                /* of the bare list */
    Stack args;                /* of the function being read */
    Module module[MAX_MODULES];/* open ones */
    int nmodule;
    Func *first, **end;
    Func *func;                /* being read */
    bool done;
    Names *told;               /* constructs that a message named */
    const char *path;
    bool regular;              /* a file that can be read again */
    FILE *source;              /* for excerpts */
    uint32_t source_line;      /* the last one read from it, held in line */
    char *line;
    size_t line_cap, line_len;
};

static bool is_cube(const Parser *p, size_t named) {
    const Named *kind = find_named(p, named, "pto.kernel_kind");
    return kind && kind->n == 1 && kind->v->kind == OPD_WORD && strcmp(kind->v->word, "cube") == 0;
}

/* module [@name] [attributes {...}] { */
static void module_head(Parser *p, void *ctx) {
    Module *m = ctx;
    size_t named = p->named.n;
    lex_next(&p->lex);
    accept(p, T_SYMBOL);
    if (accept_word(p, "attributes")) parse_attrs(p);
    m->cube |= is_cube(p, named);
    p->named.n = named;
    expect(p, '{', "'{' to open the module");
}

static void parse_module(TraceReader *r) {
    Parser *p = &r->p;
    Module m = {tok(p)->loc.line, r->nmodule && r->module[r->nmodule - 1].cube};
    if (r->nmodule == MAX_MODULES) parse_expected(p, "at most %d nested modules", MAX_MODULES);
    if (!p->go_on) module_head(p, &m);
    else if (!attempt(p, module_head, &m) && !skip_to_body(p)) return;
    r->module[r->nmodule++] = m;
}

/* %name: T {attrs}, or the type alone in a declaration */
static void parse_arg(TraceReader *r) {
    Parser *p = &r->p;
    FuncArg *a = stack_push(&r->args, sizeof *a);
    size_t named = p->named.n;
    const char *where = "'('";
    a->loc = tok(p)->loc;
    a->name = UINT32_MAX;
    if (at(p, T_VALUE)) {
        a->name = parse_value(p, "an argument");
        expect(p, ':', "':' and the type of the argument");
        where = "':'";
    }
    a->type = *parse_type(p, where);
    if (at(p, '{')) parse_attrs(p);
    parse_location(p);
    p->named.n = named;
}

static void parse_result_types(Parser *p) {
    if (!accept(p, T_ARROW)) return;
    if (at(p, '(')) skip_balanced(p, '(', ')');
    else parse_type(p, "'->'");
}

/* attributes { pto.entry, pto.kernel_kind = #pto.kernel_kind<vector> } */
static void parse_func_attrs(Parser *p, Func *f) {
    size_t named = p->named.n;
    if (!accept_word(p, "attributes")) return;
    parse_attrs(p);
    const Named *entry = find_named(p, named, "pto.entry");
    f->entry = entry && (entry->n == 0 || entry->v->kind != OPD_INT || entry->v->i);
    f->cube |= is_cube(p, named);
    p->named.n = named;
}

/* func.func [private] @name(args) [-> types] [attributes {...}] */
static void func_head(Parser *p, void *ctx) {
    TraceReader *r = ctx;
    Func *f = r->func;
    lex_next(&p->lex);
    if (at_word(p, "private") || at_word(p, "public") || at_word(p, "nested")) lex_next(&p->lex);
    if (!at(p, T_SYMBOL)) parse_expected(p, "the function's name (@name)");
    f->loc = tok(p)->loc;
    f->name = keep_text(p);
    lex_next(&p->lex);
    expect(p, '(', "'('");
    if (!at(p, ')')) do parse_arg(r); while (accept(p, ','));
    expect(p, ')', "',' or ')'");
    f->args = stack_take(p, &r->args, 0, sizeof(FuncArg), &f->nargs);
    parse_result_types(p);
    parse_func_attrs(p, f);
}

/* A head that cannot be read leaves a function without arguments. */
static void recover_head(TraceReader *r) {
    Stmt inside = {0};
    if (attempt(&r->p, func_head, r)) return;
    r->args.n = 0;
    skip_statement(&r->p, &inside);
    r->func->body = inside.body;
    if (!r->func->name) r->func->name = "";
}

static void parse_func(TraceReader *r) {
    Parser *p = &r->p;
    p->arena = r->functions;
    p->operation = "func.func";
    Func *f = r->func = arena_alloc(p->arena, sizeof *f);
    f->cube = r->nmodule && r->module[r->nmodule - 1].cube;
    f->loc = tok(p)->loc;
    if (p->go_on) recover_head(r);
    else func_head(p, r);
    if (at(p, '{') && f->cube) skip_balanced(p, '{', '}');
    else if (at(p, '{')) f->body = parse_block(p);
    parse_location(p);
    p->arena = r->statement;
    *r->end = f;
    r->end = &f->next;
}

/* !name = T */
static void parse_type_alias(Parser *p) {
    char *name = keep_text(p);
    if (memchr(name, '<', tok(p)->n)) parse_expected(p, "a statement");
    size_t n = tok(p)->n;
    lex_next(&p->lex);
    expect(p, '=', "'=' after the alias");
    types_alias(p->types, name, n, parse_type(p, "'='"));
}

static void parse_alias(Parser *p, void *ctx) {
    TraceReader *r = ctx;
    memo_clear(r->memo);
    if (at(p, T_TYPE)) {
        parse_type_alias(p);
        return;
    }
    p->arena = r->functions;
    parse_attr_alias(p);
    p->arena = r->statement;
}

/* An alias that cannot be read is stepped over after trace_go_on. */
static void recover_alias(TraceReader *r) {
    Stmt inside = {0};
    if (attempt(&r->p, parse_alias, r)) return;
    r->p.arena = r->statement;
    skip_statement(&r->p, &inside);
}

/* Containers are entered and left; what is returned is a statement of a bare list. */
static Stmt *parse_top(TraceReader *r) {
    Parser *p = &r->p;
    for (;;) {
        lex_mark(&p->lex);
        p->operation = NULL;
        if (at(p, T_END) || p->lex.error) {
            if (p->cut || !r->nmodule) return NULL;
            parse_expected(p, "'}' to close the module of line %u", r->module[r->nmodule - 1].line);
        } else if (at_word(p, "module") || at_word(p, "builtin.module")) {
            parse_module(r);
        } else if (at_word(p, "func.func") || at_word(p, "func")) {
            parse_func(r);
        } else if ((r->nmodule || p->go_on) && accept(p, '}')) {
            r->nmodule -= r->nmodule > 0;
            parse_location(p);
        } else if (at(p, T_TYPE) || at(p, T_ATTR)) {
            if (p->go_on) recover_alias(r);
            else parse_alias(p, r);
        } else if (!accept(p, ';')) {
            return memo_statement(r->memo, p);
        }
    }
}

void trace_go_on(TraceReader *r, TraceGapFn fn, void *ctx) {
    r->p.go_on = true;
    r->p.gap = fn;
    r->p.gap_ctx = ctx;
}

/* Whether no message has named the construct yet. */
static bool first_time(TraceReader *r, const char *construct) {
    uint32_t told = names_count(r->told);
    return names_intern(r->told, construct, strlen(construct)) == told;
}

static void report(void *ctx, const TraceGap *g) {
    TraceReader *r = ctx;
    if (g->construct) first_time(r, g->construct);
    diag(r->p.diag, g->id, g->loc, "%s", g->text);
}

/* After an unknown construct the other unknown ones are named too, each once. Text that looks wrong
 * may follow from what was not understood: it is passed over. */
static void report_construct(void *ctx, const TraceGap *g) {
    TraceReader *r = ctx;
    enum { MOST = 20 };
    if (!g->construct || names_count(r->told) == MOST) return;
    if (first_time(r, g->construct)) report(ctx, g);
}

static void name_other_constructs(TraceReader *r) {
    jmp_buf here;
    Stmt rest = {0};
    r->p.arena = r->statement;
    r->p.fail = &here;
    trace_go_on(r, report_construct, r);
    if (setjmp(here) != 0) return;
    skip_statement(&r->p, &rest);
    while (parse_top(r)) arena_reset(r->statement);
}

const Stmt *trace_next(TraceReader *r) {
    if (r->done) return NULL;
    arena_reset(r->statement);
    jmp_buf here;
    r->p.fail = &here;
    r->done = true;
    if (setjmp(here) != 0) {
        if (!r->p.go_on && names_count(r->told)) name_other_constructs(r);
        return NULL;
    }
    const Stmt *s = parse_top(r);
    r->done = !s;
    return s;
}

static FILE *open_text(TraceReader *r, Diag *d) {
    struct stat st;
    Loc loc = {r->path, 0, 0};
    FILE *f = r->path == NULL ? stdin : fopen(r->path, "rb");
    bool ok = f && fstat(fileno(f), &st) == 0;
    if (ok && S_ISDIR(st.st_mode)) {
        ok = false;
        errno = EISDIR;
    }
    if (ok) {
        r->regular = r->path && S_ISREG(st.st_mode);
        /* Reads are large and copied once: stdio's own buffer would only copy them again. */
        setvbuf(f, NULL, _IONBF, 0);
        return f;
    }
    diag(d, DIAG_IO, loc, "cannot read the trace: %s", strerror(errno));
    if (f && f != stdin) fclose(f);
    return NULL;
}

TraceReader *trace_open(const char *path, Names *names, Diag *d) {
    TraceReader *r = xcalloc(1, sizeof *r);
    r->path = strcmp(path, "-") == 0 ? NULL : path;
    r->end = &r->first;
    FILE *f = open_text(r, d);
    if (!f) {
        free(r);
        return NULL;
    }
    if (r->regular) {
        scan_file(f, &r->scan);
        rewind(f);
    }
    r->statement = r->p.arena = arena_new();
    r->functions = arena_new();
    r->memo = memo_new();
    r->p.types = types_new();
    r->p.spellings = names_new();
    r->p.names = names;
    r->p.diag = d;
    r->p.gap = report;
    r->p.gap_ctx = r;
    r->told = names_new();
    lex_open(&r->p.lex, f, r->path ? r->path : "<stdin>");
    if (!r->regular) scan_text(r->p.lex.buf, r->p.lex.n, &r->scan);
    return r;
}

void trace_close(TraceReader *r) {
    if (!r) return;
    lex_close(&r->p.lex);
    arena_free(r->statement);
    arena_free(r->functions);
    memo_free(r->memo);
    types_free(r->p.types);
    names_free(r->p.spellings);
    names_free(r->told);
    free(r->p.op);
    free(r->p.operands.items);
    free(r->p.typelist.items);
    free(r->p.named.items);
    free(r->p.aliases.items);
    free(r->args.items);
    if (r->source) fclose(r->source);
    free(r->line);
    free(r);
}

const TraceScan *trace_scan(const TraceReader *r) { return &r->scan; }
const Func *trace_funcs(const TraceReader *r) { return r->first; }

/* Lines are mostly asked for in ascending order: the file is read on from the last one. */
static const char *line_of_file(TraceReader *r, uint32_t line, size_t *len) {
    if (!r->source || line < r->source_line) {
        if (r->source) fclose(r->source);
        r->source = fopen(r->path, "rb");
        r->source_line = 0;
    }
    for (; r->source && r->source_line < line; r->source_line++) {
        ssize_t n = getline(&r->line, &r->line_cap, r->source);
        if (n < 0) return NULL;
        r->line_len = (size_t)n;
    }
    *len = r->line_len;
    return r->source ? r->line : NULL;
}

const char *trace_source_line(void *ctx, Loc loc, size_t *len) {
    TraceReader *r = ctx;
    bool cut;
    if (!loc.line || !loc.file || strcmp(loc.file, r->p.lex.name) != 0) return NULL;
    const char *s = lex_line(&r->p.lex, loc.line, len, &cut);
    if (r->regular && (!s || cut)) s = line_of_file(r, loc.line, len);
    while (s && *len && (s[*len - 1] == '\n' || s[*len - 1] == '\r')) --*len;
    return s;
}

/* Parts of the trace reader: what its files share. Not for use outside isa/read.
 *
 * Errors leave the parser by longjmp: reading stops at the first one, and everything read so far
 * lives in arenas.
 */
#ifndef NPU_ISA_TRACE_PARSE_H
#define NPU_ISA_TRACE_PARSE_H

#include <setjmp.h>
#include <string.h>

#include "isa/read/lex.h"
#include "isa/read/trace.h"
#include "isa/read/type.h"

/* Items collected until their number is known. Lists nest: each starts at a mark. */
typedef struct Stack {
    char *items;
    size_t n, cap;
} Stack;

typedef struct Parser Parser;

/* How a statement looks: one row per operation. */
typedef struct OpRow {
    const char *name;
    StmtKind kind;
    void (*parse)(Parser *p, Stmt *s, const struct OpRow *row);
    int in_min, in_max;          /* operands (in_max < 0: any number) */
    int out_min, out_max;        /* results */
    int subscript;               /* operand that takes [indices], from 1; 0: none */
    enum { SIG_NONE, SIG_OPTIONAL, SIG_TYPE, SIG_ARROW, SIG_TO } signature;
    const char *keys;            /* names of `key = value`; those with ! must be there */
} OpRow;

/* A spelling met in the text. */
typedef struct OpName {
    const OpRow *row;            /* NULL: not looked up yet, or unknown */
    InstrId instr;
    const char *text;
} OpName;

struct Parser {
    Lex lex;
    Diag *diag;
    Names *names;                /* values; the caller's */
    Arena *arena;                /* of the statement or the function being read */
    Types *types;
    Names *spellings;            /* of operations */
    OpName *op;                  /* by id in spellings */
    uint32_t nop;
    Stack operands, typelist, named, aliases;
    int depth;                   /* of nested blocks and attributes */
    int braces;                  /* of attributes that are open */
    bool cut;                    /* the text ended inside a block, which was said */
    jmp_buf *fail;
    bool go_on;                  /* behind what cannot be read */
    TraceGapFn gap;              /* takes every failure */
    void *gap_ctx;
    const char *operation;       /* of the statement being read; NULL: not known yet */
    char construct[TRACE_CONSTRUCT]; /* what the reader does not know; "": text that is wrong */
    const char *unit;            /* that the construct belongs to, NULL: none in particular */
    size_t pending;              /* results of the next statement, read while skipping: the last operands */
};

/* Errors. `expected` is followed by what was found. */
_Noreturn void parse_fail(Parser *p, DiagId id, Loc loc, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
_Noreturn void parse_expected(Parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails at the current token: a construct that the reader does not know. fmt: the message, may hold a hint. */
_Noreturn void parse_unknown(Parser *p, const char *construct, const char *unit, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The current token. */
static inline const Token *tok(const Parser *p) { return &p->lex.t; }
static inline bool at(const Parser *p, int kind) { return p->lex.t.kind == kind; }
static inline bool at_word(const Parser *p, const char *word) {
    const Token *t = tok(p);
    return t->kind == T_WORD && *t->s == *word && strncmp(t->s, word, t->n) == 0 && word[t->n] == 0;
}
bool accept(Parser *p, int kind);
bool accept_word(Parser *p, const char *word);
void expect(Parser *p, int kind, const char *what);
void expect_word(Parser *p, const char *word, const char *what);
char *keep_text(Parser *p);          /* of the current token, in the arena */
void enter(Parser *p);               /* limits nesting */
void leave(Parser *p);

void *stack_push(Stack *s, size_t size);
/* Moves what was pushed since the mark into the arena. */
void *stack_take(Parser *p, Stack *s, size_t mark, size_t size, int *n);
Operand *push_operand(Parser *p);
Operand *take_operands(Parser *p, size_t mark, int *n);

uint32_t parse_value(Parser *p, const char *what); /* %name; returns its id */
void parse_operand(Parser *p);       /* pushes one */
void parse_operands(Parser *p);      /* pushes one or more, separated by commas */
void parse_number(Parser *p, Operand *o);
const Type *parse_type(Parser *p, const char *where);
/* `T, T` or `(T, T)` behind the token that `where` names. */
const Type **parse_types(Parser *p, const char *where, int *n);
/* `: types [-> types | to type]` behind the colon. */
void parse_signature(Parser *p, Stmt *s);

/* Attributes and named lists are collected for the statement; finish_named attaches them. */
void parse_attrs(Parser *p);         /* { ... } */
void parse_attr_value(Parser *p);    /* pushes operands */
void parse_attr_alias(Parser *p);    /* #name = value */
Named *add_named(Parser *p, const char *key, size_t mark); /* operands pushed since the mark */
void finish_named(Parser *p, Stmt *s, size_t mark);
const Named *find_named(const Parser *p, size_t mark, const char *key);
void skip_balanced(Parser *p, int open, int close); /* at the opening token */
void parse_location(Parser *p);      /* [loc(...)] */

Stmt *parse_statement(Parser *p);    /* trace_stmt.c */
void parse_into(Parser *p, Stmt *s); /* one statement that is no directive */
Stmt *parse_block(Parser *p);        /* { statements } */
Stmt *parse_statements(Parser *p, uint32_t line); /* statements } of the block opened in `line` */
Stmt *parse_directive(Parser *p);    /* trace_directive.c */
OpName parse_op(Parser *p);          /* trace_op.c: the operation that the current word names */
bool is_operation(const Parser *p);  /* the current word is a known operation or container */

/* trace_recover.c */
/* Calls parse(p, ctx). false: it failed, and what it had collected is dropped. */
bool attempt(Parser *p, void (*parse)(Parser *p, void *ctx), void *ctx);
/* Reads a statement, or goes on behind it and returns an ST_UNKNOWN with its bodies. */
Stmt *recover_statement(Parser *p);
/* Behind a failure: to the next statement. Bodies on the way are read and added to s. */
void skip_statement(Parser *p, Stmt *s);
bool skip_to_body(Parser *p);        /* behind the `{` of the next body */
void skip_label(Parser *p);          /* ^name(...): */

/* trace_sync.c */
void parse_flag(Parser *p, Stmt *s, const OpRow *row);
void parse_barrier(Parser *p, Stmt *s, const OpRow *row);
void parse_tsync(Parser *p, Stmt *s, const OpRow *row);
void parse_buf(Parser *p, Stmt *s, const OpRow *row);

/* trace_stmt.c: shapes of statements, for the rows of trace_op.c */
void parse_instr(Parser *p, Stmt *s, const OpRow *row);
void parse_plain(Parser *p, Stmt *s, const OpRow *row);
void parse_constant(Parser *p, Stmt *s, const OpRow *row);
void parse_extract(Parser *p, Stmt *s, const OpRow *row);
void parse_compare(Parser *p, Stmt *s, const OpRow *row);
void parse_keyed(Parser *p, Stmt *s, const OpRow *row);
void parse_for(Parser *p, Stmt *s, const OpRow *row);
void parse_if(Parser *p, Stmt *s, const OpRow *row);
void parse_while(Parser *p, Stmt *s, const OpRow *row);
void parse_condition(Parser *p, Stmt *s, const OpRow *row);
void parse_call(Parser *p, Stmt *s, const OpRow *row);
void parse_section(Parser *p, Stmt *s, const OpRow *row);
extern const OpRow instr_row;

/* trace_scan.c */
void scan_text(const char *s, size_t n, TraceScan *out);
void scan_file(FILE *f, TraceScan *out);

#endif

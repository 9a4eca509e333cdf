/* Tokens of the trace text, read through a sliding window.
 *
 * The window holds the statement being read and little more: the text may be larger than memory.
 * A token's text points into the window and is valid until the next lex_next.
 */
#ifndef NPU_ISA_LEX_H
#define NPU_ISA_LEX_H

#include <stdio.h>

#include "isa/base/diag.h"

/* Kinds below 32; any other token is one character, and its kind is that character. */
enum {
    T_END,
    T_BAD,       /* not a token: s, n is a message */
    T_WORD,      /* arith.addi, outs, f32 */
    T_VALUE,     /* %name or %name#sub: name */
    T_SYMBOL,    /* @name or @"name": name */
    T_NUMBER,    /* 1, -1.5e+3, 0x7F: as written */
    T_STRING,    /* between the quotes, as written */
    T_TYPE,      /* !name or vector, with everything between < and the matching > */
    T_ATTR,      /* #name: name */
    T_ARROW,     /* -> */
    T_DIRECTIVE  /* comment that starts with //! : what follows */
};

typedef struct Token {
    int kind;
    const char *s;
    size_t n;
    uint32_t sub;  /* T_VALUE: number after #, 0 if there is none */
    Loc loc;
} Token;

typedef struct Lex {
    FILE *file;
    const char *name;
    char *buf;          /* window, terminated by zero bytes */
    size_t n, cap, pos; /* filled, allocated, next byte */
    bool eof;
    int error;          /* errno of a failed read */
    uint32_t line;      /* line of pos */
    int64_t line_start; /* its first byte, in the window's coordinates: may be negative */
    uint32_t first_line;/* line of the window's first byte */
    bool first_whole;   /* which is the first byte of that line */
    size_t keep;        /* window bytes before this one may be dropped */
    uint32_t keep_line;
    bool keep_whole;
    uint64_t spent;     /* bytes of the statement's tokens */
    char message[64];
    unsigned char cls[256];
    Token t;            /* current token */
} Lex;

/* The longest statement. Longer ones are errors, so that a missing bracket cannot eat all memory. */
enum { LEX_PIECE = 64 << 10, LEX_STATEMENT = 64 << 20 };

/* Takes the open file over and reads the first token. name is kept, not copied. */
void lex_open(Lex *l, FILE *file, const char *name);
void lex_close(Lex *l);
void lex_next(Lex *l);
/* The next byte behind the current token that is not blank; 0 if the window ends before it. */
char lex_peek(const Lex *l);
/* A statement starts at the current token. */
void lex_mark(Lex *l);
/* The text from the current token to the end of its line. *next: the first byte of the next line that is
 * no blank, in column *next_col; four bytes can be read there. NULL: the window ends before that, or the token began on another line. */
const char *lex_rest(const Lex *l, size_t *n, const char **next, uint32_t *next_col);
/* Goes on with the first token behind the line that lex_rest has found to end at p. */
void lex_skip_line(Lex *l, const char *p);
/* A line that is still in the window, NULL if it is not. It may be cut where the window ends. */
const char *lex_line(const Lex *l, uint32_t line, size_t *len, bool *cut);

/* Whether the `#` at p starts an attribute (#pto.layout<nd>, #alias) and no comment. Sets *cut when
 * the text ends before that is certain. */
bool lex_hash_is_attr(const char *p, const char *end, bool *cut);
/* Token as messages show it: 'outs', '%a', "end of file". */
void lex_describe(const Token *t, char *buf, size_t n);

#endif

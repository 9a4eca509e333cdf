/* Statements of lines that were read before.
 *
 * A straight-line trace writes few different lines very often. The second time a line of the bare
 * list comes, its statement is kept, and from then on it is handed out again instead of being parsed.
 */
#ifndef NPU_ISA_TRACE_MEMO_H
#define NPU_ISA_TRACE_MEMO_H

#include "isa/read/trace_parse.h"

typedef struct Memo Memo;

Memo *memo_new(void);
void memo_free(Memo *m);
/* What texts mean has changed: an alias was defined. */
void memo_clear(Memo *m);
/* The statement at the current token, as parse_statement reads it; valid until the next call. */
Stmt *memo_statement(Memo *m, Parser *p);

#endif

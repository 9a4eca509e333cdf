/* Trace reader: PTO assembly text to statements.
 *
 * A bare list is read one statement at a time and forgotten, so memory does not grow with the
 * length of the text; functions are read whole. All errors go to Diag with line and column; after
 * a syntax error reading stops.
 */
#ifndef NPU_ISA_TRACE_H
#define NPU_ISA_TRACE_H

#include "isa/table/program.h"

typedef struct TraceReader TraceReader;

/* What a look at the whole text says (of standard input: at what is buffered, 64 KiB at most). */
typedef struct TraceScan {
    bool has_sync;               /* any set_flag, wait_flag, barrier, record_event, wait_event */
    char target_directive[64];   /* "//! target X"; empty if none */
    char target_arch[64];        /* pto.target_arch = "X"; empty if none */
    Loc directive_loc, arch_loc; /* of X, without the file */
    uint32_t lines;              /* in front of the piece that is looked at */
} TraceScan;

/* path "-" is standard input; path is kept, not copied. NULL after an error in d. Names and texts
 * that the statements refer to live in `names` and in the reader. */
TraceReader *trace_open(const char *path, Names *names, Diag *d);
void trace_close(TraceReader *r);
const TraceScan *trace_scan(const TraceReader *r);

/* The next top-level statement (bare list or directive), valid until the next call; NULL at the
 * end of the text or after an error. Functions met on the way are collected. */
const Stmt *trace_next(TraceReader *r);
/* Functions read so far, in file order. */
const Func *trace_funcs(const TraceReader *r);

/* Something that cannot be read. */
typedef struct TraceGap {
    DiagId id;
    Loc loc;
    const char *construct; /* "pto.fusion_region"; NULL: text that is wrong */
    const char *unit;      /* part of the chip that the construct belongs to, if it is known: "cube unit" */
    const char *operation; /* of the statement; NULL: none was read yet */
    const char *text;      /* the message; a hint follows behind '\n' */
} TraceGap;
typedef void (*TraceGapFn)(void *ctx, const TraceGap *g);
enum { TRACE_CONSTRUCT = 96 };
/* From here on gaps are handed over instead of being errors, and reading goes on behind them. A
 * statement that cannot be read becomes an ST_UNKNOWN with what can be read of its bodies. */
void trace_go_on(TraceReader *r, TraceGapFn fn, void *ctx);

/* Source line for diagnostics (DiagSource); ctx is the reader. */
const char *trace_source_line(void *ctx, Loc loc, size_t *len);

#endif

/* Diagnostics: one object per message, with a stable ID, a place and a hint.
 *
 * A message reads FILE:LINE:COL: severity: TEXT [ID]. The IDs and their explanations are the rows
 * of diag.def. Equal messages (same ID, place and text) are stored once and counted. The first
 * 10000 different messages are stored, more are only counted in the totals.
 */
#ifndef NPU_ISA_DIAG_H
#define NPU_ISA_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Loc {
    const char *file; /* borrowed; a message keeps a copy. NULL: no place */
    uint32_t line;    /* from 1; 0: the whole file */
    uint32_t col;     /* from 1, in bytes */
} Loc;
static inline bool loc_same(Loc a, Loc b) { return a.line == b.line && a.col == b.col; } /* of one file */

typedef enum Severity { SEV_NOTE, SEV_WARNING, SEV_ERROR } Severity;

typedef enum DiagId {
#define DIAG(id, ...) DIAG_##id,
#include "isa/base/diag.def"
#undef DIAG
    DIAG_COUNT
} DiagId;

typedef struct DiagRule {
    const char *id;
    Severity severity;   /* default severity */
    const char *title;   /* one line */
    const char *text;    /* one paragraph: what it means, what hardware does */
    const char *source;  /* where the rule comes from */
    const char *repair;  /* what to do about it; "": it depends */
} DiagRule;

const DiagRule *diag_rule(DiagId id);
/* Finds a rule by its printed ID. Returns DIAG_COUNT when there is none. */
DiagId diag_find(const char *id);

typedef struct DiagMsg {
    DiagId id;
    Severity severity;
    Loc loc;
    char *text;
    char *hint;       /* NULL if there is none */
    char *excerpt;    /* source line, at most 4 KiB of it, NULL if unknown */
    uint64_t count;   /* how often this very message arose, in the block where it did most often */
    char block[32];   /* the first block where it did; "": the first that ran, or there are none */
    uint64_t here;    /* how often in the block at hand */
    bool syntax;      /* the input could not be read: exit status 2 */
} DiagMsg;

typedef struct Diag Diag;

/* Returns the text of a source line (not terminated) or NULL. */
typedef const char *(*DiagSource)(void *ctx, Loc loc, size_t *len);

Diag *diag_new(void);
void diag_free(Diag *d);
/* Another block of the same trace runs: what earlier ones have said counts once. block: "block 3". */
void diag_next_block(Diag *d, const char *block);
void diag_set_source(Diag *d, DiagSource fn, void *ctx);
/* Suppresses ID, or ID at one line (line 0: everywhere). Unreadable input is never suppressed. */
void diag_suppress(Diag *d, DiagId id, uint32_t line);
/* Suppresses ID until diag_allow_end (directive "allow"). */
void diag_allow(Diag *d, DiagId id);
void diag_allow_end(Diag *d);

/* Reports with the rule's severity. fmt ends without a full stop. A part after a '\n' is the hint. */
void diag(Diag *d, DiagId id, Loc loc, const char *fmt, ...) __attribute__((cold, format(printf, 4, 5)));
/* The same with a chosen severity. */
void diag_sev(Diag *d, DiagId id, Severity sev, Loc loc, const char *fmt, ...)
    __attribute__((cold, format(printf, 5, 6)));

size_t diag_count(const Diag *d);                    /* stored messages */
const DiagMsg *diag_at(const Diag *d, size_t i);     /* in order of first appearance */
uint64_t diag_total(const Diag *d, Severity sev);    /* occurrences of a severity */
uint64_t diag_raised(const Diag *d, DiagId id);      /* occurrences of a rule, suppressed ones too */
bool diag_unreadable(const Diag *d);                 /* a syntax-class error was reported */

#endif

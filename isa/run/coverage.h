/* What traces would need that npusim does not have.
 *
 * A trace is walked once, in the order of its text: loops are not repeated, both branches are
 * looked at, and nothing has a value. What is supported is asked of the reader, of the instruction
 * table and of the checks that a run makes, so there is no second list. What depends on values,
 * addresses or order is not looked at: that is what `npusim check` does.
 */
#ifndef NPU_ISA_COVERAGE_H
#define NPU_ISA_COVERAGE_H

#include "isa/base/diag.h"
#include "isa/base/text.h"
#include "isa/table/target.h"

enum { COVERAGE_TARGETS = 8 };

typedef struct Need {
    const char *kind;     /* "construct", "element type", "operands" ... */
    const char *what;     /* "pto.fusion_region", "tadd: element type i64" */
    const char *unit;     /* part of the chip that is not modelled: "cube unit"; NULL */
    Loc first;
    uint64_t count[COVERAGE_TARGETS]; /* uses, per target */
} Need;

typedef struct Coverage {
    bool readable;        /* false: the messages of the Diag say why */
    uint64_t instructions;/* tile instructions in the text */
    Need *need;           /* in the order of their first use */
    size_t n, cap;
    Names *whats;         /* their texts, by number */
} Coverage;

/* Walks the trace for all targets. Only messages about the file itself go to d. */
Coverage *coverage_new(const char *path, const Target *const *targets, int n, Diag *d);
void coverage_free(Coverage *c);
/* Whether the target (by position) can run everything. */
bool coverage_runs(const Coverage *c, int target);

#endif

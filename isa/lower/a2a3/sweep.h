/* Element-wise instructions sweep one or two sources and a destination of the same valid region. The
 * shipped library has one engine per operand form (TBinOp, TBinSOp, TUnaryOp); they choose between
 * the same few paths by different rules.
 */
#ifndef NPU_ISA_A2A3_SWEEP_H
#define NPU_ISA_A2A3_SWEEP_H

#include "isa/lower/a2a3/emit.h"

typedef enum Path {
    PATH_LINE_COUNT,    /* the region is one run: count mode */
    PATH_LINE_NORM,     /* one run: whole repeats, then a masked rest */
    PATH_ROW_COUNT,     /* row by row in count mode */
    PATH_ROW_NORM,      /* row by row in whole repeats; the repeats are an 8-bit number */
    PATH_COLUMNS,       /* one repeat wide columns, rows as repeats */
    PATH_HEAD_TAIL,     /* whole repeats row by row, then the rest of all rows as repeats */
    PATH_TAIL_ALL,      /* the tail of PATH_HEAD_TAIL alone, masked to the whole row */
    PATH_TAIL_MISPLACED /* the tail of PATH_HEAD_TAIL alone, at column 0 */
} Path;

Path path_bins(const Tile *d, const Tile *s);
Path path_binary(const Tile *d, const Tile *s0, const Tile *s1);
Path path_unary(const Tile *d, const Tile *s);
/* What the shipped form of a path does wrong with the valid region of d; NULL: nothing. */
const char *path_defect(Path p, const Tile *d);

/* One machine instruction of a sweep: rep repeats from element (row, col). */
typedef enum StepPitch { PITCH_RUN, PITCH_ROWS, PITCH_SINGLE } StepPitch;
typedef struct Step {
    uint32_t row, col, rep;
    StepPitch pitch; /* from repeat to repeat: 8 blocks, one row, or 1 block because there is one repeat */
} Step;

typedef struct Sweep {
    LowerCtx *c;
    UopId op;
    const Tile *d, *s0, *s1; /* s1 NULL: one source */
    uint64_t scalar;
    void (*step)(const struct Sweep *w, Step s); /* NULL: the micro-op itself */
} Sweep;

/* Walks the path; in document conformance one that path_defect reports is replaced by a right one. */
void sweep_run(const Sweep *w, Path p);
/* One micro-op of a step on other operands than the sweep's own. */
void sweep_emit(const Sweep *w, Step s, UopId op, const Tile *d, const Tile *s0, const Tile *s1);
uint32_t step_pitch(Step s, const Tile *t);

#endif

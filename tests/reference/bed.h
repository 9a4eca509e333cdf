/* Test bed: one machine on which single instructions are checked, lowered and executed, with the
 * means to place tiles and to move dense arrays in and out of them.
 */
#ifndef NPU_TESTS_BED_H
#define NPU_TESTS_BED_H

#include "isa/exec/machine.h"
#include "isa/lower/lower.h"
#include "isa/read/target_file.h"
#include "tests/reference/ref.h"

typedef struct Bed {
    Target *target;
    Machine *machine;
    UopBuf uops;
    Diag *diag;       /* of the last bed_run */
    uint8_t *before;  /* UB before the last bed_run */
    RefRules rules;
} Bed;

/* conformance: "document" or "library". Ends the test program when the target cannot be loaded. */
void bed_open(Bed *b, const char *target, const char *conformance);
void bed_close(Bed *b);
/* Checks, lowers and executes. false: the check refused it or an access left UB. */
bool bed_run(Bed *b, const Instr *i);
/* First error of the last run; "" if there is none. */
const char *bed_error(const Bed *b);
/* A new instruction without operands. */
Instr bed_instr(InstrId id);

/* Row-major tile and single column (dn), valid region given in the type; not placed. */
Tile bed_tile(DType t, uint32_t rows, uint32_t cols, uint32_t vrows, uint32_t vcols);
Tile bed_column(DType t, uint32_t rows, uint32_t vrows);
/* Takes the valid region from a value: the type says `?`. */
void bed_dynamic(Tile *t, bool rows, bool cols);

/* rows x cols elements from the tile's first element on, and back. */
void bed_read(const Bed *b, const Tile *t, RefArray *a);
void bed_write(Bed *b, const Tile *t, const RefArray *a);

/* tmp by the seed documents: elements per row (case 2 and 3), 2 in case 1. */
uint32_t bed_tmp_stride(DType t, uint32_t cols);
/* What the stages of one row touch, counted from the row's start. */
uint32_t bed_tmp_touched(DType t, uint32_t cols);

/* Random numbers: splitmix64. */
uint64_t bed_random(uint64_t *state);
/* NPUSIM_TEST_SEED, or the fixed default. */
uint64_t bed_seed(void);

#endif

/* Whole-tile steps that other lowerings are built from. */
#ifndef NPU_ISA_A2A3_TILES_H
#define NPU_ISA_A2A3_TILES_H

#include "isa/lower/a2a3/sweep.h"

/* The tile as 16-bit elements: bytes two by two, words in halves. */
Tile tile_as_halves(const Tile *t);
void tile_binary(LowerCtx *c, UopId op, const Tile *d, const Tile *s0, const Tile *s1);
void tile_unary(LowerCtx *c, UopId op, const Tile *d, const Tile *s);
/* Every valid element = bits (TEXPANDS). */
void tile_fill(LowerCtx *c, const Tile *d, uint64_t bits);
/* Whether the shipped form takes a region with gaps for one run. */
bool fill_defect(const Tile *d);
/* What the shipped TCVT does wrong with two tiles; NULL: nothing. */
const char *convert_defect(const Tile *d, const Tile *s);

/* Bits of a comparison, one row of them per row of the sources: TCMP, TCMPS. */
typedef struct Compare {
    LowerCtx *c;
    int mode;             /* CmpMode */
    DType t;              /* that the machine compares */
    const Tile *d, *a, *b; /* b NULL: the scalar */
    uint64_t scalar;
} Compare;
void tile_compare(const Compare *w);
/* d = bit of mask ? yes : no; scratch: one block (TSEL). */
void tile_select(LowerCtx *c, const Tile *d, const Tile *mask, const Tile *yes, const Tile *no, uint32_t scratch);

static inline uint32_t row_bytes(const Tile *t) { return tile_row_stride(t) * tile_esize(t); }

#endif

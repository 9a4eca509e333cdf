/* Shared by the instructions that move elements: padding, regions, integer operands. */
#ifndef NPU_ISA_MOVE_H
#define NPU_ISA_MOVE_H

#include "isa/lower/rules.h"

/* The value that fills what lies outside the valid region: an attribute of the instruction, else as
 * the type of the tile says. false: none. */
bool pad_of(const Instr *i, const Tile *t, uint64_t *bits);

/* An unsigned type of that many bytes, for elements that are only moved. */
static inline DType bits_of(uint32_t esize) { return esize == 1 ? DT_U8 : esize == 2 ? DT_U16 : esize == 4 ? DT_U32 : DT_U64; }
/* Value n of a tile of one row or one column. */
static inline uint32_t listed_addr(const Tile *t, uint32_t n) { return (uint32_t)(t->addr + (int64_t)n * tile_esize(t)); }
static inline uint32_t valid_row_bytes(const Tile *t) { return t->vcols * tile_esize(t); }

/* TGATHER by comparison is the form with two outputs. Bytes of tmp that it needs if tmp has that many rows
 * and columns (of any type), and the smallest tmp of the source's type. */
static inline bool gather_compares(const Instr *i) { return i->id == I_TGATHER && i->nout == 2; }
uint64_t gather_compare_bytes(const Instr *i, uint64_t tmp_rows, uint64_t tmp_cols);
TmpNeed gather_compare_tmp(const Instr *i);
void a2a3_gather_compare(LowerCtx *c, const Instr *i);
void v950_gather_compare(LowerCtx *c, const Instr *i);

/* TDIVS of integers: the scalar unit divides element by element, on both targets. */
void divide_one_by_one(LowerCtx *c, const Instr *i);

/* TEXTRACT and TINSERT: rows x cols elements from an element of one tile to one of the other. */
typedef struct Region {
    const Tile *d, *s;
    uint32_t drow, dcol, srow, scol;
    uint32_t rows, cols;
    bool single;   /* the type says one element: moved by the scalar unit */
    bool blocks;   /* the type says whole blocks per row */
} Region;
Region region_of(const Instr *i);

#endif

/* Shared by the instructions that move elements: padding, regions, integer operands. */
#ifndef NPU_ISA_MOVE_H
#define NPU_ISA_MOVE_H

#include "isa/lower/rules.h"

/* The value that fills what lies outside the valid region: an attribute of the instruction, else as
 * the type of the tile says. false: none. */
bool pad_of(const Instr *i, const Tile *t, uint64_t *bits);

/* An unsigned type of that many bytes, for elements that are only moved. */
static inline DType bits_of(uint32_t esize) { return esize == 1 ? DT_U8 : esize == 2 ? DT_U16 : esize == 4 ? DT_U32 : DT_U64; }
static inline uint32_t valid_row_bytes(const Tile *t) { return t->vcols * tile_esize(t); }

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

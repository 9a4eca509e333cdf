/* Shorthand of the 950 lowerings: one call per line of a vector function. */
#ifndef NPU_ISA_V950_VF_H
#define NPU_ISA_V950_VF_H

#include "isa/lower/lower.h"

/* Opens and closes the vector function; lines go between. */
void vf_open(LowerCtx *c, const char *stage);
void vf_close(LowerCtx *c);
void vf_loop(LowerCtx *c, uint32_t trips);
void vf_end(LowerCtx *c);

/* A place that moves with the loops: byte address (or element count) and its step per iteration of
 * each enclosing loop, outermost first. */
typedef struct Walk {
    int64_t base;
    int32_t step[VF_MAX_DEPTH];
    bool post; /* post-updated address register */
} Walk;
/* Element (row, col) of a tile, advancing `rows` rows per outer and `cols` columns per inner iteration. */
Walk walk_tile(const Tile *t, uint32_t row, uint32_t col, uint32_t rows, uint32_t cols);
Walk walk_by(const Tile *t, int level, uint32_t elements); /* from the start of the tile, one loop level */
Walk walk_count(uint32_t n, int level, uint32_t lanes);    /* n lanes to do, `lanes` less per iteration of that level */

void vf_plt(LowerCtx *c, DType t, int p, Walk n);
VfInstr *vf_load(LowerCtx *c, DType t, int v, Walk w);
VfInstr *vf_store(LowerCtx *c, DType t, Walk w, int v, int p);
/* p = bits in UB, one per lane of type t. */
void vf_load_mask(LowerCtx *c, DType t, int p, Walk w);
/* p = op of predicate q, in lanes of type t; imm as the operation has it. */
void vf_predicate(LowerCtx *c, UopId op, DType t, int p, int q, uint64_t imm);
/* v = op(a, b) under predicate p, inactive lanes zero; b may be VF_NONE. */
VfInstr *vf_op(LowerCtx *c, UopId op, DType t, int v, int a, int b, int p);
void vf_scalar(LowerCtx *c, UopId op, DType t, int v, int a, uint64_t scalar, int p);
void vf_compare(LowerCtx *c, UopId op, DType t, int pd, int a, int b, int p);
void vf_select(LowerCtx *c, DType t, int v, int yes, int no, int p);
void vf_merge(LowerCtx *c, DType t, int v, int a, int p); /* v = a in active lanes */

/* The loops over the destination's valid region in chunks of `lanes` elements: one loop over all of
 * it if every tile is without gaps or has one row, else rows and chunks of a row. */
typedef struct Chunks {
    bool flat;
    uint32_t rows, cols, lanes;
} Chunks;
Chunks chunks_over(const Tile *dst, const Tile *src0, const Tile *src1, uint32_t lanes); /* src1 may be NULL */
void chunks_open(LowerCtx *c, const Chunks *k);
void chunks_close(LowerCtx *c, const Chunks *k);
Walk chunks_walk(const Chunks *k, const Tile *t);
/* Elements still to do in the chunk, less the `skip` first ones of it. */
Walk chunks_count(const Chunks *k, uint32_t skip);

/* Copies the common region of two tiles (TMOV). */
void v950_copy(LowerCtx *c, const Tile *dst, const Tile *src, const char *stage);

#endif

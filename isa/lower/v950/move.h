/* More shorthand of the 950 lowerings: indices, indexed accesses and accesses at any address. */
#ifndef NPU_ISA_V950_MOVE_H
#define NPU_ISA_V950_MOVE_H

#include "isa/lower/move.h"
#include "isa/lower/v950/vf.h"

/* An integer that moves with the loops: start, and its step per iteration of one level. */
Walk walk_scalar(int64_t start, int level, int32_t step);
/* v = lane number + w. */
void vf_ramp(LowerCtx *c, DType t, int v, Walk w);
/* v = op(a, w) under predicate p. */
void vf_moving(LowerCtx *c, UopId op, DType t, int v, int a, Walk w, int p);
/* v = elements of the tile by index; lanes are as wide as the index type. */
void vf_gather(LowerCtx *c, DType t, DType lane, int v, int index, const Tile *s, int p);
void vf_scatter(LowerCtx *c, DType t, DType lane, const Tile *d, int v, int index, int p);
void vf_load_any(LowerCtx *c, DType t, int v, Walk w);
VfInstr *vf_store_any(LowerCtx *c, DType t, Walk w, int v, int p);
void vf_store_rest(LowerCtx *c, DType t, Walk w);

/* Copies rows x cols elements between any elements of two tiles. */
void v950_copy_region(LowerCtx *c, const Region *g);

#endif

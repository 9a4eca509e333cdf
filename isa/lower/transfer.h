#ifndef NPU_ISA_TRANSFER_H
#define NPU_ISA_TRANSFER_H

#include "isa/lower/lower.h"

/* How a region of global memory meets a tile. */
typedef struct TransferPlan {
    enum { BURST_NONE, BURST_ROWS, BURST_COLS } kind; /* NONE: no direction is contiguous on both sides */
    uint32_t rows, cols;            /* moved: the tile's valid region */
    int64_t view_rows, view_cols;   /* the view as one stack of rows */
    uint32_t esize;
} TransferPlan;
TransferPlan transfer_plan(const GmView *v, const Tile *t);

#endif

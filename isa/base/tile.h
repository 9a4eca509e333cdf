/* Tiles: a typed rectangle in the unified buffer. */
#ifndef NPU_ISA_TILE_H
#define NPU_ISA_TILE_H

#include "isa/base/diag.h"
#include "isa/base/dtype.h"

typedef enum BLayout { ROW_MAJOR, COL_MAJOR } BLayout;
typedef enum SLayout { NONE_BOX, BOX_ROW_MAJOR, BOX_COL_MAJOR } SLayout;
typedef enum TileLoc { LOC_VEC, LOC_MAT, LOC_LEFT, LOC_RIGHT, LOC_ACC, LOC_BIAS, LOC_SCALING } TileLoc;
typedef enum TilePad { PAD_NULL, PAD_ZERO, PAD_MAX, PAD_MIN } TilePad;

/* What the type says. rows, cols: storage shape in elements. vrows, vcols: valid region; VALID_DYN
 * where the type says `?`, which selects the library's run-time path of the lowering. */
#define VALID_DYN (-1)
typedef struct TileType {
    DType dtype;
    TileLoc loc;
    BLayout blayout;
    SLayout slayout;
    TilePad pad;
    int compact;
    int fractal;
    uint32_t rows, cols;
    int32_t vrows, vcols;
} TileType;

/* A placed tile. addr in bytes from the start of UB; vrows/vcols are the actual valid region. */
typedef struct Tile {
    TileType type;
    uint32_t vrows, vcols;
    int64_t addr;      /* -1: not placed */
    const char *name;  /* for messages, with its % sign */
    Loc loc;           /* declaration */
    uint32_t id;       /* unique per declaration in a run */
    bool written;      /* holds data (initialised or written by an instruction) */
    bool placed;       /* the allocator chose the address and has not taken it back */
    bool keep;         /* looked at after the run: the place is not given to another tile */
} Tile;

static inline uint32_t tile_esize(const Tile *t) { return dtype_size(t->type.dtype); }
/* Distance in elements between vertically adjacent elements: cols, or 1 for column-major. */
static inline uint32_t tile_row_stride(const Tile *t) {
    return t->type.blayout == ROW_MAJOR ? t->type.cols : 1;
}
/* Distance in elements between horizontally adjacent elements. */
static inline uint32_t tile_col_stride(const Tile *t) {
    return t->type.blayout == ROW_MAJOR ? 1 : t->type.rows;
}
/* Storage size in bytes. */
static inline uint64_t tile_bytes(const Tile *t) {
    return (uint64_t)t->type.rows * t->type.cols * tile_esize(t);
}
/* UB byte address of element (r, c). */
static inline uint32_t tile_elem_addr(const Tile *t, uint32_t r, uint32_t c) {
    return (uint32_t)(t->addr + ((int64_t)r * tile_row_stride(t) + (int64_t)c * tile_col_stride(t)) * tile_esize(t));
}
/* The library compares these at compile time: a dynamic valid column never equals Cols. */
static inline bool tile_static_full_cols(const Tile *t) { return t->type.vcols == (int32_t)t->type.cols; }

/* "16x64 f32", "8x1 i32 dn", with the valid region where it differs ("16x64 f32 v=5x37"). */
void tile_describe(const Tile *t, char *buf, size_t n);

#endif

#include "isa/lower/move.h"

#include <math.h>

bool pad_of(const Instr *i, const Tile *t, uint64_t *bits) {
    DType d = t->type.dtype;
    if (i->id == I_TLOAD && i->has_scalar) {
        *bits = i->scalar;
        return true;
    }
    switch (i->pad != PAD_NULL ? i->pad : t->type.pad) {
    case PAD_ZERO: *bits = 0; return true;
    case PAD_MAX: *bits = dtype_is_float(d) ? dtype_from_double(d, INFINITY, ROUND_RINT) : dtype_highest(d); return true;
    case PAD_MIN: *bits = dtype_is_float(d) ? dtype_from_double(d, -INFINITY, ROUND_RINT) : dtype_lowest(d); return true;
    default: return false;
    }
}

/* The smaller of both tiles gives the size: dst of TEXTRACT, src of TINSERT. */
Region region_of(const Instr *i) {
    bool extract = i->id == I_TEXTRACT;
    uint32_t row = (uint32_t)i->index[0], col = (uint32_t)i->index[1];
    Region g = {.d = i->out[0], .s = i->in[0]};
    const Tile *part = extract ? g.d : g.s;
    if (extract) g.srow = row, g.scol = col;
    else g.drow = row, g.dcol = col;
    g.rows = part->vrows;
    g.cols = part->vcols;
    g.single = part->type.vrows == 1 && part->type.vcols == 1;
    g.blocks = part->type.vcols >= 0 && part->type.vcols * (int32_t)tile_esize(part) % BLOCK_BYTES == 0;
    return g;
}

#include "isa/base/tile.h"

#include <stdio.h>

/* Two letters, outer then inner order: z is row-major, n column-major. Plain row-major has none. */
static const char *layout_suffix(const TileType *t) {
    static const char *const names[2][3] = {{"", " zz", " zn"}, {" dn", " nz", " nn"}};
    return names[t->blayout == COL_MAJOR][t->slayout];
}

void tile_describe(const Tile *t, char *buf, size_t n) {
    char valid[32] = "";
    if (t->vrows != t->type.rows || t->vcols != t->type.cols)
        snprintf(valid, sizeof valid, " v=%ux%u", t->vrows, t->vcols);
    snprintf(buf, n, "%ux%u %s%s%s", t->type.rows, t->type.cols, dtype_name(t->type.dtype),
             layout_suffix(&t->type), valid);
}

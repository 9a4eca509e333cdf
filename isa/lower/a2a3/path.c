/* Which path each engine of the shipped library takes. `?` valid columns never equal Cols, so that a
 * dynamic tile is not one run at compile time even when it is full. */
#include "isa/lower/a2a3/sweep.h"

/* Whole repeats that fit into a row of the destination tile. */
static uint32_t row_repeats(const Tile *d) { return (uint32_t)((uint64_t)d->type.cols * tile_esize(d) / REPEAT_BYTES); }

static uint32_t tile_repeats(const Tile *d) { return ceil_div((uint64_t)d->type.rows * d->type.cols * tile_esize(d), REPEAT_BYTES); }
static uint32_t valid_repeats(const Tile *d) { return ceil_div((uint64_t)d->vrows * d->vcols * tile_esize(d), REPEAT_BYTES); }

/* Rows wider than one repeat that do not end with a repeat; E is a power of two. */
static bool ragged(uint32_t cols, uint32_t E) { return cols > E && (cols & (E - 1)); }

static Path line(bool count) { return count ? PATH_LINE_COUNT : PATH_LINE_NORM; }
static Path few_rows(const Tile *d) { return d->vcols % epr(d) ? PATH_ROW_COUNT : PATH_ROW_NORM; }
static bool near_rows(const Tile *t) { return row_blocks(t) <= MAX_REPEAT; }
static bool single_row(const Tile *t) { return t->type.rows == 1; }

Path path_bins(const Tile *d, const Tile *s) {
    bool whole = (tile_static_full_cols(d) && tile_static_full_cols(s)) || (single_row(d) && single_row(s));
    if (whole) return line(ragged(d->type.cols, epr(d)) || tile_repeats(d) > MAX_REPEAT);
    if (d->type.rows <= row_repeats(d) && s->type.rows <= row_repeats(d)) return few_rows(d);
    if (d->type.rows <= MAX_REPEAT && near_rows(d) && near_rows(s)) return PATH_COLUMNS;
    return d->type.rows > epr(d) ? PATH_HEAD_TAIL : PATH_TAIL_ALL;
}

Path path_binary(const Tile *d, const Tile *s0, const Tile *s1) {
    uint32_t E = epr(d), rows = d->type.rows, cols = d->type.cols;
    if (tile_row_stride(d) != tile_row_stride(s0) || tile_row_stride(d) != tile_row_stride(s1)) return PATH_HEAD_TAIL;
    if (rows <= MAX_REPEAT && cols < E) return PATH_COLUMNS;
    if (tile_static_full_cols(d) || single_row(d)) return line(ragged(cols, E) || tile_repeats(d) > MAX_REPEAT);
    if (d->vcols == cols || d->vrows == 1) return line(ragged(d->vcols, E) || valid_repeats(d) > MAX_REPEAT);
    if (rows <= row_repeats(d)) return few_rows(d);
    if (rows <= MAX_REPEAT && near_rows(d)) return PATH_COLUMNS;
    return rows > E ? PATH_HEAD_TAIL : PATH_TAIL_ALL;
}

/* A tile of one row and two or three repeats goes row by row in count mode. */
enum { SMALL_REPEATS = 4 };

Path path_unary(const Tile *d, const Tile *s) {
    uint32_t rows = d->type.rows, chunks = row_repeats(d);
    bool whole = (tile_static_full_cols(d) && tile_static_full_cols(s)) || (single_row(d) && single_row(s));
    if (whole) return line(tile_repeats(d) > MAX_REPEAT);
    bool same_shape = d->type.cols == s->type.cols && rows == s->type.rows;
    if (same_shape && (d->vcols == d->type.cols || d->vrows == 1)) return line(valid_repeats(d) > MAX_REPEAT);
    if (chunks > 1 && rows * chunks < SMALL_REPEATS) return PATH_ROW_COUNT;
    if (rows <= chunks) return few_rows(d);
    if (rows <= MAX_REPEAT && s->type.rows <= MAX_REPEAT && near_rows(d) && near_rows(s)) return PATH_COLUMNS;
    return rows > epr(d) ? PATH_HEAD_TAIL : PATH_TAIL_MISPLACED;
}

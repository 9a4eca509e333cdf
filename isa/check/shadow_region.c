/* Bytes against tiles: writes outside the operands, padding, results that stay unwritten. */
#include <inttypes.h>

#include "isa/check/shadow.h"

static bool holds(const Tile *t, uint64_t byte) { return t && byte >= (uint64_t)t->addr && byte < (uint64_t)t->addr + tile_bytes(t); }

const Tile *shadow_tile_at(const Check *c, uint64_t byte) {
    const Instr *i = c->i;
    if (!i) return NULL;
    for (int k = 0; k < i->nout; k++)
        if (holds(i->out[k], byte)) return i->out[k];
    for (int k = 0; k < i->nin; k++)
        if (holds(i->in[k], byte)) return i->in[k];
    return holds(i->tmp, byte) ? i->tmp : NULL;
}

static bool is_output(const Check *c, const Tile *t) {
    for (int k = 0; k < c->i->nout; k++)
        if (c->i->out[k] == t) return true;
    return false;
}

static uint64_t tile_end(const Tile *t) { return (uint64_t)t->addr + tile_bytes(t); }

/* Lines of a tile are what lies in a row of memory: rows, or the columns of a column-major tile. */
typedef struct Lines {
    uint64_t pitch, valid; /* bytes */
    uint32_t count;        /* lines with valid elements */
} Lines;

static Lines lines_of(const Tile *t) {
    uint32_t es = tile_esize(t);
    bool row = t->type.blayout == ROW_MAJOR;
    return (Lines){(uint64_t)(row ? t->type.cols : t->type.rows) * es, (uint64_t)(row ? t->vcols : t->vrows) * es, row ? t->vrows : t->vcols};
}

/* First byte of [lo, hi) that lies in the tile's storage but not in its valid region; hi: none. */
static uint64_t first_padding(const Tile *t, uint64_t lo, uint64_t hi) {
    Lines l = lines_of(t);
    if (!l.pitch) return hi;
    for (uint64_t b = lo; b < hi;) {
        uint64_t off = b - (uint64_t)t->addr, line = off / l.pitch, at = off % l.pitch;
        if (line >= l.count || at >= l.valid) return b;
        uint64_t run = l.valid == l.pitch ? (l.count - line) * l.pitch - at : l.valid - at;
        b += run;
    }
    return hi;
}

static void outside(Check *c, uint64_t lo, uint64_t hi, bool write) {
    if (c->spilled || !say_once(c, SAID_OUTSIDE)) return;
    diag(c->diag, DIAG_TILE_OOB, c->loc, "%s: %s %s bytes 0x%" PRIx64 "..0x%" PRIx64 ", which belong to none of its tiles", c->op, c->uop_name,
         write ? "writes" : "reads", lo, hi - 1);
}

static void padding(Check *c, const Tile *t, uint64_t byte) {
    if (!say_once(c, SAID_PADDING)) return;
    Lines l = lines_of(t);
    uint64_t off = byte - (uint64_t)t->addr;
    bool row = t->type.blayout == ROW_MAJOR;
    uint32_t line = (uint32_t)(off / l.pitch), at = (uint32_t)(off % l.pitch / tile_esize(t));
    diag(c->diag, DIAG_PAD_WRITE, c->loc, "%s: %s also writes row %u, column %u of %s, outside the valid region %ux%u", c->op, c->uop_name, row ? line : at,
         row ? at : line, t->name, t->vrows, t->vcols);
}

void shadow_write_region(Check *c, uint64_t lo, uint64_t hi) {
    for (uint64_t b = lo; b < hi;) {
        const Tile *t = shadow_tile_at(c, b);
        if (!t) {
            uint64_t from = b;
            while (b < hi && !shadow_tile_at(c, b)) b++;
            outside(c, from, b, true);
            continue;
        }
        uint64_t end = tile_end(t) < hi ? tile_end(t) : hi;
        if (is_output(c, t) && t->type.pad == PAD_NULL && !(c->said & SAID_PADDING)) {
            uint64_t pad = first_padding(t, b, end);
            if (pad < end) padding(c, t, pad);
        }
        b = end;
    }
}

void shadow_read_region(Check *c, uint64_t lo, uint64_t hi) {
    for (uint64_t b = lo; b < hi;) {
        const Tile *t = shadow_tile_at(c, b);
        if (t) {
            b = tile_end(t);
            continue;
        }
        uint64_t from = b;
        while (b < hi && !shadow_tile_at(c, b)) b++;
        outside(c, from, b, false);
    }
}

void shadow_valid_runs(const Tile *t, RunFn f, void *ctx) {
    Lines l = lines_of(t);
    for (uint32_t k = 0; k < l.count && l.valid; k++) {
        uint64_t at = (uint64_t)t->addr + k * l.pitch;
        f(ctx, at, at + l.valid);
    }
}

/* The part of [lo, hi) that lies in valid lines of the tile. */
static void read_lines(Check *c, const Tile *t, uint64_t lo, uint64_t hi) {
    Lines l = lines_of(t);
    uint64_t base = (uint64_t)t->addr, from = lo > base ? lo : base;
    for (uint64_t line = l.pitch ? (from - base) / l.pitch : l.count; line < l.count; line++) {
        uint64_t at = base + line * l.pitch, end = at + l.valid;
        if (at >= hi) return;
        if (l.valid == l.pitch) end = base + l.count * l.pitch;
        if (end > hi) end = hi;
        if (at < lo) at = lo;
        if (at < end) shadow_read_order(c, at, end);
        if (l.valid == l.pitch) return;
    }
}

void shadow_read_valid(Check *c, uint64_t lo, uint64_t hi) {
    for (int k = 0; c->i && k < c->i->nin; k++) read_lines(c, c->i->in[k], lo, hi);
    if (c->i && c->i->tmp) read_lines(c, c->i->tmp, lo, hi);
}

static bool written_now(const Check *c, uint64_t byte) {
    Stamp s = byte < c->size ? c->writer[byte] : 0;
    return s && stamp_seq(s) >= c->first[stamp_pipe(s)];
}

/* Columns of an output that hold results: packed bits fill the first ones. */
static uint32_t result_columns(const Check *c, int k) {
    const Instr *i = c->i;
    const Signature *s = instr_signature(i->id);
    int form = s->nout[1] == i->nout && s->nout[0] != i->nout;
    uint32_t cols = i->out[k]->vcols;
    if (s->out_shape[form][k] != SHAPE_BITS || !i->nin) return cols;
    uint32_t needed = (i->in[0]->vcols + 8 * tile_esize(i->out[k]) - 1) / (8 * tile_esize(i->out[k]));
    return needed < cols ? needed : cols;
}

/* The usual case: one micro-op wrote the whole row. */
static bool row_written(const Check *c, uint64_t at, uint64_t bytes) {
    if (!bytes || at + bytes > c->size || !written_now(c, at)) return !bytes;
    Stamp odd = 0;
    for (uint64_t b = 0; b < bytes; b++) odd |= c->writer[at + b] ^ c->writer[at];
    return !odd;
}

static void complete(Check *c, int k) {
    const Tile *t = c->i->out[k];
    uint32_t es = tile_esize(t), cols = result_columns(c, k);
    uint64_t missing = 0;
    uint32_t row = 0, col = 0;
    for (uint32_t r = 0; r < t->vrows; r++) {
        if (t->type.blayout == ROW_MAJOR && row_written(c, tile_elem_addr(t, r, 0), (uint64_t)cols * es)) continue;
        for (uint32_t j = 0; j < cols; j++) {
            uint64_t at = tile_elem_addr(t, r, j);
            if (written_now(c, at) && written_now(c, at + es - 1)) continue;
            if (!missing++) row = r, col = j;
        }
    }
    if (missing)
        diag(c->diag, DIAG_INCOMPLETE, c->loc, "%s: %" PRIu64 " of %" PRIu64 " valid elements of %s are not written, first row %u, column %u", c->op, missing,
             (uint64_t)t->vrows * cols, t->name, row, col);
}

/* Padding in place, which the name of the instruction need not say, leaves the source where it is. */
static bool pads_in_place(const Instr *i) {
    return i->id == I_TFILLPAD_INPLACE || ((i->id == I_TFILLPAD || i->id == I_TFILLPAD_EXPAND) && i->in[0]->addr == i->out[0]->addr);
}

/* Instructions that leave a part of their result as it was. */
static bool writes_part(const Instr *i) {
    return i->id == I_TINSERT || i->id == I_TSETVAL || pads_in_place(i) || (i->id == I_TGATHER && i->pattern);
}

void shadow_complete(Check *c) {
    if (writes_part(c->i)) return;
    for (int k = 0; k < c->i->nout; k++) complete(c, k);
}

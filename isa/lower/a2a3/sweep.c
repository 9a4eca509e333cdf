#include "isa/lower/a2a3/sweep.h"

uint32_t step_pitch(Step s, const Tile *t) {
    return s.pitch == PITCH_RUN ? BLOCKS_PER_REPEAT : s.pitch == PITCH_ROWS ? row_blocks(t) : 1;
}

void sweep_emit(const Sweep *w, Step s, UopId op, const Tile *d, const Tile *s0, const Tile *s1) {
    emit_vec(w->c, op, w->d->type.dtype, s.rep, tile_elem_addr(d, s.row, s.col), step_pitch(s, d), tile_elem_addr(s0, s.row, s.col),
             step_pitch(s, s0), s1 ? tile_elem_addr(s1, s.row, s.col) : 0, s1 ? step_pitch(s, s1) : 0)->imm = w->scalar;
}

static void one_step(const Sweep *w, uint32_t row, uint32_t col, uint32_t rep, StepPitch pitch) {
    Step s = {row, col, rep, pitch};
    if (w->step) w->step(w, s);
    else sweep_emit(w, s, w->op, w->d, w->s0, w->s1);
}

static void line_count(const Sweep *w) {
    emit_mask_count(w->c);
    emit_count(w->c, (uint64_t)w->d->vrows * w->d->vcols);
    one_step(w, 0, 0, 0, PITCH_RUN);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

/* The head is issued even when it has no repeat. */
static void line_norm(const Sweep *w) {
    uint32_t n = w->d->vrows * w->d->vcols, repeats = (uint32_t)((uint64_t)n * tile_esize(w->d) / REPEAT_BYTES), head = repeats * epr(w->d);
    one_step(w, 0, 0, repeats, PITCH_RUN);
    if (n == head) return;
    emit_mask_lanes(w->c, n - head);
    one_step(w, 0, head, 1, PITCH_RUN);
    emit_mask_full(w->c);
}

static void row_count(const Sweep *w) {
    emit_mask_count(w->c);
    emit_count(w->c, w->d->vcols);
    for (uint32_t r = 0; r < w->d->vrows; r++) one_step(w, r, 0, 0, PITCH_RUN);
    emit_mask_norm(w->c);
    emit_mask_full(w->c);
}

static void row_norm(const Sweep *w) {
    uint32_t reps = w->d->vcols / epr(w->d) & MAX_REPEAT;
    for (uint32_t r = 0; r < w->d->vrows; r++) one_step(w, r, 0, reps, PITCH_RUN);
}

static void columns(const Sweep *w) {
    uint32_t E = epr(w->d), full = w->d->vcols / E, rest = w->d->vcols % E;
    for (uint32_t k = 0; k < full; k++) one_step(w, 0, k * E, w->d->vrows, PITCH_ROWS);
    if (!rest) return;
    emit_mask_lanes(w->c, rest);
    one_step(w, 0, full * E, w->d->vrows, PITCH_ROWS);
    emit_mask_full(w->c);
}

static void head_rows(const Sweep *w) {
    uint32_t E = epr(w->d), head = w->d->vcols / E;
    for (uint32_t r = 0; r < w->d->vrows; r++)
        for (uint32_t k = 0; k < head; k += MAX_REPEAT) one_step(w, r, k * E, min_u32(head - k, MAX_REPEAT), PITCH_RUN);
}

static bool far_rows(const Sweep *w) {
    return row_blocks(w->d) > MAX_REPEAT || row_blocks(w->s0) > MAX_REPEAT || (w->s1 && row_blocks(w->s1) > MAX_REPEAT);
}

/* n lanes of every row from column col on. */
static void tail_rows(const Sweep *w, uint32_t col, uint32_t n) {
    if (!n) return;
    bool far = far_rows(w);
    emit_mask_lanes(w->c, n);
    for (uint32_t r = 0; r < w->d->vrows;) {
        uint32_t rows = far ? 1 : min_u32(w->d->vrows - r, MAX_REPEAT);
        one_step(w, r, col, rows, far ? PITCH_SINGLE : PITCH_ROWS);
        r += rows;
    }
    emit_mask_full(w->c);
}

static void head_tail(const Sweep *w) {
    uint32_t rest = w->d->vcols % epr(w->d);
    head_rows(w);
    tail_rows(w, w->d->vcols - rest, rest);
}

const char *path_defect(Path p, const Tile *d) {
    uint32_t E = epr(d);
    if (p == PATH_ROW_NORM && d->vcols / E > MAX_REPEAT) return "the repeats of a row do not fit into 8 bits, most of the row is left out";
    if (p == PATH_TAIL_ALL && d->vcols > E) return "the columns beyond the first repeat are left out";
    if (p == PATH_TAIL_MISPLACED && d->vcols >= E) return "whole repeats are left out and the rest is computed at column 0";
    return NULL;
}

static Path repaired(Path p) { return p == PATH_ROW_NORM ? PATH_ROW_COUNT : PATH_HEAD_TAIL; }

void sweep_run(const Sweep *w, Path p) {
    if (!w->d->vrows || !w->d->vcols) return;
    if (path_defect(p, w->d) && !w->c->target->sem.library) p = repaired(p);
    switch (p) {
    case PATH_LINE_COUNT: line_count(w); break;
    case PATH_LINE_NORM: line_norm(w); break;
    case PATH_ROW_COUNT: row_count(w); break;
    case PATH_ROW_NORM: row_norm(w); break;
    case PATH_COLUMNS: columns(w); break;
    case PATH_HEAD_TAIL: head_tail(w); break;
    case PATH_TAIL_ALL: tail_rows(w, 0, w->d->vcols); break;
    case PATH_TAIL_MISPLACED: tail_rows(w, 0, w->d->vcols % epr(w->d)); break;
    }
}

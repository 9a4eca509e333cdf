#include "tests/reference/bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bed_open(Bed *b, const char *target, const char *conformance) {
    char set[64];
    snprintf(set, sizeof set, "semantics.conformance=%s", conformance);
    const char *sets[] = {set};
    memset(b, 0, sizeof *b);
    b->diag = diag_new();
    b->target = target_load(target, sets, 1, b->diag);
    if (!b->target) {
        fprintf(stderr, "cannot load %s: %s\n", target, bed_error(b));
        exit(1);
    }
    b->machine = machine_new(b->target, 0);
    b->before = malloc(b->machine->ub_size);
    b->rules = (RefRules){b->target->family == FAMILY_950, b->target->sem.library};
}

void bed_close(Bed *b) {
    free(b->before);
    uopbuf_free(&b->uops);
    machine_free(b->machine);
    target_free(b->target);
    diag_free(b->diag);
}

const char *bed_error(const Bed *b) {
    for (size_t i = 0; i < diag_count(b->diag); i++)
        if (diag_at(b->diag, i)->severity == SEV_ERROR) return diag_at(b->diag, i)->text;
    return "";
}

bool bed_run(Bed *b, const Instr *i) {
    diag_free(b->diag);
    b->diag = diag_new();
    LowerCtx c = {.target = b->target, .diag = b->diag, .out = &b->uops};
    if (!instr_check(&c, i) || diag_total(b->diag, SEV_ERROR)) return false;
    instr_lower(&c, i);
    memcpy(b->before, b->machine->ub, b->machine->ub_size);
    machine_exec(b->machine, &b->uops);
    return b->machine->fault == ~0u;
}

Instr bed_instr(InstrId id) {
    Instr i;
    memset(&i, 0, sizeof i);
    i.id = id;
    i.info = &instr_info[id];
    i.loc = (Loc){"test", 1, 1};
    return i;
}

static Tile tile_of(DType t, BLayout layout, uint32_t rows, uint32_t cols, uint32_t vrows, uint32_t vcols) {
    static uint32_t next_id;
    Tile tile;
    memset(&tile, 0, sizeof tile);
    tile.type.dtype = t;
    tile.type.blayout = layout;
    tile.type.fractal = 512;
    tile.type.rows = rows;
    tile.type.cols = cols;
    tile.type.vrows = (int32_t)vrows;
    tile.type.vcols = (int32_t)vcols;
    tile.vrows = vrows;
    tile.vcols = vcols;
    tile.addr = -1;
    tile.name = "%t";
    tile.id = next_id++;
    return tile;
}

Tile bed_tile(DType t, uint32_t rows, uint32_t cols, uint32_t vrows, uint32_t vcols) {
    return tile_of(t, ROW_MAJOR, rows, cols, vrows, vcols);
}

Tile bed_column(DType t, uint32_t rows, uint32_t vrows) { return tile_of(t, COL_MAJOR, rows, 1, vrows, 1); }

void bed_dynamic(Tile *t, bool rows, bool cols) {
    if (rows) t->type.vrows = VALID_DYN;
    if (cols) t->type.vcols = VALID_DYN;
}

static uint8_t *element(const Bed *b, const Tile *t, uint32_t r, uint32_t c) {
    uint32_t stride = t->type.blayout == ROW_MAJOR ? t->type.cols : 1;
    return b->machine->ub + t->addr + ((size_t)r * stride + c) * dtype_size(t->type.dtype);
}

void bed_read(const Bed *b, const Tile *t, RefArray *a) {
    for (uint32_t r = 0; r < a->rows; r++)
        for (uint32_t c = 0; c < a->cols; c++)
            memcpy(&a->bits[r * a->cols + c], element(b, t, r, c), dtype_size(a->dtype));
}

void bed_write(Bed *b, const Tile *t, const RefArray *a) {
    for (uint32_t r = 0; r < a->rows; r++)
        for (uint32_t c = 0; c < a->cols; c++)
            memcpy(element(b, t, r, c), &a->bits[r * a->cols + c], dtype_size(a->dtype));
}

static uint32_t whole(uint32_t elements, uint32_t unit) { return (elements + unit - 1) / unit * unit; }

uint32_t bed_tmp_stride(DType t, uint32_t cols) {
    uint32_t repeat = 256 / dtype_size(t), block = 32 / dtype_size(t);
    uint32_t r1 = (cols + repeat - 1) / repeat, r2 = (r1 + repeat - 1) / repeat;
    if (cols <= repeat) return 2;
    if (cols <= repeat * repeat) return whole(2 * r1, block) + whole(r1, block);
    uint32_t stage1 = whole(2 * r1, block), stage2 = whole(r1, block) + whole(2 * r2, block);
    return (stage1 > stage2 ? stage1 : stage2) + 2;
}

uint32_t bed_tmp_touched(DType t, uint32_t cols) {
    uint32_t repeat = 256 / dtype_size(t), block = 32 / dtype_size(t);
    uint32_t r1 = (cols + repeat - 1) / repeat;
    if (cols <= repeat) return 2;
    return whole(2 * r1, block) + (r1 > 2 ? r1 : 2);
}

uint64_t bed_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

uint64_t bed_seed(void) {
    const char *s = getenv("NPUSIM_TEST_SEED");
    return s && *s ? strtoull(s, NULL, 0) : 20240229;
}

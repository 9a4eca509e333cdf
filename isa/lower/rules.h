/* Rules that several instructions share. Each reports and returns whether it holds. */
#ifndef NPU_ISA_RULES_H
#define NPU_ISA_RULES_H

#include "isa/lower/lower.h"

bool rule_same_type(LowerCtx *c, const Instr *i, const Tile *a, const char *na, const Tile *b, const char *nb);
bool rule_same_valid(LowerCtx *c, const Instr *i, const Tile *a, const char *na, const Tile *b, const char *nb);
bool rule_row_major(LowerCtx *c, const Instr *i, const Tile *t, const char *name);
/* Every tile is column-major and the instruction's document sets no layout: notes that the library does. */
bool rule_columns(LowerCtx *c, const Instr *i);
/* Row-major with one valid column, or a single column-major column. */
bool rule_column(LowerCtx *c, const Instr *i, const Tile *t, const char *name);

/* An instruction on column-major tiles works on the rows of the transposed tiles, which are the same bytes. */
typedef struct Turned {
    Instr instr;
    Tile tile[MAX_IN + MAX_OUT];
} Turned;
/* i itself where it works on rows anyway. */
const Instr *as_rows(const LowerCtx *c, const Instr *i, Turned *t);

/* Type, layout and region of one source of an element-wise instruction. */
bool rule_source(LowerCtx *c, const Instr *i, const Tile *s, const char *name, const Tile *d);
/* What the shipped lowering does wrong, NULL: nothing. Repaired in document conformance, else an error. */
bool rule_defect(LowerCtx *c, const Instr *i, const char *what);
/* Bytes are written in pairs on a2a3: says so for a region of odd width. */
void note_byte_pair(LowerCtx *c, const Instr *i, const Tile *d);
/* Whole blocks are copied on a2a3: says which columns that are not valid are written. */
void note_block_padding(LowerCtx *c, const Instr *i, const Tile *d);

/* A tmp tile is there and large enough where the target needs one. */
bool rule_tmp(LowerCtx *c, const Instr *i);

static inline bool same_valid(const Tile *a, const Tile *b) { return a->vrows == b->vrows && a->vcols == b->vcols; }
static inline bool no_elements(const Tile *t) { return !t->vrows || !t->vcols; }
/* Whether the storage of two tiles shares bytes that matter. */
static inline bool tiles_overlap(const LowerCtx *c, const Tile *a, const Tile *b) {
    return !c->timing_only && a->addr < b->addr + (int64_t)tile_bytes(b) && b->addr < a->addr + (int64_t)tile_bytes(a);
}

#endif

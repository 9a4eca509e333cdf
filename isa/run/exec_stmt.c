/* Statements that declare and describe: constants, tiles, views, arguments, directives. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/read/npy.h"
#include "isa/run/interp_internal.h"

static const char *tile_name(Interp *in, uint32_t name) {
    const char *s = names_text(in->names, name);
    char *t = arena_alloc(in->arena, strlen(s) + 2);
    t[0] = '%';
    strcpy(t + 1, s);
    return t;
}

static bool bound(const BindingList *l, const char *name) {
    for (int i = 0; i < l->n; i++)
        if (l->v[i].tile && strcmp(l->v[i].name, name) == 0) return true;
    return false;
}

/* --init and `//! init` for a tile of this name. */
static bool init_tile(Interp *in, Tile *t) {
    for (int i = 0; i < in->inits.n; i++) {
        Binding *b = &in->inits.v[i];
        if (strcmp(b->name, t->name + 1) != 0) continue;
        b->used = true;
        t->written = true;
        if (in->check) check_filled(in->check, t);
        return !in->o->results || fill_rect(in, b, tile_rect(in, t), t->name);
    }
    return true;
}

static bool place_tile(Interp *in, Tile *t, int64_t addr, Loc loc) {
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)t->type.rows * t->type.cols, tile_esize(t), &bytes)) bytes = UINT64_MAX;
    if (addr >= 0) {
        if (bytes > in->alloc.size || addr > (int64_t)(UINT32_MAX - bytes)) { /* micro-operations have 32-bit addresses */
            diag(in->diag, DIAG_UB_OOB, loc, "expected a place in the unified buffer of %u bytes, found %ux%u %s at 0x%" PRIx64, in->alloc.size, t->type.rows,
                 t->type.cols, dtype_name(t->type.dtype), (uint64_t)addr);
            return false;
        }
        t->addr = addr;
        if ((uint64_t)addr + bytes <= in->alloc.size) alloc_reserve(&in->alloc, (uint32_t)addr, (uint32_t)(addr + (int64_t)bytes));
    } else {
        t->addr = bytes <= in->alloc.size ? alloc_take(&in->alloc, (uint32_t)bytes) : -1;
        t->placed = t->addr >= 0;
        if (t->addr < 0) {
            diag(in->diag, DIAG_UB_FULL, loc, "no room for %s (%" PRIu64 " bytes) in the unified buffer of %u bytes\ndeclare tiles with addresses, or re-use them",
                 t->name, bytes, in->alloc.size);
            return false;
        }
    }
    return true;
}

static Tile *new_tile(Interp *in, uint32_t name, Loc loc) {
    Tile *t = arena_alloc(in->arena, sizeof *t);
    t->name = tile_name(in, name);
    t->loc = loc;
    t->id = (uint32_t)in->tile_ids++;
    t->keep = bound(&in->dumps, t->name + 1) || bound(&in->prints, t->name + 1) || bound(&in->expects, t->name + 1);
    if (in->ntile == in->tile_cap) {
        in->tile_cap = in->tile_cap ? 2 * in->tile_cap : 16;
        in->tile = xrealloc(in->tile, (size_t)in->tile_cap * sizeof *in->tile);
    }
    return in->tile[in->ntile++] = t;
}

static bool same_storage(const TileType *a, const TileType *b) {
    return a->dtype == b->dtype && a->rows == b->rows && a->cols == b->cols && a->blayout == b->blayout;
}

Tile *declare_tile(Interp *in, uint32_t name, const TileType *type, int64_t addr, int64_t vrows, int64_t vcols, Loc loc) {
    Frame *f = &in->frame[in->nframe - 1];
    Tile *t = name < f->n && f->v[name].kind == VAL_TILE ? f->v[name].tile : NULL;
    bool again = t && loc_same(t->loc, loc); /* a declaration inside a loop */
    if (t && !again && !f->func && !same_storage(&t->type, type)) {
        char old[80];
        tile_describe(t, old, sizeof old);
        diag(in->diag, DIAG_NAME, loc, "%s is declared again with another type: it is %s since line %u", t->name, old, t->loc.line);
        return NULL;
    }
    if (!t || (!again && f->func)) t = new_tile(in, name, loc);
    if (again && t->placed) alloc_release(&in->alloc, (uint32_t)t->addr, (uint32_t)(t->addr + (int64_t)tile_bytes(t)));
    t->type = *type;
    t->loc = loc;
    t->placed = false;
    t->vrows = (uint32_t)vrows;
    t->vcols = (uint32_t)vcols;
    if (!place_tile(in, t, addr, loc) || !init_tile(in, t)) return NULL;
    interp_set(in, name, (Value){.kind = VAL_TILE, .tile = t});
    return t;
}

/* An optional `key = %v` of a declaration; the default where it is missing. */
static bool named_int(Interp *in, const Stmt *s, const char *key, int64_t otherwise, int64_t *out) {
    const Named *n = stmt_named(s, key);
    *out = otherwise;
    return !n || !n->n || interp_int(in, &n->v[0], out);
}

/* The address that a declaration gives; -1: none. */
static bool address_of(Interp *in, const Stmt *s, int64_t *addr) {
    if (!named_int(in, s, "addr", -1, addr)) return false;
    const Named *n = stmt_named(s, "addr");
    if (!n || !n->n || *addr >= 0) return true;
    diag(in->diag, DIAG_UB_OOB, n->v[0].loc, "expected an address in the unified buffer, found %" PRId64, *addr);
    return false;
}

static bool valid_of(Interp *in, const Stmt *s, const TileType *t, int64_t *rows, int64_t *cols) {
    if (!named_int(in, s, "valid_row", t->vrows, rows) || !named_int(in, s, "valid_col", t->vcols, cols)) return false;
    const char *missing = *rows < 0 ? "valid_row" : *cols < 0 ? "valid_col" : NULL;
    if (missing && stmt_named(s, missing)) {
        diag(in->diag, DIAG_VALID_MISMATCH, s->loc, "%s: %s is %" PRId64 ", expected 0 or more", s->op, missing, *rows < 0 ? *rows : *cols);
        return false;
    }
    if (missing) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "%s: the type leaves the valid region open (?), expected %s = %%value", s->op, missing);
        return false;
    }
    if (*rows > t->rows || *cols > t->cols) {
        diag(in->diag, DIAG_VALID_MISMATCH, s->loc, "the valid region %" PRId64 "x%" PRId64 " does not fit into a tile of %ux%u", *rows, *cols, t->rows, t->cols);
        return false;
    }
    return true;
}

static bool exec_alloc(Interp *in, const Stmt *s) {
    const TileType *t = &s->otype[0]->tile;
    int64_t addr, rows, cols;
    if (!address_of(in, s, &addr) || !valid_of(in, s, t, &rows, &cols)) return false;
    return declare_tile(in, s->results[0].name, t, addr, rows, cols, s->loc) != NULL;
}

/* "%name[1]", so that messages and reports tell the slots apart. */
static const char *slot_name(Interp *in, const char *tile, int k) {
    size_t n = strlen(tile) + 8;
    char *t = arena_alloc(in->arena, n);
    snprintf(t, n, "%s[%d]", tile, k);
    return t;
}

static bool exec_alloc_multi(Interp *in, const Stmt *s) {
    const TileType *t = &s->otype[0]->tile;
    int64_t addr, rows, cols;
    if (!address_of(in, s, &addr) || !valid_of(in, s, t, &rows, &cols)) return false;
    MultiTile *m = arena_alloc(in->arena, sizeof *m);
    m->count = s->otype[0]->count;
    uint64_t row = (uint64_t)t->cols * dtype_size(t->dtype), slots = (uint64_t)t->rows * (uint64_t)m->count;
    bool fits = slots <= in->alloc.size / row;
    uint64_t size = fits ? t->rows * row : 0;
    if (addr < 0 && fits) addr = alloc_take(&in->alloc, (uint32_t)(size * (uint64_t)m->count));
    if (addr < 0 || !fits) {
        diag(in->diag, DIAG_UB_FULL, s->loc, "no room for %d slots of %ux%u %s in the unified buffer of %u bytes", m->count, t->rows, t->cols, dtype_name(t->dtype),
             in->alloc.size);
        return false;
    }
    for (int k = 0; k < m->count; k++) {
        Tile *slot = new_tile(in, s->results[0].name, s->loc);
        slot->name = slot_name(in, slot->name, k);
        slot->type = *t;
        slot->vrows = (uint32_t)rows;
        slot->vcols = (uint32_t)cols;
        if (!place_tile(in, slot, addr + (int64_t)(size * (uint64_t)k), s->loc)) return false;
        m->slot[k] = slot;
    }
    interp_set(in, s->results[0].name, (Value){.kind = VAL_MULTI, .multi = m});
    return true;
}

static bool exec_multi_get(Interp *in, const Stmt *s) {
    Value *v = interp_lookup(in, &s->ins[0]);
    int64_t k;
    if (!v || !interp_int(in, &s->ins[1], &k)) return false;
    if (v->kind != VAL_MULTI || k < 0 || k >= v->multi->count) {
        diag(in->diag, DIAG_NAME, s->loc, "%s: no slot %" PRId64, operand_text(in, &s->ins[0]), k);
        return false;
    }
    interp_set(in, s->results[0].name, (Value){.kind = VAL_TILE, .tile = v->multi->slot[k]});
    return true;
}

/* A second tile on the bytes of the first. */
static Tile *alias_tile(Interp *in, const Stmt *s, Tile *base, const TileType *type, int64_t addr) {
    Frame *f = &in->frame[in->nframe - 1];
    uint32_t name = s->results[0].name;
    Tile *t = name < f->n && f->v[name].kind == VAL_TILE ? f->v[name].tile : NULL;
    if (!t || t->loc.line != s->loc.line || t->loc.col != s->loc.col) t = new_tile(in, name, s->loc);
    t->type = *type;
    t->addr = addr;
    t->vrows = base->vrows;
    t->vcols = base->vcols;
    t->written = base->written;
    interp_set(in, name, (Value){.kind = VAL_TILE, .tile = t});
    return t;
}

static bool exec_reshape(Interp *in, const Stmt *s) {
    Tile *b = interp_tile(in, &s->ins[0]);
    if (!b) return false;
    const TileType *type = &s->otype[0]->tile;
    Tile *t = alias_tile(in, s, b, type, b->addr);
    if (type->vrows >= 0) t->vrows = (uint32_t)type->vrows;
    if (type->vcols >= 0) t->vcols = (uint32_t)type->vcols;
    if (tile_bytes(t) > tile_bytes(b)) {
        diag(in->diag, DIAG_UB_OOB, s->loc, "%s: the new shape needs %" PRIu64 " bytes, %s has %" PRIu64, s->op, tile_bytes(t), b->name, tile_bytes(b));
        return false;
    }
    return true;
}

static bool int_list(Interp *in, const Stmt *s, const char *key, int64_t *out, int *n) {
    const Named *l = stmt_named(s, key);
    *n = l ? l->n : 0;
    if (*n > 5) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "%s: at most 5 dimensions, found %d", s->op, *n);
        return false;
    }
    for (int i = 0; i < *n; i++)
        if (!interp_int(in, &l->v[i], &out[i])) return false;
    return true;
}

static bool exec_subview(Interp *in, const Stmt *s) {
    int64_t off[5] = {0}, size[5] = {0}, valid[5];
    int no, ns, nv;
    Tile *b = interp_tile(in, &s->ins[0]);
    if (!b || !int_list(in, s, "offsets", off, &no) || !int_list(in, s, "sizes", size, &ns) || !int_list(in, s, "valid", valid, &nv)) return false;
    const int64_t most[2] = {b->type.rows, b->type.cols};
    bool inside = no == 2 && ns == 2;
    for (int k = 0; k < 2; k++) inside &= off[k] >= 0 && off[k] <= most[k] && size[k] >= 1 && size[k] <= most[k] - off[k];
    if (!inside) {
        diag(in->diag, DIAG_UB_OOB, s->loc, "subview [%" PRId64 ", %" PRId64 "] of %" PRId64 "x%" PRId64 " does not lie in %s (%ux%u)", off[0], off[1], size[0],
             size[1], b->name, b->type.rows, b->type.cols);
        return false;
    }
    if (nv && (nv != 2 || valid[0] < 0 || valid[0] > size[0] || valid[1] < 0 || valid[1] > size[1])) {
        diag(in->diag, DIAG_VALID_MISMATCH, s->loc, "subview: expected a valid region of two numbers from 0 to %" PRId64 " and %" PRId64, size[0], size[1]);
        return false;
    }
    TileType type = b->type;
    /* The view keeps the pitch of its tile: rows below it are stepped over. */
    const TileType *given = s->notype && s->otype[0]->kind == TY_TILE ? &s->otype[0]->tile : NULL;
    type.vrows = given ? given->vrows : (int32_t)size[0];
    type.vcols = given ? given->vcols : (int32_t)size[1];
    if (type.blayout == ROW_MAJOR) type.rows = (uint32_t)size[0];
    else type.cols = (uint32_t)size[1];
    Tile *t = alias_tile(in, s, b, &type, tile_elem_addr(b, (uint32_t)off[0], (uint32_t)off[1]));
    int64_t left_rows = (int64_t)b->vrows - off[0], left_cols = (int64_t)b->vcols - off[1];
    int64_t rows = nv == 2 ? valid[0] : left_rows < size[0] ? left_rows : size[0];
    int64_t cols = nv == 2 ? valid[1] : left_cols < size[1] ? left_cols : size[1];
    t->vrows = (uint32_t)(rows < 0 ? 0 : rows);
    t->vcols = (uint32_t)(cols < 0 ? 0 : cols);
    return true;
}

static bool exec_set_valid(Interp *in, const Stmt *s) {
    Tile *t = interp_tile(in, &s->ins[0]);
    int64_t rows, cols;
    if (!t || !interp_int(in, &s->ins[1], &rows) || !interp_int(in, &s->ins[2], &cols)) return false;
    if (rows < 0 || cols < 0 || rows > t->type.rows || cols > t->type.cols) {
        diag(in->diag, DIAG_VALID_MISMATCH, s->loc, "the valid region %" PRId64 "x%" PRId64 " does not fit into %s (%ux%u)", rows, cols, t->name, t->type.rows,
             t->type.cols);
        return false;
    }
    t->vrows = (uint32_t)rows;
    t->vcols = (uint32_t)cols;
    return true;
}

static bool exec_get_valid(Interp *in, const Stmt *s) {
    Tile *t = interp_tile(in, &s->ins[0]);
    if (!t) return false;
    Value rows = {.kind = VAL_SCALAR, .dtype = DT_I64, .bits = t->vrows}, cols = rows;
    cols.bits = t->vcols;
    if (s->nresults == 2) {
        interp_set(in, interp_name(in, &s->results[0]), rows);
        interp_set(in, interp_name(in, &s->results[1]), cols);
    } else {
        interp_set(in, s->results[0].name, strcmp(s->op, "tile_valid_cols") == 0 ? cols : rows);
    }
    return true;
}

static bool exec_tassign(Interp *in, const Stmt *s) {
    Tile *t = interp_tile(in, &s->ins[0]);
    int64_t addr;
    if (!t || !interp_int(in, &s->ins[1], &addr)) return false;
    if (addr < 0 || addr > UINT32_MAX) {
        diag(in->diag, DIAG_UB_OOB, s->ins[1].loc, "expected an address in the unified buffer, found %" PRId64, addr);
        return false;
    }
    if (t->placed) alloc_release(&in->alloc, (uint32_t)t->addr, (uint32_t)(t->addr + (int64_t)tile_bytes(t)));
    t->placed = false;
    bool moved = t->addr != addr;
    if (!place_tile(in, t, addr, s->loc)) return false;
    if (moved && !init_tile(in, t)) return false;
    if (s->nresults) interp_set(in, s->results[0].name, (Value){.kind = VAL_TILE, .tile = t});
    return true;
}

/* Lanes of a vector, one literal for all or one each. */
static bool exec_dense(Interp *in, const Stmt *s) {
    const Type *t = s->type[0];
    unsigned width = 8 * dtype_size(t->dtype);
    Value v = {.kind = VAL_VECTOR, .dtype = t->dtype};
    for (int k = (int)t->dim[0]; k--;) {
        uint64_t lane = (uint64_t)s->ins[s->nins > 1 ? k : 0].i;
        v.bits = width == 64 ? lane : v.bits << width | (lane & ((1ull << width) - 1));
    }
    interp_set(in, s->results[0].name, v);
    return true;
}

static bool exec_extract(Interp *in, const Stmt *s) {
    Value *v = interp_lookup(in, &s->ins[0]);
    int64_t lane;
    if (!v || !interp_int(in, &s->ins[1], &lane)) return false;
    if (v->kind != VAL_VECTOR) {
        diag(in->diag, DIAG_OPERANDS, s->ins[0].loc, "%s: expected a vector, %s is none", s->op, operand_text(in, &s->ins[0]));
        return false;
    }
    unsigned size = dtype_size(v->dtype);
    if (lane < 0 || lane >= (int64_t)(8 / size)) {
        diag(in->diag, DIAG_OPERANDS, s->ins[1].loc, "%s: %s has no lane %" PRId64, s->op, operand_text(in, &s->ins[0]), lane);
        return false;
    }
    uint64_t bits = v->bits >> (8 * size * (unsigned)lane), keep = size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
    interp_set(in, s->results[0].name, (Value){.kind = VAL_SCALAR, .dtype = v->dtype, .bits = bits & keep});
    return true;
}

static bool exec_constant(Interp *in, const Stmt *s) {
    if (s->ntype && s->type[0]->kind == TY_VECTOR) return exec_dense(in, s);
    const Operand *o = &s->ins[0];
    DType t = s->ntype ? s->type[0]->dtype : s->notype ? s->otype[0]->dtype : DT_I1;
    Value v = {.kind = VAL_SCALAR, .dtype = t};
    unsigned bits = t == DT_I1 ? 1 : 8 * dtype_size(t);
    if (o->kind == OPD_FLOAT || (dtype_is_float(t) && !o->hex)) {
        double f = o->kind == OPD_FLOAT ? o->f : (double)o->i;
        if (!dtype_is_float(t)) {
            diag(in->diag, DIAG_SCALAR_INEXACT, o->loc, "expected an integer for type %s, found %g", dtype_name(t), f);
            return false;
        }
        v.bits = dtype_from_double(t, f, ROUND_RINT);
        if (isfinite(f) && isinf(dtype_to_double(t, v.bits)))
            diag(in->diag, DIAG_SCALAR_RANGE, o->loc, "%g is beyond the range of %s and becomes infinity", f, dtype_name(t));
    } else {
        uint64_t u = (uint64_t)o->i, top = bits == 64 ? 0 : u >> bits;
        bool negative = o->i < 0 && !o->hex && bits < 64 && o->i >= -(1ll << (bits - (bits > 1)));
        if (bits < 64 && top && !negative) {
            diag(in->diag, DIAG_SCALAR_RANGE, o->loc, "%" PRId64 " does not fit into %s", o->i, dtype_name(t));
        }
        v.bits = bits == 64 ? u : u & ((1ull << bits) - 1);
    }
    interp_set(in, s->results[0].name, v);
    return true;
}

/* ---- global memory ---- */

/* The shape that an argument without one is dumped in. */
static void note_view_shape(Buffer *x, const GmView *v) {
    bool dense = v->offset == 0;
    int64_t step = 1;
    for (int k = v->rank - 1; k >= 0; k--) {
        dense &= v->size[k] > 0 && step <= (1ll << 36) / v->size[k] && (v->size[k] == 1 || v->stride[k] == step);
        if (dense) step *= v->size[k];
    }
    if (x->view_rank == 0 && dense && v->rank > 0) {
        x->view_rank = v->rank;
        memcpy(x->view, v->size, sizeof x->view);
    } else if (!dense || x->view_rank != v->rank || memcmp(x->view, v->size, (size_t)v->rank * sizeof *v->size) != 0) {
        x->view_rank = -1;
    }
}

static const Binding *argument_binding(Interp *in, const char *name) {
    for (int i = 0; i < in->args.n; i++)
        if (strcmp(in->args.v[i].name, name) == 0) {
            in->args.v[i].used = true;
            return &in->args.v[i];
        }
    return NULL;
}

/* get_block_idx and its siblings, and the arguments that a compiler passes instead: %__pypto_spmd_block_idx. */
static bool block_info(Interp *in, const char *name, uint64_t *out) {
    const struct {
        const char *end;
        uint64_t value;
    } known[] = {{"subblock_idx", in->o->subblock_index}, {"subblock_num", in->o->subblock_count}, {"block_idx", in->o->block_index}, {"block_num", in->o->block_count}};
    size_t n = strlen(name);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t len = strlen(known[k].end);
        if (n < len || strcmp(name + n - len, known[k].end) != 0) continue;
        *out = known[k].value;
        return true;
    }
    return false;
}

const Value *bind_argument(Interp *in, const FuncArg *a, Value *out) {
    const char *name = names_text(in->names, a->name);
    const Binding *b = argument_binding(in, name);
    *out = (Value){.dtype = a->type.dtype};
    if (a->type.kind == TY_PTR) {
        out->kind = VAL_PTR;
        bool fresh;
        out->buffer = next_buffer(in, name, a->type.dtype, &fresh);
        if (!fresh) return out;
        if (b) return bind_array(in, b, out->buffer) ? out : NULL;
        in->buffer[out->buffer].open = true;
        if (in->o->results && !in->o->check_only)
            diag(in->diag, DIAG_ARG_RANDOM, a->loc, "argument %s is bound to nothing: filled with random %s values (seed %" PRIu64 ")", name,
                 dtype_name(a->type.dtype), in->buffer[out->buffer].seed);
        return out;
    }
    if (a->type.kind != TY_SCALAR) {
        diag(in->diag, DIAG_ARG, a->loc, "argument %s: expected a pointer or a scalar type", name);
        return NULL;
    }
    out->kind = VAL_SCALAR;
    if (b) return bind_scalar(in, b, a->type.dtype, &out->bits) ? out : NULL;
    if (!block_info(in, name, &out->bits)) {
        diag(in->diag, DIAG_ARG, a->loc, "argument %s has no value: a scalar of type %s is needed\nuse --arg %s=VALUE or `//! arg %s = VALUE`", name,
             a->type.is_index ? "index" : dtype_name(a->type.dtype), name, name);
        return NULL;
    }
    return out;
}

bool view_layout(Interp *in, const Stmt *s, bool *dn) {
    note_odd_attributes(in, s->op, s);
    const Named *layout = stmt_named(s, "layout");
    const char *word = !layout ? "nd" : layout->n && layout->v[0].word ? layout->v[0].word : "";
    *dn = strcmp(word, "dn") == 0;
    if (*dn || strcmp(word, "nd") == 0) return true;
    diag(in->diag, DIAG_LAYOUT, s->loc, "%s: expected layout nd or dn, found %s", s->op, *word ? word : "nothing");
    return false;
}

/* Bounds of a view, within which products of its sizes, strides and offsets fit 64 bits. */
static bool view_fits(const GmView *v) {
    const int64_t most = 1ll << 40;
    __int128 elements = 1, reach = v->offset;
    for (int k = 0; k < v->rank; k++) {
        int64_t n = v->size[k], step = v->stride[k];
        if (n < 0 || n > most || step < 0 || step > most) return false;
        elements *= n ? n : 1;
        reach += (__int128)(n ? n - 1 : 0) * step;
        if (elements > most || reach > most) return false;
    }
    return true;
}

/* Executed again, a statement re-uses its view: loops need no memory. */
static bool set_view(Interp *in, const Stmt *s, const GmView *v) {
    if (!view_fits(v)) {
        diag(in->diag, DIAG_ARG, s->loc, "%s: expected sizes and strides from 0 that stay within 2^40 elements of argument %s", s->op, v->name);
        return false;
    }
    Frame *f = &in->frame[in->nframe - 1];
    uint32_t name = s->results[0].name;
    bool reuse = name < f->n && f->v[name].kind == VAL_VIEW && f->v[name].bits == (uint64_t)(uintptr_t)s;
    GmView *kept = reuse ? f->v[name].view : arena_alloc(in->arena, sizeof *kept);
    *kept = *v;
    interp_set(in, name, (Value){.kind = VAL_VIEW, .view = kept, .bits = (uint64_t)(uintptr_t)s});
    return true;
}

static bool exec_tensor_view(Interp *in, const Stmt *s) {
    Value *p = interp_lookup(in, &s->ins[0]);
    if (!p) return false;
    if (p->kind != VAL_PTR) {
        diag(in->diag, DIAG_NAME, s->ins[0].loc, "%s: expected a pointer", operand_text(in, &s->ins[0]));
        return false;
    }
    GmView v = {.buffer = p->buffer, .dtype = p->dtype, .offset = (int64_t)p->bits, .name = in->buffer[p->buffer].name};
    int ns;
    if (!int_list(in, s, "shape", v.size, &v.rank) || !int_list(in, s, "strides", v.stride, &ns)) return false;
    if (ns != v.rank) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "%d sizes and %d strides", v.rank, ns);
        return false;
    }
    if (!view_layout(in, s, &v.dn)) return false;
    if (!set_view(in, s, &v)) return false;
    if (in->buffer[p->buffer].open) note_view_shape(&in->buffer[p->buffer], &v);
    return true;
}

static bool exec_partition(Interp *in, const Stmt *s) {
    Value *p = interp_lookup(in, &s->ins[0]);
    if (!p) return false;
    if (p->kind != VAL_VIEW) {
        diag(in->diag, DIAG_NAME, s->ins[0].loc, "%s: expected a tensor view", operand_text(in, &s->ins[0]));
        return false;
    }
    GmView v = *p->view;
    int64_t off[5], size[5];
    int no, ns;
    if (!int_list(in, s, "offsets", off, &no) || !int_list(in, s, "sizes", size, &ns)) return false;
    if (no != v.rank || ns != v.rank) {
        diag(in->diag, DIAG_OPERANDS, s->loc, "the view has %d dimensions, found %d offsets and %d sizes", v.rank, no, ns);
        return false;
    }
    for (int k = 0; k < v.rank; k++) {
        if (off[k] < 0 || size[k] < 0 || size[k] > v.size[k] || off[k] > v.size[k] - size[k]) {
            diag(in->diag, DIAG_ARG, s->loc, "dimension %d of %s: offset %" PRId64 " + size %" PRId64 " does not lie in 0..%" PRId64, k, v.name, off[k], size[k],
                 v.size[k]);
            return false;
        }
        v.offset += off[k] * v.stride[k];
        v.size[k] = size[k];
    }
    return set_view(in, s, &v);
}

/* ---- scalar access to global memory ---- */

static bool scalar_place(Interp *in, const Stmt *s, const Operand *ptr, const Operand *index, bool write, uint32_t *buffer, uint64_t *byte, DType *t) {
    Value *p = interp_lookup(in, ptr);
    int64_t i;
    if (!p || !interp_int(in, index, &i)) return false;
    if (p->kind != VAL_PTR || i < 0) {
        diag(in->diag, DIAG_NAME, s->loc, "%s: expected a pointer and an index that is not negative", operand_text(in, ptr));
        return false;
    }
    *t = p->dtype;
    *buffer = p->buffer;
    if (i > (int64_t)FILE_MOST) {
        diag(in->diag, DIAG_ARG, index->loc, "expected an element of argument %s, found index %" PRId64, in->buffer[p->buffer].name, i);
        return false;
    }
    *byte = (p->bits + (uint64_t)i) * dtype_size(*t);
    settle_scalar_access(in, s, (AccessRange){*buffer + 1, *byte, *byte + dtype_size(*t), write, false, false, in->buffer[*buffer].name});
    return buffer_reach(in, *buffer, *byte + dtype_size(*t), s->loc);
}

static void touch_scalar(Interp *in, const Stmt *s, uint32_t buffer, uint64_t at, DType t, GmAccess how) {
    if (!in->mem->races) return;
    races_at(in->mem->races, s->loc, how == GM_READ ? "load_scalar" : "store_scalar");
    races_touch(in->mem->races, buffer, dtype_size(t), at, at + dtype_size(t), how);
}

static bool exec_load_scalar(Interp *in, const Stmt *s) {
    uint32_t b;
    uint64_t at;
    DType t;
    if (!scalar_place(in, s, &s->ins[0], &s->ins[1], false, &b, &at, &t)) return false;
    touch_scalar(in, s, b, at, t, GM_READ);
    interp_set(in, s->results[0].name, (Value){.kind = VAL_SCALAR, .dtype = t, .bits = dtype_load(t, in->gm[b].data + at)});
    return true;
}

static bool exec_store_scalar(Interp *in, const Stmt *s) {
    uint32_t b;
    uint64_t at;
    DType t;
    Value *v = interp_lookup(in, &s->ins[0]);
    if (!v || !scalar_place(in, s, &s->ins[1], &s->ins[2], true, &b, &at, &t)) return false;
    if (v->kind != VAL_SCALAR) {
        diag(in->diag, DIAG_NAME, s->ins[0].loc, "%s: expected a scalar value", operand_text(in, &s->ins[0]));
        return false;
    }
    touch_scalar(in, s, b, at, t, GM_WRITE);
    dtype_store(t, in->gm[b].data + at, v->bits);
    return true;
}

static bool exec_block_info(Interp *in, const Stmt *s) {
    uint64_t v = 0;
    block_info(in, s->op, &v);
    DType t = s->notype ? s->otype[0]->dtype : DT_I64;
    interp_set(in, s->results[0].name, (Value){.kind = VAL_SCALAR, .dtype = t, .bits = v});
    return true;
}

bool exec_directive(Interp *in, const Directive *d, Loc loc) {
    Binding b = {.tile = d->is_tile, .dir = in->dir, .loc = loc};
    if (d->name) b.name = arena_strdup(in->arena, d->name, strlen(d->name));
    if (d->spec) b.spec = arena_strdup(in->arena, d->spec, strlen(d->spec));
    if (d->tolerance) b.tolerance = arena_strdup(in->arena, d->tolerance, strlen(d->tolerance));
    switch (d->kind) {
    case DIR_TARGET: return true;
    case DIR_ARG: binding_add(&in->args, b); return true;
    case DIR_DUMP: binding_add(&in->dumps, b); break;
    case DIR_EXPECT: binding_add(&in->expects, b); break;
    case DIR_INIT: {
        binding_add(&in->inits, b);
        Frame *f = &in->frame[in->nframe - 1];
        uint32_t name = names_intern(in->names, b.name, strlen(b.name));
        return name >= f->n || f->v[name].kind != VAL_TILE || init_tile(in, f->v[name].tile);
    }
    case DIR_POISON: memset(in->machine->ub, (int)d->num[0], in->machine->ub_size); return true;
    case DIR_MASK: return exec_mask_directive(in, d, loc);
    case DIR_ALLOW: {
        DiagId id = diag_find(d->name);
        if (id == DIAG_COUNT) {
            diag(in->diag, DIAG_SYNTAX, loc, "allow: expected the ID of a diagnostic, found %s", d->name);
            return false;
        }
        diag_allow(in->diag, id);
        in->allow_next = true;
        return true;
    }
    case DIR_CYCLES:
        in->has_cycles = true;
        in->cycles = d->num[0];
        in->cycles_percent = d->percent;
        in->cycles_loc = loc;
        return true;
    }
    Frame *f = &in->frame[in->nframe - 1]; /* a tile that is looked at later keeps its place */
    uint32_t name = names_intern(in->names, b.name, strlen(b.name));
    if (b.tile && name < f->n && f->v[name].kind == VAL_TILE) f->v[name].tile->keep = true;
    return true;
}

bool exec_statement(Interp *in, const Stmt *s) {
    switch (s->kind) {
    case ST_INSTR:
    case ST_TGETVAL:
    case ST_TSETVAL: return exec_instr(in, s);
    case ST_DIRECTIVE: return exec_directive(in, s->dir, s->loc);
    case ST_CONSTANT: return exec_constant(in, s);
    case ST_EXTRACT: return exec_extract(in, s);
    case ST_ARITH: return exec_arith(in, s);
    case ST_ALLOC_TILE: return exec_alloc(in, s);
    case ST_ALLOC_MULTI: return exec_alloc_multi(in, s);
    case ST_MULTI_GET: return exec_multi_get(in, s);
    case ST_TASSIGN: return exec_tassign(in, s);
    case ST_TENSOR_VIEW: return exec_tensor_view(in, s);
    case ST_PARTITION: return exec_partition(in, s);
    case ST_SUBVIEW: return exec_subview(in, s);
    case ST_SET_VALIDSHAPE: return exec_set_valid(in, s);
    case ST_GET_VALIDSHAPE: return exec_get_valid(in, s);
    case ST_TRESHAPE: return exec_reshape(in, s);
    case ST_LOAD_SCALAR: return exec_load_scalar(in, s);
    case ST_STORE_SCALAR: return exec_store_scalar(in, s);
    case ST_BLOCK_INFO: return exec_block_info(in, s);
    case ST_SET_FLAG:
    case ST_WAIT_FLAG:
    case ST_BARRIER: return exec_sync(in, s);
    case ST_BUF: return exec_buf(in, s);
    case ST_IGNORED: return true;
    default:
        diag(in->diag, DIAG_UNKNOWN_OP, s->loc, "%s: read, but not executed by this version", s->op);
        return false;
    }
}

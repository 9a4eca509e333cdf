#include "isa/check/alias.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/check/crossing.h"
#include "isa/check/taint.h"

enum {
    MAX_OPERANDS = MAX_IN + MAX_OUT + 1,
    PLACE_BITS = 24,      /* distance of the operands in the second lowering */
    SLOT_BITS = 4,
    MIXED = 15,           /* slot of a byte that was copied from an overwritten source */
    VERDICTS = 1024,
    TEXT = 512
};

typedef enum Finding { FINE, OVERLAPS, DESTROYED } Finding;

typedef struct Verdict {
    uint64_t key;
    Finding finding;
    char *text;
} Verdict;

struct AliasCache {
    uint32_t size;      /* of UB */
    uint32_t run;       /* number of the analysis */
    uint32_t *owner;    /* per byte of UB: analysis << SLOT_BITS | operand that wrote it last */
    RepeatMap repeats;
    Verdict verdict[VERDICTS];
};

AliasCache *alias_cache_new(const Target *t) {
    AliasCache *a = xcalloc(1, sizeof *a);
    a->size = (uint32_t)t->ub.bytes.v;
    a->owner = xcalloc(a->size, sizeof *a->owner);
    repeat_map_init(&a->repeats, a->size);
    return a;
}

void alias_cache_free(AliasCache *a) {
    if (!a) return;
    for (int k = 0; k < VERDICTS; k++) free(a->verdict[k].text);
    free(a->owner);
    repeat_map_free(&a->repeats);
    free(a);
}

typedef struct Operand {
    Tile tile;          /* moved to a place of its own */
    int64_t addr;       /* where it really is */
    uint64_t bytes;     /* that matter: storage, or what the stages use of tmp */
    const char *name;
    const char *role;
    int slot;           /* operands that are meant to be one share it */
    bool out;
} Operand;

typedef struct Analysis {
    AliasCache *a;
    const LowerCtx *c;
    Operand op[MAX_OPERANDS];
    int n;
    Instr moved;
    UopBuf body;
    MaskState mask;
    const Uop *uop;             /* at hand, in the second lowering */
    const char *uop_name;
    const char *writer[MAX_OPERANDS]; /* last micro-op that wrote the operand */
    uint64_t lost;              /* first byte that was copied or stored on from an overwritten source */
    int lost_slot, lost_writer;
    Finding finding;
    char *text;
} Analysis;

/* ---- operands ---- */

static void add_operand(Analysis *x, Tile **t, const char *role, bool out, uint64_t bytes) {
    Operand *o = &x->op[x->n];
    *o = (Operand){.tile = **t, .addr = (*t)->addr, .bytes = bytes, .name = (*t)->name, .role = role, .slot = x->n, .out = out};
    x->n++;
    *t = &o->tile;
}

/* What the stages touch, spill included; 0: tmp is not used. */
static uint64_t tmp_bytes(const LowerCtx *c, const Instr *i) {
    TmpNeed n = instr_tmp_need(c->target, i);
    return n.rows ? ((uint64_t)(n.rows - 1) * i->tmp->type.cols + n.real_cols) * tile_esize(i->tmp) : 0;
}

static bool overlap(const Tile *a, uint64_t a_bytes, const Tile *b, uint64_t b_bytes) {
    return a_bytes && b_bytes && a->addr < b->addr + (int64_t)b_bytes && b->addr < a->addr + (int64_t)a_bytes;
}

/* Sources may share memory. */
static bool any_overlap(const LowerCtx *c, const Instr *i) {
    const Tile *t[MAX_OPERANDS];
    uint64_t bytes[MAX_OPERANDS];
    int n = 0;
    for (int k = 0; k < i->nin; k++, n++) t[n] = i->in[k], bytes[n] = tile_bytes(t[n]);
    for (int k = 0; k < i->nout; k++, n++) t[n] = i->out[k], bytes[n] = tile_bytes(t[n]);
    if (i->tmp) t[n] = i->tmp, bytes[n++] = tmp_bytes(c, i);
    for (int k = i->nin; k < n; k++)
        for (int j = 0; j < k; j++)
            if (overlap(t[k], bytes[k], t[j], bytes[j])) return true;
    return false;
}

static void collect(Analysis *x, const Instr *i) {
    const Signature *s = instr_signature(i->id);
    int form = s->nout[1] == i->nout && s->nout[0] != i->nout;
    x->moved = *i;
    for (int k = 0; k < i->nin; k++) add_operand(x, &x->moved.in[k], s->in_name[k], false, tile_bytes(i->in[k]));
    for (int k = 0; k < i->nout; k++) add_operand(x, &x->moved.out[k], s->out_name[form][k], true, tile_bytes(i->out[k]));
    if (i->tmp) add_operand(x, &x->moved.tmp, "tmp", true, tmp_bytes(x->c, i));
}

static bool same_place(const Operand *a, const Operand *b) {
    return a->addr == b->addr && tile_esize(&a->tile) == tile_esize(&b->tile) && tile_row_stride(&a->tile) == tile_row_stride(&b->tile) &&
           tile_col_stride(&a->tile) == tile_col_stride(&b->tile);
}

static void move_operands(Analysis *x, bool join) {
    for (int k = 0; k < x->n; k++) {
        x->op[k].slot = k;
        for (int j = 0; join && j < k; j++)
            if (same_place(&x->op[k], &x->op[j])) x->op[k].slot = x->op[j].slot;
        x->op[k].tile.addr = (int64_t)(x->op[k].slot + 1) << PLACE_BITS;
    }
}

static bool same_stream(const UopBuf *a, const UopBuf *b) {
    if (a->n != b->n || a->nvf != b->nvf) return false;
    for (uint32_t k = 0; k < a->n; k++)
        if (a->uop[k].op != b->uop[k].op || a->uop[k].rep != b->uop[k].rep) return false;
    for (uint32_t k = 0; k < a->nvf; k++)
        if (a->vf[k].op != b->vf[k].op) return false;
    return true;
}

/* Some lowerings have a form of their own for in-place operands: those are meant to be one. */
static bool lower_apart(Analysis *x, const Instr *i) {
    UopBuf real = {0};
    LowerCtx c = *x->c;
    c.diag = NULL;
    c.out = &real;
    instr_lower(&c, i);
    c.out = &x->body;
    bool same = false;
    for (int join = 0; join < 2 && !same; join++) {
        move_operands(x, join);
        instr_lower(&c, &x->moved);
        same = same_stream(&real, &x->body);
    }
    uopbuf_free(&real);
    return same;
}

/* ---- findings ---- */

static int slot_of(uint64_t addr) { return (int)(addr >> PLACE_BITS) - 1; }

static uint64_t real_address(const Analysis *x, uint64_t addr) {
    return (uint64_t)x->op[slot_of(addr)].addr + (addr & ((1u << PLACE_BITS) - 1));
}

static int writer_of(const Analysis *x, uint64_t byte) {
    uint32_t o = byte < x->a->size ? x->a->owner[byte] : 0;
    return o >> SLOT_BITS == x->a->run ? (int)(o & ((1 << SLOT_BITS) - 1)) : -1;
}

static void set_writer(Analysis *x, uint64_t lo, uint64_t hi, int slot) {
    for (uint64_t b = lo; b < hi && b < x->a->size; b++) x->a->owner[b] = x->a->run << SLOT_BITS | (uint32_t)slot;
}

static bool foreign(const Analysis *x, uint64_t byte, int slot) {
    int w = writer_of(x, byte);
    return w >= 0 && w != slot;
}

static void find(Analysis *x, Finding f, const char *text) {
    if (f <= x->finding) return;
    x->finding = f;
    free(x->text);
    x->text = xcalloc(1, strlen(text) + 1);
    strcpy(x->text, text);
}

static const char *role_text(const Analysis *x, int slot, char *buf, size_t n) {
    snprintf(buf, n, "%s %s", x->op[slot].role, x->op[slot].name);
    return buf;
}

static void destroyed(Analysis *x, uint64_t byte, int slot, int writer, const char *when) {
    if (x->finding == DESTROYED) return;
    if (writer == MIXED) {
        byte = x->lost;
        slot = x->lost_slot;
        writer = x->lost_writer;
        when = "before it is read";
    }
    char r[160], w[160], text[TEXT];
    snprintf(text, sizeof text, "%s overlaps %s: %s overwrites byte 0x%" PRIx64 " of %s %s\nuse another tile for %s", role_text(x, writer, w, sizeof w),
             role_text(x, slot, r, sizeof r), x->writer[writer] ? x->writer[writer] : "a micro-op", byte, x->op[slot].name, when, x->op[writer].name);
    find(x, DESTROYED, text);
}

/* The source byte was overwritten; where it goes on to will tell whether that matters. */
static void lose(Analysis *x, uint64_t byte, int slot) {
    int writer = writer_of(x, byte);
    if (x->lost_writer >= 0 || writer == MIXED || writer < 0) return;
    x->lost = byte;
    x->lost_slot = slot;
    x->lost_writer = writer;
}

static void overlaps(Analysis *x, uint64_t byte, int slot, int writer) {
    char r[160], w[160], text[TEXT];
    snprintf(text, sizeof text, "%s overlaps %s inside one %s, first at byte 0x%" PRIx64 ": the vendor's general rule forbids it; every repeat reads before its bytes are overwritten, the result is right",
             role_text(x, writer, w, sizeof w), role_text(x, slot, r, sizeof r), x->uop_name, byte);
    find(x, OVERLAPS, text);
}

/* ---- micro-ops of a2a3 ---- */

static void read_run(void *ctx, uint64_t lo, uint64_t hi) {
    Analysis *x = ctx;
    int slot = slot_of(lo);
    uint64_t at = real_address(x, lo), end = at + (hi - lo);
    for (uint64_t b = at; b < end; b++)
        if (foreign(x, b, slot)) {
            char when[96];
            snprintf(when, sizeof when, "before %s reads it", x->uop_name);
            destroyed(x, b, slot, writer_of(x, b), when);
            return;
        }
}

static void write_run(void *ctx, uint64_t lo, uint64_t hi) {
    Analysis *x = ctx;
    int slot = slot_of(lo);
    uint64_t at = real_address(x, lo);
    set_writer(x, at, at + (hi - lo), slot);
    x->writer[slot] = x->uop_name;
}

/* Block copies move padding too: what they copy counts only when something reads it. A copy onto
 * itself changes nothing. */
static void copy_blocks(Analysis *x, const Shape *s) {
    Access d = uop_access(x->uop, s, ROLE_DST), a = uop_access(x->uop, s, ROLE_SRC0);
    uint64_t n = (uint64_t)d.blocks * BLOCK_BYTES;
    for (uint32_t k = 0; k < s->repeats; k++) {
        uint64_t from = real_address(x, access_addr(&a, k, 0)), to = real_address(x, access_addr(&d, k, 0));
        if (from == to) continue;
        bool *bad = xcalloc(n, sizeof *bad);
        for (uint64_t b = 0; b < n; b++) {
            bad[b] = foreign(x, from + b, slot_of(a.base));
            if (bad[b]) lose(x, from + b, slot_of(a.base));
        }
        for (uint64_t b = 0; b < n; b++) set_writer(x, to + b, to + b + 1, bad[b] ? MIXED : slot_of(d.base));
        free(bad);
    }
    x->writer[slot_of(d.base)] = x->uop_name;
}

/* The micro-op with its operands where they really lie. */
static Uop really(const Analysis *x, const Shape *s) {
    Uop u = *x->uop;
    if (uop_access(&u, s, ROLE_DST).used) u.dst = (uint32_t)real_address(x, u.dst);
    if (uop_access(&u, s, ROLE_SRC0).used) u.src0 = (uint32_t)real_address(x, u.src0);
    if (uop_access(&u, s, ROLE_SRC1).used) u.src1 = (uint32_t)real_address(x, u.src1);
    return u;
}

/* Source and destination of one micro-op, when they are different operands. */
static void judge_repeats(Analysis *x, const Shape *s, Role r) {
    Access d = uop_access(x->uop, s, ROLE_DST), a = uop_access(x->uop, s, r);
    if (!a.used || !d.used || slot_of(a.base) == slot_of(d.base)) return;
    Uop u = really(x, s);
    int from = slot_of(a.base), to = slot_of(d.base);
    uint64_t byte;
    Crossing found = crossing(&x->a->repeats, &u, s, r, &byte);
    if (found == CROSS_AHEAD) {
        x->writer[to] = x->uop_name;
        destroyed(x, byte, from, to, "in an earlier repeat than the one that reads it");
    } else if (found == CROSS_BEHIND) {
        overlaps(x, byte, from, to);
    }
}

/* Somewhere in the operand: all of it, but what was lost is not made good. */
static void write_somewhere(Analysis *x, uint64_t addr) {
    int slot = slot_of(addr);
    const Operand *o = &x->op[slot];
    for (uint64_t b = (uint64_t)o->addr; b < (uint64_t)o->addr + o->bytes; b++)
        if (writer_of(x, b) != MIXED) set_writer(x, b, b + 1, slot);
    x->writer[slot] = x->uop_name;
}

/* An indexed load reads somewhere in a tile, or in an array of one repeat in tmp. */
static uint64_t indexed_bytes(const Analysis *x, uint64_t addr) {
    const Operand *o = &x->op[slot_of(addr)];
    return &o->tile == x->moved.tmp ? REPEAT_BYTES : o->bytes;
}

static void judge_scalar(Analysis *x) {
    const Uop *u = x->uop;
    uint64_t size = dtype_size((DType)u->dtype2);
    if (u->op == U_S_STORE && u->src1) write_somewhere(x, u->dst);
    else if (u->op == U_S_STORE) write_run(x, u->dst, u->dst + size);
    else if (u->op == U_S_LOAD) read_run(x, u->src0, u->src0 + (u->src1 ? indexed_bytes(x, u->src0) : size));
}

static void judge_memory(Analysis *x) {
    Shape s = footprint_shape(x->uop, &x->mask);
    if (uop_info[x->uop->op].cls == UC_COPY) {
        copy_blocks(x, &s);
        return;
    }
    footprint_sources(x->uop, &s, read_run, x);
    judge_repeats(x, &s, ROLE_SRC0);
    judge_repeats(x, &s, ROLE_SRC1);
    if (uop_info[x->uop->op].cls == UC_GATHER && !x->uop->mode) write_somewhere(x, x->uop->dst);
    else footprint_runs(x->uop, &s, ROLE_DST, 0, s.repeats, write_run, x);
}

/* ---- vector functions of the 950 ---- */

static bool vf_load(void *ctx, const VfInstr *v, uint64_t addr, uint32_t n, uint8_t *marks) {
    Analysis *x = ctx;
    uint64_t at = real_address(x, addr);
    bool any = false;
    (void)v;
    for (uint32_t b = 0; b < n; b++) any |= marks[b] = foreign(x, at + b, slot_of(addr));
    return any;
}

static void vf_store(void *ctx, const VfInstr *v, uint64_t lo, uint64_t hi, const uint8_t *marks, uint64_t origin) {
    Analysis *x = ctx;
    uint64_t at = real_address(x, lo);
    int slot = slot_of(lo);
    if (marks) lose(x, real_address(x, origin), slot_of(origin));
    for (uint64_t b = 0; b < hi - lo; b++) set_writer(x, at + b, at + b + 1, marks && marks[b] ? MIXED : slot);
    x->writer[slot] = uop_info[v->op].name;
}

static void vf_use(void *ctx, const VfInstr *v, uint8_t marks, uint64_t origin) {
    Analysis *x = ctx;
    char when[96];
    uint64_t at = real_address(x, origin);
    (void)marks;
    snprintf(when, sizeof when, "before %s uses it", uop_info[v->op].name);
    destroyed(x, at, slot_of(origin), writer_of(x, at), when);
}

static void vf_store_somewhere(void *ctx, uint64_t addr) {
    write_somewhere(ctx, addr);
}

static void judge(Analysis *x) {
    const TaintPorts ports = {x, vf_load, vf_store, vf_use, vf_store_somewhere};
    for (uint32_t k = 0; k < x->body.n; k++) {
        x->uop = &x->body.uop[k];
        x->uop_name = uop_info[x->uop->op].name;
        switch (uop_info[x->uop->op].cls) {
        case UC_MASK: mask_apply(&x->mask, x->uop); break;
        case UC_SCALAR: judge_scalar(x); break;
        case UC_VFUNC: taint_run(x->c->target, x->body.vf + x->uop->imm, x->uop->rep, &ports); break;
        case UC_SYNC:
        case UC_DMA: break;
        default: judge_memory(x); break;
        }
    }
}

/* In the end every result must be where its operand lies. */
static void judge_results(Analysis *x) {
    for (int k = 0; k < x->n; k++) {
        const Tile *t = &x->op[k].tile;
        if (!x->op[k].out || t == x->moved.tmp) continue;
        for (uint32_t r = 0; r < t->vrows; r++)
            for (uint32_t c = 0; c < t->vcols * tile_esize(t); c++) {
                uint64_t at = real_address(x, tile_elem_addr(t, r, c / tile_esize(t))) + c % tile_esize(t);
                int w = writer_of(x, at);
                if (w < 0 || w == x->op[k].slot) continue;
                destroyed(x, at, k, w, "after the result was written");
                return;
            }
    }
}

/* ---- verdicts ---- */

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15u ^ h >> 29; }

static uint64_t key_of(const LowerCtx *c, const Analysis *x) {
    const Instr *i = &x->moved;
    const uint64_t form[] = {i->id, (uint64_t)i->nout, i->scalar_first, i->saturate, (uint64_t)i->round, (uint64_t)i->index[0], (uint64_t)i->index[1],
                             (uint64_t)i->pattern, (uint64_t)i->cmp, (uint64_t)i->pad, i->upper};
    uint64_t h = mix(0, c->target->sem.library);
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) h = mix(h, form[k]);
    for (int k = 0; k < x->n; k++) {
        const Tile *t = &x->op[k].tile;
        h = mix(h, (uint64_t)x->op[k].addr << 16 | (uint64_t)t->type.dtype << 8 | (uint64_t)t->type.blayout);
        h = mix(h, (uint64_t)t->type.rows << 32 | t->type.cols);
        h = mix(h, (uint64_t)t->vrows << 32 | t->vcols);
        h = mix(h, (uint64_t)(uint32_t)t->type.vrows << 32 | (uint32_t)t->type.vcols);
        h = mix(h, (uint64_t)(uintptr_t)x->op[k].name);
    }
    return h;
}

static void analyse(Analysis *x, const Instr *i) {
    if (++x->a->run >> (32 - SLOT_BITS)) {
        memset(x->a->owner, 0, x->a->size * sizeof *x->a->owner);
        x->a->run = 1;
    }
    if (lower_apart(x, i)) {
        judge(x);
        judge_results(x);
    }
    uopbuf_free(&x->body);
}

static bool report(LowerCtx *c, const Instr *i, const Verdict *v) {
    if (v->finding == DESTROYED) diag(c->diag, DIAG_ALIAS, i->loc, "%s: %s", i->info->name, v->text);
    else if (v->finding == OVERLAPS) diag(c->diag, DIAG_OVERLAP, i->loc, "%s: %s", i->info->name, v->text);
    return v->finding != DESTROYED;
}

bool check_alias(LowerCtx *c, const Instr *i) {
    const Signature *s = instr_signature(i->id);
    if (c->timing_only || s->view_in || s->view_out || !any_overlap(c, i)) return true;
    Analysis x = {.c = c, .mask = mask_full(), .lost_writer = -1};
    collect(&x, i);
    AliasCache *own = c->alias ? NULL : alias_cache_new(c->target);
    x.a = own ? own : c->alias;
    uint64_t key = key_of(c, &x);
    Verdict *v = &x.a->verdict[key % VERDICTS];
    if (v->key != key || !key) {
        analyse(&x, i);
        free(v->text);
        *v = (Verdict){key, x.finding, x.text};
    }
    bool ok = report(c, i, v);
    alias_cache_free(own);
    return ok;
}

#include "isa/check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"
#include "isa/check/shadow.h"
#include "isa/check/taint.h"

Check *check_new(const Target *t, Diag *d, CheckOptions o) {
    Check *c = xcalloc(1, sizeof *c);
    c->target = t;
    c->diag = d;
    c->o = o;
    c->size = (uint32_t)t->ub.bytes.v;
    c->clocks.family = t->family;
    c->state = xcalloc(c->size, 1);
    c->writer = xcalloc(c->size, sizeof *c->writer);
    for (int p = 0; o.as_written && p < PIPE_COUNT; p++) c->reader[p] = xcalloc(c->size, sizeof **c->reader);
    if (o.stale) c->old = xcalloc(c->size, 1);
    repeat_map_init(&c->repeats, c->size);
    return c;
}

void check_free(Check *c) {
    if (!c) return;
    for (int p = 0; p < PIPE_COUNT; p++) free(c->reader[p]);
    free(c->state);
    free(c->writer);
    free(c->old);
    free(c->patch);
    repeat_map_free(&c->repeats);
    free(c);
}

/* ---- contents ---- */

static bool all_written(const uint8_t *s, uint64_t n) {
    uint8_t odd = 0;
    for (uint64_t i = 0; i < n; i++) odd |= s[i] ^ WRITTEN;
    return !odd;
}

static bool untouched(const uint8_t *s, uint64_t n) {
    uint8_t any = 0;
    for (uint64_t i = 0; i < n; i++) any |= s[i];
    return !any;
}

bool shadow_given(Check *c, uint64_t byte) {
    const Tile *t = shadow_tile_at(c, byte);
    if (!c->listing || !t || (uint64_t)t->addr + tile_bytes(t) > c->size || !untouched(c->state + t->addr, tile_bytes(t))) return false;
    memset(c->state + t->addr, WRITTEN, tile_bytes(t));
    if (!c->o.inputs_given)
        diag_sev(c->diag, DIAG_UNINIT, SEV_NOTE, c->loc, "%s: the listing gives no data for %s", c->op, t->name);
    return true;
}

void shadow_bad_read(Check *c, uint64_t byte) {
    const Tile *t = shadow_tile_at(c, byte);
    const char *name = t ? t->name : "UB";
    if (c->state[byte] == UNDEFINED) {
        if (say_once(c, SAID_UNDEFINED))
            diag(c->diag, DIAG_UNDEFINED, c->loc, "%s: %s uses byte 0x%" PRIx64 " of %s, which a vreducev2 left undefined", c->op, c->uop_name, byte, name);
        return;
    }
    if (shadow_given(c, byte) || !say_once(c, SAID_UNINIT)) return;
    diag(c->diag, DIAG_UNINIT, c->loc, "%s: %s uses byte 0x%" PRIx64 " of %s, which nothing has written\nload or initialise the tile before it is read", c->op,
         c->uop_name, byte, name);
}

static void read_contents(Check *c, uint64_t lo, uint64_t hi) {
    if (lo >= hi || all_written(c->state + lo, hi - lo)) return;
    for (uint64_t b = lo; b < hi; b++)
        if (c->state[b] != WRITTEN) shadow_bad_read(c, b);
}

/* ---- runs of a micro-op ---- */

static void on_read(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    hi = shadow_cut(c, hi);
    if (lo >= hi) return;
    read_contents(c, lo, hi);
    shadow_read_order(c, lo, hi);
    shadow_read_region(c, lo, hi);
}

static void on_write(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    hi = shadow_cut(c, hi);
    if (lo >= hi) return;
    shadow_write(c, lo, hi);
    memset(c->state + lo, WRITTEN, hi - lo);
}

/* ---- micro-ops of a2a3 ---- */

/* Elements of a table are read by index: which ones is known only while they are executed. Indices that
 * a sort carries along are not looked at. */
static void on_table(void *ctx, uint64_t lo, uint64_t hi) {
    Check *c = ctx;
    if (lo < shadow_cut(c, hi)) shadow_read_order(c, lo, shadow_cut(c, hi));
}

static void read_sources(Check *c, const Uop *u, const Shape *s) {
    UopClass cls = uop_info[u->op].cls;
    if (cls != UC_INDEXED && cls != UC_BLOCKS && cls != UC_SORT) {
        footprint_sources(u, s, on_read, c);
        return;
    }
    footprint_runs(u, s, ROLE_SRC0, 0, s->repeats, on_read, c);
    footprint_runs(u, s, ROLE_SRC1, 0, cls == UC_SORT ? s->repeats : 1, on_table, c);
}

static bool accumulates(const Uop *u) {
    return uop_info[u->op].cls == UC_BIN && u->dst == u->src1 && (u->drpt == 0 || u->srpt1 == 0);
}

static void judge_repeats(Check *c, const Uop *u, const Shape *s) {
    Access d = uop_access(u, s, ROLE_DST);
    if (!d.used || !s->repeats || accumulates(u)) return;
    uint32_t blocks = access_blocks(&d, s, 0), span = (blocks - 1) * d.blk + d.bytes;
    bool same_block = d.masked && blocks > 1 && d.blk == 0, same_repeat = s->repeats > 1 && d.rpt + BLOCK_BYTES <= span;
    if ((same_block || same_repeat) && say_once(c, SAID_REPEATS))
        diag(c->diag, DIAG_REPEAT_OVERLAP, c->loc, "%s: %s writes %u bytes per repeat and advances by %u", c->op, c->uop_name, span, d.rpt);
    uint64_t byte;
    if (c->said & SAID_OUTSIDE) return; /* nothing is where it should be */
    if (s->repeats > 1 && crossing(&c->repeats, u, s, ROLE_SRC0, &byte) == CROSS_AHEAD && say_once(c, SAID_FEEDS))
        diag(c->diag, DIAG_OVERLAP, c->loc,
             "%s: %s works in place and a repeat writes byte 0x%" PRIx64 " before a later one reads it: right only if all reads run ahead of the writes", c->op,
             c->uop_name, byte);
}

static void judge_selector(Check *c, const Uop *u, const Shape *s) {
    uint64_t lo, hi;
    shape_mask(s, 0, &lo, &hi);
    uint64_t stale = (lo & ~c->cmp_valid[0]) | (hi & ~c->cmp_valid[1]);
    if (u->mode == SEL_CMPMASK && stale && say_once(c, SAID_CMPMASK))
        diag(c->diag, DIAG_CMPMASK_STALE, c->loc, "%s: vsel selects by mask bits 0x%" PRIx64 ":%016" PRIx64 ", the last compare wrote 0x%" PRIx64 ":%016" PRIx64,
             c->op, hi, lo, c->cmp_valid[1], c->cmp_valid[0]);
}

static void memory_op(Check *c, const Uop *u, const MaskState *m) {
    Shape s = footprint_shape(u, m);
    UopClass cls = uop_info[u->op].cls;
    if (!s.repeats) return;
    if (shadow_carry(c, u, &s)) {
        if (cls == UC_BIN || cls == UC_UN) judge_repeats(c, u, &s);
        return;
    }
    read_sources(c, u, &s);
    if (cls == UC_CMP) shape_mask(&s, 0, &c->cmp_valid[0], &c->cmp_valid[1]);
    if (cls == UC_SEL) judge_selector(c, u, &s);
    judge_repeats(c, u, &s);
    bool by_bits = cls == UC_GATHER && !u->mode; /* data say how far it writes */
    if (by_bits) shadow_write_somewhere(c, u->dst);
    else footprint_runs(u, &s, ROLE_DST, 0, s.repeats, on_write, c);
    if (cls == UC_GATHER && !by_bits) shadow_gather_tail(c, u, &s);
}

/* An indexed access is somewhere in the tile; where, is known only while it is executed (sreg). */
static void scalar_op(Check *c, const Uop *u, const uint64_t *sreg) {
    uint64_t size = dtype_size((DType)u->dtype2), at = u->op == U_S_LOAD ? u->src0 : u->dst;
    if (u->op != U_S_LOAD && u->op != U_S_STORE) return;
    if (u->src1 && !sreg) {
        if (u->op == U_S_STORE) shadow_write_somewhere(c, at);
        else shadow_read_somewhere(c, at);
        return;
    }
    if (u->src1) at += sreg[u->src1] * u->imm;
    if (u->op == U_S_LOAD) on_read(c, at, at + size);
    else on_write(c, at, at + size);
}

/* ---- vector functions of the 950 ---- */

static bool vf_load(void *ctx, const VfInstr *v, uint64_t addr, uint32_t n, uint8_t *marks) {
    Check *c = ctx;
    (void)v;
    uint64_t hi = shadow_cut(c, addr + n);
    if (addr >= hi) return false;
    if (c->o.as_written) shadow_read_valid(c, addr, hi);
    if (all_written(c->state + addr, hi - addr)) return false;
    for (uint64_t b = addr; b < hi; b++) marks[b - addr] = c->state[b] != WRITTEN;
    return true;
}

static void vf_use(void *ctx, const VfInstr *v, uint8_t marks, uint64_t origin) {
    Check *c = ctx;
    (void)marks;
    c->uop_name = uop_info[v->op].name;
    if (origin < c->size && c->state[origin] != WRITTEN) shadow_bad_read(c, origin);
}

static void vf_store(void *ctx, const VfInstr *v, uint64_t lo, uint64_t hi, const uint8_t *marks, uint64_t origin) {
    Check *c = ctx;
    c->uop_name = uop_info[v->op].name;
    for (uint64_t b = 0; marks && b < hi - lo; b++)
        if (marks[b]) {
            vf_use(c, v, marks[b], origin);
            break;
        }
    on_write(c, lo, hi);
}

static void vf_store_somewhere(void *ctx, uint64_t addr) { shadow_write_somewhere(ctx, addr); }

/* ---- instructions ---- */

void check_sync(Check *c, const Uop *u) {
    switch (u->op) {
    case U_BARRIER: clocks_barrier(&c->clocks, (Pipe)u->src0); break;
    case U_SET_FLAG: clocks_set_flag(&c->clocks, (Pipe)u->src0, (Pipe)u->src1, u->dst); break;
    case U_WAIT_FLAG: clocks_wait_flag(&c->clocks, (Pipe)u->src0, (Pipe)u->src1, u->dst); break;
    default: break;
    }
}

void check_buffer(Check *c, bool take, Pipe pipe, unsigned buffer) {
    if (take) clocks_take_buffer(&c->clocks, pipe, buffer);
    else clocks_release_buffer(&c->clocks, pipe, buffer);
}

static void walk_uop(Check *c, const UopBuf *b, const Uop *u, MaskState *mask, const uint64_t *sreg) {
    const TaintPorts ports = {c, vf_load, vf_store, vf_use, vf_store_somewhere};
    UopClass cls = uop_info[u->op].cls;
    if (cls == UC_SYNC) {
        check_sync(c, u);
        return;
    }
    if (cls == UC_MASK) {
        mask_apply(mask, u);
        return;
    }
    shadow_enter(c, u, uop_pipe(u));
    switch (cls) {
    case UC_SCALAR: scalar_op(c, u, sreg); break;
    case UC_DMA:
        c->said |= SAID_PADDING; /* filled on purpose */
        footprint_dma(&b->dma[u->imm], u->op == U_GM_TO_UB ? on_write : on_read, c);
        break;
    case UC_SIMT:
        footprint_indices(&b->dma[u->imm], on_read, c);
        footprint_dma(&b->dma[u->imm], u->op == U_SIMT_GATHER ? on_write : on_read, c);
        break;
    case UC_VFUNC: taint_run(c->target, b->vf + u->imm, u->rep, &ports); break;
    default: memory_op(c, u, mask); break;
    }
}

static void open_instr(Check *c, const Instr *i, bool listing) {
    c->i = i;
    c->listing = listing;
    shadow_open(c, i->loc, i->info->name);
    c->spilled = diag_raised(c->diag, DIAG_TMP_SPILL) != c->spills;
    if (diag_raised(c->diag, DIAG_PAD_WRITE) != c->paddings) c->said |= SAID_PADDING; /* the checks have said so */
}

static void close_instr(Check *c) {
    shadow_complete(c);
    shadow_report_hazards(c);
    c->spills = diag_raised(c->diag, DIAG_TMP_SPILL);
    c->paddings = diag_raised(c->diag, DIAG_PAD_WRITE);
    c->i = NULL;
}

void check_instr(Check *c, const Instr *i, const UopBuf *b, const Machine *m, bool listing) {
    MaskState mask = m->mask;
    open_instr(c, i, listing);
    for (uint32_t k = 0; k < b->n; k++) walk_uop(c, b, &b->uop[k], &mask, NULL);
    close_instr(c);
}

static bool written_by_this(const Check *c, uint32_t byte) { return c->writer[byte] == c->stamp; }

static void swap_bytes(Check *c, uint8_t *ub) {
    for (uint32_t k = 0; k < c->npatch; k++) {
        uint8_t now = ub[c->patch[k]];
        ub[c->patch[k]] = c->old[c->patch[k]];
        c->old[c->patch[k]] = now;
    }
}

/* Afterwards the memory is as if in order, but for what was computed from old bytes. */
static void execute_patched(Check *c, const UopBuf *b, uint32_t k, Machine *m) {
    UopBuf one = *b;
    one.uop = &b->uop[k];
    one.n = 1;
    swap_bytes(c, m->ub);
    machine_exec(m, &one);
    for (uint32_t j = 0; j < c->npatch; j++) {
        uint32_t byte = c->patch[j];
        if (written_by_this(c, byte)) continue;
        uint8_t old = m->ub[byte];
        m->ub[byte] = c->old[byte];
        c->old[byte] = old;
    }
    c->npatch = 0;
}

void check_execute_stale(Check *c, const Instr *i, const UopBuf *b, Machine *m, bool listing) {
    MaskState mask = m->mask;
    open_instr(c, i, listing);
    c->ub = m->ub;
    for (uint32_t k = 0; k < b->n; k++) {
        walk_uop(c, b, &b->uop[k], &mask, m->sreg);
        execute_patched(c, b, k, m);
    }
    c->ub = NULL;
    close_instr(c);
}

/* ---- from outside ---- */

void check_filled(Check *c, const Tile *t) {
    uint32_t es = tile_esize(t);
    for (uint32_t r = 0; r < t->vrows; r++)
        for (uint32_t k = 0; k < t->vcols; k++) {
            uint64_t at = tile_elem_addr(t, r, k);
            if (at + es <= c->size) memset(c->state + at, WRITTEN, es);
        }
}

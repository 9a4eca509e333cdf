#include "isa/check/uops.h"

typedef struct Scan {
    Diag *diag;
    const Instr *i;
    MaskState mask;
    bool mode_set, mask_set; /* by the instruction itself */
    bool masked;             /* some micro-op obeys the mask state */
    bool leaked;
    const Uop *idle;         /* did nothing, and nothing of its kind has followed */
} Scan;

static bool obeys_mask(UopClass c) { return c >= UC_BIN && c <= UC_GREDUCE; }
static bool full_mask(const MaskState *m) { return !m->count_mode && m->lo == ~0ull && m->hi == ~0ull; }

static void leak(Scan *s, const char *what) {
    if (s->leaked) return;
    s->leaked = true;
    diag(s->diag, DIAG_MASK_LEAK, s->i->loc, "%s: %s\nset norm mode and a full mask before it", s->i->info->name, what);
}

static void inherited(Scan *s, const Uop *u) {
    if (s->mask.count_mode && !s->mode_set)
        leak(s, "starts in count mode (left behind by earlier code) and relies on norm mode: mask bits are read as a number of elements");
    else if (!s->mask.count_mode && !s->mask_set && !full_mask(&s->mask) && uop_shape(u, &s->mask).partial)
        leak(s, "starts with a mask that leaves lanes out (left behind by earlier code) and relies on a full one: those lanes are not computed");
}

static void field(Scan *s, const Uop *u, const char *name, uint32_t value, uint32_t most) {
    if (value > most)
        diag(s->diag, DIAG_FIELD_RANGE, s->i->loc, "%s: %s of %s is %u, its field holds 0..%u", s->i->info->name, name, uop_info[u->op].name, value, most);
}

/* The two-source forms, and the library's calls of the others, have 8-bit strides; reductions 16. */
static void fields(Scan *s, const Uop *u) {
    UopClass c = uop_info[u->op].cls;
    if (c == UC_COPY) {
        field(s, u, "number of bursts", u->rep, 4095);
        return;
    }
    if (!s->mask.count_mode && c != UC_GATHER) field(s, u, "repeat", u->rep, MAX_REPEAT);
    if (c > UC_CVT || c == UC_CMP) return;
    bool far = u->drpt > MAX_REPEAT || u->srpt0 > MAX_REPEAT || u->srpt1 > MAX_REPEAT;
    if (!far || uop_shape(u, &s->mask).repeats <= 1) return; /* a single repeat steps nowhere */
    field(s, u, "destination repeat stride", u->drpt, MAX_REPEAT);
    if (c != UC_DUP) field(s, u, "source repeat stride", u->srpt0, MAX_REPEAT);
    if (c == UC_BIN || c == UC_SEL) field(s, u, "second source repeat stride", u->srpt1, MAX_REPEAT);
}

/* The head of a region smaller than one repeat is followed by its tail: only what leads to nothing
 * is worth a note. */
static void idle(Scan *s, const Uop *u) {
    bool works = s->mask.count_mode ? s->mask.lo != 0 : u->rep != 0 && (s->mask.lo | s->mask.hi) != 0;
    if (!works) s->idle = u;
    else if (s->idle && s->idle->op == u->op) s->idle = NULL;
}

static void vector_op(Scan *s, const Uop *u) {
    if (obeys_mask(uop_info[u->op].cls)) {
        s->masked = true;
        inherited(s, u);
        idle(s, u);
    }
    fields(s, u);
}

static void finish(Scan *s, MaskState start) {
    if (s->idle)
        diag(s->diag, DIAG_NOP, s->i->loc, "%s: the last %s has no repeat or no active lane: it does nothing and costs its issue time", s->i->info->name,
             uop_info[s->idle->op].name);
    if ((s->mode_set || s->mask_set) && !full_mask(&s->mask)) leak(s, "leaves count mode or a partial mask behind");
    if (s->masked && !s->leaked && !full_mask(&start))
        diag_sev(s->diag, DIAG_MASK_LEAK, SEV_NOTE, s->i->loc, "%s: starts with mask state left behind by earlier code, but sets its own: the result is right",
                 s->i->info->name);
}

void check_uops(Diag *d, const Target *t, const Instr *i, const UopBuf *b, MaskState start) {
    if (t->family != FAMILY_A2A3) return;
    Scan s = {.diag = d, .i = i, .mask = start};
    for (uint32_t k = 0; k < b->n; k++) {
        const Uop *u = &b->uop[k];
        UopClass c = uop_info[u->op].cls;
        if (c == UC_MASK) {
            mask_apply(&s.mask, u);
            if (u->op == U_SET_MASK) s.mask_set = true;
            else s.mode_set = true;
        } else if (c >= UC_BIN && c < UC_DMA) {
            vector_op(&s, u);
        }
    }
    finish(&s, start);
}

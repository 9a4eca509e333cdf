/* Flags, barriers and the mask directive of the text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/run/interp_internal.h"

bool pipe_of(Interp *in, const Operand *o, Pipe *out) {
    static const char *const names[] = {"PIPE_S", "PIPE_V", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL"};
    for (int k = 0; k <= PIPE_ALL; k++)
        if (o->word && strcmp(o->word, names[k]) == 0) {
            *out = (Pipe)k;
            return true;
        }
    diag(in->diag, DIAG_FLAG, o->loc, "expected one of the pipes PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, found %s", o->word ? o->word : "a value");
    return false;
}

static bool event_of(Interp *in, const Operand *o, int64_t *out) {
    if (o->kind != OPD_WORD) {
        if (!interp_int(in, o, out)) return false;
    } else {
        const char *digits = strpbrk(o->word, "0123456789");
        *out = digits ? atoi(digits) : -1;
    }
    if (*out >= 0 && *out < 8) return true;
    diag(in->diag, DIAG_FLAG, o->loc, "expected an event 0..7, found %" PRId64, *out);
    return false;
}

/* A flag is one bit: a second set before the wait is lost. */
static void count_flag(Interp *in, const Stmt *s, bool set, Pipe from, Pipe to, int64_t event) {
    FlagState *f = &in->flag[from][to][event];
    if (set && f->balance > 0)
        diag(in->diag, DIAG_FLAG, s->loc, "event %" PRId64 " from pipe %s to %s is set again before it was waited for (set in line %u)\nput the wait_flag between them, or use another event",
             event, pipe_name(from), pipe_name(to), f->loc.line);
    f->balance += set ? 1 : -1;
    if (set) f->loc = s->loc;
}

void report_flags_left(Interp *in) {
    for (int from = 0; from < PIPE_COUNT; from++)
        for (int to = 0; to < PIPE_COUNT; to++)
            for (int e = 0; e < 8; e++)
                if (in->flag[from][to][e].balance > 0)
                    diag(in->diag, DIAG_FLAG, in->flag[from][to][e].loc, "event %d from pipe %s to %s is still set at the end and leaks into the next kernel",
                             e, pipe_name((Pipe)from), pipe_name((Pipe)to));
}

static bool exec_barrier(Interp *in, const Stmt *s, Pipe p) {
    if (p == PIPE_S) {
        diag(in->diag, DIAG_FLAG, s->loc, "a barrier on PIPE_S is not legal: the scalar pipe is self-ordered");
        return false;
    }
    if (p == PIPE_V && in->target->family == FAMILY_950) {
        diag(in->diag, DIAG_SYNC_950, s->loc, "a barrier on PIPE_V cannot be encoded on %s; vector functions follow each other in order", in->target->name);
        return true;
    }
    Uop *u = uopbuf_add(&in->uops, U_BARRIER);
    u->src0 = p;
    order_barrier(in->order, p);
    if (in->check) check_sync(in->check, u);
    return true;
}

bool exec_sync(Interp *in, const Stmt *s) {
    const Named *w = stmt_named(s, "pipes");
    Pipe from, to;
    int64_t event;
    if (!w || !w->n || !pipe_of(in, &w->v[0], &from)) return false;
    in->step.pipe = from == PIPE_ALL ? PIPE_S : from;
    charge_scalar_work(in);
    uopbuf_stage(&in->uops, stage_sync);
    if (s->kind == ST_BARRIER) return exec_barrier(in, s, from);
    if (w->n != 3 || !pipe_of(in, &w->v[1], &to) || !event_of(in, &w->v[2], &event)) return false;
    if (from == to || from == PIPE_ALL || to == PIPE_ALL) {
        diag(in->diag, DIAG_FLAG, s->loc, "a flag goes from one pipe to another, found %s to %s", pipe_name(from), pipe_name(to));
        return false;
    }
    bool set = s->kind == ST_SET_FLAG;
    Uop *u = uopbuf_add(&in->uops, set ? U_SET_FLAG : U_WAIT_FLAG);
    u->src0 = from;
    u->src1 = to;
    u->dst = (uint32_t)event;
    in->step.pipe = set ? from : to;
    count_flag(in, s, set, from, to, event);
    if (set) order_set_flag(in->order, from, to, (unsigned)event);
    else order_wait_flag(in->order, from, to, (unsigned)event);
    if (in->check) check_sync(in->check, u);
    return true;
}

bool exec_mask_directive(Interp *in, const Directive *d, Loc loc) {
    if (in->target->family == FAMILY_950) {
        diag(in->diag, DIAG_SYNC_950, loc, "%s has no mask state between instructions: the directive has no effect", in->target->name);
        return true;
    }
    bool count = strcmp(d->name, "count") == 0;
    in->machine->mask = count ? (MaskState){true, d->num[0], 0} : (MaskState){false, d->num[1], d->num[0]}; /* the high word stands first */
    uopbuf_add(&in->uops, count ? U_SET_MASK_COUNT : U_SET_MASK_NORM);
    Uop *u = uopbuf_add(&in->uops, U_SET_MASK);
    u->imm = in->machine->mask.lo;
    u->imm2 = in->machine->mask.hi;
    return true;
}

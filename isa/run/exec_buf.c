/* get_buf and rls_buf of the 950: a pipe that takes a buffer waits for what the other pipes did before
 * they released it. */
#include <inttypes.h>
#include <string.h>

#include "isa/run/interp_internal.h"

static void take(Interp *in, int64_t id, Pipe pipe) {
    for (int q = 0; q < PIPE_COUNT; q++) {
        uint64_t seq = in->released[id][q];
        if (q == (int)pipe || !seq) continue;
        Uop *u = uopbuf_add(&in->uops, U_WAIT_DONE);
        u->src0 = (uint32_t)q;
        u->src1 = pipe;
        u->imm = seq;
        u->imm2 = 1; /* costs what a flag costs */
        order_wait(in->order, pipe, (Pipe)q, seq);
    }
}

bool exec_buf(Interp *in, const Stmt *s) {
    const Named *w = stmt_named(s, "pipes");
    Pipe pipe;
    int64_t id;
    if (in->target->family != FAMILY_950) {
        diag(in->diag, DIAG_FLAG, s->loc, "%s exists on the 950 only, not on %s", s->op, in->target->name);
        return false;
    }
    if (!w || !w->n || !pipe_of(in, &w->v[0], &pipe) || !interp_int(in, &s->ins[0], &id)) return false;
    if (pipe == PIPE_ALL || id < 0 || id >= BUFFERS) {
        diag(in->diag, DIAG_FLAG, s->loc, "%s: expected one pipe and a buffer 0..%d, found %s and %" PRId64, s->op, BUFFERS - 1, pipe_name(pipe), id);
        return false;
    }
    in->step.pipe = pipe;
    charge_scalar_work(in);
    uopbuf_stage(&in->uops, stage_sync);
    bool get = strcmp(s->op, "get_buf") == 0;
    if (in->check) check_buffer(in->check, get, pipe, (unsigned)id);
    if (get) take(in, id, pipe);
    else in->released[id][pipe] = order_next(in->order, pipe) - 1;
    return true;
}

/* Order between instructions: what --sync auto and ideal insert, what as-written lacks. */
#include <inttypes.h>

#include "isa/run/interp_internal.h"

void charge_scalar_work(Interp *in) {
    if (!in->scalar_work) return;
    uopbuf_stage(&in->uops, stage_sync); /* before the instruction's own time */
    uopbuf_add(&in->uops, U_S_OP)->imm = in->scalar_work;
    in->scalar_work = 0;
}

/* ---- what is accessed ---- */

static AccessRange tile_access(const Tile *t, bool write) {
    return (AccessRange){0, (uint64_t)t->addr, (uint64_t)t->addr + tile_bytes(t), write, t->vcols == t->type.cols && t->vrows == t->type.rows, false, t->name};
}

AccessRange view_access(const GmView *v, bool write) {
    int64_t last = v->offset;
    for (int k = 0; k < v->rank; k++) last += (v->size[k] ? v->size[k] - 1 : 0) * v->stride[k];
    uint64_t es = dtype_size(v->dtype);
    return (AccessRange){v->buffer + 1, (uint64_t)v->offset * es, (uint64_t)(last + 1) * es, write, false, false, v->name};
}

int instr_accesses(const Interp *in, const Instr *i, AccessRange *a) {
    int n = 0;
    for (int k = 0; k < i->nin; k++) a[n++] = tile_access(i->in[k], false);
    for (int k = 0; k < i->nout; k++) a[n++] = tile_access(i->out[k], true);
    if (i->tmp && instr_tmp_need(in->target, i).rows) {
        a[n] = tile_access(i->tmp, true);
        a[n++].scratch = true;
    }
    if (i->reads_view) a[n++] = view_access(&i->gm, false);
    if (i->writes_view) a[n++] = view_access(&i->gm, true);
    return n;
}

/* ---- who waits for whom ---- */

static void report_hazard(Interp *in, const Work *w, const Dependence *d) {
    uint64_t lo = d->before.lo > d->now.lo ? d->before.lo : d->now.lo, hi = d->before.hi < d->now.hi ? d->before.hi : d->now.hi;
    const char *fix = d->pipe == w->pipe ? "a barrier on PIPE_V between them" : "a set_flag and wait_flag pair between the pipes";
    diag(in->diag, DIAG_HAZARD, w->loc, "%s: %s hazard on bytes 0x%" PRIx64 "..0x%" PRIx64 " of %s: %s in line %u on pipe %s is not ordered before pipe %s\nput %s",
         w->op, hazard_name(&d->before, &d->now), lo, hi - 1, d->now.name, d->op, d->loc.line, pipe_name(d->pipe), pipe_name(w->pipe), fix);
}

static void log_sync(Interp *in, const Work *w, const Dependence *d, SyncKind kind, unsigned events) {
    if (!in->sync_log) return;
    sync_log_add(in->sync_log, (SyncEntry){kind, d->pipe, w->pipe, events, d->loc, w->loc, d->op, w->op, d->before, d->now, 1});
}

static void insert_barrier(Interp *in, Pipe pipe) {
    uopbuf_add(&in->uops, U_BARRIER)->src0 = pipe;
    order_barrier(in->order, pipe);
}

/* As the compiler does: a barrier within a pipe; between pipes a flag, or a full barrier if no event
 * id is free. `ideal` waits for the data alone and costs nothing. Returns false when nothing is left to wait for. */
static bool insert_wait(Interp *in, const Work *w, const Dependence *d) {
    bool compiler = in->o->sync == SYNC_AUTO;
    if (compiler && d->pipe == w->pipe) {
        log_sync(in, w, d, SYNC_BARRIER, 0);
        insert_barrier(in, w->pipe);
        return true;
    }
    int event = compiler ? order_event(in->order, w->pipe, d) : -1;
    if (compiler && event < 0) {
        log_sync(in, w, d, SYNC_FULL, 0);
        insert_barrier(in, PIPE_ALL);
        return false;
    }
    Uop *u = uopbuf_add(&in->uops, U_WAIT_DONE);
    u->src0 = d->pipe;
    u->src1 = w->pipe;
    u->dst = (uint32_t)(event + 1);
    u->imm = d->seq;
    u->imm2 = compiler; /* a flag that costs what flags cost */
    if (compiler) log_sync(in, w, d, SYNC_FLAG, 1u << event);
    order_wait(in->order, w->pipe, d->pipe, d->seq);
    return true;
}

/* The shadow of UB knows hazards by byte: what is left is global memory. */
static int only_global(const AccessRange *a, int n, AccessRange *out) {
    int kept = 0;
    for (int k = 0; k < n; k++)
        if (a[k].space) out[kept++] = a[k];
    return kept;
}

void settle_order(Interp *in, const Work *w, const AccessRange *a, int n) {
    bool written = in->o->sync == SYNC_AS_WRITTEN;
    if (written && !in->o->checks) return;
    AccessRange global[MAX_IN + MAX_OUT + 2];
    if (written && in->check) {
        n = only_global(a, n, global);
        a = global;
    }
    Dependence dep[PIPE_COUNT];
    int count = order_dependences(in->order, w->pipe, a, n, dep);
    if (count && !written) charge_scalar_work(in);
    if (count) uopbuf_stage(&in->uops, stage_sync);
    for (int k = 0; k < count; k++) {
        if (order_settled(in->order, w->pipe, &dep[k])) continue; /* by way of a later instruction */
        if (written) report_hazard(in, w, &dep[k]);
        else if (dep[k].pruned) log_sync(in, w, &dep[k], SYNC_PRUNED, 0);
        else if (!insert_wait(in, w, &dep[k])) break;
    }
}

/* The scalar unit does it in the order of the text: what comes later need not wait. */
void settle_scalar_access(Interp *in, const Stmt *s, AccessRange a) {
    in->step.pipe = PIPE_S;
    in->step.inserted = true;
    settle_order(in, &(Work){s->op, s->loc, PIPE_S}, &a, 1);
}

/* The compiler drains every pipe before the kernel returns. */
void insert_tail(Interp *in, Loc loc) {
    in->step.pipe = PIPE_S;
    in->step.inserted = true;
    charge_scalar_work(in);
    uopbuf_stage(&in->uops, stage_sync);
    insert_barrier(in, PIPE_ALL);
    sync_log_add(in->sync_log, (SyncEntry){.kind = SYNC_TAIL, .from = PIPE_ALL, .to = PIPE_ALL, .after = loc, .before = loc, .before_op = "return"});
}

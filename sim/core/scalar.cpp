#include "sim/core/scalar.hpp"

#include <algorithm>

extern "C" {
#include "isa/time/dma.h"
}

namespace npusim {

Scalar::Scalar(sc_core::sc_module_name name, const Target &target, Recorder &recorder, unsigned quantum)
    : sc_module(name), vector("vector"), mte2("mte2"), mte3("mte3"), flags("flags"), ub("ub"), target_(target), recorder_(recorder),
      quantum_(quantum), mask_(mask_full()) {
    SC_HAS_PROCESS(Scalar);
    SC_METHOD(step);
    sensitive << wake_;
    dont_initialize();
}

void Scalar::start(StepSource source) {
    source_ = std::move(source);
    step_ = nullptr;
    flight_ = index_ = 0;
    now_ = 0;
    mask_ = mask_full();
    blocker_ = Blocker{};
    group_paid_ = finished_ = waiting_ = forced_ = false;
    vector_empty_ = true;
    wake_.notify(sc_core::SC_ZERO_TIME);
}

queue_if &Scalar::queue(Pipe p) {
    if (p == PIPE_V) return *vector.operator->();
    return p == PIPE_MTE2 ? *mte2.operator->() : *mte3.operator->();
}

void Scalar::wait_until(uint64_t at, Blocker by) {
    if (at <= now_) return;
    now_ = at;
    blocker_ = by;
}

bool Scalar::fetch() {
    step_ = source_();
    if (!step_) return false;
    const UopBuf *b = step_->uops;
    Flight &f = recorder_.open();
    flight_ = f.id;
    index_ = 0;
    f.issued = now_;
    f.scalar_blocker = blocker_;
    f.counts = step_->instr != nullptr;
    f.place = step_->loc;
    f.seq = step_->seq;
    f.time.resize(b->n);
    f.stage.assign(b->stage, b->stage + b->nstage);
    f.vf.assign(b->vf, b->vf + b->nvf);
    InstrRow &r = f.row;
    r.line = step_->loc.line;
    r.op = step_->op;
    r.pipe = step_->pipe;
    r.dtype = step_->dtype;
    r.rows = step_->rows;
    r.cols = step_->cols;
    r.bytes_read = step_->bytes_read;
    r.bytes_written = step_->bytes_written;
    for (uint32_t i = 0; i < b->n; i++) {
        f.time[i].stage = b->uop[i].stage;
        f.time[i].sync = f.counts && b->nstage && b->stage[b->uop[i].stage] == stage_sync;
        if (f.time[i].sync || step_->inserted) recorder_.result.sync_inserted += b->uop[i].op != U_S_OP;
        else r.uops++;
    }
    recorder_.issue(f);
    return true;
}

bool Scalar::go_on_with_busy_vector() {
    if (!waiting_ || !step_ || index_ >= step_->uops->n || uop_info[step_->uops->uop[index_].op].cls != UC_MASK) return false;
    forced_ = true;
    wake_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

// A norm mask that leaves lanes out and still has `n` of them or more.
static bool wide_mask(const MaskState &m, int n) {
    if (m.count_mode || (m.lo == ~0ull && m.hi == ~0ull)) return false;
    return __builtin_popcountll(m.lo) + __builtin_popcountll(m.hi) >= n;
}

// Mask and mode writes go with the vector instructions. With none under way the first one of a group
// waits for the pipe; behind one, a mask cannot change before its last user has issued, and the
// write costs no more than draining the pipe and starting a group there.
bool Scalar::write_mask(const Uop &u) {
    if (!vector->idle() && !forced_) return false; // the cost depends on what the vector pipe still does
    mask_apply(&mask_, &u);
    const A2a3Params &p = target_.a2a3;
    bool lanes = u.op == U_SET_MASK;
    const Num &cold = lanes && wide_mask(mask_, 64) ? p.mask_cold_wide : p.mask_cold;
    uint64_t start = now_, from_idle = std::max(now_, vector->drained()) + static_cast<uint64_t>(cold.v);
    uint64_t behind = std::max(now_, vector->mask_busy()) + static_cast<uint64_t>(p.mask_write.v);
    if (lanes && wide_mask(mask_, 65)) behind += static_cast<uint64_t>(p.mask_wide.v);
    Prov prov = cold.prov;
    if (!vector_empty_ && (forced_ || behind <= from_idle)) {
        wait_until(behind, {vector->last(), WAIT_PIPE});
        prov = std::max(p.mask_write.prov, p.mask_wide.prov);
    } else if (!group_paid_) {
        wait_until(from_idle, {vector->last(), WAIT_PIPE});
        vector_empty_ = group_paid_ = true;
    }
    forced_ = false;
    done_here(start, prov);
    return true;
}

const Num &Scalar::scalar_cost(const Uop &u) const {
    const A2a3Params &a = target_.a2a3;
    const V950Params &v = target_.v950;
    bool a2a3 = target_.family == FAMILY_A2A3;
    switch (u.op) {
    case U_S_GM_LOAD: // through the data cache; what a miss costs is not modelled
    case U_S_LOAD: return a2a3 ? a.scalar_load : v.scalar_load;
    case U_S_GM_STORE:
    case U_S_STORE: return a2a3 ? a.scalar_store : v.scalar_store;
    case U_S_LOOP: return !a2a3 ? v.scalar_iter : u.imm ? a.row_loop : a.scalar_iter;
    case U_S_OP: return a2a3 ? a.scalar_statement : v.scalar_statement;
    default: return a2a3 ? a.scalar_op : v.scalar_op;
    }
}

void Scalar::scalar_work(const Uop &u) {
    const Num &cost = scalar_cost(u);
    uint64_t start = now_, times = u.op == U_S_OP ? u.imm : 1;
    wait_until(now_ + times * static_cast<uint64_t>(cost.v), {flight_, WAIT_SCALAR});
    InstrRow &r = recorder_.flight(flight_).row;
    if (r.pipe == PIPE_S) r.work += now_ - start;
    done_here(start, cost.prov);
}

bool Scalar::wait_flag(const Uop &u) {
    FlagTime flag;
    if (!flags->take(static_cast<Pipe>(u.src0), PIPE_S, u.dst, &flag)) return false;
    const Num &cost = target_.family == FAMILY_A2A3 ? target_.a2a3.flag_wait : target_.v950.flag_wait;
    uint64_t start = now_;
    wait_until(flag.at + static_cast<uint64_t>(cost.v), {flag.statement, WAIT_FLAG});
    vector_empty_ |= drained();
    done_here(start, cost.prov);
    return true;
}

// An instruction of this unit needs what another pipe does; the flag for it costs what flags cost.
bool Scalar::wait_done(const Uop &u) {
    Pipe p = static_cast<Pipe>(u.src0);
    uint64_t at, by;
    if (!recorder_.completed(p, recorder_.kept_seq(p, u.imm), &at, &by)) return false;
    bool a2a3 = target_.family == FAMILY_A2A3;
    const Num &set = a2a3 ? target_.a2a3.flag_set : target_.v950.flag_set, &wait = a2a3 ? target_.a2a3.flag_wait : target_.v950.flag_wait;
    uint64_t start = now_, cost = u.imm2 ? static_cast<uint64_t>(set.v + wait.v) : 0;
    wait_until(at + cost, {by, WAIT_FLAG});
    Flight &f = recorder_.flight(flight_);
    f.scalar_blocker = blocker_;
    f.row.wait_for[WAIT_FLAG] += now_ - start;
    f.waits.push_back({flight_, by, PIPE_S, start, now_});
    vector_empty_ |= drained();
    done_here(start, cost ? std::max(set.prov, wait.prov) : PROV_DOCUMENTED);
    return true;
}

// Every vector result is there: the scalar unit has waited for them.
bool Scalar::drained() const { return vector->idle() && vector->drained() <= now_; }

// PIPE_ALL: the scalar unit goes on when every pipe is done.
bool Scalar::barrier(const Uop &u) {
    if (u.src0 != PIPE_ALL) return to_pipe(static_cast<Pipe>(u.src0), u);
    if (!vector->idle() || !mte2->idle() || !mte3->idle()) return false;
    uint64_t start = now_;
    wait_until(vector->drained(), {vector->last(), WAIT_BARRIER});
    wait_until(mte2->drained(), {mte2->last(), WAIT_BARRIER});
    wait_until(mte3->drained(), {mte3->last(), WAIT_BARRIER});
    vector_empty_ = true;
    done_here(start, PROV_DOCUMENTED);
    return true;
}

bool Scalar::to_pipe(Pipe p, const Uop &u) {
    queue_if &q = queue(p);
    const Num &depth = target_.family == FAMILY_A2A3 ? target_.a2a3.queue_depth : target_.v950.queue_depth;
    uint64_t n = static_cast<uint64_t>(depth.v);
    FlagTime start;
    if (n && q.pushed() >= n) {
        if (!q.started(q.pushed() - n, &start)) return false;
        wait_until(start.at, {start.statement, WAIT_PIPE});
    }
    Item &item = q.push();
    item.u = u;
    item.flight = flight_;
    item.index = index_;
    item.arrival = now_;
    UopClass cls = uop_info[u.op].cls;
    if (u.op == U_WAIT_DONE) item.u.imm = recorder_.kept_seq(static_cast<Pipe>(u.src0), u.imm);
    if (cls == UC_DMA) {
        const Dma &d = step_->uops->dma[u.imm];
        item.bytes = static_cast<uint64_t>(d.len) * d.n0 * d.n1;
        if (ub->arbitrates()) item.groups = dma_groups(&target_, &d);
    } else if (cls > UC_SYNC && cls < UC_DMA) {
        item.shape = uop_shape(&u, &mask_);
        recorder_.flight(flight_).row.repeats += item.shape.repeats;
        if (item.shape.repeats || cls == UC_VFUNC) group_paid_ = vector_empty_ = false;
    }
    if (cls != UC_SYNC && target_.family == FAMILY_950) now_ += static_cast<uint64_t>(target_.v950.scalar_op.v);
    return true;
}

bool Scalar::issue(const Uop &u) {
    UopClass cls = uop_info[u.op].cls;
    if (cls == UC_MASK) return write_mask(u);
    if (cls == UC_SCALAR) {
        scalar_work(u);
        return true;
    }
    if (u.op == U_BARRIER) return barrier(u);
    Pipe p = uop_pipe(&u);
    if (p != PIPE_S) return to_pipe(p, u);
    if (u.op == U_WAIT_FLAG) return wait_flag(u);
    if (u.op == U_WAIT_DONE) return wait_done(u);
    if (u.op == U_SET_FLAG) {
        const Num &cost = target_.family == FAMILY_A2A3 ? target_.a2a3.flag_set : target_.v950.flag_set;
        uint64_t start = now_;
        now_ += static_cast<uint64_t>(cost.v);
        flags->set(PIPE_S, static_cast<Pipe>(u.src1), u.dst, {now_, step_->instr ? flight_ : blocker_.statement});
        done_here(start, cost.prov);
    }
    return true;
}

void Scalar::step() {
    waiting_ = false;
    for (unsigned n = 0; !finished_; n++) {
        if (quantum_ && n == quantum_) {
            sc_core::sc_time now = cycle_time(now_);
            wake_.notify(now > sc_core::sc_time_stamp() ? now - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME);
            break;
        }
        if (step_ && index_ < step_->uops->n) {
            if (!issue(step_->uops->uop[index_])) {
                waiting_ = true;
                break;
            }
            index_++;
            continue;
        }
        if (recorder_.in_flight() >= kRunAhead) {
            waiting_ = true;
            break;
        }
        finished_ = !fetch();
    }
    vector->wake_up();
    mte2->wake_up();
    mte3->wake_up();
}

}  // namespace npusim

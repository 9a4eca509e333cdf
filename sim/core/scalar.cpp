#include "sim/core/scalar.hpp"

#include <algorithm>

namespace npusim {

Scalar::Scalar(sc_core::sc_module_name name, const Target &target, Recorder &recorder, unsigned quantum)
    : sc_module(name), vector("vector"), mte2("mte2"), mte3("mte3"), flags("flags"), target_(target), recorder_(recorder),
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
    group_paid_ = finished_ = waiting_ = forced_ = false;
    wake_.notify(sc_core::SC_ZERO_TIME);
}

queue_if &Scalar::queue(Pipe p) {
    if (p == PIPE_V) return *vector.operator->();
    return p == PIPE_MTE2 ? *mte2.operator->() : *mte3.operator->();
}

namespace {

bool is_sync_stage(const UopBuf *b, const Uop &u) { return b->nstage && std::string_view(b->stage[u.stage]) == "sync"; }

}  // namespace

bool Scalar::fetch() {
    step_ = source_();
    if (!step_) return false;
    const UopBuf *b = step_->uops;
    Flight &f = recorder_.open();
    flight_ = f.id;
    index_ = 0;
    f.issued = now_;
    f.counts = step_->instr != nullptr;
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
        f.time[i].sync = f.counts && is_sync_stage(b, b->uop[i]);
        if (f.time[i].sync) recorder_.result.sync_inserted++;
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

bool Scalar::write_mask(const Uop &u) {
    if (!vector->idle() && !forced_) return false; // the cost depends on what the vector pipe still does
    bool busy = !vector->idle() || vector->slot_free() > now_ || vector->drained() > now_;
    forced_ = false;
    mask_apply(&mask_, &u);
    const A2a3Params &p = target_.a2a3;
    uint64_t start = now_;
    Prov prov = PROV_DOCUMENTED;
    bool lanes = u.op == U_SET_MASK;
    if (!busy) {
        const Num &cold = lanes && wide_mask(mask_, 64) ? p.mask_cold_wide : p.mask_cold;
        if (!group_paid_) now_ += static_cast<uint64_t>(cold.v);
        group_paid_ = true;
        prov = cold.prov;
    } else {
        now_ = std::max(now_, vector->mask_busy()) + static_cast<uint64_t>(p.mask_write.v);
        if (lanes && wide_mask(mask_, 65)) now_ += static_cast<uint64_t>(p.mask_wide.v);
        prov = std::max(p.mask_write.prov, p.mask_wide.prov);
    }
    done_here(start, prov);
    return true;
}

void Scalar::scalar_work(const Uop &u) {
    const A2a3Params &p = target_.a2a3;
    const Num *cost = &p.scalar_op;
    if (u.op == U_S_LOAD) cost = &p.scalar_load;
    else if (u.op == U_S_STORE) cost = &p.scalar_store;
    else if (u.op == U_S_LOOP) cost = u.imm ? &p.row_loop : &p.scalar_iter;
    uint64_t start = now_;
    now_ += static_cast<uint64_t>(cost->v);
    done_here(start, cost->prov);
}

bool Scalar::wait_flag(const Uop &u) {
    uint64_t at;
    if (!flags->take(static_cast<Pipe>(u.src0), PIPE_S, u.dst, &at)) return false;
    const Num &cost = target_.family == FAMILY_A2A3 ? target_.a2a3.flag_wait : target_.v950.flag_wait;
    uint64_t start = now_;
    now_ = std::max(now_, at + static_cast<uint64_t>(cost.v));
    done_here(start, cost.prov);
    return true;
}

// PIPE_ALL: the scalar unit goes on when every pipe is done.
bool Scalar::barrier(const Uop &u) {
    if (u.src0 != PIPE_ALL) return to_pipe(static_cast<Pipe>(u.src0), u);
    if (!vector->idle() || !mte2->idle() || !mte3->idle()) return false;
    uint64_t start = now_;
    now_ = std::max({now_, vector->drained(), mte2->drained(), mte3->drained()});
    done_here(start, PROV_DOCUMENTED);
    return true;
}

bool Scalar::to_pipe(Pipe p, const Uop &u) {
    queue_if &q = queue(p);
    const Num &depth = target_.family == FAMILY_A2A3 ? target_.a2a3.queue_depth : target_.v950.queue_depth;
    uint64_t at, n = static_cast<uint64_t>(depth.v);
    if (n && q.pushed() >= n) {
        if (!q.started(q.pushed() - n, &at)) return false;
        now_ = std::max(now_, at);
    }
    Item item;
    item.u = u;
    item.flight = flight_;
    item.index = index_;
    item.arrival = now_;
    UopClass cls = uop_info[u.op].cls;
    if (u.op == U_WAIT_DONE) item.u.imm = recorder_.kept_seq(static_cast<Pipe>(u.src0), u.imm);
    if (cls == UC_DMA) {
        const Dma &d = step_->uops->dma[u.imm];
        item.bytes = static_cast<uint64_t>(d.len) * d.n0 * d.n1;
    } else if (cls > UC_SYNC && cls < UC_DMA) {
        item.shape = uop_shape(&u, &mask_);
        recorder_.flight(flight_).row.repeats += item.shape.repeats;
        group_paid_ = false;
    }
    const Num &issue = target_.family == FAMILY_A2A3 ? target_.a2a3.scalar_op : target_.v950.scalar_op;
    if (cls != UC_SYNC) now_ += static_cast<uint64_t>(issue.v);
    q.push(item);
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
    if (u.op == U_SET_FLAG) {
        const Num &cost = target_.family == FAMILY_A2A3 ? target_.a2a3.flag_set : target_.v950.flag_set;
        uint64_t start = now_;
        now_ += static_cast<uint64_t>(cost.v);
        flags->set(PIPE_S, static_cast<Pipe>(u.src1), u.dst, now_);
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

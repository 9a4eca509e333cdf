#include "sim/core/pipe.hpp"

#include <algorithm>

extern "C" {
#include "isa/time/dma.h"
}

namespace npusim {

PipeModule::PipeModule(sc_core::sc_module_name name, Pipe pipe, const Target &target, Recorder &recorder, unsigned quantum)
    : sc_module(name), flags("flags"), progress("progress"), ub("ub"), pipe_(pipe), target_(target), recorder_(recorder), quantum_(quantum) {
    bool a2a3 = target.family == FAMILY_A2A3;
    const Num &set = a2a3 ? target.a2a3.flag_set : target.v950.flag_set, &wait = a2a3 ? target.a2a3.flag_wait : target.v950.flag_wait;
    flag_set_ = static_cast<uint64_t>(set.v);
    flag_wait_ = static_cast<uint64_t>(wait.v);
    // Waiting as such is documented; only what a flag costs on top has a number behind it.
    flag_prov_ = flag_set_ + flag_wait_ ? std::max(set.prov, wait.prov) : PROV_DOCUMENTED;
    barrier_ = a2a3 ? static_cast<uint64_t>(target.a2a3.barrier.v) : 0;
    barrier_prov_ = barrier_ ? target.a2a3.barrier.prov : PROV_DOCUMENTED;
    SC_HAS_PROCESS(PipeModule);
    SC_METHOD(step);
    sensitive << wake_;
    dont_initialize();
}

void PipeModule::reset() {
    queue_.clear();
    free_ = front_ = done_ = pushed_ = popped_ = 0;
    blocked_ = false;
    last_ = kNoStatement;
    blocker_ = Blocker{};
    stalled_ = {};
}

Item &PipeModule::push() {
    pushed_++;
    return queue_.emplace_back();
}

bool PipeModule::started(uint64_t n, FlagTime *f) const {
    if (n >= popped_) return false;
    *f = start_of_[n % kStarts];
    return true;
}

void PipeModule::wake_up() {
    if (!queue_.empty()) wake_.notify(sc_core::SC_ZERO_TIME);
}

bool PipeModule::synchronise(const Item &item) {
    const Uop &u = item.u;
    uint64_t from = std::max(free_, item.arrival), at = 0;
    Blocker by{last_, WAIT_BARRIER};
    FlagTime flag;
    switch (u.op) {
    case U_SET_FLAG:
        at = std::max(flag_time(static_cast<Pipe>(u.src1)), arrival(item)) + flag_set_;
        flags->set(pipe_, static_cast<Pipe>(u.src1), u.dst, {at, last_});
        report(item, from, std::max(from, at), flag_prov_);
        return true;
    case U_WAIT_FLAG:
        if (!flags->take(static_cast<Pipe>(u.src0), pipe_, u.dst, &flag)) return false;
        at = flag.at + flag_wait_;
        by = {flag.statement, WAIT_FLAG};
        break;
    case U_WAIT_DONE:
        if (!recorder_.completed(static_cast<Pipe>(u.src0), u.imm, &at, &by.statement)) return false;
        if (u.src0 != pipe_) by.cause = WAIT_FLAG;
        if (u.imm2) at += flag_set_ + flag_wait_;
        break;
    default: at = done_ + barrier_; break;
    }
    uint64_t until = std::max(from, at);
    front_ = std::max({front_, item.arrival, at});
    stalled_[by.cause] += until - from;
    if (at >= from && by.statement != kNoStatement) blocker_ = by;
    else if (item.arrival > free_) blocker_ = recorder_.flight(item.flight).scalar_blocker;
    if (u.op != U_BARRIER) recorder_.flight(item.flight).waits.push_back({item.flight, by.statement, pipe_, from, until});
    free_ = until;
    done_ = std::max(done_, free_);
    report(item, from, free_, u.op == U_BARRIER ? barrier_prov_ : flag_prov_);
    return true;
}

// The pipe can take the first micro-op of an instruction.
void PipeModule::reach(Flight &f) {
    f.ready = free_;
    f.reached = true;
    if (!f.counts) return;
    f.pipe_blocker = blocker_;
    f.row.wait_for = stalled_;
    stalled_ = {};
}

bool PipeModule::process(const Item &item) {
    Flight &f = recorder_.flight(item.flight);
    start_of_[popped_ % kStarts] = {std::max(free_, item.arrival), f.counts ? item.flight : last_};
    if (!f.reached && f.row.pipe == pipe_ && !f.time[item.index].sync) reach(f);
    if (uop_info[item.u.op].cls == UC_SYNC) return synchronise(item);
    execute(item);
    last_ = item.flight;
    blocker_ = {item.flight, WAIT_PIPE};
    return true;
}

void PipeModule::step() {
    unsigned n = 0;
    blocked_ = false;
    while (!queue_.empty()) {
        if (quantum_ && n == quantum_) { // let the kernel catch up with this pipe's time
            sc_core::sc_time now = cycle_time(done_);
            wake_.notify(now > sc_core::sc_time_stamp() ? now - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME);
            break;
        }
        if (!process(queue_.front())) {
            blocked_ = true;
            break;
        }
        queue_.pop_front();
        popped_++;
        n++;
    }
    if (n) progress->progressed(pipe_);
}

void DmaPipe::execute(const Item &item) {
    Prov prov;
    const DmaParams &p = item.u.op == U_GM_TO_UB ? target_.load : target_.store;
    uint64_t startup = dma_startup(&p, item.bytes), bytes = dma_cycles(&p, item.bytes, &prov) - startup;
    front_ = std::max(front_, item.arrival);
    uint64_t start = std::max(free_, front_), moving = std::max(start, (p.overlap.v != 0 ? front_ : start) + startup);
    if (moving < start + startup) prov = std::max(prov, p.overlap.prov);
    free_ = moving + bytes;
    if (ub->arbitrates() && free_ > moving) {
        uint64_t lost = ub->claim({pipe_, moving, free_, item.groups, (item.bytes + BLOCK_BYTES - 1) / BLOCK_BYTES});
        recorder_.flight(item.flight).row.conflicts += lost;
        recorder_.result.bank_conflict_cycles += lost;
        free_ += lost;
    }
    recorder_.flight(item.flight).row.work += free_ - std::min(free_, moving);
    done_ = std::max(done_, free_);
    report(item, start, free_, prov);
}

}  // namespace npusim

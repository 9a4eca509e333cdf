// The scalar unit: takes statements from the interpreter in program order, owns masks, does scalar
// accesses and flags itself and hands everything else to the pipes.
#pragma once

#include "sim/core/system.hpp"
#include "sim/core/work.hpp"

namespace npusim {

class Scalar : public sc_core::sc_module {
public:
    sc_core::sc_port<vector_if> vector;
    sc_core::sc_port<queue_if> mte2, mte3;
    sc_core::sc_port<flags_if> flags;
    sc_core::sc_port<ub_if> ub;

    Scalar(sc_core::sc_module_name name, const Target &target, Recorder &recorder, unsigned quantum);

    void start(StepSource source);  // from an idle core at cycle 0

    bool finished() const { return finished_; }
    void wake_up() { wake_.notify(sc_core::SC_ZERO_TIME); }
    bool waiting() const { return waiting_; }
    // Nothing else can move: what the vector pipe still holds waits for this unit. Goes on with a mask
    // write if it stopped at one; false if it waits for a flag that nobody sets.
    bool go_on_with_busy_vector();
    Loc place() const { return step_ ? step_->loc : Loc{}; }

private:
    void step();
    bool fetch();                 // next statement; false at the end
    bool issue(const Uop &u);     // false: cannot go on now
    bool write_mask(const Uop &u);
    bool wait_flag(const Uop &u);
    bool wait_done(const Uop &u);
    bool barrier(const Uop &u);
    bool drained() const;
    bool to_pipe(Pipe p, const Uop &u);
    const Num &scalar_cost(const Uop &u) const;
    void scalar_work(const Uop &u);
    queue_if &queue(Pipe p);
    void wait_until(uint64_t at, Blocker by);
    void done_here(uint64_t start, Prov prov) { recorder_.done(flight_, index_, start, now_, prov); }

    static constexpr size_t kRunAhead = 4096;  // statements in flight; bounds memory, not time
    const Target &target_;
    StepSource source_;
    Recorder &recorder_;
    const unsigned quantum_;
    const Step *step_ = nullptr;
    uint64_t flight_ = 0;
    uint32_t index_ = 0;          // next micro-op of the statement
    uint64_t now_ = 0;            // scalar time
    MaskState mask_;
    bool vector_empty_ = true;    // no vector instruction since the start, or since this unit waited for all of them
    Blocker blocker_;             // what the scalar unit itself waited for last
    bool group_paid_ = false;     // cold mask group already paid
    bool finished_ = true, waiting_ = false, forced_ = false;
    sc_core::sc_event wake_;
};

}  // namespace npusim

// The vector pipes of the two targets.
#pragma once

#include "sim/core/pipe.hpp"

extern "C" {
#include "isa/time/v950.h"
}

namespace npusim {

class VectorPipe : public PipeModule, public vector_if {
public:
    using PipeModule::PipeModule;
    Item &push() override { return PipeModule::push(); }
    bool idle() const override { return PipeModule::idle(); }
    uint64_t pushed() const override { return PipeModule::pushed(); }
    bool started(uint64_t n, FlagTime *f) const override { return PipeModule::started(n, f); }
    uint64_t last() const override { return PipeModule::last(); }
    uint64_t drained() const override { return PipeModule::drained(); }
    void wake_up() override { PipeModule::wake_up(); }
    uint64_t slot_free() const override { return free_; }
};

// a2a3: memory-to-memory instructions, issued repeat by repeat.
class VectorA2a3 : public VectorPipe {
public:
    VectorA2a3(sc_core::sc_module_name name, const Target &t, Recorder &r, unsigned quantum)
        : VectorPipe(name, PIPE_V, t, r, quantum), state_{} {}
    uint64_t mask_busy() const override { return state_.mask_busy; }
    void reset() override {
        PipeModule::reset();
        state_ = A2a3Vector{};
    }

protected:
    void execute(const Item &item) override;
    uint64_t arrival(const Item &item) const override { return item.arrival + static_cast<uint64_t>(target_.a2a3.dispatch.v); }
    // The scalar unit resumes when earlier work has issued; transfers wait for its results.
    uint64_t flag_time(Pipe to) const override { return to == PIPE_S ? free_ : done_; }

private:
    void contend(const Item &item, VectorTime *t);

    A2a3Vector state_;
};

// 950: one vector function at a time on the register machine.
class Vector950 : public VectorPipe {
public:
    Vector950(sc_core::sc_module_name name, const Target &t, Recorder &r, unsigned quantum, bool skip);
    ~Vector950() override { v950_free(sched_); }
    uint64_t mask_busy() const override { return 0; }

protected:
    void execute(const Item &item) override;

private:
    // The same function at the same addresses takes the same time.
    struct Known {
        std::vector<VfInstr> body;
        V950Result result;
    };
    const V950Result &timed(const VfInstr *body, uint32_t n);
    void execute_bulk(const Item &item);

    static constexpr size_t kKnown = 64;
    V950Sched *sched_;
    const bool skip_;
    std::vector<Known> known_;
};

}  // namespace npusim

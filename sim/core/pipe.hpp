// An in-order pipe behind a queue. It runs ahead of the kernel by a quantum of micro-ops: what it
// learns from others arrives with a time stamp, so how far it runs never changes a cycle.
#pragma once

#include "sim/core/fifo.hpp"
#include "sim/core/work.hpp"

namespace npusim {

class PipeModule : public sc_core::sc_module, public virtual queue_if {
public:
    sc_core::sc_port<flags_if> flags;
    sc_core::sc_port<progress_if> progress;
    sc_core::sc_port<ub_if> ub;

    Item &push() override;
    bool idle() const override { return queue_.empty(); }
    uint64_t pushed() const override { return pushed_; }
    bool started(uint64_t n, FlagTime *f) const override;
    uint64_t last() const override { return last_; }
    uint64_t drained() const override { return done_; }
    void wake_up() override;
    virtual void reset();  // idle at cycle 0
    bool blocked() const { return blocked_; }
    const Item *head() const { return queue_.empty() ? nullptr : &queue_.front(); }

protected:
    PipeModule(sc_core::sc_module_name name, Pipe pipe, const Target &target, Recorder &recorder, unsigned quantum);

    // Times one item that is no synchronisation.
    virtual void execute(const Item &item) = 0;
    // Cycle in which an item is there to be taken.
    virtual uint64_t arrival(const Item &item) const { return item.arrival; }
    // Cycle at which a flag towards `to` is set by everything issued so far.
    virtual uint64_t flag_time(Pipe to) const {
        (void)to;
        return done_;
    }
    void report(const Item &item, uint64_t start, uint64_t end, Prov prov) { recorder_.done(item.flight, item.index, start, end, prov); }

    const Pipe pipe_;
    const Target &target_;
    Recorder &recorder_;
    uint64_t free_ = 0;  // next item may start
    uint64_t front_ = 0; // next item may be issued: it has waited for its flags
    uint64_t done_ = 0;  // everything so far is complete
    uint64_t flag_set_, flag_wait_, barrier_;
    Prov flag_prov_, barrier_prov_;

private:
    void step();
    void reach(Flight &f);
    bool process(const Item &item);
    bool synchronise(const Item &item);

    static constexpr uint64_t kStarts = 4096;  // start times kept for the queue depth
    const unsigned quantum_;
    Fifo<Item> queue_;
    uint64_t pushed_ = 0, popped_ = 0;
    FlagTime start_of_[kStarts];
    bool blocked_ = false;
    uint64_t last_ = kNoStatement;  // youngest instruction timed
    Blocker blocker_;               // what set free_
    WaitCycles stalled_{};          // at flags and barriers since the last instruction began
    sc_core::sc_event wake_;
};

// MTE2 and MTE3: start-up and bandwidth.
class DmaPipe : public PipeModule {
public:
    DmaPipe(sc_core::sc_module_name name, Pipe pipe, const Target &t, Recorder &r, unsigned quantum) : PipeModule(name, pipe, t, r, quantum) {}

protected:
    void execute(const Item &item) override;
};

}  // namespace npusim

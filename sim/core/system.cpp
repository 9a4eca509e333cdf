#include "sim/core/system.hpp"

#include <cstdio>
#include <memory>

#include "sim/core/event_flags.hpp"
#include "sim/core/scalar.hpp"
#include "sim/core/unified_buffer.hpp"
#include "sim/core/vector.hpp"

namespace npusim {

class System : public sc_core::sc_module, public progress_if {
public:
    Recorder recorder;
    EventFlags flags;
    UnifiedBuffer ub;
    Scalar scalar;
    std::unique_ptr<VectorPipe> vector;
    DmaPipe mte2, mte3;

    System(sc_core::sc_module_name name, const Target &t, const SimOptions &o)
        : sc_module(name), recorder(o.row_limit), flags("EventFlags"), ub("UnifiedBuffer"), scalar("Scalar", t, recorder, o.quantum),
          mte2("MTE2", PIPE_MTE2, t, recorder, o.quantum), mte3("MTE3", PIPE_MTE3, t, recorder, o.quantum) {
        if (t.family == FAMILY_A2A3) {
            auto v = std::make_unique<VectorA2a3>("Vector", t, recorder, o.quantum);
            v->ub(ub);
            vector = std::move(v);
        } else {
            vector = std::make_unique<Vector950>("Vector", t, recorder, o.quantum, o.skip);
        }
        for (PipeModule *p : {static_cast<PipeModule *>(vector.get()), static_cast<PipeModule *>(&mte2), static_cast<PipeModule *>(&mte3)}) {
            p->flags(flags);
            p->progress(*this);
        }
        scalar.vector(*vector);
        scalar.mte2(mte2);
        scalar.mte3(mte3);
        scalar.flags(flags);
    }

    // Whoever stopped for want of a flag or a completion looks again.
    void progressed(Pipe who) override {
        if (scalar.waiting()) scalar.wake_up();
        for (PipeModule *p : pipes())
            if (p->blocked() && p != pipes()[who == PIPE_V ? 0 : who == PIPE_MTE2 ? 1 : 2]) p->wake_up();
    }

    std::array<PipeModule *, 3> pipes() { return {vector.get(), &mte2, &mte3}; }

    void reset() {
        recorder.reset();
        flags.reset();
        ub.reset();
        for (PipeModule *p : pipes()) p->reset();
    }

    bool all_done() { return scalar.finished() && vector->idle() && mte2.idle() && mte3.idle(); }

    void report_deadlock(Diag *diag) {
        char text[400];
        int n = 0;
        static const Pipe names[] = {PIPE_V, PIPE_MTE2, PIPE_MTE3};
        for (int i = 0; i < 3; i++) {
            const Item *head = pipes()[i]->head();
            if (!head) continue;
            n += std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%spipe %s waits for a flag from %s (event %u)", n ? ", " : "",
                               pipe_name(names[i]), pipe_name(static_cast<Pipe>(head->u.src0)), head->u.dst);
        }
        if (!scalar.finished()) std::snprintf(text + n, sizeof text - static_cast<size_t>(n), "%spipe S waits for a flag or a pipe", n ? ", " : "");
        ::diag(diag, DIAG_DEADLOCK, scalar.place(), "nothing can go on: %s", text);
        recorder.result.deadlock = true;
    }
};

static void route_report(const sc_core::sc_report &report, const sc_core::sc_actions &) {
    if (report.get_severity() >= sc_core::SC_ERROR) std::fprintf(stderr, "npusim: SystemC: %s\n", report.what());
}

Core::Core(const char *name, const Target &target, const SimOptions &options) {
    sc_core::sc_report_handler::set_handler(route_report);
    system_ = std::make_unique<System>(name, target, options);
}

Core::~Core() = default;

RunResult Core::run(StepSource source, Diag *diag) {
    system_->reset();
    system_->scalar.start(std::move(source));
    for (;;) {
        sc_core::sc_start();
        if (system_->all_done()) break;
        if (system_->scalar.go_on_with_busy_vector()) continue;
        system_->report_deadlock(diag);
        break;
    }
    return std::move(system_->recorder.result);
}

}  // namespace npusim

// The library asks for it; the program has its own main().
int sc_main(int, char **) { return 0; }

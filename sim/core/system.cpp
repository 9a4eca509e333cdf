#include "sim/core/system.hpp"

#include <cstdio>
#include <memory>
#include <string>

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
        : sc_module(name), recorder(o.row_limit), flags("EventFlags"), ub("UnifiedBuffer", o.arbitrate), scalar("Scalar", t, recorder, quantum(o)),
          mte2("MTE2", PIPE_MTE2, t, recorder, quantum(o)), mte3("MTE3", PIPE_MTE3, t, recorder, quantum(o)) {
        if (t.family == FAMILY_A2A3) vector = std::make_unique<VectorA2a3>("Vector", t, recorder, quantum(o));
        else vector = std::make_unique<Vector950>("Vector", t, recorder, quantum(o), o.skip);
        for (PipeModule *p : {static_cast<PipeModule *>(vector.get()), static_cast<PipeModule *>(&mte2), static_cast<PipeModule *>(&mte3)}) {
            p->flags(flags);
            p->progress(*this);
            p->ub(ub);
        }
        scalar.vector(*vector);
        scalar.mte2(mte2);
        scalar.mte3(mte3);
        scalar.flags(flags);
        scalar.ub(ub);
    }

    // Who comes first to a bank group is decided in the order of the kernel's time.
    static unsigned quantum(const SimOptions &o) { return o.arbitrate ? 1 : o.quantum; }

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

    // The place of the message is the first pipe that waits; the text names the others' lines.
    void report_deadlock(Diag *diag) {
        std::string text;
        Loc place = scalar.place();
        static const Pipe names[] = {PIPE_V, PIPE_MTE2, PIPE_MTE3};
        for (int i = 0; i < 3; i++) {
            const Item *head = pipes()[i]->head();
            if (!head) continue;
            Loc at = recorder.flight(head->flight).place;
            if (text.empty()) place = at;
            text += (text.empty() ? "" : ", ") + std::string("pipe ") + pipe_name(names[i]) + " waits for a flag from " +
                    pipe_name(static_cast<Pipe>(head->u.src0)) + " (event " + std::to_string(head->u.dst) + ", line " + std::to_string(at.line) + ")";
        }
        if (!scalar.finished()) text += (text.empty() ? "" : ", ") + std::string("pipe S waits for a flag or a pipe (line ") + std::to_string(scalar.place().line) + ")";
        ::diag(diag, DIAG_DEADLOCK, place, "nothing can go on: %s\nput the set_flag in front of the wait_flag, on the pipe that it waits for", text.c_str());
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

void Core::observe(std::function<void(const Flight &)> f) { system_->recorder.on_close = std::move(f); }

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

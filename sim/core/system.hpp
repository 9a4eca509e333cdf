// The vector core: modules bound together, and one run of a program.
#pragma once

#include <functional>
#include <memory>

#include "sim/core/result.hpp"

namespace npusim {

class System;
struct Flight;
using StepSource = std::function<const Step *()>;

struct SimOptions {
    unsigned quantum = 256;     // micro-ops a module may run ahead of the kernel; 0: unlimited
    size_t row_limit = 100000;  // instruction rows kept; the rest is added up by line
    bool arbitrate = false;     // a2a3: pipes contend for bank groups of UB; forces quantum 1
    bool skip = true;           // 950: jump over steady states
};

// One elaborated core. All cores of a process must exist before the first run; each can run any
// number of programs, one after the other.
class Core {
public:
    Core(const char *name, const Target &target, const SimOptions &options);
    ~Core();
    RunResult run(StepSource source, Diag *diag);
    // Calls f for every statement when its times are known, in program order.
    void observe(std::function<void(const Flight &)> f);

private:
    std::unique_ptr<System> system_;
};

}  // namespace npusim

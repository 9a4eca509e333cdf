// The vector core: modules bound together, and one run of a program.
#pragma once

#include "sim/core/result.hpp"

namespace npusim {

struct SimOptions {
    unsigned quantum = 256;     // micro-ops a module may run ahead of the kernel; 0: unlimited
    size_t row_limit = 100000;  // instruction rows kept; the rest is added up by line
    bool skip = true;           // 950: jump over steady states
    const char *vcd = nullptr;
};

// Runs everything the interpreter gives and returns the times. One call per process.
RunResult simulate(const Target &target, Interp *interp, Diag *diag, const SimOptions &options);

}  // namespace npusim

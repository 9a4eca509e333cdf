// Which bytes of the unified buffer hold data that is still needed, over time.
#pragma once

#include <string>
#include <vector>

#include "sim/report/report.hpp"

namespace npusim {

// From the start of the instruction that writes a range to the end of its last reader.
struct UbSpan {
    const char *name;
    uint32_t lo, hi;
    uint64_t from, until;
    bool tmp;
};
std::vector<UbSpan> ub_spans(const RunResult &r, const Details &d);

// Bytes in such ranges from a cycle on, without counting a byte twice.
struct UbLevel {
    uint64_t at;
    uint64_t bytes;
};
std::vector<UbLevel> ub_levels(const std::vector<UbSpan> &spans);

}  // namespace npusim

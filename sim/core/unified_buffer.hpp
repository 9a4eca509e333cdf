#pragma once

#include <algorithm>
#include <deque>

#include "sim/core/work.hpp"

namespace npusim {

// Bank groups between pipes (--arbitrate): who comes first keeps its groups, who comes later loses a
// cycle for every access of the other in the cycles that both want.
class UnifiedBuffer : public sc_core::sc_module, public ub_if {
public:
    UnifiedBuffer(sc_core::sc_module_name name, bool arbitrate) : sc_module(name), arbitrate_(arbitrate) {}

    bool arbitrates() const override { return arbitrate_; }

    uint64_t claim(UbUse use) override {
        uint64_t lost = 0;
        for (const UbUse &u : uses_)
            if (u.pipe != use.pipe && (u.groups & use.groups)) lost += taken(u, use);
        use.until += lost;
        uses_.push_back(use);
        if (uses_.size() > kKept) uses_.pop_front();
        return lost;
    }

    void reset() { uses_.clear(); }

private:
    static uint64_t taken(const UbUse &first, const UbUse &later) {
        uint64_t from = std::max(first.from, later.from), until = std::min(first.until, later.until);
        if (from >= until) return 0;
        uint64_t both = until - from, span = first.until - first.from;
        return std::min(both, (first.accesses * both + span - 1) / span);
    }

    static constexpr size_t kKept = 256;  // youngest uses; older ones are over
    const bool arbitrate_;
    std::deque<UbUse> uses_;
};

}  // namespace npusim

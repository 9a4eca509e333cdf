#pragma once

#include <deque>

#include "sim/core/work.hpp"

namespace npusim {

class EventFlags : public sc_core::sc_module, public flags_if {
public:
    explicit EventFlags(sc_core::sc_module_name name) : sc_module(name) {}

    void set(Pipe from, Pipe to, unsigned event, FlagTime f) override { flag_[from][to][event % kEvents].push_back(f); }

    bool take(Pipe from, Pipe to, unsigned event, FlagTime *f) override {
        auto &q = flag_[from][to][event % kEvents];
        if (q.empty()) return false;
        *f = q.front();
        q.pop_front();
        return true;
    }

    void reset() {
        for (auto &to : flag_)
            for (auto &events : to)
                for (auto &q : events) q.clear();
    }

private:
    static constexpr unsigned kEvents = 8;
    std::deque<FlagTime> flag_[PIPE_COUNT][PIPE_COUNT][kEvents];
};

}  // namespace npusim

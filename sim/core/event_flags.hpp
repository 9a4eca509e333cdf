#pragma once

#include <deque>

#include "sim/core/work.hpp"

namespace npusim {

class EventFlags : public sc_core::sc_module, public flags_if {
public:
    explicit EventFlags(sc_core::sc_module_name name) : sc_module(name) {}

    void set(Pipe from, Pipe to, unsigned event, uint64_t at) override { flag_[from][to][event % kEvents].push_back(at); }

    bool take(Pipe from, Pipe to, unsigned event, uint64_t *at) override {
        auto &q = flag_[from][to][event % kEvents];
        if (q.empty()) return false;
        *at = q.front();
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
    std::deque<uint64_t> flag_[PIPE_COUNT][PIPE_COUNT][kEvents];
};

}  // namespace npusim

// One line on the terminal for work that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace npusim {

class Progress {
public:
    // mode: auto (a terminal only), always, never. total 0: not known.
    Progress(const std::string &mode, const char *unit, uint64_t total);
    ~Progress();
    void step(); // one more unit is done

private:
    using Clock = std::chrono::steady_clock;
    void draw(Clock::time_point now);

    const bool on_;
    const char *const unit_;
    const uint64_t total_;
    const Clock::time_point begin_ = Clock::now();
    Clock::time_point next_;
    uint64_t done_ = 0;
    bool drawn_ = false;
};

}  // namespace npusim

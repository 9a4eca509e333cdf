#include "sim/cli/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace npusim {

static bool wanted(const std::string &mode) {
    if (mode != "auto") return mode == "always";
    const char *term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && !std::strcmp(term, "dumb"));
}

Progress::Progress(const std::string &mode, const char *unit, uint64_t total)
    : on_(wanted(mode)), unit_(unit), total_(total), next_(begin_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::step() {
    done_++;
    if (!on_ || (!total_ && done_ % 1024)) return; // the clock is read now and then only
    Clock::time_point now = Clock::now();
    if (now >= next_) draw(now);
}

void Progress::draw(Clock::time_point now) {
    next_ = now + std::chrono::milliseconds(100);
    drawn_ = true;
    double s = std::chrono::duration<double>(now - begin_).count();
    if (!total_) {
        std::fprintf(stderr, "\r%llu %s, %.0f per second\033[K", static_cast<unsigned long long>(done_), unit_, static_cast<double>(done_) / s);
    } else {
        constexpr int width = 30;
        int full = static_cast<int>(done_ * width / total_);
        std::fprintf(stderr, "\r[%.*s%*s] %llu of %llu %s, %.0f s left\033[K", full, "##############################", width - full, "",
                     static_cast<unsigned long long>(done_), static_cast<unsigned long long>(total_), unit_,
                     s / static_cast<double>(done_) * static_cast<double>(total_ - done_));
    }
    std::fflush(stderr);
}

}  // namespace npusim

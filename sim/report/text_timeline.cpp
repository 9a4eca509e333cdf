#include <algorithm>
#include <cstring>

#include "sim/report/profile.hpp"

namespace npusim {

namespace {

constexpr size_t kWidth = 64;

struct Scale {
    uint64_t from, until;
    uint64_t column() const { return std::max<uint64_t>(1, (until - from + kWidth - 1) / kWidth); }
    size_t columns() const { return static_cast<size_t>((until - from + column() - 1) / column()); }
    // Fills [a, b) with a letter; anything that lasts shows in a column at least.
    void fill(std::string *bar, uint64_t a, uint64_t b, char letter) const {
        a = std::max(a, from);
        b = std::min(b, until);
        if (a >= b) return;
        size_t first = static_cast<size_t>((a - from) / column()), last = static_cast<size_t>((b - 1 - from) / column());
        for (size_t i = first; i <= last && i < bar->size(); i++) (*bar)[i] = letter;
    }
};

// Waiting comes in this order: the pipe is busy, then flags, barriers and the scalar unit.
std::string bar_of(const InstrRow &i, const Scale &s) {
    std::string bar(s.columns(), ' ');
    uint64_t at = i.start - i.wait;
    for (WaitCause c : {WAIT_PIPE, WAIT_FLAG, WAIT_BARRIER, WAIT_SCALAR}) {
        s.fill(&bar, at, at + i.wait_for[c], wait_name(c)[0]);
        at += i.wait_for[c];
    }
    s.fill(&bar, i.start, i.end, '#');
    return bar;
}

std::string clip(const std::string &s, size_t n) { return s.size() <= n ? s + std::string(n - s.size(), ' ') : s.substr(0, n - 1) + "~"; }

}  // namespace

std::string text_timeline(const RunResult &r, const ProfileView &v) {
    Scale s{std::min(v.from, r.cycles), std::min(v.until, r.cycles)};
    if (s.from >= s.until) return "";
    std::string out = "timeline of cycles " + with_commas(s.from) + " to " + with_commas(s.until) + ", one column is " + with_commas(s.column()) +
                      (s.column() == 1 ? " cycle" : " cycles") + "; # runs, waits for: p its pipe, f a flag of another pipe, b results of its own pipe, s the scalar unit\n";
    size_t name = sizeof "instruction";
    for (const InstrRow &i : r.rows) name = std::max(name, std::strlen(i.op) + 1);
    out += clip("index", 7) + clip("line", 7) + clip("instruction", name) + clip("pipe", 5) + "|" + std::string(s.columns(), '-') + "|      start        end\n";
    size_t shown = 0, more = 0;
    for (const InstrRow &i : r.rows) {
        if (i.end <= s.from || i.start - i.wait >= s.until) continue;
        if (shown++ >= std::max<size_t>(v.top, 1)) {
            more++;
            continue;
        }
        char numbers[64];
        std::snprintf(numbers, sizeof numbers, "|%11llu%11llu\n", static_cast<unsigned long long>(i.start), static_cast<unsigned long long>(i.end));
        out += clip(std::to_string(i.index), 7) + clip(std::to_string(i.line), 7) + clip(i.op, name) + clip(pipe_name(i.pipe), 5) + "|" + bar_of(i, s) + numbers;
    }
    if (more) out += "... " + with_commas(more) + " more instructions in this window (--top, --window A:B)\n";
    return out;
}

}  // namespace npusim

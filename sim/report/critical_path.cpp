#include <algorithm>

#include "sim/report/analysis.hpp"

namespace npusim {

// Rows are in program order, so statements ascend.
static size_t row_of(const std::vector<InstrRow> &rows, uint64_t statement) {
    auto it = std::lower_bound(rows.begin(), rows.end(), statement, [](const InstrRow &r, uint64_t s) { return r.statement < s; });
    return it != rows.end() && it->statement == statement ? static_cast<size_t>(it - rows.begin()) : rows.size();
}

CriticalPath critical_path(const RunResult &r) {
    CriticalPath p;
    p.by_row.assign(r.rows.size(), 0);
    p.tail = r.cycles;
    if (r.rows.empty()) return p;
    auto last = std::max_element(r.rows.begin(), r.rows.end(), [](const InstrRow &a, const InstrRow &b) { return a.end < b.end; });
    p.tail = r.cycles - last->end;
    size_t at = static_cast<size_t>(last - r.rows.begin());
    for (uint64_t until = last->end;;) {
        const InstrRow &i = r.rows[at];
        PathStep s{at, i.cause, 0, std::min(i.end, until) - i.start};
        size_t before = i.after == kNoStatement ? r.rows.size() : row_of(r.rows, i.after);
        bool found = before < at && r.rows[before].start <= i.start;
        if (found) s.gap = i.start - std::min(i.start, r.rows[before].end);
        p.by_row[at] = s.gap + s.own;
        p.steps.push_back(s);
        if (!found) {
            p.lead_in = i.start;
            break;
        }
        until = i.start;
        at = before;
    }
    std::reverse(p.steps.begin(), p.steps.end());
    return p;
}

}  // namespace npusim

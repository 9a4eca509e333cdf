#include "sim/report/ub_map.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace npusim {

std::vector<UbSpan> ub_spans(const RunResult &r, const Details &d) {
    std::map<std::pair<uint32_t, uint32_t>, UbSpan> open;
    std::vector<UbSpan> all;
    for (size_t k = 0; k < r.rows.size() && k < d.size(); k++) {
        const InstrRow &i = r.rows[k];
        for (const OperandRange &o : d[k].operands) {
            auto [it, fresh] = open.try_emplace({o.lo, o.hi}, UbSpan{o.name, o.lo, o.hi, o.write ? i.start : 0, i.end, o.tmp});
            if (fresh) continue;
            if (!o.write) {
                it->second.until = std::max(it->second.until, i.end);
                continue;
            }
            if (it->second.from < i.start) all.push_back(it->second);
            it->second = {o.name, o.lo, o.hi, i.start, i.end, o.tmp};
        }
    }
    for (auto &[range, span] : open) all.push_back(span);
    std::stable_sort(all.begin(), all.end(), [](const UbSpan &a, const UbSpan &b) { return a.from < b.from; });
    return all;
}

static uint64_t bytes_of(const std::multiset<std::pair<uint32_t, uint32_t>> &live) {
    uint64_t sum = 0;
    uint32_t end = 0;
    for (auto [lo, hi] : live) {
        if (hi <= end) continue;
        sum += hi - std::max(lo, end);
        end = hi;
    }
    return sum;
}

std::vector<UbLevel> ub_levels(const std::vector<UbSpan> &spans) {
    std::map<uint64_t, std::pair<std::vector<size_t>, std::vector<size_t>>> events; // begins and ends by time
    for (size_t i = 0; i < spans.size(); i++) {
        if (spans[i].until <= spans[i].from) continue;
        events[spans[i].from].first.push_back(i);
        events[spans[i].until].second.push_back(i);
    }
    std::multiset<std::pair<uint32_t, uint32_t>> live;
    std::vector<UbLevel> levels;
    for (const auto &[at, change] : events) {
        for (size_t i : change.second) live.erase(live.find({spans[i].lo, spans[i].hi}));
        for (size_t i : change.first) live.insert({spans[i].lo, spans[i].hi});
        levels.push_back({at, bytes_of(live)});
    }
    return levels;
}

}  // namespace npusim

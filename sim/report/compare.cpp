#include "sim/report/compare.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/report/blocks.hpp"

namespace npusim {

namespace {

CompareCell cell_of(const Side &s, const InstrRow &i) {
    CompareCell c;
    c.cycles = i.end - i.start;
    c.uops = i.uops;
    c.in_total = s.path.by_row[i.index];
    if (s.c.details && i.index < s.c.details->size()) c.tmp_bytes = (*s.c.details)[i.index].tmp_bytes;
    return c;
}

CompareRow row_of(const InstrRow &i) {
    CompareRow r;
    r.line = i.line;
    r.op = i.op;
    r.dtype = dtype_name(i.dtype);
    r.shape = region(i);
    return r;
}

// The n-th execution of a line on one side is the n-th on the other.
using Key = std::pair<uint32_t, uint64_t>;
std::map<Key, const InstrRow *> by_line(const RunResult &r) {
    std::map<uint32_t, uint64_t> count;
    std::map<Key, const InstrRow *> found;
    for (const InstrRow &i : r.rows) found[{i.line, count[i.line]++}] = &i;
    return found;
}

using Place = std::tuple<DiagId, uint32_t, uint32_t>;

void only_on(const Side &s, const Side &other, std::vector<OnlyOn> *out) {
    std::map<Place, bool> there;
    for (size_t i = 0; i < diag_count(other.c.diag); i++) {
        const DiagMsg *m = diag_at(other.c.diag, i);
        there[{m->id, m->loc.line, m->loc.col}] = true;
    }
    for (size_t i = 0; i < diag_count(s.c.diag); i++) {
        const DiagMsg *m = diag_at(s.c.diag, i);
        if (!there.count({m->id, m->loc.line, m->loc.col})) out->push_back({s.label, m});
    }
}

uint64_t rest_of(const Side &s) {
    uint64_t sum = 0;
    for (uint64_t v : s.path.by_row) sum += v;
    return s.r.cycles - sum;
}

double seconds(const Side &s) { return static_cast<double>(s.r.cycles) / s.c.target->clock_hz.v; }

}  // namespace

std::vector<CompareRow> match_rows(const Side &a, const Side &b) {
    std::vector<CompareRow> rows;
    std::map<Key, const InstrRow *> other = by_line(b.r);
    std::map<uint32_t, uint64_t> count;
    for (const InstrRow &i : a.r.rows) {
        CompareRow r = row_of(i);
        r.a = cell_of(a, i);
        auto it = other.find({i.line, count[i.line]++});
        if (it != other.end()) {
            r.b = cell_of(b, *it->second);
            r.cause = cause_of(a, i, b, *it->second);
            other.erase(it);
        } else {
            r.cause = "not executed on " + b.label;
        }
        rows.push_back(std::move(r));
    }
    for (const auto &[key, i] : other) {
        CompareRow r = row_of(*i);
        r.b = cell_of(b, *i);
        r.cause = "not executed on " + a.label;
        rows.push_back(std::move(r));
    }
    return rows;
}

Comparison compare_runs(const Side &a, const Side &b) {
    Comparison c;
    c.a = a.label;
    c.b = b.label;
    c.cycles_a = a.r.cycles;
    c.cycles_b = b.r.cycles;
    c.seconds_a = seconds(a);
    c.seconds_b = seconds(b);
    c.rest_a = rest_of(a);
    c.rest_b = rest_of(b);
    for (const Side *s : {&a, &b}) {
        if (s->c.stopped) c.remarks.push_back(s->label + ": " + kStopped);
        if (several_blocks(s->c)) c.remarks.push_back(s->label + ": " + blocks_line(s->c));
    }
    c.rows = match_rows(a, b);
    only_on(a, b, &c.messages);
    only_on(b, a, &c.messages);
    c.results_known = a.c.results && b.c.results;
    if (c.results_known) c.results = result_differences(a, b);
    return c;
}

}  // namespace npusim

#include <algorithm>
#include <map>

#include "sim/report/analysis.hpp"

namespace npusim {

namespace {

void add_waits(WaitCycles &sum, const WaitCycles &w) {
    for (size_t c = 0; c < w.size(); c++) sum[c] += w[c];
}

void add(Group &g, const InstrRow &i, uint64_t path) {
    if (!g.count) {
        g.name = i.op;
        g.type = dtype_name(i.dtype);
        g.shape = region(i);
        g.line = i.line;
        g.index = i.index;
        g.pipe = i.pipe;
    }
    if (g.type != dtype_name(i.dtype)) g.type = "several";
    if (g.shape != region(i)) g.shape = "several";
    if (g.line != i.line) g.line = 0;
    g.count++;
    g.cycles += i.end - i.start;
    g.path += path;
    g.work += i.work;
    g.wait += i.wait;
    add_waits(g.wait_for, i.wait_for);
    g.uops += i.uops;
    g.repeats += i.repeats;
    g.conflicts += i.conflicts;
    g.bytes_read += i.bytes_read;
    g.bytes_written += i.bytes_written;
    g.weakest = std::max(g.weakest, i.weakest);
}

// Instructions beyond the row limit are known by line only.
void add(Group &g, uint32_t line, const LineRow &l) {
    if (!g.count) {
        g.name = l.op;
        g.line = line;
        g.pipe = l.pipe;
    }
    if (g.line != line) g.line = 0;
    g.count += l.count;
    g.cycles += l.cycles;
    g.work += l.work;
    g.wait += l.wait;
    add_waits(g.wait_for, l.wait_for);
    g.uops += l.uops;
    g.repeats += l.repeats;
    g.conflicts += l.conflicts;
    g.bytes_read += l.bytes_read;
    g.bytes_written += l.bytes_written;
    g.weakest = std::max(g.weakest, l.weakest);
}

std::vector<Group> stages(const RunResult &r) {
    std::map<std::pair<std::string, std::string>, Group> found;
    for (const InstrRow &i : r.rows)
        for (const StageRow &s : i.stages) {
            Group &g = found[{i.op, s.name}];
            if (!g.count) g.index = i.index, g.line = i.line;
            if (g.line != i.line) g.line = 0;
            g.name = i.op;
            g.shape = s.name;
            g.pipe = i.pipe;
            g.count++;
            g.cycles += s.cycles;
            g.uops += s.uops;
            g.weakest = std::max(g.weakest, i.weakest);
        }
    std::vector<Group> all;
    for (auto &[key, g] : found) all.push_back(std::move(g));
    return all;
}

}  // namespace

std::vector<Group> groups(const RunResult &r, const CriticalPath &p, GroupBy by) {
    std::vector<Group> all;
    if (by == BY_STAGE) {
        all = stages(r);
    } else {
        std::map<std::string, Group> found; // key: what the instructions of a group share
        for (const InstrRow &i : r.rows) {
            if (by == BY_INSTR) add(all.emplace_back(), i, p.by_row[i.index]);
            else add(found[by == BY_OP ? i.op : std::to_string(i.line)], i, p.by_row[i.index]);
        }
        for (const auto &[line, l] : r.lines) add(found[by == BY_LINE ? std::to_string(line) : l.op], line, l);
        for (auto &[key, g] : found) all.push_back(std::move(g));
    }
    std::stable_sort(all.begin(), all.end(), [](const Group &a, const Group &b) {
        return a.cycles != b.cycles ? a.cycles > b.cycles : a.index < b.index;
    });
    return all;
}

std::string vector_utilisation(const RunResult &r) { return percent(r.pipes[PIPE_V].work, r.cycles); }

std::string main_wait(const WaitCycles &w) {
    auto most = std::max_element(w.begin(), w.end());
    return *most ? wait_name(static_cast<WaitCause>(most - w.begin())) : "";
}

}  // namespace npusim

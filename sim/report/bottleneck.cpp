// Names what the critical path is spent on, in words, with the change that would remove it.
#include <algorithm>
#include <map>

extern "C" {
#include "isa/time/dma.h"
}

#include "sim/report/analysis.hpp"

namespace npusim {

namespace {

// Cycles of the path by what they are spent on.
struct Spent {
    uint64_t own[PIPE_COUNT]{}, start_up[PIPE_COUNT]{}, conflicts = 0, flag_gap = 0, issue_gap = 0;
    uint64_t transfers[PIPE_COUNT]{}, bytes[PIPE_COUNT]{};
    size_t top[PIPE_COUNT]{};         // row with the most own cycles
    uint64_t top_own[PIPE_COUNT]{};
    uint64_t buffer_wait = 0;         // transfers in that wait for a tile still in use
    size_t buffer_row = 0;
};

Spent spend(const RunResult &r, const CriticalPath &p) {
    Spent s;
    s.issue_gap = p.lead_in;
    size_t before = r.rows.size();
    for (const PathStep &step : p.steps) {
        const InstrRow &i = r.rows[step.row];
        s.own[i.pipe] += step.own;
        s.start_up[i.pipe] += std::min(step.own, i.end - i.start - i.work);
        s.transfers[i.pipe]++;
        s.bytes[i.pipe] += std::max(i.bytes_read, i.bytes_written);
        if (i.pipe == PIPE_V) s.conflicts += std::min(step.own, i.conflicts);
        (step.cause == WAIT_SCALAR ? s.issue_gap : s.flag_gap) += step.gap;
        if (step.own > s.top_own[i.pipe]) s.top[i.pipe] = step.row, s.top_own[i.pipe] = step.own;
        if (i.pipe == PIPE_MTE2 && step.cause == WAIT_FLAG && before < r.rows.size()) {
            s.buffer_wait += std::min(step.own, p.by_row[before]);
            s.buffer_row = step.row;
        }
        before = step.row;
    }
    return s;
}

std::string place(const InstrRow &i) { return std::string(i.op) + " in line " + std::to_string(i.line); }

std::string share(uint64_t part, const RunResult &r) { return with_commas(part) + " of " + with_commas(r.cycles) + " cycles (" + percent(part, r.cycles) + ")"; }

const StageRow *longest_stage(const InstrRow &i) {
    auto it = std::max_element(i.stages.begin(), i.stages.end(), [](const StageRow &a, const StageRow &b) { return a.cycles < b.cycles; });
    return it == i.stages.end() || i.stages.size() < 2 ? nullptr : &*it;
}

// The operand that shares banks with another one, as a hint where to move it.
std::string move_operand(const InstrRow &i, const ReportContext &c) {
    const Details *d = c.details;
    if (!d || i.index >= d->size() || (*d)[i.index].operands.size() < 2) return "place the operands of " + place(i) + " in different banks";
    const OperandRange &o = (*d)[i.index].operands[1];
    return "move " + std::string(o.name) + " of line " + std::to_string(i.line) + " by 256 bytes, so that its blocks lie in other bank groups";
}

std::string vector_change(const RunResult &r, const Spent &s, const ReportContext &c) {
    const InstrRow &top = r.rows[s.top[PIPE_V]];
    uint64_t own = s.own[PIPE_V], n = s.transfers[PIPE_V];
    if (s.conflicts * 4 > own) return move_operand(top, c) + ": removes up to " + with_commas(s.conflicts) + " cycles";
    const StageRow *stage = longest_stage(top);
    if (s.start_up[PIPE_V] * 2 > own && n > 1)
        return "work on more per instruction: " + with_commas(n) + " instructions pay " + with_commas(s.start_up[PIPE_V]) +
               " cycles of start-up, latency and drain; half as many would remove about " + with_commas(s.start_up[PIPE_V] / 2);
    if (stage)
        return "fewer repeats in stage '" + std::string(stage->name) + "' of " + place(top) + ", which takes " + with_commas(stage->cycles) + " of its " +
               with_commas(top.end - top.start) + " cycles: fewer rows or columns, or a narrower type";
    if (s.start_up[PIPE_V] * 2 > own)
        return "start-up, latency and drain are " + with_commas(s.start_up[PIPE_V]) + " cycles: give " + place(top) + " more work per call, or merge it with a neighbour";
    return "fewer repeats of 256 bytes: a type of half the width halves the " + with_commas(own - s.start_up[PIPE_V]) + " cycles of throughput";
}

std::string transfer_change(const RunResult &r, const Spent &s, Pipe p, const ReportContext &c) {
    const InstrRow &top = r.rows[s.top[p]];
    uint64_t n = s.transfers[p];
    if (s.buffer_wait * 3 > s.own[p] && p == PIPE_MTE2)
        return "load into a second tile (double buffering): " + place(r.rows[s.buffer_row]) + " waits until its tile is free; removes up to " +
               with_commas(s.buffer_wait) + " cycles";
    if (s.start_up[p] * 2 > s.own[p] && n > 1)
        return "merge transfers: " + with_commas(n) + " of them pay " + with_commas(s.start_up[p]) + " cycles of start-up; one would remove " +
               with_commas(s.start_up[p] - s.start_up[p] / n);
    const DmaParams &d = p == PIPE_MTE2 ? c.target->load : c.target->store;
    return "move fewer bytes: " + with_commas(s.bytes[p]) + " bytes at " + std::to_string(d.bytes_per_cycle.v).substr(0, 5) + " per cycle, most of them by " + place(top);
}

// Pipes that take turns although they could overlap.
void add_overlap(const RunResult &r, const Spent &s, std::vector<Bottleneck> *all) {
    uint64_t sum = 0, longest = 0;
    int used = 0;
    for (int p = 0; p < PIPE_COUNT; p++) {
        sum += s.own[p];
        longest = std::max(longest, r.pipes[static_cast<size_t>(p)].busy);
        used += s.own[p] != 0;
    }
    if (used < 2 || sum <= longest || (sum - longest) * 10 < r.cycles) return;
    all->push_back({"the pipes take turns, " + std::to_string(used) + " of them one after the other on the critical path; with full overlap " + share(sum - longest, r) + " could go", sum - longest,
                    "split the work into two halves in tiles of their own, so that one half is transferred while the other is computed; the busiest pipe "
                    "alone needs " + with_commas(longest) + " cycles"});
}

}  // namespace

std::vector<Bottleneck> bottlenecks(const RunResult &r, const CriticalPath &p, const ReportContext &c) {
    std::vector<Bottleneck> all;
    if (p.steps.empty()) return all;
    Spent s = spend(r, p);
    static const char *const what[PIPE_COUNT] = {"scalar instructions", "vector instructions", "loads", "stores"};
    for (Pipe pipe : {PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3}) {
        if (!s.own[pipe]) continue;
        const InstrRow &top = r.rows[s.top[pipe]];
        std::string change = pipe == PIPE_S ? "do the scalar work of " + place(top) + " once, or where other pipes have work of their own"
                             : pipe == PIPE_V ? vector_change(r, s, c) : transfer_change(r, s, pipe, c);
        all.push_back({std::string(what[pipe]) + " take " + share(s.own[pipe], r) + " on the critical path, the longest is " + place(top) + " with " +
                       with_commas(s.top_own[pipe]), s.own[pipe], change});
    }
    if (s.flag_gap)
        all.push_back({"flags and the gaps between instructions take " + share(s.flag_gap, r) + " on the critical path", s.flag_gap,
                       "fewer, longer instructions: each one that waits for another pipe pays for its flag"});
    if (s.issue_gap)
        all.push_back({"the scalar unit takes " + share(s.issue_gap, r) + " on the critical path to issue instructions", s.issue_gap,
                       "more work per instruction, or fewer scalar statements between them"});
    std::stable_sort(all.begin(), all.end(), [](const Bottleneck &a, const Bottleneck &b) { return a.cycles > b.cycles; });
    add_overlap(r, s, &all);
    return all;
}

}  // namespace npusim

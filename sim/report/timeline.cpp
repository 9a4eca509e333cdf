// Chrome trace events: opens in Perfetto and chrome://tracing. One cycle is one unit of ts.
#include <algorithm>

#include "sim/report/analysis.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/ub_map.hpp"

namespace npusim {

namespace {

using json = nlohmann::ordered_json;

const char *lane_name(Pipe p) {
    static const char *const name[PIPE_COUNT] = {"SCALAR", "VECTOR", "MTE2", "MTE3"};
    return name[p];
}

class Timeline {
public:
    Timeline(const RunResult &r, const ReportContext &c) : r_(r), c_(c), path_(critical_path(r)) {}

    std::string text() {
        const BlockRow &b = (*c_.blocks)[c_.block];
        meta("process_name", -1, {{"name", "core" + std::to_string(b.block) + ".veccore" + std::to_string(b.subblock)}});
        meta("process_labels", -1, {{"labels", c_.target->name}});
        for (const InstrRow &i : r_.rows) slice(i);
        for (const WaitRow &w : r_.waits) arrow(w);
        for (Pipe p : {PIPE_V, PIPE_MTE2, PIPE_MTE3}) queue_depth(p);
        if (c_.details)
            for (const UbLevel &l : ub_levels(ub_spans(r_, *c_.details))) counter("UB bytes in use", l.at, "bytes", l.bytes);
        json other = {{"time unit", "1 unit of ts = 1 cycle"}, {"trace", c_.trace}, {"target", c_.target->name},
                      {"frequency_hz", static_cast<uint64_t>(c_.target->clock_hz.v)}, {"cycles", r_.cycles}, {"instructions", r_.instructions}};
        if (r_.instructions > r_.rows.size()) other["truncated"] = "the first " + std::to_string(r_.rows.size()) + " instructions are shown";
        return "{\"traceEvents\": [\n" + events_ + "\n],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": " + json_text(other, true) + "}\n";
    }

private:
    // A trace may hold any bytes; what is no UTF-8 is shown as a replacement character.
    void event(const json &j) { events_ += (events_.empty() ? "" : ",\n") + json_text(j, true); }

    void meta(const char *name, int tid, const json &args) {
        json j = {{"ph", "M"}, {"name", name}, {"pid", 0}};
        if (tid >= 0) j["tid"] = tid;
        j["args"] = args;
        event(j);
    }

    void counter(const char *name, uint64_t at, const char *unit, uint64_t value) {
        event({{"ph", "C"}, {"name", name}, {"pid", 0}, {"ts", at}, {"args", {{unit, value}}}});
    }

    // Slices of one track must not overlap: instructions that do get a track of their own.
    int track(const InstrRow &i) {
        auto &free = lanes_[i.pipe];
        size_t lane = 0;
        while (lane < free.size() && free[lane] > i.start) lane++;
        int tid = i.pipe * 100 + static_cast<int>(lane);
        if (lane == free.size()) {
            free.push_back(0);
            std::string name = lane_name(i.pipe);
            if (lane) name += "#" + std::to_string(lane);
            meta("thread_name", tid, {{"name", name}});
            meta("thread_sort_index", tid, {{"sort_index", tid}});
        }
        free[lane] = i.end;
        return tid;
    }

    void slice(const InstrRow &i) {
        tid_.push_back(track(i));
        json waits = json::object();
        for (int c = 0; c < WAIT_COUNT; c++) waits[wait_name(static_cast<WaitCause>(c))] = i.wait_for[static_cast<size_t>(c)];
        json args = {{"index", i.index}, {"line", i.line}, {"source", short_source(c_.source(i.line), 200)}, {"dtype", dtype_name(i.dtype)},
                     {"region", region(i)}, {"cycles", i.end - i.start}, {"startup", i.end - i.start - i.work}, {"throughput", i.work}, {"wait", i.wait},
                     {"wait_for", waits}, {"uops", i.uops}, {"repeats", i.repeats}, {"bytes_read", i.bytes_read}, {"bytes_written", i.bytes_written},
                     {"bank_conflict_cycles", i.conflicts}, {"critical_path_cycles", path_.by_row[i.index]}, {"confidence", prov_name(i.weakest)}};
        if (c_.details && i.index < c_.details->size()) args["uop"] = (*c_.details)[i.index].uop;
        event({{"ph", "X"}, {"name", i.op}, {"cat", lane_name(i.pipe)}, {"pid", 0}, {"tid", tid_.back()}, {"ts", i.start}, {"dur", i.end - i.start},
               {"args", args}});
    }

    // The first instruction of the pipe at or behind the statement that waits.
    size_t waiter(const WaitRow &w) const {
        auto it = std::lower_bound(r_.rows.begin(), r_.rows.end(), w.statement, [](const InstrRow &r, uint64_t s) { return r.statement < s; });
        while (it != r_.rows.end() && it->pipe != w.pipe) ++it;
        return static_cast<size_t>(it - r_.rows.begin());
    }

    // From the last cycle of the instruction waited for to the start of the one that waits.
    void arrow(const WaitRow &w) {
        auto from = std::lower_bound(r_.rows.begin(), r_.rows.end(), w.after, [](const InstrRow &r, uint64_t s) { return r.statement < s; });
        size_t to = waiter(w);
        if (from == r_.rows.end() || from->statement != w.after || to == r_.rows.size()) return;
        const InstrRow &until = r_.rows[to];
        if (from->end == from->start || until.end == until.start || from->end - 1 > until.start) return;
        const char *kind = from->pipe == w.pipe ? "barrier" : "flag";
        json id = arrows_++;
        event({{"ph", "s"}, {"name", kind}, {"cat", "wait"}, {"id", id}, {"pid", 0}, {"tid", tid_[from->index]}, {"ts", from->end - 1}});
        event({{"ph", "f"}, {"bp", "e"}, {"name", kind}, {"cat", "wait"}, {"id", id}, {"pid", 0}, {"tid", tid_[to]}, {"ts", until.start}});
    }

    void queue_depth(Pipe p) {
        std::map<uint64_t, int64_t> steps;
        for (const InstrRow &i : r_.rows)
            if (i.pipe == p && i.wait) steps[i.start - i.wait]++, steps[i.start]--;
        int64_t level = 0;
        std::string name = std::string(lane_name(p)) + " queue depth";
        for (auto [at, step] : steps)
            if (step) counter(name.c_str(), at, "instructions", static_cast<uint64_t>(level += step));
    }

    const RunResult &r_;
    const ReportContext &c_;
    const CriticalPath path_;
    std::string events_;
    std::array<std::vector<uint64_t>, PIPE_COUNT> lanes_;
    std::vector<int> tid_;  // by instruction
    int arrows_ = 0;
};

}  // namespace

std::string timeline_json(const RunResult &r, const ReportContext &c) { return Timeline(r, c).text(); }

}  // namespace npusim

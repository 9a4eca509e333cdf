// Chrome trace events: opens in Perfetto and chrome://tracing. One cycle is one unit of ts.
#include <nlohmann/json.hpp>

#include "sim/report/report.hpp"

namespace npusim {

using json = nlohmann::ordered_json;

std::string timeline_json(const RunResult &r, const ReportContext &c) {
    json events = json::array();
    std::string process = std::string("core0.veccore0 (") + c.target->name + ")";
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", 0}, {"args", {{"name", process}}}});
    // Slices of one track must not overlap: instructions that do get a track of their own.
    std::array<std::vector<uint64_t>, PIPE_COUNT> lanes;
    for (const InstrRow &i : r.rows) {
        auto &free = lanes[i.pipe];
        size_t lane = 0;
        while (lane < free.size() && free[lane] > i.start) lane++;
        if (lane == free.size()) {
            free.push_back(0);
            std::string name = pipe_name(i.pipe);
            if (lane) name += "#" + std::to_string(lane);
            int tid = i.pipe * 100 + static_cast<int>(lane);
            events.push_back({{"ph", "M"}, {"name", "thread_name"}, {"pid", 0}, {"tid", tid}, {"args", {{"name", name}}}});
            events.push_back({{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", 0}, {"tid", tid}, {"args", {{"sort_index", tid}}}});
        }
        free[lane] = i.end;
        events.push_back({{"ph", "X"}, {"name", i.op}, {"cat", pipe_name(i.pipe)}, {"pid", 0}, {"tid", i.pipe * 100 + static_cast<int>(lane)},
                          {"ts", i.start}, {"dur", i.end - i.start},
                          {"args", {{"line", i.line}, {"dtype", dtype_name(i.dtype)}, {"region", region(i)}, {"uops", i.uops}, {"repeats", i.repeats},
                                    {"wait", i.wait}, {"bank_conflict_cycles", i.conflicts}, {"confidence", prov_name(i.weakest)}}}});
    }
    json j = {{"traceEvents", events}, {"displayTimeUnit", "ns"},
              {"otherData", {{"time unit", "1 unit of ts = 1 cycle"}, {"trace", c.trace}, {"frequency_hz", static_cast<uint64_t>(c.target->clock_hz.v)}}}};
    return j.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace npusim

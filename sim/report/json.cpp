#include "sim/report/blocks.hpp"
#include "sim/report/diagnostics.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/report.hpp"
#include "sim/report/sync.hpp"
#include "sim/report/table.hpp"

namespace npusim {

using json = nlohmann::ordered_json;

static json instruction(const InstrRow &i) {
    json stages = json::array(), waits = json::object();
    for (int c = 0; c < WAIT_COUNT; c++) waits[wait_name(static_cast<WaitCause>(c))] = i.wait_for[static_cast<size_t>(c)];
    for (const StageRow &s : i.stages)
        stages.push_back({{"name", s.name}, {"start", s.start}, {"end", s.end}, {"cycles", s.cycles}, {"uops", s.uops}});
    return {{"index", i.index}, {"line", i.line}, {"op", i.op}, {"dtype", dtype_name(i.dtype)}, {"shape", region(i)}, {"pipe", pipe_name(i.pipe)},
            {"start", i.start}, {"end", i.end}, {"cycles", i.end - i.start}, {"uops", i.uops}, {"repeats", i.repeats},
            {"bytes_read", i.bytes_read}, {"bytes_written", i.bytes_written}, {"stages", stages}, {"wait_cycles", i.wait}, {"wait_for", waits},
            {"startup_cycles", i.end - i.start - i.work}, {"throughput_cycles", i.work},
            {"bank_conflict_cycles", i.conflicts}, {"confidence", prov_name(i.weakest)}};
}

json diagnostics_json(const Diag *d) {
    json list = json::array();
    for (size_t i = 0; i < diag_count(d); i++) {
        const DiagMsg *m = diag_at(d, i);
        json one = {{"id", diag_rule(m->id)->id}, {"severity", severity_name(m->severity)}, {"line", m->loc.line}, {"col", m->loc.col},
                    {"message", m->text}, {"count", m->count}};
        if (m->loc.file) one["file"] = m->loc.file;
        if (m->hint) one["hint"] = m->hint;
        if (*m->block) one["first_in"] = m->block;
        list.push_back(std::move(one));
    }
    return list;
}

static json lines(const RunResult &r) {
    json list = json::array();
    for (const auto &[line, l] : r.lines)
        list.push_back({{"line", line}, {"op", l.op}, {"count", l.count}, {"cycles", l.cycles}, {"uops", l.uops}, {"repeats", l.repeats},
                        {"bytes_read", l.bytes_read}, {"bytes_written", l.bytes_written}, {"wait_cycles", l.wait}, {"confidence", prov_name(l.weakest)}});
    return list;
}

static json tile_list(Interp *in) {
    json list = json::array();
    for (int i = 0; i < interp_tile_count(in); i++) {
        const Tile *t = interp_tile_at(in, i);
        char type[96];
        tile_describe(t, type, sizeof type);
        list.push_back({{"name", t->name}, {"type", type}, {"address", t->addr}, {"bytes", tile_bytes(t)}, {"line", t->loc.line}});
    }
    return list;
}

std::string json_report(const RunResult &r, const ReportContext &c) {
    json j = {{"schema", "npusim-report/1"}, {"trace", c.trace}, {"target", c.target->name}, {"target_chosen_by", c.target_reason},
              {"conformance", c.target->sem.library ? "library" : "document"}, {"sync", c.sync}, {"seed", c.seed}, {"results", c.results}, {"stopped", c.stopped},
              {"block", (*c.blocks)[c.block].block}, {"cycles", r.cycles}, {"time_us", static_cast<double>(r.cycles) / c.target->clock_hz.v * 1e6},
              {"frequency_hz", static_cast<uint64_t>(c.target->clock_hz.v)}, {"instruction_count", r.instructions}, {"uops", r.uops}};
    json list = json::array();
    for (const InstrRow &i : r.rows) list.push_back(instruction(i));
    j["instructions"] = std::move(list);
    if (!r.lines.empty()) j["lines"] = lines(r);
    if (several_blocks(c)) j["blocks"] = blocks_json(c);
    json pipes = json::object();
    for (int p = 0; p < PIPE_COUNT; p++) {
        const PipeStats &s = r.pipes[static_cast<size_t>(p)];
        pipes[pipe_name(static_cast<Pipe>(p))] = {{"busy", s.busy}, {"wait", s.wait}, {"throughput", s.work}, {"instructions", s.instructions}};
    }
    j["pipes"] = std::move(pipes);
    j["ub"] = {{"size", static_cast<uint64_t>(c.target->ub.bytes.v)}, {"peak", interp_ub_peak(c.interp)}, {"bank_conflict_cycles", r.bank_conflict_cycles}};
    json share = json::object();
    for (int p = 0; p < PROV_COUNT; p++) share[prov_name(static_cast<Prov>(p))] = r.by_provenance[static_cast<size_t>(p)];
    j["cycles_by_provenance"] = std::move(share);
    j["sync_inserted"] = r.sync_inserted;
    if (interp_sync_log(c.interp)) j["sync_listing"] = sync_json(c);
    j["tiles"] = tile_list(c.interp);
    if (!c.printed.empty()) j["printed"] = c.printed;
    j["diagnostics"] = diagnostics_json(c.diag);
    return json_text(j);
}

std::string csv_report(const RunResult &r, const ReportContext &c) {
    Table t({"index", "line", "op", "dtype", "shape", "pipe", "start", "end", "cycles", "wait_cycles", "uops", "repeats", "bytes_read",
             "bytes_written", "bank_conflict_cycles", "confidence", "startup_cycles", "throughput_cycles"});
    for (const InstrRow &i : r.rows)
        t.row({std::to_string(i.index), std::to_string(i.line), i.op, dtype_name(i.dtype), region(i), pipe_name(i.pipe), std::to_string(i.start),
               std::to_string(i.end), std::to_string(i.end - i.start), std::to_string(i.wait), std::to_string(i.uops), std::to_string(i.repeats),
               std::to_string(i.bytes_read), std::to_string(i.bytes_written), std::to_string(i.conflicts), prov_name(i.weakest),
               std::to_string(i.end - i.start - i.work), std::to_string(i.work)});
    if (several_blocks(c))
        for (const BlockRow &b : *c.blocks)
            t.row({"", "", "(" + b.name + ")", "", "", "", "0", std::to_string(b.cycles), std::to_string(b.cycles), "", std::to_string(b.uops), "", "", "", "", "", "", ""});
    return t.csv();
}

}  // namespace npusim

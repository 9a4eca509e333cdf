#include "sim/report/profile.hpp"

#include <algorithm>
#include <cinttypes>

#include "sim/report/blocks.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

std::string summary(const Profile &p) {
    const RunResult &r = p.r;
    const ReportContext &c = p.c;
    char buf[512];
    std::snprintf(buf, sizeof buf, "%s on %s (chosen by %s)  conformance %s  sync %s\n", c.trace, c.target->name, c.target_reason,
                  c.target->sem.library ? "library" : "document", c.sync);
    std::string out = bold(buf, c.color);
    if (c.stopped) out += kStopped + "\n";
    if (several_blocks(c)) out += blocks_line(c) + "; this is " + (*c.blocks)[c.block].name + "\n";
    out += with_commas(r.cycles) + " cycles = " + micros(r.cycles, c.target) + " us, " + counted(r.instructions, "instruction") + ", " +
           counted(r.uops, "micro-op") + "\n";
    out += "vector utilisation " + vector_utilisation(r) + ", bank conflicts " + with_commas(r.bank_conflict_cycles) + " cycles\ncycles rest on:";
    for (int k = 0; k < PROV_COUNT; k++)
        out += std::string(k ? ", " : " ") + percent(r.by_provenance[static_cast<size_t>(k)], r.cycles) + " " + prov_name(static_cast<Prov>(k));
    return out + "\n";
}

std::string limits(const Profile &p) {
    if (p.limits.empty()) return "";
    std::string out = "\n" + bold("bottleneck: ", p.c.color) + p.limits[0].what + "\n  smallest change: " + p.limits[0].change + "\n";
    for (size_t i = 1; i < p.limits.size() && i < kLimits; i++)
        out += "also: " + p.limits[i].what + "\n  smallest change: " + p.limits[i].change + "\n";
    return out;
}

std::string pipes(const Profile &p) {
    Table t({"<pipe", "busy", "occupancy", "throughput", "wait", "wait pipe", "wait flag", "wait barrier", "wait scalar", "instructions"});
    for (int k = 0; k < PIPE_COUNT; k++) {
        const PipeStats &s = p.r.pipes[static_cast<size_t>(k)];
        if (!s.instructions) continue;
        t.row({pipe_name(static_cast<Pipe>(k)), with_commas(s.busy), percent(s.busy, p.r.cycles), with_commas(s.work), with_commas(s.wait), with_commas(s.wait_for[WAIT_PIPE]), with_commas(s.wait_for[WAIT_FLAG]), with_commas(s.wait_for[WAIT_BARRIER]),
               with_commas(s.wait_for[WAIT_SCALAR]), with_commas(s.instructions)});
    }
    return t.empty() ? "" : "\n" + t.text(p.c.color);
}

const char *title(GroupBy by) {
    static const char *const names[] = {"by instruction, the longest first", "by opcode", "by line", "by stage"};
    return names[by];
}

Table stage_table(const std::vector<Group> &all, size_t top, uint64_t total) {
    Table t({"<instruction", "<stage", "count", "cycles", "of the run", "uops", "<confidence"});
    for (size_t i = 0; i < all.size() && i < top; i++)
        t.row({all[i].name, all[i].shape, std::to_string(all[i].count), std::to_string(all[i].cycles), percent(all[i].cycles, total),
               std::to_string(all[i].uops), prov_name(all[i].weakest)});
    return t;
}

Table group_table(const Profile &p, const std::vector<Group> &all, GroupBy by, size_t top) {
    if (by == BY_STAGE) return stage_table(all, top, p.r.cycles);
    Table t({by == BY_INSTR ? "index" : "count", "line", "<instruction", "<type", "region", "<pipe", "cycles", "on path", "start-up", "throughput", "wait", "<mostly for",
             "uops", "repeats", "read", "written", "conflicts", "<confidence"});
    for (size_t i = 0; i < all.size() && i < top; i++) {
        const Group &g = all[i];
        t.row({std::to_string(by == BY_INSTR && g.count == 1 ? g.index : g.count), g.line ? std::to_string(g.line) : "", g.name, g.type, g.shape,
               pipe_name(g.pipe), std::to_string(g.cycles), std::to_string(g.path), std::to_string(g.start_up()), std::to_string(g.work),
               std::to_string(g.wait), main_wait(g.wait_for), std::to_string(g.uops), std::to_string(g.repeats), std::to_string(g.bytes_read),
               std::to_string(g.bytes_written), std::to_string(g.conflicts), prov_name(g.weakest)});
    }
    return t;
}

const char *reason(WaitCause c) {
    static const char *const names[WAIT_COUNT] = {"pipe was busy with the one above", "flag of the one above", "results of the one above", "issue by the scalar unit"};
    return names[c];
}

std::string path_text(const Profile &p, size_t top) {
    const CriticalPath &c = p.path;
    if (c.steps.empty()) return "";
    Table t({"index", "line", "<instruction", "<pipe", "start", "end", "gap", "cycles", "<could not start before"});
    size_t first = c.steps.size() > top ? c.steps.size() - top : 0;
    uint64_t hidden = 0;
    for (size_t k = 0; k < first; k++) hidden += c.steps[k].gap + c.steps[k].own;
    for (size_t k = first; k < c.steps.size(); k++) {
        const PathStep &s = c.steps[k];
        const InstrRow &i = p.r.rows[s.row];
        t.row({std::to_string(i.index), std::to_string(i.line), i.op, pipe_name(i.pipe), std::to_string(i.start), std::to_string(i.end), std::to_string(s.gap),
               std::to_string(s.own), k ? reason(s.cause) : "issue by the scalar unit"});
    }
    std::string out = "\n" + bold("critical path", p.c.color) + ": " + with_commas(c.steps.size()) + " instructions; lead-in " + with_commas(c.lead_in) + " + gaps and cycles + tail " +
                      with_commas(c.tail) + " = " + with_commas(p.r.cycles) + " cycles\n";
    if (first) out += "... " + with_commas(first) + " earlier instructions with " + with_commas(hidden) + " cycles (--top)\n";
    return out + t.text(p.c.color);
}

using json = nlohmann::ordered_json;

json wait_json(const WaitCycles &w) {
    json j = json::object();
    for (int c = 0; c < WAIT_COUNT; c++) j[wait_name(static_cast<WaitCause>(c))] = w[static_cast<size_t>(c)];
    return j;
}

json group_json(const Group &g, GroupBy by) {
    if (by == BY_STAGE) return {{"op", g.name}, {"stage", g.shape}, {"count", g.count}, {"cycles", g.cycles}, {"uops", g.uops}, {"confidence", prov_name(g.weakest)}};
    json j = {{"op", g.name}, {"line", g.line}, {"count", g.count}, {"dtype", g.type}, {"shape", g.shape}, {"pipe", pipe_name(g.pipe)}, {"cycles", g.cycles},
              {"path_cycles", g.path}, {"startup_cycles", g.start_up()}, {"throughput_cycles", g.work}, {"wait_cycles", g.wait}, {"wait_for", wait_json(g.wait_for)},
              {"uops", g.uops}, {"repeats", g.repeats}, {"bytes_read", g.bytes_read}, {"bytes_written", g.bytes_written},
              {"bank_conflict_cycles", g.conflicts}, {"confidence", prov_name(g.weakest)}};
    if (by == BY_INSTR) j["index"] = g.index;
    return j;
}

}  // namespace

std::string profile_text(const Profile &p, const ProfileView &v) {
    std::string out = summary(p);
    if (!p.r.instructions) return out + "no instructions\n";
    std::vector<Group> all = groups(p.r, p.path, v.by);
    out += limits(p) + pipes(p) + "\n" + bold(title(v.by), p.c.color) + "\n" + group_table(p, all, v.by, v.top).text(p.c.color);
    if (all.size() > v.top) out += "... " + with_commas(all.size() - v.top) + " more (--top, --report csv)\n";
    if (v.by == BY_INSTR) {
        std::vector<Group> st = groups(p.r, p.path, BY_STAGE);
        out += "\n" + bold(title(BY_STAGE), p.c.color) + "\n" + group_table(p, st, BY_STAGE, v.top).text(p.c.color);
    }
    return out + path_text(p, v.top) + "\n" + text_timeline(p.r, v);
}

// The report of a run with what the profile adds, under "profile".
std::string profile_json(const Profile &p, const ProfileView &v) {
    static const char *const names[] = {"instr", "op", "line", "stage"};
    json j = json::parse(json_report(p.r, p.c));
    json g = json::array(), path = json::array(), limit = json::array();
    for (const Group &x : groups(p.r, p.path, v.by)) g.push_back(group_json(x, v.by));
    for (const PathStep &s : p.path.steps)
        path.push_back({{"index", p.r.rows[s.row].index}, {"gap", s.gap}, {"cycles", s.own}, {"cause", wait_name(s.cause)}});
    for (const Bottleneck &b : p.limits) limit.push_back({{"what", b.what}, {"cycles", b.cycles}, {"change", b.change}});
    j["profile"] = {{"by", names[v.by]}, {"groups", g}, {"vector_work_cycles", p.r.pipes[PIPE_V].work},
                    {"critical_path", {{"lead_in", p.path.lead_in}, {"tail", p.path.tail}, {"steps", path}}}, {"bottlenecks", limit}};
    return json_text(j);
}

std::string profile_csv(const Profile &p, const ProfileView &v) {
    return group_table(p, groups(p.r, p.path, v.by), v.by, ~size_t{0}).csv();
}

}  // namespace npusim

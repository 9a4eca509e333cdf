// What --sync auto inserted, as the lines that the compiler would have written.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>

#include "sim/report/sync.hpp"
#include "sim/report/table.hpp"

namespace npusim {

using json = nlohmann::ordered_json;

namespace {

enum Place { IN_FRONT, STATEMENT, BEHIND };

struct Line {
    std::string text, because;
    uint64_t times = 0;
};

std::vector<unsigned> events_of(const SyncEntry &e) {
    std::vector<unsigned> ids;
    for (unsigned k = 0; k < 8; k++)
        if (e.events >> k & 1) ids.push_back(k);
    return ids;
}

std::string pipe_word(Pipe p) { return std::string("<PIPE_") + pipe_name(p) + ">"; }

std::string flag_text(const char *what, const SyncEntry &e) {
    std::string ids;
    for (unsigned k : events_of(e)) ids += (ids.empty() ? "<EVENT_ID" : "|") + std::to_string(k);
    return std::string("pto.") + what + "[" + pipe_word(e.from) + ", " + pipe_word(e.to) + ", " + ids + ">]";
}

std::string reason(const SyncEntry &e) {
    char range[80];
    uint64_t lo = std::max(e.was.lo, e.now.lo), hi = std::min(e.was.hi, e.now.hi);
    std::snprintf(range, sizeof range, "%s on bytes 0x%" PRIx64 "..0x%" PRIx64 " of ", hazard_name(&e.was, &e.now), lo, hi - 1);
    return std::string(range) + e.now.name + " after " + e.after_op + " in line " + std::to_string(e.after.line);
}

std::string barrier_text(const SyncEntry &e) {
    if (e.kind == SYNC_PRUNED) return "(no barrier)";
    return "pto.barrier " + pipe_word(e.kind == SYNC_BARRIER ? e.to : PIPE_ALL);
}

std::string barrier_reason(const SyncEntry &e) {
    if (e.kind == SYNC_TAIL) return "every pipe is drained before the kernel returns";
    if (e.kind == SYNC_PRUNED) return reason(e) + ": the same whole buffer, 16 repeats or more";
    if (e.kind == SYNC_FULL) return reason(e) + ": no event id is free";
    return reason(e);
}

using Listing = std::map<std::pair<uint32_t, int>, std::vector<Line>>;

void add(Listing *l, const SyncEntry &e) {
    (*l)[{e.before.line, STATEMENT}];
    if (e.kind != SYNC_FLAG) {
        (*l)[{e.before.line, IN_FRONT}].push_back({barrier_text(e), barrier_reason(e), e.times});
        return;
    }
    (*l)[{e.after.line, STATEMENT}];
    (*l)[{e.after.line, BEHIND}].push_back({flag_text("set_flag", e), "for line " + std::to_string(e.before.line), e.times});
    (*l)[{e.before.line, IN_FRONT}].push_back({flag_text("wait_flag", e), reason(e), e.times});
}

}  // namespace

std::string sync_text(const ReportContext &c) {
    const SyncLog *log = interp_sync_log(c.interp);
    if (!log) return "";
    if (!sync_log_count(log)) return "\nsynchronisation: nothing inserted (--sync " + std::string(c.sync) + ")\n";
    Listing listing;
    for (int i = 0; i < sync_log_count(log); i++) add(&listing, *sync_log_at(log, i));
    Table t({"line", "<statement", "times", "<because"});
    for (const auto &[place, lines] : listing) {
        if (place.second == STATEMENT) t.row({std::to_string(place.first), short_source(c.source(place.first), 60), "", ""});
        for (const Line &l : lines) t.row({"+", "  " + l.text, with_commas(l.times), l.because});
    }
    std::string out = "\nsynchronisation inserted (--sync auto)\n" + t.text(c.color);
    if (sync_log_dropped(log)) out += "... " + with_commas(sync_log_dropped(log)) + " more, between other pairs of lines\n";
    return out;
}

json sync_json(const ReportContext &c) {
    static const char *const kind[] = {"flag", "barrier", "barrier_all", "pruned", "tail"};
    json list = json::array();
    const SyncLog *log = interp_sync_log(c.interp);
    for (int i = 0; i < sync_log_count(log); i++) {
        const SyncEntry &e = *sync_log_at(log, i);
        json one = {{"kind", kind[e.kind]}, {"line", e.before.line}, {"op", e.before_op}, {"times", e.times}};
        if (e.kind == SYNC_FLAG) one["events"] = events_of(e);
        if (e.kind != SYNC_TAIL) {
            one["from"] = pipe_name(e.from);
            one["to"] = pipe_name(e.to);
            one["after_line"] = e.after.line;
            one["after_op"] = e.after_op;
            one["hazard"] = hazard_name(&e.was, &e.now);
            one["name"] = e.now.name;
            one["first_byte"] = std::max(e.was.lo, e.now.lo);
            one["last_byte"] = std::min(e.was.hi, e.now.hi) - 1;
        }
        list.push_back(std::move(one));
    }
    return list;
}

}  // namespace npusim

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "sim/report/blocks.hpp"
#include "sim/report/report.hpp"
#include "sim/report/sync.hpp"
#include "sim/report/table.hpp"

namespace npusim {

std::string with_commas(uint64_t v) {
    std::string s = std::to_string(v);
    for (int i = static_cast<int>(s.size()) - 3; i > 0; i -= 3) s.insert(static_cast<size_t>(i), ",");
    return s;
}

std::string counted(uint64_t n, const char *what) { return with_commas(n) + " " + what + (n == 1 ? "" : "s"); }

std::string percent(uint64_t part, uint64_t whole) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "%.1f %%", whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
    return buf;
}

std::string micros(uint64_t cycles, const Target *t) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "%.3f", static_cast<double>(cycles) / t->clock_hz.v * 1e6);
    return buf;
}

const char *wait_name(WaitCause c) {
    static const char *const name[WAIT_COUNT] = {"pipe", "flag", "barrier", "scalar"};
    return name[c];
}

std::string bold(const std::string &s, bool color) { return color ? "\033[1m" + s + "\033[0m" : s; }

std::string short_source(const std::string &line, size_t n) {
    std::string out;
    bool type = false;
    for (size_t i = 0; i < line.size(); i++) {
        if (line.compare(i, 3, " : ") == 0) type = true; // up to the end of the operand list
        if (line[i] == ')') type = false;
        if (!type && (out.empty() ? line[i] != ' ' && line[i] != '\t' : true)) out += line[i];
    }
    return out.size() <= n ? out : out.substr(0, n) + "...";
}

const char *severity_name(Severity s) { return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note"; }

// The source line with a caret below; of a long line the part around the caret.
static std::string excerpt(std::string line, uint32_t col) {
    constexpr size_t width = 120;
    size_t at = std::min<size_t>(col ? col - 1 : 0, line.size()), from = 0; // the end of a very long line is not kept
    if (line.size() > width) {
        from = at > width / 2 ? at - width / 2 : 0;
        bool cut = from + width < line.size();
        line = (from ? "..." : "") + line.substr(from, width) + (cut ? "..." : "");
        at = at - from + (from ? 3 : 0);
    }
    std::string caret;
    for (size_t i = 0; i < at; i++) caret += i < line.size() && line[i] == '\t' ? '\t' : ' ';
    return "  " + line + "\n  " + caret + "^\n";
}

static std::string message_text(const DiagMsg *m, bool color) {
    static const char *const colors[] = {"\033[36m", "\033[35m", "\033[31m"};
    std::string out;
    if (m->loc.file) {
        out += m->loc.file;
        if (m->loc.line) out += ":" + std::to_string(m->loc.line) + ":" + std::to_string(m->loc.col);
        out += ": ";
    }
    out += color ? colors[m->severity] : "";
    out += severity_name(m->severity);
    out += color ? "\033[0m: " : ": ";
    out += std::string(m->text) + " [" + diag_rule(m->id)->id + "]";
    if (m->count > 1) out += " (" + std::to_string(m->count) + " times)";
    if (*m->block) out += " (first in " + std::string(m->block) + ")";
    out += "\n";
    if (m->excerpt && m->loc.line) out += excerpt(m->excerpt, m->loc.col);
    if (m->hint) out += "  hint: " + std::string(m->hint) + "\n";
    return out;
}

std::string diagnostics_text(const Diag *d, bool color, bool notes) {
    std::string out;
    for (size_t i = 0; i < diag_count(d); i++) {
        const DiagMsg *m = diag_at(d, i);
        if (notes || m->severity != SEV_NOTE) out += message_text(m, color);
    }
    return out;
}

static std::string instructions(const RunResult &r, bool color) {
    Table t({"line", "<instruction", "<type", "region", "<pipe", "start", "end", "cycles", "wait", "uops", "repeats", "conflicts", "<confidence"});
    constexpr size_t shown = 40; // a report is read by people; JSON and CSV have every row
    for (const InstrRow &i : r.rows) {
        if (i.index >= shown) break;
        t.row({std::to_string(i.line), i.op, dtype_name(i.dtype), region(i), pipe_name(i.pipe), std::to_string(i.start), std::to_string(i.end),
               std::to_string(i.end - i.start), std::to_string(i.wait), std::to_string(i.uops), std::to_string(i.repeats),
               std::to_string(i.conflicts), prov_name(i.weakest)});
    }
    std::string out = t.text(color);
    if (r.instructions > shown) out += "... " + with_commas(r.instructions - shown) + " more instructions (--report csv or json lists them)\n";
    return out;
}

// The stages of the instructions that have more than one.
static std::string stages(const RunResult &r, bool color) {
    Table t({"line", "<instruction", "<stage", "cycles", "share", "uops", "start", "end"});
    size_t listed = 0;
    for (const InstrRow &i : r.rows) {
        if (i.stages.size() < 2 || listed >= 8) continue;
        listed++;
        for (const StageRow &s : i.stages)
            t.row({std::to_string(i.line), i.op, s.name, std::to_string(s.cycles), percent(s.cycles, i.end - i.start), std::to_string(s.uops),
                   std::to_string(s.start), std::to_string(s.end)});
    }
    return t.empty() ? "" : "\nstages\n" + t.text(color);
}

static std::string tiles(const ReportContext &c) {
    Table t({"<tile", "<type", "address", "bytes", "line"});
    int n = interp_tile_count(c.interp);
    for (int i = 0; i < n && i < 24; i++) {
        const Tile *x = interp_tile_at(c.interp, i);
        char type[96], addr[32];
        tile_describe(x, type, sizeof type);
        std::snprintf(addr, sizeof addr, "0x%05" PRIx64, static_cast<uint64_t>(x->addr));
        t.row({x->name, type, addr, std::to_string(tile_bytes(x)), std::to_string(x->loc.line)});
    }
    if (t.empty()) return "";
    return "\ntiles\n" + t.text(c.color) + (n > 24 ? "... " + std::to_string(n - 24) + " more tiles\n" : "");
}

static std::string pipes(const RunResult &r, bool color) {
    Table t({"<pipe", "busy", "occupancy", "wait", "instructions"});
    for (int p = 0; p < PIPE_COUNT; p++) {
        const PipeStats &s = r.pipes[static_cast<size_t>(p)];
        if (!s.instructions) continue;
        t.row({pipe_name(static_cast<Pipe>(p)), with_commas(s.busy), percent(s.busy, r.cycles), with_commas(s.wait), with_commas(s.instructions)});
    }
    return t.empty() ? "" : "\npipes\n" + t.text(color);
}

std::string text_report(const RunResult &r, const ReportContext &c) {
    char head[512];
    std::snprintf(head, sizeof head, "%s on %s (chosen by %s)  conformance %s  sync %s  seed %" PRIu64 "%s\n", c.trace, c.target->name, c.target_reason,
                  c.target->sem.library ? "library" : "document", c.sync, c.seed, c.results ? "" : "  results off");
    std::string out = head + (c.stopped ? kStopped + "\n" : "") + blocks_text(c);
    std::snprintf(head, sizeof head, "%s cycles = %.3f us at %.0f MHz, %s, %s\n", with_commas(r.cycles).c_str(),
                  static_cast<double>(r.cycles) / c.target->clock_hz.v * 1e6, c.target->clock_hz.v / 1e6, counted(r.instructions, "instruction").c_str(),
                  counted(r.uops, "micro-op").c_str());
    out += head;
    if (r.instructions) out += "\n" + instructions(r, c.color) + stages(r, c.color) + pipes(r, c.color) + tiles(c);
    out += sync_text(c);
    uint32_t ub = static_cast<uint32_t>(c.target->ub.bytes.v);
    out += "\nunified buffer: " + with_commas(interp_ub_peak(c.interp)) + " of " + with_commas(ub) + " bytes, " +
           with_commas(r.bank_conflict_cycles) + " bank conflict cycles\ncycles rest on:";
    for (int p = 0; p < PROV_COUNT; p++)
        out += std::string(p ? ", " : " ") + percent(r.by_provenance[static_cast<size_t>(p)], r.cycles) + " " + prov_name(static_cast<Prov>(p));
    out += "\n";
    if (r.sync_inserted) out += with_commas(r.sync_inserted) + " barriers and flags inserted (--sync " + c.sync + ")\n";
    return out;
}

}  // namespace npusim

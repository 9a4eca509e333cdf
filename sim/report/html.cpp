// One self-contained page: nothing is fetched, no script runs, it prints in black on white.
#include "sim/report/blocks.hpp"
#include "sim/report/html_charts.hpp"
#include "sim/report/markup.hpp"
#include "sim/report/profile.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

constexpr size_t kRows = 200;

const char *const kStyle = R"(<style>
:root { color-scheme: light dark; --bg: #fff; --fg: #1b1f24; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
  --v: #4c8fdc; --mte2: #4fa86b; --mte3: #d98e3f; --s: #9a79c7; --crit: #c43c3c; --tile: #4c8fdc; --tmp: #c06bb4; --in: #0d1117;
  --documented: #3d9a5f; --measured: #3a86c8; --fit: #d0a23a; --assumed: #c9603f; }
@media (prefers-color-scheme: dark) { :root { --bg: #0f1318; --fg: #e4e8ec; --dim: #9aa4ae; --line: #343b44; --soft: #191f26;
  --v: #5a9be6; --mte2: #5cb878; --mte3: #e09a4e; --s: #ab8bd8; --crit: #ff7b72; --tile: #5a9be6; --tmp: #d07fc4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px 20px 60px; background: var(--bg); color: var(--fg); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.35rem; margin: 0 0 2px; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 34px 0 8px; }
p { margin: 6px 0; } .dim { color: var(--dim); }
.cards { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0; }
.card { flex: 1 1 130px; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px; }
.card b { display: block; font-size: 1.12rem; white-space: nowrap; font-variant-numeric: tabular-nums; } .card span { color: var(--dim); font-size: .85rem; }
.limit { border-left: 4px solid var(--crit); background: var(--soft); padding: 8px 14px; margin: 8px 0; } .limit + .limit { border-color: var(--line); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums; }
th { text-align: right; border-bottom: 2px solid var(--line); padding: 3px 8px; font-weight: 600; vertical-align: bottom; }
td { text-align: right; border-bottom: 1px solid var(--line); padding: 3px 8px; vertical-align: top; white-space: nowrap; }
.l { text-align: left; } td.l { white-space: normal; } td div { font: .76rem ui-monospace, monospace; color: var(--dim); min-width: 230px; max-width: 340px; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; display: block; } svg text { font: 11px system-ui, sans-serif; fill: var(--dim); } svg text.in { fill: var(--in); pointer-events: none; }
.grid { stroke: var(--line); stroke-width: 1; } rect.pV { fill: var(--v); } rect.pMTE2 { fill: var(--mte2); } rect.pMTE3 { fill: var(--mte3); } rect.pS { fill: var(--s); }
rect.crit { stroke: var(--crit); stroke-width: 1.6; } rect.tile { fill: var(--tile); fill-opacity: .75; } rect.tmp { fill: var(--tmp); } rect.edge { stroke: var(--bg); stroke-width: .6; }
.bar { display: flex; height: 20px; border-radius: 4px; overflow: hidden; background: var(--soft); } .bar i { display: block; }
.key i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin: 0 5px 0 0; } .key span { margin-right: 18px; white-space: nowrap; }
pre { font-size: .8rem; background: var(--soft); padding: 10px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { :root { color-scheme: light; --bg: #fff; --fg: #000; --dim: #333; --line: #999; --soft: #fff; --in: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } table { font-size: 7.5pt; } th, td { padding: 2px 4px; }
  h2 { break-after: avoid; } tr, svg, .card, .limit { break-inside: avoid; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } td div { font-size: 7pt; min-width: 150px; max-width: 230px; } }
</style>
)";

std::string card(const std::string &value, const char *name) { return "<div class=\"card\"><b>" + escaped(value) + "</b><span>" + name + "</span></div>\n"; }

std::string cards(const Profile &p) {
    const RunResult &r = p.r;
    std::string s = "<div class=\"cards\">\n" + card(with_commas(r.cycles), "cycles") + card(micros(r.cycles, p.c.target) + " us", "time") +
                    card(with_commas(r.instructions), "instructions") + card(with_commas(r.uops), "micro-ops") +
                    card(vector_utilisation(r), "vector utilisation") + card(with_commas(r.bank_conflict_cycles), "bank conflict cycles") +
                    card(with_commas(interp_ub_peak(p.c.interp)) + " of " + with_commas(static_cast<uint64_t>(p.c.target->ub.bytes.v)), "UB bytes, peak");
    return s + "</div>\n";
}

std::string table_html(const Table &t) {
    std::string s = "<div class=\"scroll\"><table>\n<thead><tr>";
    for (size_t i = 0; i < t.head().size(); i++) s += std::string(t.left(i) ? "<th class=\"l\">" : "<th>") + escaped(t.head()[i]) + "</th>";
    s += "</tr></thead>\n<tbody>\n";
    for (const auto &row : t.rows()) {
        s += "<tr>";
        for (size_t i = 0; i < row.size(); i++) {
            size_t line = row[i].find('\n'); // the source stands below the instruction
            s += (t.left(i) ? "<td class=\"l\">" : "<td>") + escaped(row[i].substr(0, line));
            s += (line == std::string::npos ? "" : "<div>" + escaped(row[i].substr(line + 1)) + "</div>") + "</td>";
        }
        s += "</tr>\n";
    }
    return s + "</tbody></table></div>\n";
}

std::string limits(const Profile &p) {
    std::string s;
    for (size_t i = 0; i < p.limits.size() && i < kLimits; i++)
        s += "<div class=\"limit\"><p><b>" + std::string(i ? "Also" : "Bottleneck") + "</b>: " + escaped(p.limits[i].what) +
             "</p><p class=\"dim\">Smallest change: " + escaped(p.limits[i].change) + "</p></div>\n";
    return s;
}

std::string provenance(const Profile &p) {
    std::string bar = "<div class=\"bar\">", key = "<p class=\"key\">";
    for (int k = 0; k < PROV_COUNT; k++) {
        std::string name = prov_name(static_cast<Prov>(k));
        uint64_t v = p.r.by_provenance[static_cast<size_t>(k)];
        std::string colour = "background:var(--" + name + ")";
        bar += "<i style=\"" + colour + ";flex:" + std::to_string(v) + " 0 0\"></i>";
        key += "<span><i style=\"" + colour + "\"></i>" + name + " " + with_commas(v) + " cycles, " + percent(v, p.r.cycles) + "</span> ";
    }
    return "<h2>What the cycles rest on</h2>\n" + bar + "</div>\n" + key + "</p>\n";
}

std::string pipes(const Profile &p) {
    Table t({"<pipe", "busy cycles", "occupancy", "throughput", "wait", "wait pipe", "wait flag", "wait barrier", "wait scalar", "instructions"});
    for (int k = 0; k < PIPE_COUNT; k++) {
        const PipeStats &s = p.r.pipes[static_cast<size_t>(k)];
        if (!s.instructions) continue;
        t.row({pipe_name(static_cast<Pipe>(k)), with_commas(s.busy), percent(s.busy, p.r.cycles), with_commas(s.work), with_commas(s.wait),
               with_commas(s.wait_for[WAIT_PIPE]), with_commas(s.wait_for[WAIT_FLAG]), with_commas(s.wait_for[WAIT_BARRIER]),
               with_commas(s.wait_for[WAIT_SCALAR]), with_commas(s.instructions)});
    }
    return t.empty() ? "" : "<h2>Pipes</h2>\n" + table_html(t);
}

std::string group_section(const Profile &p, GroupBy by, const char *title) {
    std::vector<Group> all = groups(p.r, p.path, by);
    if (all.empty()) return "";
    Table t({by == BY_INSTR ? "index" : "count", "line", "<instruction", "<pipe", "cycles", "on path", "start-up", "throughput", "wait", "<for", "uops",
             "repeats", "bytes", "conflicts", "<confidence"});
    for (size_t i = 0; i < all.size() && i < kRows; i++) {
        const Group &g = all[i];
        std::string source = g.line ? "\n" + short_source(p.c.source(g.line), 200) : "", type = g.type == "several" ? "" : " " + g.type, shape = g.shape == "several" ? "" : " " + g.shape;
        t.row({with_commas(by == BY_INSTR && g.count == 1 ? g.index : g.count), g.line ? std::to_string(g.line) : "", g.name + type + shape + source,
               pipe_name(g.pipe), with_commas(g.cycles), with_commas(g.path), with_commas(g.start_up()), with_commas(g.work), with_commas(g.wait),
               main_wait(g.wait_for), with_commas(g.uops), with_commas(g.repeats), with_commas(g.bytes_read + g.bytes_written), with_commas(g.conflicts),
               prov_name(g.weakest)});
    }
    std::string more = all.size() > kRows ? "<p class=\"dim\">" + with_commas(all.size() - kRows) + " more; --report csv or json lists them.</p>\n" : "";
    return "<h2>" + std::string(title) + "</h2>\n" + table_html(t) + more;
}

std::string stages(const Profile &p) {
    Table t({"<instruction", "<stage", "count", "cycles", "of the run", "uops", "<confidence"});
    for (const Group &g : groups(p.r, p.path, BY_STAGE))
        t.row({g.name, g.shape, with_commas(g.count), with_commas(g.cycles), percent(g.cycles, p.r.cycles), with_commas(g.uops), prov_name(g.weakest)});
    return t.empty() ? "" : "<h2>Stages</h2>\n" + table_html(t);
}

std::string path(const Profile &p) {
    if (p.path.steps.empty()) return "";
    Table t({"index", "line", "<instruction", "<pipe", "start", "end", "gap", "cycles", "<held up by"});
    size_t n = p.path.steps.size(), first = n > kRows ? n - kRows : 0;
    for (size_t k = first; k < n; k++) {
        const PathStep &s = p.path.steps[k];
        const InstrRow &i = p.r.rows[s.row];
        t.row({with_commas(i.index), std::to_string(i.line), i.op, pipe_name(i.pipe), with_commas(i.start), with_commas(i.end), with_commas(s.gap),
               with_commas(s.own), wait_name(k ? s.cause : WAIT_SCALAR)});
    }
    return "<h2>Critical path</h2>\n<p class=\"dim\">" + with_commas(n) + " instructions, each could not start before the one above" +
           (first ? "; the last " + with_commas(kRows) + " are shown" : "") + ". Lead-in " + with_commas(p.path.lead_in) + ", gaps and cycles, and tail " +
           with_commas(p.path.tail) + " add up to " + with_commas(p.r.cycles) + " cycles.</p>\n" + table_html(t);
}

}  // namespace

std::string html_report(const RunResult &r, const ReportContext &c) {
    Profile p(r, c);
    std::string name = escaped(c.trace), s = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>npusim: " + name + " on " + escaped(c.target->name) + "</title>\n";
    s += kStyle;
    s += "</head>\n<body>\n<h1>" + name + " on " + escaped(c.target->name) + "</h1>\n<p class=\"dim\">" + escaped(c.target->title) + ", " +
         std::to_string(static_cast<uint64_t>(c.target->clock_hz.v / 1e6)) + " MHz, chosen by " + escaped(c.target_reason) + ", conformance " +
         (c.target->sem.library ? "library" : "document") + ", sync " + escaped(c.sync) + ", seed " + std::to_string(c.seed) +
         (c.results ? "" : ", results off") + "</p>\n";
    if (c.stopped) s += "<p><b>" + kStopped + "</b></p>\n";
    if (several_blocks(c)) s += "<p>" + escaped(blocks_line(c)) + "; this page is about " + (*c.blocks)[c.block].name + ".</p>\n";
    s += cards(p) + limits(p) + pipes(p) + provenance(p);
    if (several_blocks(c)) s += "<h2>Blocks</h2>\n" + table_html(blocks_table(c, kRows));
    s += "<h2>Timeline</h2>\n<p class=\"key\"><span><i style=\"background:var(--mte2)\"></i>loads</span> <span><i style=\"background:var(--v)\"></i>vector</span> "
         "<span><i style=\"background:var(--mte3)\"></i>stores</span> <span><i style=\"background:var(--s)\"></i>scalar</span>";
    if (timeline_has_slices(r)) s += " <span><i style=\"background:none;border:2px solid var(--crit)\"></i>on the critical path</span>";
    s += "</p>\n" + timeline_chart(r, c, p.path);
    std::string ub = ub_chart(r, c);
    if (!ub.empty())
        s += "<h2>Unified buffer over time</h2>\n<p class=\"key\"><span><i style=\"background:var(--tile)\"></i>data still needed</span> "
             "<span><i style=\"background:var(--tmp)\"></i>tmp</span></p>\n" + ub;
    s += group_section(p, BY_OP, "By opcode") + group_section(p, BY_INSTR, "By instruction, the longest first");
    if (r.instructions > groups(r, p.path, BY_LINE).size()) s += group_section(p, BY_LINE, "By line");
    s += stages(p) + path(p);
    std::string messages = diagnostics_text(c.diag, false, true);
    if (!messages.empty()) s += "<h2>Messages</h2>\n<pre>" + escaped(messages) + "</pre>\n";
    return s + "</body>\n</html>\n";
}

}  // namespace npusim

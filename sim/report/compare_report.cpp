// Comparison as text, JSON and CSV.
#include <algorithm>
#include <map>

#include "sim/report/compare.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

std::string number(const std::optional<CompareCell> &c, uint64_t CompareCell::*field) { return c ? std::to_string((*c).*field) : ""; }

std::string difference(uint64_t a, uint64_t b) {
    std::string s = with_commas(a > b ? a - b : b - a);
    return a == b ? "0" : (b > a ? "+" : "-") + s;
}

std::string ratio(double a, double b) {
    if (a <= 0) return "";
    char buf[32];
    std::snprintf(buf, sizeof buf, "%.2f", b / a);
    return buf;
}

uint64_t value(const std::optional<CompareCell> &c, uint64_t CompareCell::*field) { return c ? (*c).*field : 0; }

// The executions of one line together, in the order of the trace.
struct LineSum {
    CompareRow row;
    uint64_t count = 0;
    uint64_t change = 0;  // in cycles of the instruction or of the total, whichever is more
};

void add(std::optional<CompareCell> &sum, const std::optional<CompareCell> &c) {
    if (!c) return;
    if (!sum) sum = CompareCell{};
    sum->cycles += c->cycles;
    sum->uops += c->uops;
    sum->in_total += c->in_total;
    sum->tmp_bytes = std::max(sum->tmp_bytes, c->tmp_bytes);
}

uint64_t distance(uint64_t x, uint64_t y) { return x > y ? x - y : y - x; }

std::vector<LineSum> by_line(const Comparison &c) {
    std::map<uint32_t, size_t> place;
    std::vector<LineSum> sums;
    for (const CompareRow &r : c.rows) {
        auto [it, fresh] = place.try_emplace(r.line, sums.size());
        if (fresh) {
            sums.emplace_back();
            sums.back().row = r;
            sums.back().row.a = sums.back().row.b = std::nullopt;
        }
        LineSum &s = sums[it->second];
        s.count++;
        add(s.row.a, r.a);
        add(s.row.b, r.b);
        if (s.row.shape != r.shape) s.row.shape = "several";
    }
    for (LineSum &s : sums)
        s.change = std::max(distance(value(s.row.a, &CompareCell::in_total), value(s.row.b, &CompareCell::in_total)),
                            distance(value(s.row.a, &CompareCell::cycles), value(s.row.b, &CompareCell::cycles)));
    return sums;
}

// The lines with the largest change, the largest first.
std::vector<const LineSum *> largest(const std::vector<LineSum> &sums, size_t top) {
    std::vector<const LineSum *> rows;
    for (const LineSum &s : sums) rows.push_back(&s);
    std::stable_sort(rows.begin(), rows.end(), [](const LineSum *x, const LineSum *y) { return x->change > y->change; });
    if (rows.size() > top) rows.resize(top);
    return rows;
}

std::string verdict(const Comparison &c) {
    char buf[300];
    double faster = c.seconds_b > 0 ? c.seconds_a / c.seconds_b : 1;
    std::snprintf(buf, sizeof buf, "%s: %s cycles = %.3f us; %s: %s cycles = %.3f us; ", c.a.c_str(), with_commas(c.cycles_a).c_str(), c.seconds_a * 1e6, c.b.c_str(),
                  with_commas(c.cycles_b).c_str(), c.seconds_b * 1e6);
    std::string s = buf;
    if (c.seconds_a == c.seconds_b) return s + "no difference in time\n";
    std::snprintf(buf, sizeof buf, "%s is %.2f times %s in time (%s cycles)\n", c.b.c_str(), faster >= 1 ? faster : 1 / faster, faster >= 1 ? "faster" : "slower",
                  difference(c.cycles_a, c.cycles_b).c_str());
    return s + buf;
}

// A side on which other pipes cover the instruction.
std::string hidden(const LineSum &s, const Comparison &c) {
    bool a = value(s.row.a, &CompareCell::in_total) != 0, b = value(s.row.b, &CompareCell::in_total) != 0;
    if (a == b || !s.row.a || !s.row.b) return "";
    return "; on " + (a ? c.b : c.a) + " it is hidden behind other instructions, on " + (a ? c.a : c.b) + " it is on the critical path";
}

// The lines that make most of the difference, with the reason.
std::string reasons(const Comparison &c, const std::vector<LineSum> &sums, bool color) {
    std::string out;
    for (const LineSum *s : largest(sums, 3)) {
        if (!s->change) continue;
        out += "  line " + std::to_string(s->row.line) + ", " + s->row.op + (s->count > 1 ? " (" + with_commas(s->count) + " times, the first of them)" : "") + ": " + s->row.cause + hidden(*s, c) + "\n";
    }
    return out.empty() ? "" : "\n" + bold("why", color) + "\n" + out;
}

std::string message_text(const OnlyOn &o) {
    const DiagMsg *m = o.message;
    return "  only on " + o.label + (m->loc.line ? ", line " + std::to_string(m->loc.line) : "") + ": " + severity_name(m->severity) + ": " + m->text + " [" +
           diag_rule(m->id)->id + "]\n";
}

std::string findings(const Comparison &c, bool color) {
    std::string out = "\n" + bold("legality and messages", color) + "\n";
    for (const OnlyOn &o : c.messages) out += message_text(o);
    if (c.messages.empty()) out += "  the same on both\n";
    out += "\n" + bold("results", color) + "\n";
    for (const std::string &s : c.results) out += "  " + s + "\n";
    if (c.results.empty()) out += c.results_known ? "  equal on both\n" : "  not computed (--results off)\n";
    return out;
}

std::string percent_of(double a, double b) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "%+.1f %%", a > 0 ? 100 * (b - a) / a : 0.0);
    return buf;
}

}  // namespace

std::string compare_text(const Comparison &c, size_t top, bool color) {
    Table t({"line", "count", "<instruction", "<type", "region", c.a, c.b, "ratio", c.a + " uops", c.b + " uops", c.a + " tmp", c.b + " tmp", c.a + " in total", c.b + " in total", "difference"});
    std::vector<LineSum> sums = by_line(c);
    std::vector<const LineSum *> rows = largest(sums, top);
    std::sort(rows.begin(), rows.end());
    uint64_t shown_a = c.rest_a, shown_b = c.rest_b;
    for (const LineSum *s : rows) {
        const std::optional<CompareCell> &a = s->row.a, &b = s->row.b;
        uint64_t ta = value(a, &CompareCell::in_total), tb = value(b, &CompareCell::in_total);
        shown_a += ta, shown_b += tb;
        t.row({std::to_string(s->row.line), std::to_string(s->count), s->row.op, s->row.dtype, s->row.shape, number(a, &CompareCell::cycles), number(b, &CompareCell::cycles),
               a && b ? ratio(static_cast<double>(a->cycles), static_cast<double>(b->cycles)) : "", number(a, &CompareCell::uops), number(b, &CompareCell::uops),
               number(a, &CompareCell::tmp_bytes), number(b, &CompareCell::tmp_bytes), std::to_string(ta), std::to_string(tb), difference(ta, tb)});
    }
    auto sum_row = [&](const char *name, uint64_t a, uint64_t b) {
        if (a || b) t.row({"", "", name, "", "", "", "", "", "", "", "", "", std::to_string(a), std::to_string(b), difference(a, b)});
    };
    sum_row("(other lines)", c.cycles_a - shown_a, c.cycles_b - shown_b);
    sum_row("(issue, flags)", c.rest_a, c.rest_b);
    t.row({"", "", "total", "", "", "", "", ratio(static_cast<double>(c.cycles_a), static_cast<double>(c.cycles_b)), "", "", "", "", std::to_string(c.cycles_a),
           std::to_string(c.cycles_b), difference(c.cycles_a, c.cycles_b)});
    std::string out = bold(verdict(c), color);
    for (const std::string &s : c.remarks) out += s + "\n";
    out += "\n" + t.text(color);
    if (rows.size() < sums.size()) out += "the " + std::to_string(rows.size()) + " largest differences of " + with_commas(sums.size()) + " lines (--top); --report csv lists every instruction\n";
    return out + "'in total' is the part of the run's cycles that an instruction is responsible for; these add up to the total\n" + reasons(c, sums, color) + findings(c, color);
}

std::string compare_json(const Comparison &c) {
    using json = nlohmann::ordered_json;
    auto cell = [](const std::optional<CompareCell> &x) -> json {
        if (!x) return nullptr;
        return {{"cycles", x->cycles}, {"uops", x->uops}, {"tmp_bytes", x->tmp_bytes}, {"in_total", x->in_total}};
    };
    json rows = json::array(), messages = json::array();
    for (const CompareRow &r : c.rows)
        rows.push_back({{"line", r.line}, {"op", r.op}, {"dtype", r.dtype}, {"shape", r.shape}, {"a", cell(r.a)}, {"b", cell(r.b)}, {"cause", r.cause}});
    for (const OnlyOn &o : c.messages)
        messages.push_back({{"only_on", o.label}, {"id", diag_rule(o.message->id)->id}, {"severity", severity_name(o.message->severity)},
                            {"line", o.message->loc.line}, {"message", o.message->text}});
    json j = {{"schema", "npusim-compare/1"}, {"a", c.a}, {"b", c.b}, {"cycles", {c.cycles_a, c.cycles_b}}, {"time_us", {c.seconds_a * 1e6, c.seconds_b * 1e6}},
              {"issue_and_flags", {c.rest_a, c.rest_b}}, {"remarks", c.remarks}, {"instructions", rows}, {"messages", messages}, {"results_compared", c.results_known}, {"results", c.results}};
    return json_text(j);
}

std::string compare_csv(const Comparison &c) {
    Table t({"line", "op", "dtype", "shape", "cycles_a", "cycles_b", "change", "uops_a", "uops_b", "tmp_bytes_a", "tmp_bytes_b", "in_total_a", "in_total_b", "cause"});
    for (const CompareRow &r : c.rows)
        t.row({std::to_string(r.line), r.op, r.dtype, r.shape, number(r.a, &CompareCell::cycles), number(r.b, &CompareCell::cycles),
               r.a && r.b ? percent_of(static_cast<double>(r.a->cycles), static_cast<double>(r.b->cycles)) : "", number(r.a, &CompareCell::uops),
               number(r.b, &CompareCell::uops), number(r.a, &CompareCell::tmp_bytes), number(r.b, &CompareCell::tmp_bytes), number(r.a, &CompareCell::in_total),
               number(r.b, &CompareCell::in_total), r.cause});
    t.row({"", "(issue and flags)", "", "", "", "", "", "", "", "", "", std::to_string(c.rest_a), std::to_string(c.rest_b), ""});
    return t.csv();
}

}  // namespace npusim

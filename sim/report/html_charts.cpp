#include "sim/report/html_charts.hpp"

#include <algorithm>
#include <map>

#include "sim/report/markup.hpp"
#include "sim/report/ub_map.hpp"

namespace npusim {

namespace {

constexpr double kLeft = 74, kWidth = 1000, kRight = 16;
constexpr size_t kSlices = 2000, kBuckets = 400;

const char *lane_name(Pipe p) {
    static const char *const name[PIPE_COUNT] = {"SCALAR", "VECTOR", "MTE2", "MTE3"};
    return name[p];
}

double x_of(uint64_t cycle, uint64_t total) { return kLeft + kWidth * static_cast<double>(cycle) / static_cast<double>(total ? total : 1); }

std::string open_svg(double height, const char *label) {
    return "<svg viewBox=\"0 0 " + px(kLeft + kWidth + kRight) + " " + px(height) + "\" role=\"img\" aria-label=\"" + label + "\">\n";
}

std::string time_axis(uint64_t total, double top, double bottom) {
    std::string s;
    uint64_t step = round_step(total ? total : 1, 8);
    for (uint64_t t = 0; t <= total; t += step) {
        s += svg_line(x_of(t, total), top, x_of(t, total), bottom, "grid");
        s += svg_text(x_of(t, total), bottom + 14, t + step > total && t > total - step / 3 ? "end" : "middle", with_commas(t));
    }
    return s + svg_text(kLeft + kWidth / 2, bottom + 30, "middle", "cycles");
}

std::string tip(const InstrRow &i, const ReportContext &c) {
    std::string s = "#" + std::to_string(i.index) + " line " + std::to_string(i.line) + ": " + i.op + " " + dtype_name(i.dtype) + " " + region(i) + "\ncycles " +
                    std::to_string(i.start) + " to " + std::to_string(i.end) + " (" + std::to_string(i.end - i.start) + "), start-up " +
                    std::to_string(i.end - i.start - i.work) + ", throughput " + std::to_string(i.work) + "\nwaited " + std::to_string(i.wait);
    if (i.wait) s += ", mostly for " + main_wait(i.wait_for);
    return s + "\n" + short_source(c.source(i.line), 160);
}

// A name fits if its letters do.
std::string label_in(double x, double w, double y, const char *name) {
    return w > 6.4 * static_cast<double>(std::string(name).size()) + 6 ? "<text class=\"in\" x=\"" + px(x + w / 2) + "\" y=\"" + px(y) + "\" text-anchor=\"middle\">" + escaped(name) + "</text>\n" : "";
}

struct Lane {
    Pipe pipe;
    std::vector<uint64_t> free; // sub-lanes for instructions that overlap
    double top = 0;
};

std::string slices(const RunResult &r, const ReportContext &c, const CriticalPath &p) {
    std::vector<Lane> lanes;
    std::vector<size_t> sub(r.rows.size());
    for (Pipe q : {PIPE_MTE2, PIPE_V, PIPE_MTE3, PIPE_S})
        if (r.pipes[q].instructions) lanes.push_back({q, {}, 0});
    for (const InstrRow &i : r.rows) {
        Lane &l = *std::find_if(lanes.begin(), lanes.end(), [&](const Lane &x) { return x.pipe == i.pipe; });
        size_t k = 0;
        while (k < l.free.size() && l.free[k] > i.start) k++;
        if (k == l.free.size()) l.free.push_back(0);
        l.free[k] = i.end;
        sub[i.index] = k;
    }
    double y = 8;
    std::string s, marks;
    for (Lane &l : lanes) {
        l.top = y;
        double h = 30.0 * static_cast<double>(l.free.size());
        s += svg_text(kLeft - 8, y + 19, "end", lane_name(l.pipe));
        y += h + 10;
    }
    for (const InstrRow &i : r.rows) {
        const Lane &l = *std::find_if(lanes.begin(), lanes.end(), [&](const Lane &x) { return x.pipe == i.pipe; });
        double x = x_of(i.start, r.cycles), w = std::max(0.8, x_of(i.end, r.cycles) - x), top = l.top + 30.0 * static_cast<double>(sub[i.index]);
        bool on_path = p.by_row[i.index] != 0;
        marks += svg_rect(x, top, w, 26, std::string("p") + pipe_name(i.pipe) + (on_path ? " crit" : ""), tip(i, c)) + label_in(x, w, top + 17, i.op);
    }
    return open_svg(y + 36, "timeline") + time_axis(r.cycles, 4, y) + s + marks + "</svg>\n";
}

// Share of every bucket of time in which a pipe has an instruction under way.
std::vector<double> busy_share(const RunResult &r, Pipe p, uint64_t bucket) {
    std::vector<double> share(static_cast<size_t>((r.cycles + bucket - 1) / bucket) + 1, 0);
    uint64_t covered = 0;
    for (const InstrRow &i : r.rows) {
        if (i.pipe != p) continue;
        for (uint64_t a = std::max(i.start, covered), b; a < i.end; a = b) {
            b = std::min(i.end, (a / bucket + 1) * bucket);
            share[static_cast<size_t>(a / bucket)] += static_cast<double>(b - a) / static_cast<double>(bucket);
        }
        covered = std::max(covered, i.end);
    }
    return share;
}

std::string occupancy(const RunResult &r) {
    uint64_t bucket = std::max<uint64_t>(1, (r.cycles + kBuckets - 1) / kBuckets);
    double y = 8;
    std::string s;
    for (Pipe p : {PIPE_MTE2, PIPE_V, PIPE_MTE3}) {
        if (!r.pipes[p].instructions) continue;
        s += svg_text(kLeft - 8, y + 24, "end", lane_name(p)) + svg_line(kLeft, y + 40, kLeft + kWidth, y + 40, "grid");
        std::vector<double> share = busy_share(r, p, bucket);
        for (size_t k = 0; k < share.size(); k++) {
            if (share[k] <= 0) continue;
            double x = x_of(k * bucket, r.cycles), w = std::min(x_of((k + 1) * bucket, r.cycles), kLeft + kWidth) - x;
            s += svg_rect(x, y + 40 - 40 * share[k], w, 40 * share[k], std::string("p") + pipe_name(p),
                          "cycles " + with_commas(k * bucket) + " on: busy " + px(100 * share[k]) + " %");
        }
        y += 50;
    }
    return open_svg(y + 36, "occupancy over time") + time_axis(r.cycles, 4, y) + s + "</svg>\n";
}

// One range written again and again is one bar, if the pauses are too short to be seen.
std::vector<UbSpan> merged(const std::vector<UbSpan> &spans, uint64_t pause) {
    std::map<std::pair<uint32_t, uint32_t>, size_t> last;
    std::vector<UbSpan> out;
    for (const UbSpan &s : spans) {
        auto it = last.find({s.lo, s.hi});
        if (it != last.end() && s.from <= out[it->second].until + pause) {
            out[it->second].until = std::max(out[it->second].until, s.until);
            continue;
        }
        last[{s.lo, s.hi}] = out.size();
        out.push_back(s);
    }
    return out;
}

}  // namespace

bool timeline_has_slices(const RunResult &r) { return !r.rows.empty() && r.rows.size() <= kSlices; }

std::string timeline_chart(const RunResult &r, const ReportContext &c, const CriticalPath &p) {
    if (r.rows.empty()) return "<p>No instructions.</p>\n";
    if (timeline_has_slices(r)) return slices(r, c, p);
    return "<p>" + with_commas(r.instructions) + " instructions: the share of time in which each pipe is busy, for " + with_commas(r.rows.size()) +
           " of them.</p>\n" + occupancy(r);
}

std::string ub_chart(const RunResult &r, const ReportContext &c) {
    if (!c.details || r.rows.empty()) return "";
    std::vector<UbSpan> spans = ub_spans(r, *c.details);
    if (spans.size() > kSlices) spans = merged(spans, r.cycles / 500);
    uint32_t top = 0;
    for (const UbSpan &s : spans) top = std::max(top, s.hi);
    if (!top) return "";
    constexpr double height = 260;
    bool cut = spans.size() > kSlices;
    auto y_of = [&](uint32_t a) { return 8 + height - height * a / top; };
    std::string s;
    uint64_t step = 1;
    while (step * 8 < top) step *= 2;
    for (uint64_t a = 0; a <= top; a += step) {
        char text[16];
        std::snprintf(text, sizeof text, "0x%05llx", static_cast<unsigned long long>(a));
        s += svg_line(kLeft, y_of(static_cast<uint32_t>(a)), kLeft + kWidth, y_of(static_cast<uint32_t>(a)), "grid") + svg_text(kLeft - 8, y_of(static_cast<uint32_t>(a)) + 4, "end", text);
    }
    for (size_t k = 0; k < spans.size() && k < kSlices; k++) {
        const UbSpan &u = spans[k];
        double x = x_of(u.from, r.cycles), w = std::max(0.8, x_of(u.until, r.cycles) - x), h = std::max(1.5, y_of(u.lo) - y_of(u.hi));
        s += svg_rect(x, y_of(u.lo) - h, w, h, std::string(u.tmp ? "tmp" : "tile") + (w > 3 && h > 4 ? " edge" : ""), std::string(u.name) + ", bytes " + std::to_string(u.lo) + " to " + std::to_string(u.hi) +
                      "\nin use in cycles " + with_commas(u.from) + " to " + with_commas(u.until));
        if (h > 14) s += label_in(x, w, y_of(u.lo) - h / 2 + 4, u.name);
    }
    std::string note = cut ? "<p>The first " + with_commas(kSlices) + " of " + with_commas(spans.size()) + " ranges.</p>\n" : "";
    return note + open_svg(height + 52, "UB map") + time_axis(r.cycles, 8, 8 + height) + s + "</svg>\n";
}

}  // namespace npusim

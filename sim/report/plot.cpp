#include "sim/report/plot.hpp"

#include <algorithm>
#include <cmath>

#include "sim/report/markup.hpp"
#include "sim/report/report.hpp"

namespace npusim {

namespace {

constexpr double kLeft = 90, kTop = 56, kWidth = 720, kHeight = 380, kLegend = 220, kNoteLine = 18;
constexpr size_t kNoteWidth = 130;  // letters

const char *const kStyle = R"(<style>
svg { background: #fff; } text { font: 13px system-ui, sans-serif; fill: #1b1f24; } text.dim { fill: #59636e; } text.title { font-size: 16px; font-weight: 600; }
.grid { stroke: #d1d9e0; } .c0 { stroke: #2f6fc1; fill: #2f6fc1; } .c1 { stroke: #c7702a; fill: #c7702a; } .c2 { stroke: #3b8f57; fill: #3b8f57; }
.c3 { stroke: #8b5fc0; fill: #8b5fc0; } .c4 { stroke: #b5485d; fill: #b5485d; } .c5 { stroke: #5b7a1e; fill: #5b7a1e; } polyline { fill: none !important; stroke-width: 2; }
circle.ring { fill: #fff; stroke-width: 2; } text.mark { font-size: 11px; font-weight: 600; stroke: #fff; stroke-width: 3px; paint-order: stroke; } line { stroke-width: 1; } line.key { stroke-width: 3; }
@media (prefers-color-scheme: dark) { svg { background: #0f1318; } text { fill: #e4e8ec; } text.dim { fill: #9aa4ae; } .grid { stroke: #343b44; }
.c0 { stroke: #6aa7ef; fill: #6aa7ef; } .c1 { stroke: #e8994f; fill: #e8994f; } .c2 { stroke: #66bd82; fill: #66bd82; } .c3 { stroke: #b794e6; fill: #b794e6; }
.c4 { stroke: #e57f92; fill: #e57f92; } .c5 { stroke: #9fc455; fill: #9fc455; } circle.ring { fill: #0f1318; } text.mark { stroke: #0f1318; } }
</style>
)";

struct Axis {
    double lo, hi;
    bool log;
    double place(double v) const { return log ? (std::log(v) - std::log(lo)) / (std::log(hi) - std::log(lo)) : (v - lo) / (hi - lo); }
    std::vector<double> ticks() const {
        std::vector<double> t;
        if (log) {
            double base = hi / lo > 4000 ? 10 : 2;
            for (double v = std::pow(base, std::floor(std::log(lo) / std::log(base) + 1e-9)); v <= hi * 1.0001; v *= base)
                if (v >= lo * 0.9999) t.push_back(v);
        } else {
            double step = static_cast<double>(round_step(static_cast<uint64_t>(std::ceil(hi - lo)), 8));
            for (double v = std::ceil(lo / step) * step; v <= hi * 1.0001; v += step) t.push_back(v);
        }
        return t;
    }
};

Axis axis_of(const Plot &p, bool x) {
    double lo = 1e300, hi = 0;
    for (const PlotSeries &s : p.series)
        for (const PlotPoint &q : s.points) lo = std::min(lo, x ? q.x : q.y), hi = std::max(hi, x ? q.x : q.y);
    if (lo > hi) lo = hi = 1;
    Axis a{lo, hi, p.log_scale};
    if (a.log) {
        a.lo = std::max(lo, 1.0);
        if (!x) a.lo = std::pow(2, std::floor(std::log2(a.lo))), a.hi = std::pow(2, std::ceil(std::log2(std::max(hi, 2.0))));
        if (a.hi <= a.lo) a.hi = 2 * a.lo;
    } else {
        if (!x) a.lo = 0;
        if (a.hi <= a.lo) a.hi = a.lo + 1;
    }
    return a;
}

std::string axes(const Plot &p, const Axis &ax, const Axis &ay) {
    std::string s;
    double last = -1e9;
    for (double v : ax.ticks()) {
        double x = kLeft + kWidth * ax.place(v);
        s += svg_line(x, kTop, x, kTop + kHeight, "grid");
        if (x - last < 48) continue; // numbers keep their distance
        s += svg_text(x, kTop + kHeight + 18, "middle", with_commas(static_cast<uint64_t>(v)));
        last = x;
    }
    for (double v : ay.ticks()) {
        double y = kTop + kHeight - kHeight * ay.place(v);
        s += svg_line(kLeft, y, kLeft + kWidth, y, "grid") + svg_text(kLeft - 8, y + 4, "end", with_commas(static_cast<uint64_t>(v)));
    }
    s += svg_text(kLeft + kWidth / 2, kTop + kHeight + 40, "middle", p.x_name + (p.log_scale ? " (logarithmic)" : ""));
    return s + svg_text(kLeft - 8, kTop - 12, "end", p.y_name);
}

struct Spot {
    double x, y;
};

// Numbers next to their points, clear of other numbers and of all points.
class Marks {
public:
    Marks(const Plot &p, const Axis &ax, const Axis &ay) {
        for (const PlotSeries &s : p.series)
            for (const PlotPoint &q : s.points) dots_.push_back(spot_of(q, ax, ay));
    }

    static Spot spot_of(const PlotPoint &q, const Axis &ax, const Axis &ay) {
        return {kLeft + kWidth * ax.place(q.x), kTop + kHeight - kHeight * ay.place(q.y)};
    }

    // Base line and middle of the number for a point; false if there is no room.
    bool place(Spot point, Spot *label) {
        static const Spot tries[] = {{0, -9}, {0, 18}, {-12, -6}, {12, -6}, {-12, 14}, {12, 14}, {0, -20}, {0, 30}, {-16, 4}, {16, 4}, {-18, -16}, {18, -16}, {0, -32}, {0, 42}};
        for (const Spot &t : tries) {
            *label = {point.x + t.x, point.y + t.y};
            if (free(*label)) {
                placed_.push_back(*label);
                return true;
            }
        }
        return false;
    }

private:
    bool free(Spot l) const {
        if (l.x < kLeft + 6 || l.y < kTop + 8 || l.y > kTop + kHeight - 3) return false;
        for (const Spot &d : dots_)
            if (std::fabs(d.x - l.x) < 9 && std::fabs(d.y - (l.y - 4)) < 8) return false;
        for (const Spot &o : placed_)
            if (std::fabs(o.x - l.x) < 17 && std::fabs(o.y - l.y) < 12) return false;
        return true;
    }

    std::vector<Spot> dots_, placed_;
};

std::string curve(const PlotSeries &series, size_t k, const Axis &ax, const Axis &ay, Marks *marks, std::string *numbers) {
    std::string cls = "c" + std::to_string(k % 6), line, dots;
    for (const PlotPoint &q : series.points) {
        Spot p = Marks::spot_of(q, ax, ay), label;
        line += (line.empty() ? "" : " ") + px(p.x) + "," + px(p.y);
        dots += "<circle class=\"" + cls + (q.mark ? " ring" : "") + "\" cx=\"" + px(p.x) + "\" cy=\"" + px(p.y) + "\" r=\"" + (q.mark ? "4.5" : "2.5") + "\"><title>" + escaped(q.title) +
                "</title></circle>\n";
        if (q.mark && marks->place(p, &label))
            *numbers += "<text class=\"mark " + cls + "\" x=\"" + px(label.x) + "\" y=\"" + px(label.y) + "\" text-anchor=\"middle\">" + std::to_string(q.mark) + "</text>\n";
    }
    return "<polyline class=\"" + cls + "\" points=\"" + line + "\"/>\n" + dots;
}

std::string legend(const Plot &p) {
    std::string s;
    for (size_t k = 0; k < p.series.size(); k++) {
        double y = kTop + 14 + 22 * static_cast<double>(k), x = kLeft + kWidth + 22;
        s += svg_line(x, y - 4, x + 22, y - 4, "key c" + std::to_string(k % 6)) + svg_text(x + 30, y, "start", p.series[k].name);
    }
    return s;
}

// Words of a note in lines of at most kNoteWidth letters.
std::vector<std::string> wrapped(const std::string &s) {
    std::vector<std::string> lines;
    size_t at = 0;
    while (s.size() - at > kNoteWidth) {
        size_t cut = s.rfind(' ', at + kNoteWidth);
        if (cut == std::string::npos || cut <= at) cut = at + kNoteWidth;
        lines.push_back(s.substr(at, cut - at));
        at = cut + (s[cut] == ' ');
    }
    lines.push_back(s.substr(at));
    return lines;
}

}  // namespace

std::string plot_svg(const Plot &p) {
    Axis ax = axis_of(p, true), ay = axis_of(p, false);
    std::string notes;
    double y = kTop + kHeight + 76;
    for (size_t k = 0; k < p.notes.size(); k++) {
        notes += svg_text(kLeft - 12, y, "end", std::to_string(k + 1));
        for (const std::string &l : wrapped(p.notes[k])) notes += svg_text(kLeft, y, "start", l), y += kNoteLine;
    }
    double width = kLeft + kWidth + kLegend, height = y + 8;
    std::string s = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(height) + "\" width=\"" + px(width) + "\" height=\"" + px(height) + "\">\n";
    s += kStyle;
    s += "<text class=\"title\" x=\"" + px(kLeft) + "\" y=\"24\">" + escaped(p.title) + "</text>\n" + axes(p, ax, ay);
    Marks marks(p, ax, ay);
    std::string numbers;
    for (size_t k = 0; k < p.series.size(); k++) s += curve(p.series[k], k, ax, ay, &marks, &numbers);
    return s + numbers + legend(p) + notes + "</svg>\n";
}

}  // namespace npusim

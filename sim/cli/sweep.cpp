// npusim profile --sweep: costs over shapes, with the shapes at which the lowering changes.
#include <algorithm>
#include <cinttypes>

#include "sim/cli/csv_file.hpp"
#include "sim/cli/profile.hpp"
#include "sim/cli/progress.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/knee.hpp"
#include "sim/report/plot.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

constexpr size_t kPoints = 20000;

struct Range {
    std::string name;  // rows or cols
    bool times = true; // x STEP, else + STEP
    std::vector<uint32_t> values;
};

// cols=64:8192:x2, rows=1:300:+1; without a step x2. Read in 64 bits, because scanf wraps what does not fit.
bool parse_range(const std::string &s, Range *r) {
    uint64_t from, to, step = 2;
    char name[8] = "", sign = 'x';
    int end = 0;
    int n = std::sscanf(s.c_str(), "%7[a-z]=%19" SCNu64 ":%19" SCNu64 "%n:%c%19" SCNu64 "%n", name, &from, &to, &end, &sign, &step, &end);
    bool good = (n == 3 || n == 5) && static_cast<size_t>(end) == s.size() && (sign == 'x' || sign == '+') && step > (sign == 'x') && from && from <= to && to <= UINT32_MAX && step <= UINT32_MAX;
    r->name = name;
    r->times = sign == 'x';
    if (!good || (r->name != "rows" && r->name != "cols")) return false;
    for (uint64_t v = from; v <= to && r->values.size() <= kPoints; v = r->times ? v * step : v + step) r->values.push_back(static_cast<uint32_t>(v));
    return true;
}

struct Point {
    std::string target;
    uint32_t rows, cols;
    InstrRow row;
    Lowering lowering;
    std::string knee;
    bool ok() const { return lowering.error.empty(); }
    uint64_t cycles() const { return row.end - row.start; }
};

class Sweep {
public:
    Sweep(const ProfileOptions &o, SingleSpec spec) : o_(o), spec_(spec), targets_(profile_targets(o)) {}

    bool prepare(Diag *d) {
        for (const std::string &s : o_.sweeps) {
            Range r;
            if (!parse_range(s, &r) || (!ranges_.empty() && ranges_[0].name == r.name) || ranges_.size() == 2) {
                diag(d, DIAG_USAGE, Loc{"--sweep", 0, 0}, "expected cols=FROM:TO:xN, cols=FROM:TO:+N or the same with rows, each once, found %s", s.c_str());
                return false;
            }
            ranges_.push_back(r);
        }
        if (ranges_.size() == 1) {
            bool over_cols = ranges_[0].name == "cols";
            ranges_.push_back({over_cols ? "rows" : "cols", true, {over_cols ? o_.rows : o_.cols}});
        }
        if (!ranges_[1].values[0]) diag(d, DIAG_USAGE, Loc{"--sweep", 0, 0}, "expected --%s N for the other side of the shape", ranges_[1].name.c_str());
        if (ranges_[0].values.size() * ranges_[1].values.size() * targets_.size() > kPoints)
            diag(d, DIAG_USAGE, Loc{"--sweep", 0, 0}, "more than %zu points", kPoints);
        return profile_load(o_, targets_, &runner_, d) && !diag_unreadable(d);
    }

    // One curve after the other; a knee lies between neighbours of a curve.
    bool run(Diag *d) {
        Progress progress(o_.progress, "shapes", targets_.size() * ranges_[0].values.size() * ranges_[1].values.size());
        for (const std::string &t : targets_)
            for (uint32_t other : ranges_[1].values)
                for (size_t k = 0; k < ranges_[0].values.size(); k++) {
                    Point p = measure(t, ranges_[0].values[k], other);
                    if (k) p.knee = knee_between(points_.back().lowering, p.lowering);
                    points_.push_back(std::move(p));
                    progress.step();
                }
        for (const Point &p : points_)
            if (p.ok()) return true;
        diag(d, instr_find(spec_.op, o_.op.size()) == INSTR_COUNT ? DIAG_USAGE : DIAG_OPERANDS, Loc{"--sweep", 0, 0}, "no shape is legal: %s",
             points_.empty() ? "" : points_[0].lowering.error.c_str());
        return false;
    }

    std::string report() const {
        return o_.report == "csv" ? csv() : o_.report == "json" ? json() : o_.report == "svg" ? plot_svg(plot()) : text();
    }

private:
    Point measure(const std::string &target, uint32_t x, uint32_t other) {
        bool over_cols = ranges_[0].name == "cols";
        SingleSpec s = spec_;
        s.rows = s.tile_rows = over_cols ? other : x;
        s.cols = over_cols ? x : other;
        uint32_t block = BLOCK_BYTES / dtype_size(s.dtype); // rows of a tile are whole blocks
        s.tile_cols = (s.cols + block - 1) / block * block;
        SingleResult r = runner_.run(target, s);
        Point p{target, s.rows, s.cols, {}, {}, ""};
        if (!r.ok) {
            p.lowering.error = r.error;
            return p;
        }
        p.row = r.row;
        p.lowering = lowering_of(r.uops, r.vf);
        for (const StageRow &stage : r.row.stages) p.lowering.stages.push_back(stage.name);
        p.lowering.tmp_bytes = r.tmp_bytes;
        return p;
    }

    uint32_t x_of(const Point &p) const { return ranges_[0].name == "cols" ? p.cols : p.rows; }
    uint32_t other_of(const Point &p) const { return ranges_[0].name == "cols" ? p.rows : p.cols; }
    size_t curve_size() const { return ranges_[0].values.size(); }

    std::string heading() const {
        std::string s = o_.op + " " + o_.dtype + " over " + ranges_[0].name;
        if (ranges_[1].values.size() == 1) s += ", " + std::to_string(ranges_[1].values[0]) + " " + ranges_[1].name;
        return s + (o_.both ? ", value and index" : "") + (o_.dynamic ? ", dynamic valid region" : "") + ", layout " + o_.layout;
    }

    std::string series_name(const Point &p) const {
        return p.target + (ranges_[1].values.size() > 1 ? ", " + std::to_string(other_of(p)) + " " + ranges_[1].name : "");
    }

    // What a knee is called: the same change of several curves is one note.
    std::string note_of(const Point &p) const {
        std::string at = ranges_[1].values.size() > 1 ? std::to_string(x_of(p)) + " " + ranges_[0].name : std::to_string(p.rows) + "x" + std::to_string(p.cols);
        return p.target + " at " + at + ": " + p.knee;
    }

    // Number of the note of a point, which is added if it is new; 0 without a knee.
    int number_of(const Point &p, std::vector<std::string> *notes) const {
        if (p.knee.empty()) return 0;
        auto it = std::find(notes->begin(), notes->end(), note_of(p));
        if (it == notes->end()) it = notes->insert(notes->end(), note_of(p));
        return static_cast<int>(it - notes->begin()) + 1;
    }

    // "(1)" behind every shape at which something changes; the numbers are explained below.
    std::string text() const {
        uint64_t most = 1;
        for (const Point &p : points_)
            if (p.ok()) most = std::max(most, p.cycles());
        std::string out = heading() + "\n";
        std::vector<std::string> notes;
        for (size_t at = 0; at < points_.size(); at += curve_size()) {
            Table t({"rows", "cols", "cycles", "us", "start-up", "throughput", "uops", "repeats", "conflicts", "<confidence", "<", "<"});
            for (size_t k = at; k < at + curve_size(); k++) {
                const Point &p = points_[k];
                int number = number_of(p, &notes);
                std::string mark = number ? "(" + std::to_string(number) + ")" : "";
                if (!p.ok()) {
                    t.row({std::to_string(p.rows), std::to_string(p.cols), "", "", "", "", "", "", "", "not legal", mark, ""});
                    continue;
                }
                t.row({std::to_string(p.rows), std::to_string(p.cols), std::to_string(p.cycles()), micros(p.cycles(), runner_.target(p.target)),
                       std::to_string(p.cycles() - p.row.work), std::to_string(p.row.work), std::to_string(p.row.uops), std::to_string(p.row.repeats),
                       std::to_string(p.row.conflicts), prov_name(p.row.weakest), mark, std::string(static_cast<size_t>(1 + 39 * p.cycles() / most), '#')});
            }
            out += "\n" + series_name(points_[at]) + "\n" + t.text();
        }
        if (!notes.empty()) out += "\nknees\n";
        for (size_t k = 0; k < notes.size(); k++) out += "(" + std::to_string(k + 1) + ") " + notes[k] + "\n";
        return out + ratios();
    }

    // The second target against the first, shape by shape.
    std::string ratios() const {
        if (targets_.size() != 2) return "";
        size_t half = points_.size() / 2;
        Table t({"rows", "cols", targets_[0] + " us", targets_[1] + " us", "time ratio"});
        for (size_t k = 0; k < half; k++) {
            const Point &a = points_[k], &b = points_[half + k];
            if (!a.ok() || !b.ok()) continue;
            double ta = static_cast<double>(a.cycles()) / runner_.target(a.target)->clock_hz.v, tb = static_cast<double>(b.cycles()) / runner_.target(b.target)->clock_hz.v;
            char ratio[32];
            std::snprintf(ratio, sizeof ratio, "%.2f", ta > 0 ? tb / ta : 0);
            t.row({std::to_string(a.rows), std::to_string(a.cols), micros(a.cycles(), runner_.target(a.target)), micros(b.cycles(), runner_.target(b.target)), ratio});
        }
        return "\n" + targets_[1] + " against " + targets_[0] + "\n" + t.text();
    }

    std::string csv() const {
        std::string out = csv_line({"target", "op", "dtype", "rows", "cols", "cycles", "time_us", "startup_cycles", "throughput_cycles", "uops", "repeats",
                                    "bank_conflict_cycles", "tmp_bytes", "confidence", "knee", "error"});
        for (const Point &p : points_) {
            auto n = [&](uint64_t v) { return p.ok() ? std::to_string(v) : ""; };
            out += csv_line({p.target, o_.op, o_.dtype, std::to_string(p.rows), std::to_string(p.cols), n(p.cycles()),
                             p.ok() ? micros(p.cycles(), runner_.target(p.target)) : "", n(p.cycles() - p.row.work), n(p.row.work), n(p.row.uops),
                             n(p.row.repeats), n(p.row.conflicts), n(p.lowering.tmp_bytes), p.ok() ? prov_name(p.row.weakest) : "", p.knee, p.lowering.error});
        }
        return out;
    }

    std::string json() const {
        auto list = nlohmann::ordered_json::array();
        for (const Point &p : points_) {
            nlohmann::ordered_json j = {{"target", p.target}, {"rows", p.rows}, {"cols", p.cols}};
            if (p.ok()) {
                j["cycles"] = p.cycles();
                j["time_us"] = static_cast<double>(p.cycles()) / runner_.target(p.target)->clock_hz.v * 1e6;
                j["startup_cycles"] = p.cycles() - p.row.work;
                j["throughput_cycles"] = p.row.work;
                j["uops"] = p.row.uops;
                j["repeats"] = p.row.repeats;
                j["bank_conflict_cycles"] = p.row.conflicts;
                j["tmp_bytes"] = p.lowering.tmp_bytes;
                j["confidence"] = prov_name(p.row.weakest);
            } else {
                j["error"] = p.lowering.error;
            }
            if (!p.knee.empty()) j["knee"] = p.knee;
            list.push_back(std::move(j));
        }
        nlohmann::ordered_json all = {{"schema", "npusim-sweep/1"}, {"op", o_.op}, {"dtype", o_.dtype}, {"layout", o_.layout}, {"points", list}};
        return json_text(all);
    }

    Plot plot() const {
        Plot plot;
        plot.title = heading();
        plot.x_name = ranges_[0].name;
        plot.y_name = "cycles";
        plot.log_scale = ranges_[0].times;
        for (size_t at = 0; at < points_.size(); at += curve_size()) {
            PlotSeries s{series_name(points_[at]), {}};
            for (size_t k = at; k < at + curve_size(); k++) {
                const Point &p = points_[k];
                int number = number_of(p, &plot.notes);
                if (!p.ok()) continue;
                std::string title = s.name + " " + std::to_string(p.rows) + "x" + std::to_string(p.cols) + ": " + with_commas(p.cycles()) + " cycles";
                s.points.push_back({static_cast<double>(x_of(p)), static_cast<double>(p.cycles()), title, number});
            }
            plot.series.push_back(std::move(s));
        }
        return plot;
    }

    const ProfileOptions &o_;
    const SingleSpec spec_;
    const std::vector<std::string> targets_;
    std::vector<Range> ranges_;  // along the curves, from curve to curve
    SingleRunner runner_;
    std::vector<Point> points_;
};

}  // namespace

bool profile_sweep(const ProfileOptions &o, Diag *d, std::string *out) {
    SingleSpec spec = {};
    if (!profile_spec(o, &spec, d)) return false;
    Sweep sweep(o, spec);
    if (!sweep.prepare(d) || !sweep.run(d)) return false;
    *out = sweep.report();
    return true;
}

}  // namespace npusim

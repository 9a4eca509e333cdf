// npusim compare: two targets, document against library, or two saved reports.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "sim/cli/commands.hpp"
#include "sim/cli/session.hpp"
#include "sim/report/compare.hpp"
#include "sim/report/saved.hpp"

namespace npusim {

namespace {

bool usage(Diag *d, const char *option, const char *text, const std::string &found) {
    diag(d, DIAG_USAGE, Loc{option, 0, 0}, "%s, found %s", text, found.empty() ? "nothing" : found.c_str());
    return false;
}

bool color_of(const CompareOptions &o) { return use_color(o.color, STDOUT_FILENO) && o.output.empty(); }

// ---- saved reports ----

// "5%" or "5"; negative: no limit.
bool parse_limit(const std::string &s, double *limit) {
    *limit = -1;
    if (s.empty()) return true;
    char *end;
    *limit = std::strtod(s.c_str(), &end);
    return end != s.c_str() && *limit >= 0 && (!*end || std::string(end) == "%");
}

bool read_file(const std::string &path, std::string *text, Diag *d) {
    std::ifstream f(path, std::ios::binary);
    std::stringstream all;
    all << f.rdbuf();
    *text = all.str();
    if (!f) diag(d, DIAG_IO, Loc{path.c_str(), 0, 0}, "cannot be read");
    return static_cast<bool>(f);
}

void fail_above(const CompareOptions &o, double growth, Diag *d) {
    double limit;
    if (!parse_limit(o.fail_above, &limit)) usage(d, "--fail-above", "expected a percentage", o.fail_above);
    else if (limit >= 0 && growth > limit)
        diag(d, DIAG_CYCLES, Loc{o.inputs.back().c_str(), 0, 0}, "the total grew by %.2f %%, at most %g %% are allowed", growth, limit);
}

void compare_files(const CompareOptions &o, Diag *d) {
    std::string before, after;
    if (!read_file(o.inputs[0], &before, d) || !read_file(o.inputs[1], &after, d)) return;
    SavedComparison c;
    if (!compare_saved(before, o.inputs[0], after, o.inputs[1], o.top, color_of(o), &c, d)) return;
    write_output(o.report == "json" ? c.json : o.report == "csv" ? c.csv : c.text, o.output, d);
    fail_above(o, c.growth(), d);
}

// ---- two runs of a trace ----

// What the two runs differ in.
bool two_runs(const CompareOptions &o, CommonOptions run[2], std::string label[2], Diag *d) {
    run[0] = run[1] = o;
    run[0].trace = run[1].trace = o.inputs[0];
    if (o.inputs[0] == "-") return usage(d, "compare", "expected a file, because it is read once for each run", "-");
    if (o.conformance) {
        if (o.targets.size() > 1) return usage(d, "--target", "expected one target with --conformance", o.targets[1]);
        for (int k = 0; k < 2; k++) {
            label[k] = k ? "library" : "document";
            if (!o.targets.empty()) run[k].target = o.targets[0];
            run[k].sets.push_back("semantics.conformance=" + label[k]);
        }
        return true;
    }
    std::vector<std::string> t = o.targets.empty() ? std::vector<std::string>{"a2a3", "950"} : o.targets;
    if (t.size() != 2) return usage(d, "--target", "expected two targets", std::to_string(t.size()));
    for (int k = 0; k < 2; k++) run[k].target = label[k] = t[static_cast<size_t>(k)];
    return true;
}

// Messages of both runs, those that agree once.
void print_messages(const CompareOptions &o, const Diag *a, const Diag *b) {
    std::string text = diagnostics_text(a, use_color(o.color, STDERR_FILENO), !o.quiet), more = diagnostics_text(b, use_color(o.color, STDERR_FILENO), !o.quiet);
    if (text != more) text += more;
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void compare_trace(const CompareOptions &o, Diag *d, Diag *db) {
    CommonOptions run[2];
    std::string label[2];
    if (!two_runs(o, run, label, d)) return;
    std::vector<Target *> target = {nullptr, nullptr};
    if (!o.conformance) target = load_targets({label[0], label[1]}, o.sets, d);
    if (target.empty()) return;
    Session a(run[0], d, target[0]), b(run[1], db, target[1]);
    if (!a.ready() || !b.ready()) return;
    a.keep_details();
    b.keep_details();
    if (!a.run() || !b.run()) return;
    ReportContext ca = a.context(false), cb = b.context(false);
    Comparison c = compare_runs(Side(label[0], a.result, ca), Side(label[1], b.result, cb));
    write_output(o.report == "json" ? compare_json(c) : o.report == "csv" ? compare_csv(c) : compare_text(c, o.top, color_of(o)), o.output, d);
    double growth = c.cycles_a ? 100.0 * (static_cast<double>(c.cycles_b) - static_cast<double>(c.cycles_a)) / static_cast<double>(c.cycles_a) : 0;
    fail_above(o, growth, d);
}

}  // namespace

int compare(const CompareOptions &o) {
    Diag *d = diag_new(), *db = diag_new();
    if (o.inputs.size() == 2) compare_files(o, d);
    else compare_trace(o, d, db);
    print_messages(o, d, db);
    int status = std::max(exit_status(d), exit_status(db));
    diag_free(d);
    diag_free(db);
    return status;
}

}  // namespace npusim

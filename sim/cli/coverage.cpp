#include "sim/cli/coverage.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "sim/report/coverage.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

namespace npusim {

namespace fs = std::filesystem;

namespace {

struct Targets {
    std::vector<Target *> list;
    Targets(const CommonOptions &o, Diag *d)
        : list(load_targets(o.target.empty() ? std::vector<std::string>{"a2a3", "950"} : std::vector<std::string>{o.target}, o.sets, d)) {}
    ~Targets() {
        for (Target *t : list) target_free(t);
    }
};

CoverageFile unreadable(const std::string &path, const std::string &why) {
    CoverageFile f;
    f.path = path;
    f.error = why;
    return f;
}

CoverageFile cover(const std::string &path, const Targets &targets) {
    CoverageFile f;
    f.path = path;
    Diag *d = diag_new();
    f.coverage.reset(coverage_new(f.path.c_str(), targets.list.data(), static_cast<int>(targets.list.size()), d));
    if (diag_count(d)) f.error = diag_at(d, 0)->text;
    diag_free(d);
    return f;
}

// The .pto files below a directory, by name; links to directories are not followed.
void cover_directory(const std::string &path, const Targets &targets, std::vector<CoverageFile> *out) {
    std::error_code error;
    std::vector<std::string> found;
    fs::recursive_directory_iterator it(path, error), end;
    for (; !error && it != end; it.increment(error))
        if (it->path().extension() == ".pto" && !it->is_directory()) found.push_back(it->path().string());
    std::sort(found.begin(), found.end());
    for (const std::string &file : found) out->push_back(cover(file, targets));
    if (error) out->push_back(unreadable(path, "cannot read the directory: " + error.message()));
    else if (found.empty()) out->push_back(unreadable(path, "no .pto file in this directory"));
}

}  // namespace

int check_coverage(const std::vector<std::string> &paths, const CommonOptions &o, Diag *d) {
    Targets targets(o, d);
    CoverageReport report;
    if (targets.list.empty()) return EXIT_UNREADABLE;
    for (const Target *t : targets.list) report.targets.push_back(t->name);
    for (const std::string &p : paths) {
        std::error_code ignored;
        if (fs::is_directory(p, ignored)) cover_directory(p, targets, &report.files);
        else report.files.push_back(cover(p, targets));
    }
    bool color = use_color(o.color, STDOUT_FILENO) && o.output.empty();
    std::string out = o.report == "json" ? report.json() : o.report == "csv" ? report.csv() : report.text(color);
    if (!write_output(out, o.output, d)) return EXIT_UNREADABLE;
    bool all = std::all_of(report.files.begin(), report.files.end(), [&](const CoverageFile &f) { return report.runs(f); });
    return all ? EXIT_OK : EXIT_TRACE;
}

}  // namespace npusim

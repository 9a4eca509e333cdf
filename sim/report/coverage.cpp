#include "sim/report/coverage.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/report/json_text.hpp"
#include "sim/report/table.hpp"

namespace npusim {

using json = nlohmann::ordered_json;

namespace {

std::string unit_of(const Need &n) { return n.unit ? n.unit : ""; }

bool runs_on(const CoverageFile &f, size_t target) { return f.coverage && coverage_runs(f.coverage.get(), static_cast<int>(target)); }

// A need over all files. What belongs to a part of the chip that is not modelled is one need.
struct Total {
    std::string need, kind;
    std::set<size_t> targets;
    uint64_t files = 0;
    uint64_t alone = 0; // files that need nothing else
    uint64_t then = 0;  // files that run once this and all needs above it are there
    uint64_t uses = 0;
};

struct Summary {
    std::vector<uint64_t> runs; // files, per target
    uint64_t all = 0, unreadable = 0;
    std::vector<Total> needs;
};

std::string key_of(const Need &n) { return n.unit ? n.unit : n.what; }

uint64_t most_uses(const Need &n) { return *std::max_element(n.count, n.count + COVERAGE_TARGETS); }

std::set<std::string> keys_of(const CoverageFile &f) {
    std::set<std::string> keys;
    for (size_t i = 0; i < f.coverage->n; i++) keys.insert(key_of(f.coverage->need[i]));
    return keys;
}

void add_file(std::map<std::string, Total> *totals, const CoverageFile &f, size_t targets) {
    std::set<std::string> keys = keys_of(f);
    for (const std::string &k : keys) {
        (*totals)[k].files++;
        (*totals)[k].alone += keys.size() == 1;
    }
    for (size_t i = 0; i < f.coverage->n; i++) {
        const Need &n = f.coverage->need[i];
        Total &t = (*totals)[key_of(n)];
        t.need = key_of(n);
        t.kind = n.unit ? "part of the chip" : n.kind;
        t.uses += most_uses(n);
        for (size_t k = 0; k < targets; k++)
            if (n.count[k]) t.targets.insert(k);
    }
}

bool before(const Total &a, const Total &b) {
    if (a.alone != b.alone) return a.alone > b.alone;
    if (a.files != b.files) return a.files > b.files;
    return a.uses != b.uses ? a.uses > b.uses : a.need < b.need;
}

// A file runs as soon as the last of its needs is there.
void count_then(Summary *s, const std::vector<CoverageFile> &files) {
    std::map<std::string, size_t> place;
    for (size_t i = 0; i < s->needs.size(); i++) place[s->needs[i].need] = i;
    for (const CoverageFile &f : files) {
        if (!f.coverage || !f.coverage->readable || !f.coverage->n) continue;
        size_t last = 0;
        for (const std::string &k : keys_of(f)) last = std::max(last, place[k]);
        s->needs[last].then++;
    }
    uint64_t sum = s->all;
    for (Total &t : s->needs) t.then = sum += t.then;
}

Summary summarise(const CoverageReport &r) {
    Summary s;
    std::map<std::string, Total> totals;
    s.runs.resize(r.targets.size());
    for (const CoverageFile &f : r.files) {
        for (size_t t = 0; t < r.targets.size(); t++) s.runs[t] += runs_on(f, t);
        s.all += r.runs(f);
        s.unreadable += !f.error.empty();
        if (f.coverage) add_file(&totals, f, r.targets.size());
    }
    for (auto &[key, t] : totals) s.needs.push_back(std::move(t));
    std::sort(s.needs.begin(), s.needs.end(), before);
    count_then(&s, r.files);
    return s;
}

std::string names(const std::vector<std::string> &targets, const std::set<size_t> &which) {
    std::string out;
    for (size_t t : which) out += (out.empty() ? "" : ", ") + targets[t];
    return out;
}

std::string plural(uint64_t n, const std::string &what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string verdict(const CoverageReport &r, const CoverageFile &f) {
    if (!f.error.empty()) return f.error;
    std::set<size_t> on, off;
    for (size_t t = 0; t < r.targets.size(); t++) (runs_on(f, t) ? on : off).insert(t);
    std::string out = on.empty() ? "" : "runs on " + names(r.targets, on);
    if (!off.empty()) out += (on.empty() ? "does not run on " : ", not on ") + names(r.targets, off);
    return out + " (" + plural(f.coverage->instructions, "instruction") + ")";
}

std::vector<std::string> head(const CoverageReport &r, std::vector<std::string> first, std::vector<std::string> last) {
    for (const std::string &t : r.targets) first.push_back(t);
    first.insert(first.end(), last.begin(), last.end());
    return first;
}

std::string need_table(const CoverageReport &r, const CoverageFile &f) {
    Table table(head(r, {"<   place", "<kind", "<need"}, {"<part of the chip"}));
    for (size_t i = 0; i < f.coverage->n; i++) {
        const Need &n = f.coverage->need[i];
        std::vector<std::string> row = {"   " + std::to_string(n.first.line) + ":" + std::to_string(n.first.col), n.kind, n.what};
        for (size_t t = 0; t < r.targets.size(); t++) row.push_back(n.count[t] ? std::to_string(n.count[t]) : "-");
        row.push_back(unit_of(n));
        table.row(row);
    }
    return table.empty() ? "" : table.text();
}

json uses_json(const CoverageReport &r, const Need &n) {
    json uses = json::object();
    for (size_t t = 0; t < r.targets.size(); t++) uses[r.targets[t]] = n.count[t];
    return uses;
}

json file_json(const CoverageReport &r, const CoverageFile &f) {
    json runs = json::object(), needs = json::array();
    for (size_t t = 0; t < r.targets.size(); t++) runs[r.targets[t]] = runs_on(f, t);
    for (size_t i = 0; f.coverage && i < f.coverage->n; i++) {
        const Need &n = f.coverage->need[i];
        needs.push_back({{"line", n.first.line}, {"col", n.first.col}, {"kind", n.kind}, {"need", n.what}, {"unit", unit_of(n)}, {"uses", uses_json(r, n)}});
    }
    json one = {{"file", f.path}, {"readable", f.error.empty()}, {"runs", runs}, {"instructions", f.coverage ? f.coverage->instructions : 0}, {"needs", needs}};
    if (!f.error.empty()) one["error"] = f.error;
    return one;
}

}  // namespace

bool CoverageReport::runs(const CoverageFile &f) const {
    for (size_t t = 0; t < targets.size(); t++)
        if (!runs_on(f, t)) return false;
    return true;
}

std::string CoverageReport::text(bool color) const {
    std::string out;
    Summary s = summarise(*this);
    for (const CoverageFile &f : files) {
        out += f.path + ": " + verdict(*this, f) + "\n";
        if (f.coverage) out += need_table(*this, f);
    }
    out += "\n" + plural(files.size(), "file") + ": ";
    for (size_t t = 0; t < targets.size(); t++) out += std::to_string(s.runs[t]) + " run on " + targets[t] + ", ";
    if (targets.size() > 1) out += std::to_string(s.all) + " on all, ";
    out += std::to_string(s.unreadable) + " cannot be read\n";
    Table table({"<need", "<kind", "<for", "files", "alone", "then run", "uses"});
    for (const Total &t : s.needs)
        table.row({t.need, t.kind, names(targets, t.targets), std::to_string(t.files), std::to_string(t.alone), std::to_string(t.then), std::to_string(t.uses)});
    if (!table.empty())
        out += "\n" + table.text(color) + "files: that need it; alone: that need nothing else; then run: all files that run once this need and those above it are there\n";
    return out;
}

std::string CoverageReport::json() const {
    using Json = nlohmann::ordered_json;
    Summary s = summarise(*this);
    Json list = Json::array(), runs = Json::object(), needs = Json::array();
    for (const CoverageFile &f : files) list.push_back(file_json(*this, f));
    for (size_t t = 0; t < targets.size(); t++) runs[targets[t]] = s.runs[t];
    for (const Total &t : s.needs) {
        Json on = Json::array();
        for (size_t k : t.targets) on.push_back(targets[k]);
        needs.push_back({{"need", t.need}, {"kind", t.kind}, {"targets", on}, {"files", t.files}, {"alone", t.alone}, {"then_run", t.then}, {"uses", t.uses}});
    }
    Json j = {{"schema", "npusim-coverage/1"}, {"targets", targets}, {"files", list},
              {"summary", {{"files", files.size()}, {"unreadable", s.unreadable}, {"runs", runs}, {"runs_on_all", s.all}, {"needs", needs}}}};
    return json_text(j);
}

// One line per need of a file; a file without needs has one line.
std::string CoverageReport::csv() const {
    std::vector<std::string> columns = {"file", "readable"}, tail = {"line", "col", "kind", "need", "unit"};
    for (const std::string &t : targets) columns.push_back("runs_" + t), tail.push_back("uses_" + t);
    columns.insert(columns.end(), tail.begin(), tail.end());
    Table table(columns);
    for (const CoverageFile &f : files) {
        std::vector<std::string> start = {f.path, f.error.empty() ? "yes" : "no"};
        for (size_t t = 0; t < targets.size(); t++) start.push_back(runs_on(f, t) ? "yes" : "no");
        size_t n = f.coverage ? f.coverage->n : 0;
        for (size_t i = 0; i < n; i++) {
            const Need &x = f.coverage->need[i];
            std::vector<std::string> row = start;
            for (const std::string &cell : {std::to_string(x.first.line), std::to_string(x.first.col), std::string(x.kind), std::string(x.what), unit_of(x)}) row.push_back(cell);
            for (size_t t = 0; t < targets.size(); t++) row.push_back(std::to_string(x.count[t]));
            table.row(row);
        }
        if (n) continue;
        start.resize(columns.size());
        table.row(start);
    }
    return table.csv();
}

}  // namespace npusim

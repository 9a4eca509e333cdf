// npusim profile: what one instruction costs, alone or for a whole table of shapes.
#include <unistd.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "sim/cli/commands.hpp"
#include "sim/cli/csv_file.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

extern "C" {
#include "isa/read/target_file.h"
#include "isa/time/v950.h"
#include "isa/time/v950_bound.h"
}

namespace npusim {

namespace {

// scanf would wrap what does not fit 32 bits.
bool parse_size(const std::string &s, uint32_t *n) {
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *n);
    return error == std::errc() && end == s.data() + s.size();
}

// ROWSxCOLS of an option; false with a message that says what was expected.
bool parse_shape(const char *option, const char *expected, const std::string &s, uint32_t *rows, uint32_t *cols, Diag *d) {
    size_t x = s.find('x');
    if (x != std::string::npos && parse_size(s.substr(0, x), rows) && parse_size(s.substr(x + 1), cols)) return true;
    diag(d, DIAG_USAGE, Loc{option, 0, 0}, "expected %s, found %s", expected, s.empty() ? "nothing" : s.c_str());
    return false;
}

DType type_of(const std::string &s) { return s.empty() ? DT_NONE : dtype_parse(s.data(), s.size()); }

// ---- one instruction ----

std::string stage_text(const InstrRow &r) {
    Table t({"<stage", "cycles", "share", "uops", "start", "end"});
    for (const StageRow &s : r.stages)
        t.row({s.name, std::to_string(s.cycles), percent(s.cycles, r.end - r.start), std::to_string(s.uops), std::to_string(s.start), std::to_string(s.end)});
    return t.text();
}

std::string operand_text(const SingleResult &r) {
    Table t({"<operand", "<type", "address", "bytes"});
    for (const Tile &x : r.operands) {
        char type[96], addr[32];
        tile_describe(&x, type, sizeof type);
        std::snprintf(addr, sizeof addr, "0x%05" PRIx64, static_cast<uint64_t>(x.addr));
        t.row({x.name, type, addr, std::to_string(tile_bytes(&x))});
    }
    return t.text();
}

std::string register_of(const VfInstr &v) {
    if (v.pd != VF_NONE) return "p" + std::to_string(v.pd);
    return v.dst != VF_NONE ? "v" + std::to_string(v.dst) : "";
}

std::string decimal(double v) {
    char s[32];
    std::snprintf(s, sizeof s, "%.2f", v);
    return s;
}

// The results an iteration waits for in the one before: operation and register, in order.
std::string chain_text(const V950Bound &b, const VfInstr *body) {
    if (!b.nchain) return "no result is carried from iteration to iteration\n";
    std::string out = "carried chain of " + decimal(b.chain) + " cycles per iteration:";
    for (uint32_t i = 0; i < b.nchain; i++)
        out += std::string(i ? " -> " : " ") + uop_info[body[b.chain_line[i]].op].name + " " + register_of(body[b.chain_line[i]]);
    return out + (b.chain_span > 1 ? ", round in " + std::to_string(b.chain_span) + " iterations\n" : "\n");
}

// What each innermost loop costs at least.
std::string loop_text(V950Sched *sched, const VfInstr *body, uint32_t n) {
    std::vector<V950Bound> bounds(v950_bounds(sched, body, n, nullptr, 0));
    v950_bounds(sched, body, n, bounds.data(), static_cast<uint32_t>(bounds.size()));
    Table t({"<loop over lines", "iterations", "dispatch", "port 0", "port 1", "loads", "stores", "banks", "chain", "bound"});
    std::string chains;
    for (const V950Bound &b : bounds) {
        std::string lines = std::to_string(b.first) + " to " + std::to_string(b.last);
        t.row({lines, with_commas(b.iterations), decimal(b.dispatch), decimal(b.port[0]), decimal(b.port[1]), decimal(b.loads),
               decimal(b.stores), decimal(b.banks), decimal(b.chain), decimal(v950_bound_max(&b))});
        chains += "lines " + lines + ": " + chain_text(b, body);
    }
    return bounds.empty() ? "" : "\nleast cycles per iteration, resource by resource\n" + t.text() + chains;
}

std::string line_text(const VfInstr *body, const std::vector<V950Line> &lines) {
    Table t({"line", "<operation", "executions", "first start", "last end", "wait"});
    for (size_t i = 0; i < lines.size(); i++) {
        const V950Line &l = lines[i];
        if (l.count)
            t.row({std::to_string(i), std::string(uop_info[body[i].op].name) + " " + register_of(body[i]), with_commas(l.count),
                   with_commas(l.first_start), with_commas(l.last_end), with_commas(l.wait)});
    }
    return "\nlines; wait: cycles in the queue for operands, a port or a bank, over all executions\n" + t.text();
}

// Where a vector function of the 950 spends its cycles.
std::string function_text(const SingleResult &r, const Target *target) {
    std::string out;
    V950Sched *sched = v950_new(target);
    for (auto [first, n] : r.functions) {
        V950Result v;
        const VfInstr *body = r.vf.data() + first;
        std::vector<V950Line> lines(n);
        v950_run(sched, body, n, true, &v, lines.data());
        char line[400];
        std::snprintf(line, sizeof line,
                      "vector function: %s cycles, %s operations, execution ports busy %s and %s, %s loads, %s stores, "
                      "loads waited %s cycles and stores %s for a bank\n",
                      with_commas(v.cycles).c_str(), with_commas(v.uops).c_str(), percent(v.port_busy[0], v.cycles).c_str(),
                      percent(v.port_busy[1], v.cycles).c_str(), with_commas(v.loads).c_str(), with_commas(v.stores).c_str(),
                      with_commas(v.load_wait).c_str(), with_commas(v.store_wait).c_str());
        out += line + loop_text(sched, body, n) + line_text(body, lines);
    }
    v950_free(sched);
    return out;
}

std::string one_text(const ProfileOptions &o, const std::string &name, const SingleResult &r, const Target *t) {
    const InstrRow &i = r.row;
    uint64_t cycles = i.end - i.start;
    char head[300];
    std::snprintf(head, sizeof head, "%s %s %s on %s, layout %s: %s cycles = %.3f us, %s micro-ops, %s repeats, %s bank conflict cycles, confidence %s\n\n", i.op,
                  dtype_name(i.dtype), region(i).c_str(), name.c_str(), o.layout.c_str(), with_commas(cycles).c_str(),
                  static_cast<double>(cycles) / t->clock_hz.v * 1e6, with_commas(i.uops).c_str(), with_commas(i.repeats).c_str(),
                  with_commas(i.conflicts).c_str(), prov_name(i.weakest));
    return std::string(head) + stage_text(i) + "\n" + operand_text(r) + (r.functions.empty() ? "" : "\n" + function_text(r, t));
}

nlohmann::ordered_json one_json(const std::string &name, const SingleResult &r) {
    const InstrRow &i = r.row;
    nlohmann::ordered_json stages = nlohmann::ordered_json::array();
    for (const StageRow &s : i.stages)
        stages.push_back({{"name", s.name}, {"start", s.start}, {"end", s.end}, {"cycles", s.cycles}, {"uops", s.uops}});
    return {{"target", name}, {"op", i.op}, {"dtype", dtype_name(i.dtype)}, {"shape", region(i)}, {"cycles", i.end - i.start}, {"uops", i.uops},
            {"repeats", i.repeats}, {"bank_conflict_cycles", i.conflicts}, {"confidence", prov_name(i.weakest)}, {"stages", stages}};
}

bool profile_one(const ProfileOptions &o, Diag *d, std::string *out) {
    SingleSpec s = {};
    if (!profile_spec(o, &s, d) || !parse_shape("--shape", "ROWSxCOLS, or --sweep", o.shape, &s.rows, &s.cols, d)) return false;
    s.tile_rows = s.rows;
    s.tile_cols = s.cols;
    if (!o.tile.empty() && !parse_shape("--tile", "ROWSxCOLS", o.tile, &s.tile_rows, &s.tile_cols, d)) return false;
    SingleRunner runner;
    std::vector<std::string> targets = profile_targets(o);
    if (!profile_load(o, targets, &runner, d)) return false;
    auto j = nlohmann::ordered_json::array();
    for (const std::string &t : targets) {
        SingleResult r = runner.run(t, s);
        if (!r.ok) {
            diag(d, instr_find(s.op, o.op.size()) == INSTR_COUNT ? DIAG_USAGE : DIAG_OPERANDS, Loc{t.c_str(), 0, 0}, "%s", r.error.c_str());
            continue;
        }
        if (o.report == "json") j.push_back(one_json(t, r));
        else *out += (out->empty() ? "" : "\n") + one_text(o, t, r, runner.target(t));
    }
    if (o.report == "json") *out = json_text(j);
    return true;
}

// ---- a table of shapes ----

class Batch {
public:
    Batch(const ProfileOptions &o, CsvFile csv) : o_(o), csv_(std::move(csv)) {}

    bool run(Diag *d, std::string *out) {
        for (const char *must : {"op", "dtype", "rows", "cols"})
            if (csv_.column(must) < 0) {
                diag(d, DIAG_USAGE, Loc{o_.batch.c_str(), 1, 1}, "expected the columns target,op,dtype,dst_dtype,rows,cols,tile_rows,tile_cols; there is no %s", must);
                return false;
            }
        if (!load(d)) return false;
        std::vector<std::string> head = csv_.head;
        for (const char *c : {"cycles", "uops", "confidence", "error"}) head.push_back(c);
        *out = csv_line(head);
        for (auto &row : csv_.rows) *out += csv_line(answer(row));
        return true;
    }

private:
    std::string cell(const std::vector<std::string> &row, const char *column) const {
        int c = csv_.column(column);
        return c >= 0 && static_cast<size_t>(c) < row.size() ? row[static_cast<size_t>(c)] : "";
    }

    std::string target_of(const std::vector<std::string> &row) const {
        std::string t = cell(row, "target");
        return t.empty() ? (o_.targets.empty() ? "a2a3" : o_.targets[0]) : t;
    }

    // Why a target cannot be used; "" if it can.
    static std::string fault_of(const std::string &target) {
        Diag *d = diag_new();
        Target *t = target_load(target.c_str(), nullptr, 0, d);
        std::string fault = t ? "" : diag_at(d, 0)->text;
        target_free(t);
        diag_free(d);
        return fault;
    }

    // An unknown target spoils its rows, not the table; a wrong override spoils the table.
    bool load(Diag *d) {
        std::vector<std::string> good;
        for (auto &row : csv_.rows) {
            auto [at, fresh] = known_.emplace(target_of(row), "");
            if (!fresh) continue;
            at->second = fault_of(at->first);
            if (at->second.empty()) good.push_back(at->first);
        }
        return profile_load(o_, good, &runner_, d);
    }

    static uint32_t number(const std::string &s, uint32_t missing = 0) {
        uint32_t v;
        return s.empty() ? missing : parse_size(s, &v) ? v : 0;
    }

    std::vector<std::string> answer(std::vector<std::string> row) {
        std::string t = target_of(row), op = cell(row, "op"), layout = cell(row, "layout"), form = cell(row, "form");
        SingleSpec s = {};
        s.op = op.c_str();
        s.dtype = type_of(cell(row, "dtype"));
        s.dst_dtype = type_of(cell(row, "dst_dtype"));
        s.rows = number(cell(row, "rows"));
        s.cols = number(cell(row, "cols"));
        s.tile_rows = number(cell(row, "tile_rows"), s.rows);
        s.tile_cols = number(cell(row, "tile_cols"), s.cols);
        s.layout = layout.empty() ? o_.layout.c_str() : layout.c_str();
        s.both = o_.both || form == "value+index";
        s.dynamic = o_.dynamic;
        SingleResult r;
        if (!known_[t].empty()) r.error = known_[t];
        else r = runner_.run(t, s);
        row.resize(csv_.head.size());
        row.push_back(r.ok ? std::to_string(r.row.end - r.row.start) : "");
        row.push_back(r.ok ? std::to_string(r.row.uops) : "");
        row.push_back(r.ok ? prov_name(r.row.weakest) : "");
        row.push_back(r.ok ? "" : r.error);
        return row;
    }

    const ProfileOptions &o_;
    CsvFile csv_;
    SingleRunner runner_;
    std::map<std::string, std::string> known_;  // target -> why it cannot be used
};

bool profile_batch(const ProfileOptions &o, Diag *d, std::string *out) {
    CsvFile csv;
    return csv.read(o.batch, d) && Batch(o, std::move(csv)).run(d, out);
}

// What can be profiled, and the forms of its report; the text of a table of shapes is CSV.
struct Use {
    const char *name;
    std::vector<std::string> reports;
    bool (*profile)(const ProfileOptions &, Diag *, std::string *);
};

const Use kBatch = {"--batch", {"text", "csv"}, profile_batch};
const Use kTrace = {"a trace", {"text", "json", "csv", "html"}, profile_trace};
const Use kSweep = {"--sweep", {"text", "json", "csv", "svg"}, profile_sweep};
const Use kOne = {"one instruction", {"text", "json"}, profile_one};

const Use *use_of(const ProfileOptions &o) {
    return !o.batch.empty() ? &kBatch : !o.trace.empty() ? &kTrace : !o.sweeps.empty() ? &kSweep : !o.op.empty() ? &kOne : nullptr;
}

}  // namespace

int profile(const ProfileOptions &o) {
    Diag *d = diag_new();
    std::string out;
    const Use *use = use_of(o);
    if (!use) diag(d, DIAG_USAGE, Loc{"profile", 0, 0}, "expected a trace, --op OP with --shape or --sweep, or --batch FILE.csv");
    else if (has_report(use->name, use->reports, o.report, d) && use->profile(o, d, &out)) write_output(out, o.output, d);
    return finish(d, o.color, o.quiet);
}

bool profile_spec(const ProfileOptions &o, SingleSpec *s, Diag *d) {
    s->op = o.op.c_str();
    s->dtype = type_of(o.dtype);
    s->dst_dtype = type_of(o.dst_dtype);
    s->layout = o.layout.c_str();
    s->both = o.both;
    s->dynamic = o.dynamic;
    s->tmp = o.tmp;
    if (s->dtype == DT_NONE) diag(d, DIAG_USAGE, Loc{"--dtype", 0, 0}, "expected an element type, found %s", o.dtype.c_str());
    return s->dtype != DT_NONE;
}

bool profile_load(const ProfileOptions &o, const std::vector<std::string> &targets, SingleRunner *r, Diag *d) {
    std::vector<Target *> loaded = load_targets(targets, o.sets, d);
    for (size_t k = 0; k < loaded.size(); k++) r->add_target(targets[k], loaded[k]);
    return loaded.size() == targets.size();
}

std::vector<std::string> profile_targets(const ProfileOptions &o) { return o.targets.empty() ? std::vector<std::string>{"a2a3", "950"} : o.targets; }

}  // namespace npusim

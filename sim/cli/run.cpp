// npusim run: execute a trace, print what was asked for and a cycle report.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/cli/options.hpp"
#include "sim/report/report.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

namespace npusim {

namespace {

template <auto Free>
struct Deleter {
    template <class T>
    void operator()(T *p) const { Free(p); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, Deleter<Free>>;

// "NAME=SPEC tolerance": texts live as long as the options.
struct Bindings {
    std::vector<std::unique_ptr<std::string>> texts;

    const char *keep(std::string s) {
        texts.push_back(std::make_unique<std::string>(std::move(s)));
        return texts.back()->c_str();
    }

    bool add(BindingList *list, const std::string &text, const char *option, bool needs_value, bool tolerance, Diag *d) {
        size_t eq = text.find('=');
        bool tile = !text.empty() && text[0] == '%';
        std::string name = text.substr(tile, eq == std::string::npos ? std::string::npos : eq - tile);
        if (name.empty() || (needs_value && (eq == std::string::npos || eq + 1 == text.size()))) {
            diag(d, DIAG_USAGE, Loc{option, 0, 0}, "expected NAME=VALUE, found %s", text.c_str());
            return false;
        }
        Binding b = {};
        b.name = keep(name);
        b.tile = tile;
        b.loc = Loc{option, 0, 0};
        std::string value = eq == std::string::npos ? "" : text.substr(eq + 1);
        size_t space = tolerance && value.find('(') == std::string::npos ? value.find(' ') : std::string::npos;
        if (space != std::string::npos) b.tolerance = keep(value.substr(space + 1));
        b.spec = keep(value.substr(0, space));
        binding_add(list, b);
        return true;
    }
};

struct BindingLists {
    RunOptions *o;
    ~BindingLists() {
        for (BindingList *l : {&o->args, &o->inits, &o->dumps, &o->prints, &o->expects}) free(l->v);
    }
};

// --expect takes its tolerances as further words: NAME=FILE atol=1e-6 rtol=1e-5.
std::vector<std::string> join_tolerances(const std::vector<std::string> &words) {
    std::vector<std::string> out;
    for (const std::string &w : words) {
        bool more = w == "exact" || w.rfind("atol=", 0) == 0 || w.rfind("rtol=", 0) == 0 || w.rfind("ulp=", 0) == 0;
        if (more && !out.empty()) out.back() += " " + w;
        else out.push_back(w);
    }
    return out;
}

const char *choose_target(const CommonOptions &o, const TraceScan *s, const char **reason) {
    *reason = "--target";
    if (!o.target.empty()) return o.target.c_str();
    *reason = "//! target";
    if (s->target_directive[0]) return s->target_directive;
    *reason = "pto.target_arch";
    if (s->target_arch[0]) return s->target_arch;
    *reason = "default";
    return "a2a3";
}

SyncMode choose_sync(const CommonOptions &o, const TraceScan *s, const char **name) {
    bool written = s->has_sync && o.trace != "-";
    *name = !o.sync.empty() ? o.sync.c_str() : written ? "as-written" : "auto";
    return !std::strcmp(*name, "auto") ? SYNC_AUTO : !std::strcmp(*name, "ideal") ? SYNC_IDEAL : SYNC_AS_WRITTEN;
}

void check_cycles(Interp *in, const RunResult &r, Diag *d) {
    uint64_t want;
    double tolerance;
    Loc loc;
    if (!interp_cycles_expected(in, &want, &tolerance, &loc)) return;
    double off = std::fabs(static_cast<double>(r.cycles) - static_cast<double>(want));
    if (off <= static_cast<double>(want) * tolerance / 100) return;
    diag(d, DIAG_CYCLES, loc, "the trace took %llu cycles, expected %llu +- %g%%", static_cast<unsigned long long>(r.cycles),
         static_cast<unsigned long long>(want), tolerance);
}

bool fill_options(const CommonOptions &o, RunOptions *r, Bindings *b, Diag *d) {
    r->results = o.results == "on";
    r->checks = o.checks != "off";
    r->go_on = o.on_error == "continue";
    r->seed = o.seed;
    r->entry = o.entry.empty() ? nullptr : o.entry.c_str();
    r->block_index = o.block;
    r->block_count = o.blocks;
    r->poison = 0x7fc07e007fc07e00ull; // reads as NaN in every float type
    bool ok = true;
    for (const std::string &s : o.args) ok &= b->add(&r->args, s, "--arg", true, false, d);
    for (const std::string &s : o.inits) ok &= b->add(&r->inits, s, "--init", true, false, d);
    for (const std::string &s : o.dumps) ok &= b->add(&r->dumps, s, "--dump", true, false, d);
    for (const std::string &s : o.prints) ok &= b->add(&r->prints, s, "--print", false, false, d);
    for (const std::string &s : join_tolerances(o.expects)) ok &= b->add(&r->expects, s, "--expect", true, true, d);
    return ok;
}

void execute(const CommonOptions &o, Diag *d) {
    Owned<Names, names_free> names(names_new());
    Owned<TraceReader, trace_close> reader(trace_open(o.trace.c_str(), names.get(), d));
    if (!reader) return;
    diag_set_source(d, trace_source_line, reader.get());
    const char *reason, *sync;
    const TraceScan *scan = trace_scan(reader.get());
    std::vector<const char *> sets;
    for (const std::string &s : o.sets) sets.push_back(s.c_str());
    Owned<Target, target_free> target(target_load(choose_target(o, scan, &reason), sets.data(), static_cast<int>(sets.size()), d));
    RunOptions run = {};
    BindingLists free_lists{&run};
    Bindings bindings;
    run.sync = choose_sync(o, scan, &sync);
    if (!fill_options(o, &run, &bindings, d) || !target) return;

    const char *shown = o.trace == "-" ? "<stdin>" : o.trace.c_str();
    Owned<Interp, interp_free> interp(interp_new(&run, target.get(), reader.get(), names.get(), d, shown));
    SimOptions sim;
    sim.quantum = o.quantum;
    sim.skip = !o.step;
    Core core("core", *target, sim);
    RunResult result = core.run([&] { return interp_step(interp.get()); }, d);
    if (diag_unreadable(d)) return;

    StrBuf text = {};
    interp_finish(interp.get(), &text);
    check_cycles(interp.get(), result, d);
    ReportContext c = {shown, target.get(), reason, sync, d, interp.get(), o.seed, run.results, use_color(o.color, STDOUT_FILENO)};
    std::string out = text.s ? text.s : "";
    sb_free(&text);
    if (o.report == "text") out += (out.empty() ? "" : "\n") + text_report(result, c);
    else out += o.report == "json" ? json_report(result, c) : csv_report(result, c);
    write_output(out, o.output, d);
    if (!o.timeline.empty()) write_output(timeline_json(result, c), o.timeline, d);
}

int run(const CommonOptions &o) {
    Owned<Diag, diag_free> d(diag_new());
    execute(o, d.get());
    std::string text = diagnostics_text(d.get(), use_color(o.color, STDERR_FILENO), !o.quiet);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_status(d.get());
}

}  // namespace

void add_run(CLI::App &app, int *status) {
    auto *o = new CommonOptions; // lives as long as the program
    CLI::App *cmd = app.add_subcommand("run", "run a trace; print results asked for and a cycle report");
    add_trace_options(cmd, o);
    cmd->footer("Examples:\n  npusim run traces/row_argmin.pto --target 950\n"
                "  npusim run kernel.pto --arg x=x.npy --arg n=128 --dump out=out.npy --report json -o report.json\n"
                "  npusim run kernel.pto --results off --set uops.vmax.latency=20");
    cmd->callback([o, status] { *status = run(*o); });
}

}  // namespace npusim

#include "sim/cli/options.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "isa/read/npy.h"
}

namespace npusim {

static bool is_tolerance(const std::string &w) { return w == "exact" || w.rfind("atol=", 0) == 0 || w.rfind("rtol=", 0) == 0 || w.rfind("ulp=", 0) == 0; }

std::vector<std::string> join_tolerances(int argc, char **argv) {
    std::vector<std::string> out;
    bool expected = false, next = false; // the last word is an expectation, or the next one will be
    for (int i = 0; i < argc; i++) {
        std::string w = argv[i];
        if (expected && is_tolerance(w)) {
            out.back() += " " + w;
            continue;
        }
        expected = next || w.rfind("--expect=", 0) == 0;
        next = w == "--expect";
        out.push_back(std::move(w));
    }
    return out;
}

void add_list(CLI::App *app, const char *name, std::vector<std::string> *list, const char *what, const char *type) {
    app->add_option(name, *list, std::string(what) + "; repeatable")->type_name(type)->take_all()->allow_extra_args(false);
}

void add_target_options(CLI::App *app, CommonOptions *o) {
    app->add_option("--target", o->target, "a2a3, 950 (also a2, a3, a5) or a target file")->type_name("NAME|FILE.yaml");
    add_list(app, "--set", &o->sets, "override a key of the target file", "KEY=VALUE");
}

void add_run_options(CLI::App *app, CommonOptions *o) {
    add_list(app, "--arg", &o->args, "bind a function argument: FILE.npy, zeros:32x32xf32, random(16x64xf32, seed=1), a number", "NAME=VALUE");
    add_list(app, "--init", &o->inits, "fill a tile when it is declared: a fill of the trace format, or a file", "%TILE=SPEC");
    app->add_option("--results", o->results, "off: timing only, no data is computed")->check(CLI::IsMember({"on", "off"}))->capture_default_str();
    app->add_option("--checks", o->checks, "basic: legality, ranges, tmp, aliases, order by range; full: every byte of UB; off")->check(CLI::IsMember({"basic", "full", "off"}))->capture_default_str();
    app->add_option("--sync", o->sync, "how dependences are ordered (default: as-written if the trace has flags or barriers, else auto)")
        ->check(CLI::IsMember({"auto", "as-written", "ideal"}));
    add_list(app, "--suppress", &o->suppress, "leave a diagnostic out, everywhere or in one line", "ID[:LINE]");
    app->add_flag("--stale", o->stale, "a reader that nothing orders after its writer sees the old bytes (--sync as-written)");
    app->add_option("--on-error", o->on_error, "continue shows what the hardware would leave behind")->check(CLI::IsMember({"stop", "continue"}))->capture_default_str();
    app->add_option("--seed", o->seed, "for random fills")->capture_default_str();
    app->add_option("--entry", o->entry, "which function of the file")->type_name("NAME");
    app->add_option("--blocks", o->blocks, "SPMD block count; all of them run and the report is about the slowest")->check(CLI::Range(1, 65535))->capture_default_str();
    app->add_option("--block", o->block, "SPMD block index: this one alone")->type_name("N");
    app->add_option("--subblocks", o->subblocks, "vector cores that a block runs on")->check(CLI::Range(1, 255))->capture_default_str();
    app->add_option("--subblock", o->subblock, "this one alone")->type_name("N");
    app->add_option("--quantum", o->quantum, "micro-ops a pipe may run ahead of the kernel, 0: unlimited; never changes a result")->capture_default_str();
    app->add_flag("--arbitrate", o->arbitrate, "a2a3: pipes contend for bank groups of UB (assumed; off: they do not); forces --quantum 1");
    app->add_flag("--step", o->step, "950: step every cycle instead of skipping steady states; never changes a result");
}

void add_report_options(CLI::App *app, CommonOptions *o, const std::vector<std::string> &forms) {
    app->add_option("--report", o->report, "form of the report")->check(CLI::IsMember(forms))->capture_default_str();
    app->add_option("-o,--output", o->output, "write the report to a file")->type_name("FILE");
    app->add_option("--color", o->color, "colour of text")->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
    app->add_option("--progress", o->progress, "line with what is done, for work longer than a second (auto: on a terminal)")
        ->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
    app->add_flag("--quiet", o->quiet, "no notes");
}

void add_file_options(CLI::App *app, CommonOptions *o) {
    app->add_option("--timeline", o->timeline, "Chrome trace events for Perfetto")->type_name("FILE.json");
    app->add_option("--vcd", o->vcd, "waveform of pipes and queues (GTKWave)")->type_name("FILE.vcd");
    app->add_option("--tables", o->tables, "write instr_exe.csv, code_exe.csv and pipeline_summary.csv there")->type_name("FOLDER");
}

void add_trace_options(CLI::App *app, CommonOptions *o) {
    app->add_option("trace", o->trace, "PTO assembly text; - is standard input")->required()->type_name("TRACE");
    add_target_options(app, o);
    add_run_options(app, o);
    app->add_flag("--show-sync", o->show_sync, "list the flags and barriers that --sync auto inserts, with event ids and reasons");
    add_list(app, "--dump", &o->dumps, "write a buffer or a tile's valid region afterwards (.npy or .bin)", "NAME=FILE");
    add_list(app, "--print", &o->prints, "print values afterwards", "NAME");
    add_list(app, "--expect", &o->expects, "compare afterwards: NAME=FILE [exact | atol=.. rtol=.. | ulp=..]", "NAME=FILE");
    add_report_options(app, o, {"text", "json", "csv", "html"});
    add_file_options(app, o);
}

bool use_color(const std::string &mode, int fd) {
    if (mode != "auto") return mode == "always";
    const char *term = std::getenv("TERM");
    return isatty(fd) && !std::getenv("NO_COLOR") && !(term && !std::strcmp(term, "dumb"));
}

bool write_output(const std::string &text, const std::string &file, Diag *d) {
    if (!file.empty()) return file_write(file.c_str(), text.data(), text.size(), Loc{file.c_str(), 0, 0}, d);
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
    diag(d, DIAG_IO, Loc{"standard output", 0, 0}, "cannot be written");
    return false;
}

bool suppress_rules(const CommonOptions &o, Diag *d) {
    bool ok = true;
    for (const std::string &s : o.suppress) {
        size_t colon = s.find(':');
        DiagId id = diag_find(s.substr(0, colon).c_str());
        char *end = nullptr;
        unsigned long line = colon == std::string::npos ? 0 : std::strtoul(s.c_str() + colon + 1, &end, 10);
        if (id == DIAG_COUNT || (end && (*end || end == s.c_str() + colon + 1))) {
            diag(d, DIAG_USAGE, Loc{"--suppress", 0, 0}, "expected ID or ID:LINE, found %s\n`npusim check --list` lists the rules", s.c_str());
            ok = false;
            continue;
        }
        diag_suppress(d, id, static_cast<uint32_t>(line));
    }
    return ok;
}

int exit_status(const Diag *d) {
    if (diag_unreadable(d)) return EXIT_UNREADABLE;
    return diag_total(d, SEV_ERROR) ? EXIT_TRACE : EXIT_OK;
}

}  // namespace npusim

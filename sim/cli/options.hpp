// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/system.hpp"

namespace npusim {

enum ExitStatus { EXIT_OK = 0, EXIT_TRACE = 1, EXIT_UNREADABLE = 2 };

struct CommonOptions {
    std::string trace;
    std::string target;
    std::vector<std::string> sets;
    std::vector<std::string> args, inits, dumps, prints, expects, suppress;
    std::string results = "on", checks = "basic", report = "text", sync, on_error = "stop", color = "auto";
    std::string output, timeline, vcd, tables, progress = "auto", entry;
    uint64_t seed = 1, blocks = 1, subblocks = 1;
    std::optional<uint64_t> block, subblock; // none: all of them, one after the other
    unsigned quantum = 256;
    bool quiet = false, stale = false, check_only = false, step = false, arbitrate = false, show_sync = false;
};

// --expect takes its tolerances as further words, NAME=FILE atol=1e-6 rtol=1e-5: they are joined to the
// word they belong to, so that every option takes one word and the trace may follow it.
std::vector<std::string> join_tolerances(int argc, char **argv);
// An option that may be given several times.
void add_list(CLI::App *app, const char *name, std::vector<std::string> *list, const char *what, const char *type);

// Adds TRACE, target, and the options of running one and reporting it.
void add_trace_options(CLI::App *app, CommonOptions *o);
void add_target_options(CLI::App *app, CommonOptions *o);
void add_run_options(CLI::App *app, CommonOptions *o);
void add_report_options(CLI::App *app, CommonOptions *o, const std::vector<std::string> &forms);
void add_file_options(CLI::App *app, CommonOptions *o); // timeline, waveform, tables for other tools

bool use_color(const std::string &mode, int fd);
// Writes text to -o FILE or standard output. false after an error in d.
bool write_output(const std::string &text, const std::string &file, Diag *d);
// --suppress ID[:LINE]. false after an error in d.
bool suppress_rules(const CommonOptions &o, Diag *d);
// Exit status from what was reported.
int exit_status(const Diag *d);

void add_run(CLI::App &app, int *status);
void add_profile(CLI::App &app, int *status);
void add_compare(CLI::App &app, int *status);
void add_lower(CLI::App &app, int *status);
void add_check(CLI::App &app, int *status);
void add_isa(CLI::App &app, int *status);
void add_targets(CLI::App &app, int *status);

}  // namespace npusim

// Options that several commands share.
#pragma once

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

bool use_color(const std::string &mode, int fd);
// Writes text to -o FILE or standard output. false after an error in d.
bool write_output(const std::string &text, const std::string &file, Diag *d);
// Targets with the overrides of --set, each with those whose key it has; none after an error in d.
std::vector<Target *> load_targets(const std::vector<std::string> &names, const std::vector<std::string> &sets, Diag *d);
// Whether this use of a command has the form of --report; else an error in d that names those it has.
bool has_report(const std::string &use, const std::vector<std::string> &forms, const std::string &report, Diag *d);
// --suppress ID[:LINE]. false after an error in d.
bool suppress_rules(const CommonOptions &o, Diag *d);
// Exit status from what was reported.
int exit_status(const Diag *d);
// Prints what was reported to standard error, frees d and returns the exit status.
int finish(Diag *d, const std::string &color = "auto", bool quiet = false);

}  // namespace npusim

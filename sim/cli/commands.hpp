// The commands and their options. Each returns the exit status.
#pragma once

#include "sim/cli/profile.hpp"

namespace npusim {

struct CompareOptions : CommonOptions {
    std::vector<std::string> inputs, targets;
    std::string fail_above;
    size_t top = 40;
    bool conformance = false;
};

struct LowerOptions : CommonOptions {
    bool no_cycles = false;
};

struct CheckOptions {
    CommonOptions common;
    std::vector<std::string> traces;
    std::string explain;
    bool list = false, coverage = false;
};

struct IsaOptions {
    std::string op, report = "text", output;
    bool markdown = false;
};

struct TargetsOptions {
    std::string name, report = "text", output;
    std::vector<std::string> sets;
};

int run(const CommonOptions &o);
int profile(const ProfileOptions &o);
int compare(const CompareOptions &o);
int lower(const LowerOptions &o);
int check(const CheckOptions &o);
int isa(const IsaOptions &o);
int targets(const TargetsOptions &o);

// Reads the command line and runs its command.
int command_line(int argc, char **argv);

}  // namespace npusim

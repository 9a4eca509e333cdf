// Two runs of one trace, or two saved reports, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/analysis.hpp"

namespace npusim {

// One of the two runs.
struct Side {
    std::string label;  // "a2a3", "document"
    const RunResult &r;
    const ReportContext &c;
    CriticalPath path;
    Side(std::string name, const RunResult &result, const ReportContext &context)
        : label(std::move(name)), r(result), c(context), path(critical_path(result)) {}
};

// An instruction on one side.
struct CompareCell {
    uint64_t cycles = 0, uops = 0, tmp_bytes = 0;
    uint64_t in_total = 0;  // its part of the run's cycles: those on the critical path
};

struct CompareRow {
    uint32_t line = 0;
    std::string op, dtype, shape;
    std::optional<CompareCell> a, b;  // none: not there
    std::string cause;                // of the difference, in words
};

// A message that one side gives and the other does not.
struct OnlyOn {
    std::string label;
    const DiagMsg *message;
};

struct Comparison {
    std::string a, b;  // labels
    std::vector<std::string> remarks; // in words: a side that stopped early, the block that a side is about
    uint64_t cycles_a = 0, cycles_b = 0;
    double seconds_a = 0, seconds_b = 0;
    uint64_t rest_a = 0, rest_b = 0;   // of the cycles: issue before the first and flags behind the last instruction
    std::vector<CompareRow> rows;
    std::vector<OnlyOn> messages;
    std::vector<std::string> results;  // differences between the results, in words
    bool results_known = false;
};

Comparison compare_runs(const Side &a, const Side &b);
std::vector<CompareRow> match_rows(const Side &a, const Side &b);
// Why instruction `a` of one side takes other cycles than `b` of the other.
std::string cause_of(const Side &a, const InstrRow &ra, const Side &b, const InstrRow &rb);
// Values that differ between buffers, or between tiles of a trace without buffers.
std::vector<std::string> result_differences(const Side &a, const Side &b);

std::string compare_text(const Comparison &c, size_t top, bool color);
std::string compare_json(const Comparison &c);
std::string compare_csv(const Comparison &c);

}  // namespace npusim

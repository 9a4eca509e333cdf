// Reports of a run. They see plain data only.
#pragma once

#include <functional>
#include <string>

#include "sim/core/result.hpp"
#include "sim/report/details.hpp"

namespace npusim {

struct ReportContext {
    const char *trace;
    const Target *target;
    const char *target_reason;   // "--target", "//! target", ...
    const char *sync;            // auto, as-written, ideal
    const Diag *diag;
    Interp *interp;
    uint64_t seed;
    bool results;
    bool color;
    bool stopped;                // by an error: the cycles are those of what ran before it
    std::string printed;         // what --print asked for
    const Details *details;      // NULL: not recorded
    const std::vector<BlockRow> *blocks; // that ran; the report is about (*blocks)[block], the slowest
    size_t block;
    std::function<std::string(uint32_t)> source; // text of a line of the trace
};

// One file that needs no other: tables, timeline, occupancy, UB map, provenance.
std::string html_report(const RunResult &r, const ReportContext &c);
std::string text_report(const RunResult &r, const ReportContext &c);
std::string json_report(const RunResult &r, const ReportContext &c);
std::string csv_report(const RunResult &r, const ReportContext &c);
// Chrome trace events, one track per pipe.
std::string timeline_json(const RunResult &r, const ReportContext &c);
// Value change dump: one cycle is one nanosecond.
std::string vcd_waveform(const RunResult &r, const ReportContext &c);
// Tables that scripts for other simulators read, with more columns.
std::string instr_exe_csv(const RunResult &r, const ReportContext &c);
std::string code_exe_csv(const RunResult &r, const ReportContext &c);
std::string pipeline_summary_csv(const RunResult &r, const ReportContext &c);

// What `npusim check` found, as JSON and as SARIF 2.1.0; the rules as JSON.
std::string check_json(const ReportContext &c);
std::string check_sarif(const ReportContext &c);
std::string rules_json();

// All diagnostics as FILE:LINE:COL: severity: TEXT [ID] with source line, caret and hint.
std::string diagnostics_text(const Diag *d, bool color, bool notes);

// 1234567 -> "1,234,567"
std::string with_commas(uint64_t v);
// Of a run that did not come to its end.
inline const std::string kStopped = "stopped by an error: the cycles are those of what ran before it";
std::string counted(uint64_t n, const char *what);   // "1 instruction", "1,234 instructions"
std::string percent(uint64_t part, uint64_t whole);
std::string micros(uint64_t cycles, const Target *t);   // "2.075"
const char *severity_name(Severity s);
const char *wait_name(WaitCause c);                     // "pipe", "flag", "barrier", "scalar"
std::string bold(const std::string &s, bool color);
// A line of a trace without the types of its operands, at most n bytes.
std::string short_source(const std::string &line, size_t n);
inline std::string region(const InstrRow &r) { return std::to_string(r.rows) + "x" + std::to_string(r.cols); }

}  // namespace npusim

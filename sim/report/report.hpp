// Reports of a run. They see plain data only.
#pragma once

#include <string>

#include "sim/core/result.hpp"

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
};

std::string text_report(const RunResult &r, const ReportContext &c);
std::string json_report(const RunResult &r, const ReportContext &c);
std::string csv_report(const RunResult &r, const ReportContext &c);
// Chrome trace events, one track per pipe.
std::string timeline_json(const RunResult &r, const ReportContext &c);

// All diagnostics as FILE:LINE:COL: severity: TEXT [ID] with source line, caret and hint.
std::string diagnostics_text(const Diag *d, bool color, bool notes);

// 1234567 -> "1,234,567"
std::string with_commas(uint64_t v);
std::string percent(uint64_t part, uint64_t whole);
const char *severity_name(Severity s);
inline std::string region(const InstrRow &r) { return std::to_string(r.rows) + "x" + std::to_string(r.cols); }

}  // namespace npusim

// Pictures of the HTML report, as SVG inside the page.
#pragma once

#include "sim/report/analysis.hpp"

namespace npusim {

// Instructions over time, one lane per pipe; of many instructions the share of time that each pipe is busy.
bool timeline_has_slices(const RunResult &r);
std::string timeline_chart(const RunResult &r, const ReportContext &c, const CriticalPath &p);
// UB addresses over time.
std::string ub_chart(const RunResult &r, const ReportContext &c);

}  // namespace npusim

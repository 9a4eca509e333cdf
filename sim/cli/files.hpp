// Files for other tools that run and profile write besides their report.
#pragma once

#include "sim/cli/options.hpp"
#include "sim/report/report.hpp"

namespace npusim {

bool wants_files(const CommonOptions &o);
void write_files(const CommonOptions &o, const RunResult &r, const ReportContext &c, Diag *d);

}  // namespace npusim

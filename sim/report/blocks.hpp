// Several blocks of a kernel: what each took, and the slowest.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace npusim {

inline bool several_blocks(const ReportContext &c) { return c.blocks->size() > 1; }
std::string blocks_line(const ReportContext &c); // in one line, without its end
Table blocks_table(const ReportContext &c, size_t top);
std::string blocks_text(const ReportContext &c); // with the table; empty for a single block
nlohmann::ordered_json blocks_json(const ReportContext &c);

}  // namespace npusim

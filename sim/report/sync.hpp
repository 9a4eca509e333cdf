// What --sync auto inserted (--show-sync).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/report/report.hpp"

namespace npusim {

std::string sync_text(const ReportContext &c);                // "" if it was not asked for
nlohmann::ordered_json sync_json(const ReportContext &c);     // only if it was asked for

}  // namespace npusim

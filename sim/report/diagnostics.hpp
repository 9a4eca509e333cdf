// The diagnostics of a run as a JSON list.
#pragma once

#include <nlohmann/json.hpp>

extern "C" {
#include "isa/base/diag.h"
}

namespace npusim {

nlohmann::ordered_json diagnostics_json(const Diag *d);

}  // namespace npusim

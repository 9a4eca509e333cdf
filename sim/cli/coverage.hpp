// npusim check --coverage
#pragma once

#include <string>
#include <vector>

#include "sim/cli/options.hpp"

namespace npusim {

// Files, and directories with their .pto files. Returns the exit status.
int check_coverage(const std::vector<std::string> &paths, const CommonOptions &o, Diag *d);

}  // namespace npusim

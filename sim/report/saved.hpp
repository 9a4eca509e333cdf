// Two saved JSON reports side by side: before and after a change.
#pragma once

#include <cstdint>
#include <string>

extern "C" {
#include "isa/base/diag.h"
}

namespace npusim {

struct SavedComparison {
    uint64_t before = 0, after = 0;
    std::string text, json, csv;
    // Growth of the total in percent.
    double growth() const { return before ? 100.0 * (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(before) : after ? 100.0 : 0.0; }
};

// Contents and names of the files; at most top changed instructions in the text. false with messages in d.
bool compare_saved(const std::string &before, const std::string &before_name, const std::string &after, const std::string &after_name, size_t top, bool color,
                   SavedComparison *c, Diag *d);

}  // namespace npusim

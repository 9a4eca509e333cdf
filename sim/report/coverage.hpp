// What many traces would need: per file, and which need keeps how many files from running.
#pragma once

#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "isa/run/coverage.h"
}

namespace npusim {

struct CoverageFile {
    std::string path;
    std::string error; // why it cannot be read
    std::unique_ptr<Coverage, void (*)(Coverage *)> coverage{nullptr, coverage_free};
};

struct CoverageReport {
    std::vector<std::string> targets;
    std::vector<CoverageFile> files;

    bool runs(const CoverageFile &f) const; // on all targets
    std::string text(bool color) const;
    std::string json() const;
    std::string csv() const;
};

}  // namespace npusim

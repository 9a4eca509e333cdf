// One instruction on an idle core: for cost tables and the reference check.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/system.hpp"

extern "C" {
#include "isa/run/single.h"
}

namespace npusim {

struct SingleResult {
    bool ok = false;
    std::string error;  // why not
    InstrRow row;
    std::vector<Tile> operands;
    std::vector<Uop> uops;
    uint64_t tmp_bytes = 0;
    std::vector<VfInstr> vf;         // 950: the vector functions, one after the other
    std::vector<std::pair<uint32_t, uint32_t>> functions;  // first line and number of lines
};

// Cores for a set of targets; all of them exist before the first run.
class SingleRunner {
public:
    // Takes t over. Before the first run only.
    void add_target(const std::string &name, Target *t);
    const Target *target(const std::string &name) const;
    SingleResult run(const std::string &target, const SingleSpec &spec);
    ~SingleRunner();

private:
    struct Entry {
        Target *target;
        std::unique_ptr<Core> core;
    };
    std::map<std::string, Entry> entries_;
    Single single_{};
};

}  // namespace npusim

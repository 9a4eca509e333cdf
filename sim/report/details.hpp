// What a report may show about an instruction beyond its times: operands and the micro-op that stands for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "isa/run/run.h"
}

namespace npusim {

struct OperandRange {
    const char *name;     // of the tile, with its % sign
    uint32_t lo, hi;      // UB bytes
    bool write, tmp;
};

struct InstrDetail {
    std::vector<OperandRange> operands;
    uint64_t tmp_bytes = 0;  // of a tmp tile that the target uses
    std::string uop;         // the first micro-op that moves or computes tile data, if there is one
};

// Entry i belongs to the i-th instruction.
using Details = std::vector<InstrDetail>;

InstrDetail describe(const Step &s, const Target *t);

}  // namespace npusim

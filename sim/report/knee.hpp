// How an instruction is lowered for a shape, and why that changes from one shape to the next.
#pragma once

#include <set>
#include <string>
#include <vector>

extern "C" {
#include "isa/table/uop.h"
}

namespace npusim {

struct Lowering {
    std::string error;               // not legal: why
    std::vector<std::string> stages; // in order
    uint64_t vector_ops = 0;         // micro-ops of the vector pipe
    uint32_t longest = 0;            // largest repeat count
    bool counted = false;            // count mode is used
    bool masked = false;             // some mask leaves lanes out
    bool wide_mask = false;          // such a mask has 64 lanes or more
    uint64_t tmp_bytes = 0;
    // 950: the vector functions.
    int functions = 0, depth = 0, loops = 0, lines = 0;
    std::set<std::string> ops;       // operations in their bodies
};

Lowering lowering_of(const std::vector<Uop> &uops, const std::vector<VfInstr> &vf);
// In words; empty if it is the same case.
std::string knee_between(const Lowering &before, const Lowering &now);

}  // namespace npusim

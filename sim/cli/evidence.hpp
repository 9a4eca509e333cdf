// The micro-operations of an instruction with a target's evidence for their cost.
#pragma once

#include <string>
#include <vector>

extern "C" {
#include "isa/table/instr.h"
#include "isa/table/target.h"
}

namespace npusim {

struct UopEvidence {
    std::string name, text;  // "vmins"; "latency 16 (fit: ...), interval 1 (fit: ...)"
    Prov weakest;
};

// Of the lowering of a 16 x 64 tile of the instruction's first type; empty if the instruction is not made of
// micro-operations with an entry of their own (transfers, scalar work), or needs operands that no shape gives.
std::vector<UopEvidence> evidence_of(const InstrInfo &i, const Target *t);

}  // namespace npusim

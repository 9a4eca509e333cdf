// Everything a report may use: plain data, no SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

extern "C" {
#include "isa/run/run.h"
}

namespace npusim {

struct StageRow {
    const char *name = "";  // static text
    uint64_t start = 0, end = 0;
    uint64_t cycles = 0;  // advance of the instruction's timeline; the stages of one instruction add up
    uint64_t uops = 0;
};

// One executed tile instruction.
struct InstrRow {
    uint64_t index = 0;
    uint32_t line = 0;
    const char *op = "";
    DType dtype = DT_NONE;
    Pipe pipe = PIPE_V;
    uint32_t rows = 0, cols = 0;
    uint64_t start = 0, end = 0;
    uint64_t wait = 0;    // from issue by the scalar unit to start
    uint64_t uops = 0, repeats = 0;
    uint64_t bytes_read = 0, bytes_written = 0;
    uint64_t conflicts = 0;  // cycles lost to bank conflicts
    Prov weakest = PROV_DOCUMENTED;
    std::vector<StageRow> stages;
};

// Instructions beyond the row limit, by source line; line 0 collects the lines beyond a limit of their own.
struct LineRow {
    const char *op = "";
    uint64_t count = 0, cycles = 0, uops = 0, repeats = 0, wait = 0;
    uint64_t bytes_read = 0, bytes_written = 0;
    Prov weakest = PROV_DOCUMENTED;
};

struct PipeStats {
    uint64_t busy = 0;    // cycles covered by its instructions
    uint64_t wait = 0;    // cycles its instructions waited between issue and start
    uint64_t instructions = 0;
    uint64_t uops = 0;
};

struct RunResult {
    uint64_t cycles = 0;
    uint64_t instructions = 0;
    uint64_t uops = 0;
    std::vector<InstrRow> rows;
    std::map<uint32_t, LineRow> lines;
    std::array<PipeStats, PIPE_COUNT> pipes{};
    std::array<uint64_t, PROV_COUNT> by_provenance{};  // cycles of the total, by the weakest entry they rest on
    uint64_t bank_conflict_cycles = 0;
    uint64_t sync_inserted = 0;  // barriers and waits that --sync auto or ideal added
    bool deadlock = false;
};

}  // namespace npusim

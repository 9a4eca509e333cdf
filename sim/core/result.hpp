// Everything a report may use: plain data, no SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
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

// What lets an instruction start no earlier.
enum WaitCause {
    WAIT_PIPE,     // its pipe is busy with earlier instructions
    WAIT_FLAG,     // a flag from another pipe
    WAIT_BARRIER,  // results of earlier instructions of its own pipe
    WAIT_SCALAR,   // the scalar unit has not issued it yet
    WAIT_COUNT
};
using WaitCycles = std::array<uint64_t, WAIT_COUNT>;
constexpr uint64_t kNoStatement = ~0ull;

// A wait for a flag or for the results of an instruction, by the numbers of the statements.
struct WaitRow {
    uint64_t statement = 0;           // which waits
    uint64_t after = kNoStatement;    // the instruction it waits for
    Pipe pipe = PIPE_V;
    uint64_t from = 0, until = 0;
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
    WaitCycles wait_for{};            // the same by cause; adds up to wait
    uint64_t statement = 0;           // its number in program order, flags and barriers included
    uint64_t after = kNoStatement;    // the instruction that it could not start before, and why
    WaitCause cause = WAIT_SCALAR;
    uint64_t work = 0;                // cycles in which repeats are issued or bytes move; the rest is start-up
    uint64_t uops = 0, repeats = 0;
    uint64_t bytes_read = 0, bytes_written = 0;
    uint64_t conflicts = 0;  // cycles lost to bank conflicts
    Prov weakest = PROV_DOCUMENTED;
    std::vector<StageRow> stages;
};

// Instructions beyond the row limit, by source line; line 0 collects the lines beyond a limit of their own.
struct LineRow {
    const char *op = "";
    Pipe pipe = PIPE_V;
    uint64_t count = 0, cycles = 0, uops = 0, repeats = 0, wait = 0, work = 0, conflicts = 0;
    WaitCycles wait_for{};
    uint64_t bytes_read = 0, bytes_written = 0;
    Prov weakest = PROV_DOCUMENTED;
};

struct PipeStats {
    uint64_t busy = 0;    // cycles covered by its instructions
    uint64_t wait = 0;    // cycles its instructions waited between issue and start
    WaitCycles wait_for{};
    uint64_t work = 0;
    uint64_t instructions = 0;
    uint64_t uops = 0;
};

// One block of a kernel that ran.
struct BlockRow {
    std::string name;  // "block 3"; "block 3.1" is its second subblock
    uint64_t block = 0, subblock = 0;
    uint64_t cycles = 0, instructions = 0, uops = 0;
};

struct RunResult {
    uint64_t cycles = 0;
    uint64_t instructions = 0;
    uint64_t uops = 0;
    std::vector<InstrRow> rows;
    std::vector<WaitRow> waits;  // as far as rows are kept, in program order
    std::map<uint32_t, LineRow> lines;
    std::array<PipeStats, PIPE_COUNT> pipes{};
    std::array<uint64_t, PROV_COUNT> by_provenance{};  // cycles of the total, by the weakest entry they rest on
    uint64_t bank_conflict_cycles = 0;
    uint64_t sync_inserted = 0;  // barriers and waits that --sync auto or ideal added
    bool deadlock = false;
};

}  // namespace npusim

// What a run's rows say when they are added up: groups, the critical path, the bottleneck.
#pragma once

#include <string>
#include <vector>

#include "sim/report/report.hpp"

namespace npusim {

// One instruction of the critical path. The parts of all steps, the lead-in and the tail add up to
// the cycles of the run.
struct PathStep {
    size_t row = 0;
    WaitCause cause = WAIT_SCALAR;  // why it could not start before the step above
    uint64_t gap = 0;   // from the end of the step above to its start: flags, issue
    uint64_t own = 0;   // its own cycles, up to the start of the next step
};

struct CriticalPath {
    std::vector<PathStep> steps;  // in order of time
    uint64_t lead_in = 0;         // before the first step: issue by the scalar unit
    uint64_t tail = 0;            // behind the last one: flags, barriers, instructions without a row
    std::vector<uint64_t> by_row; // gap and own cycles of every instruction, 0 off the path
};
CriticalPath critical_path(const RunResult &r);

// Sums over instructions, largest first.
struct Group {
    std::string name, type, shape;
    uint32_t line = 0;
    size_t index = 0;             // of the first instruction
    Pipe pipe = PIPE_V;
    uint64_t count = 0, cycles = 0, path = 0, work = 0, wait = 0, uops = 0, repeats = 0, conflicts = 0;
    uint64_t bytes_read = 0, bytes_written = 0;
    WaitCycles wait_for{};
    Prov weakest = PROV_DOCUMENTED;
    uint64_t start_up() const { return cycles - work; }
};
enum GroupBy { BY_INSTR, BY_OP, BY_LINE, BY_STAGE };
std::vector<Group> groups(const RunResult &r, const CriticalPath &p, GroupBy by);

// What limits the run: cycles of the critical path that one thing costs, and what would remove them.
struct Bottleneck {
    std::string what;
    uint64_t cycles = 0;
    std::string change;
};
// The first is the largest.
std::vector<Bottleneck> bottlenecks(const RunResult &r, const CriticalPath &p, const ReportContext &c);

// Share of the run in which the vector pipe issues repeats (a2a3) or its execution ports compute (950).
std::string vector_utilisation(const RunResult &r);
// The cause with the most cycles: "flag", "" without a wait.
std::string main_wait(const WaitCycles &w);

}  // namespace npusim

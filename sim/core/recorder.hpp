// Collects the times of micro-operations, in whatever order the pipes report them, and closes
// instructions in program order, so that a report never depends on how the pipes interleave.
#pragma once

#include <deque>
#include <vector>

#include "sim/core/result.hpp"

namespace npusim {

struct UopTime {
    uint64_t start = 0, end = 0;
    uint8_t stage = 0;
    uint8_t prov = PROV_DOCUMENTED;
    bool sync = false;  // inserted synchronisation: not part of the instruction
    uint32_t uops = 1;  // register operations of a vector function
};

// One statement on its way through the pipes.
struct Flight {
    uint64_t id = 0;
    bool counts = false;  // a tile instruction, not a flag or barrier of the text
    uint64_t seq = 0;
    uint64_t issued = 0;
    uint64_t ready = 0;   // its pipe could take its first micro-op: waiting lies before
    bool reached = false; // that has happened
    uint32_t pending = 0;
    InstrRow row;
    std::vector<UopTime> time;
    std::vector<const char *> stage;
    std::vector<VfInstr> vf;  // bodies of its vector functions
};

class Recorder {
public:
    explicit Recorder(size_t row_limit) : limit_(row_limit) {}

    void reset();
    Flight &open();  // the next statement in program order
    Flight &flight(uint64_t id) { return *window_[id - first_]; }
    // The newest statement is described: time.size() micro-ops are on their way.
    void issue(Flight &f);
    void done(uint64_t id, uint32_t index, uint64_t start, uint64_t end, Prov prov);

    // Completion time of instruction `seq` of a pipe; false if it is still under way.
    bool completed(Pipe p, uint64_t seq, uint64_t *end) const;
    // The instruction to wait for instead of one whose time is no longer kept (a later one).
    uint64_t kept_seq(Pipe p, uint64_t seq) const;
    size_t in_flight() const { return window_.size(); }

    RunResult result;

private:
    static constexpr uint64_t kKept = 65536;
    void close_finished();
    void close(Flight &f);
    void note_completion(const Flight &f);

    size_t limit_;
    uint64_t first_ = 0;
    std::deque<Flight *> window_;
    std::deque<Flight> pool_;
    std::vector<Flight *> free_;
    std::array<std::vector<uint64_t>, PIPE_COUNT> end_;   // ring by seq; kNever while under way
    std::array<uint64_t, PIPE_COUNT> last_{};             // newest seq issued
    std::array<uint64_t, PIPE_COUNT> covered_{};          // busy time is counted up to here
    uint64_t cursor_ = 0;                                 // total time attributed so far
};

}  // namespace npusim

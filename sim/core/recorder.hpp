// Collects the times of micro-operations, in whatever order the pipes report them, and closes
// instructions in program order, so that a report never depends on how the pipes interleave.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "sim/core/fifo.hpp"
#include "sim/core/result.hpp"

namespace npusim {

struct UopTime {
    uint64_t start = 0, end = 0;
    uint8_t stage = 0;
    uint8_t prov = PROV_DOCUMENTED;
    bool sync = false;  // inserted synchronisation: not part of the instruction
    uint32_t uops = 1;  // register operations of a vector function
};

// The instruction that something had to wait for, and how.
struct Blocker {
    uint64_t statement = kNoStatement;
    WaitCause cause = WAIT_SCALAR;
};

// One statement on its way through the pipes.
struct Flight {
    uint64_t id = 0;
    bool counts = false;  // a tile instruction, not a flag or barrier of the text
    Loc place{};
    uint64_t seq = 0;
    uint64_t issued = 0;
    uint64_t ready = 0;   // its pipe could take its first micro-op: waiting lies before
    bool reached = false; // that has happened
    Blocker pipe_blocker, scalar_blocker; // what its pipe and the scalar unit were held up by
    std::vector<WaitRow> waits;
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

    // Completion time and statement of instruction `seq` of a pipe; false if it is still under way.
    bool completed(Pipe p, uint64_t seq, uint64_t *end, uint64_t *statement) const;
    // The instruction to wait for instead of one whose time is no longer kept (a later one).
    uint64_t kept_seq(Pipe p, uint64_t seq) const;
    size_t in_flight() const { return window_.size(); }

    RunResult result;
    // Called for every statement when all its times are known, in program order.
    std::function<void(const Flight &)> on_close;

private:
    struct Completion {
        uint64_t end, statement;
    };
    static constexpr uint64_t kKept = 65536;
    void close_finished();
    void close(Flight &f);
    void note_completion(const Flight &f);
    void split_wait(const Flight &f, InstrRow &r);
    void count(const InstrRow &r);
    LineRow &line_row(const InstrRow &r);

    size_t limit_;
    LineRow *other_lines_ = nullptr; // of result.lines
    uint64_t first_ = 0;
    Fifo<Flight *> window_;
    std::deque<Flight> pool_;
    std::vector<Flight *> free_;
    std::array<std::vector<Completion>, PIPE_COUNT> end_; // ring by seq; kNever while under way
    std::array<uint64_t, PIPE_COUNT> last_{};             // newest seq issued
    std::array<uint64_t, PIPE_COUNT> covered_{};          // busy time is counted up to here
    uint64_t cursor_ = 0;                                 // total time attributed so far
};

}  // namespace npusim

// CSV tables under the names and columns that scripts for other simulators of these cores read.
#include <algorithm>
#include <map>
#include <tuple>

#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace npusim {

static const char *vendor_pipe(Pipe p) {
    static const char *const name[PIPE_COUNT] = {"SCALAR", "VECTOR", "MTE2", "MTE3"};
    return p < PIPE_COUNT ? name[p] : "ALL";
}

std::string instr_exe_csv(const RunResult &r, const ReportContext &c) {
    struct Sum {
        uint64_t count = 0, cycles = 0, wait = 0, work = 0, uops = 0, repeats = 0, read = 0, written = 0, conflicts = 0;
        Prov weakest = PROV_DOCUMENTED;
    };
    std::map<std::tuple<uint32_t, std::string, Pipe, std::string, std::string>, Sum> found;
    for (const InstrRow &i : r.rows) {
        Sum &s = found[{i.line, i.op, i.pipe, dtype_name(i.dtype), region(i)}];
        s.count++, s.cycles += i.end - i.start, s.wait += i.wait, s.work += i.work, s.uops += i.uops, s.repeats += i.repeats;
        s.read += i.bytes_read, s.written += i.bytes_written, s.conflicts += i.conflicts, s.weakest = std::max(s.weakest, i.weakest);
    }
    for (const auto &[line, l] : r.lines) {
        Sum &s = found[{line, l.op, l.pipe, "", ""}];
        s.count += l.count, s.cycles += l.cycles, s.wait += l.wait, s.work += l.work, s.uops += l.uops, s.repeats += l.repeats;
        s.read += l.bytes_read, s.written += l.bytes_written, s.conflicts += l.conflicts, s.weakest = std::max(s.weakest, l.weakest);
    }
    Table t({"instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail", "line", "dtype", "shape", "wait_cycles", "startup_cycles",
             "throughput_cycles", "uops", "repeats", "bytes_read", "bytes_written", "bank_conflict_cycles", "confidence"});
    for (const auto &[key, s] : found) {
        const auto &[line, op, pipe, dtype, shape] = key;
        char addr[16];
        std::snprintf(addr, sizeof addr, "0x%x", line);
        std::string detail = "LINE:" + std::to_string(line) + ",DTYPE:" + dtype + ",SHAPE:" + shape;
        t.row({op, addr, vendor_pipe(pipe), std::to_string(s.count), std::to_string(s.cycles), micros(s.cycles, c.target), detail, std::to_string(line),
               dtype, shape, std::to_string(s.wait), std::to_string(s.cycles - s.work), std::to_string(s.work), std::to_string(s.uops),
               std::to_string(s.repeats), std::to_string(s.read), std::to_string(s.written), std::to_string(s.conflicts), prov_name(s.weakest)});
    }
    return t.csv();
}

std::string code_exe_csv(const RunResult &r, const ReportContext &c) {
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> lines;
    for (const InstrRow &i : r.rows) lines[i.line].first++, lines[i.line].second += i.end - i.start;
    for (const auto &[line, l] : r.lines) lines[line].first += l.count, lines[line].second += l.cycles;
    Table t({"code", "call_count", "cycles", "running_time(us)"});
    for (const auto &[line, sum] : lines)
        t.row({std::string(c.trace) + ":" + std::to_string(line), std::to_string(sum.first), std::to_string(sum.second), micros(sum.second, c.target)});
    return t.csv();
}

std::string pipeline_summary_csv(const RunResult &r, const ReportContext &c) {
    uint64_t first = r.rows.empty() ? 0 : ~0ull, last = r.rows.empty() ? 0 : r.cycles, busy = 0;
    for (const InstrRow &i : r.rows)
        if (i.end > i.start) first = std::min(first, i.start);
    first = std::min(first, last);
    for (const PipeStats &p : r.pipes) busy += p.busy;
    auto pipe = [&](Pipe p) { return std::to_string(r.pipes[p].busy); };
    Table t({"op_name", "core_id", "unit", "total_cycles", "active_start_cycle", "active_end_cycle", "active_cycles", "busy_cycles", "scalar_cycles",
             "mte2_aic_cycles", "mte2_aiv_cycles", "mte1_cycles", "cube_cycles", "fixp_cycles", "vec_cycles", "mte3_cycles", "target", "time_us",
             "instructions", "uops", "bank_conflict_cycles", "vector_work_cycles", "mte2_wait_cycles", "vec_wait_cycles", "mte3_wait_cycles"});
    const BlockRow &b = (*c.blocks)[c.block];
    t.row({c.trace, std::to_string(b.block), "AIV" + std::to_string(b.subblock), std::to_string(r.cycles), std::to_string(first), std::to_string(last), std::to_string(last - first),
           std::to_string(busy), pipe(PIPE_S), "0", pipe(PIPE_MTE2), "0", "0", "0", pipe(PIPE_V), pipe(PIPE_MTE3), c.target->name,
           micros(r.cycles, c.target), std::to_string(r.instructions), std::to_string(r.uops), std::to_string(r.bank_conflict_cycles),
           std::to_string(r.pipes[PIPE_V].work), std::to_string(r.pipes[PIPE_MTE2].wait), std::to_string(r.pipes[PIPE_V].wait),
           std::to_string(r.pipes[PIPE_MTE3].wait)});
    return t.csv();
}

}  // namespace npusim

// Value change dump of the pipes. Written from the recorded times: the pipes run ahead of the SystemC
// kernel, so that kernel time, at which sc_trace samples, is not the time of a micro-operation.
#include <algorithm>
#include <map>

#include "sim/report/report.hpp"

namespace npusim {

namespace {

// Changes of all signals: time, then signal, then new value.
using Changes = std::map<uint64_t, std::map<int, std::string>>;

enum Signal { SIG_BUSY, SIG_QUEUE, SIG_LINE, SIG_WAIT, SIG_COUNT };
constexpr int kWidth[SIG_COUNT] = {1, 16, 32, 1};
const char *const kName[SIG_COUNT] = {"busy", "queue_depth", "line", "waiting"};

int signal_of(Pipe p, Signal s) { return p * SIG_COUNT + s; }
std::string code(int signal) { return std::string(1, static_cast<char>('!' + signal)); }

std::string binary(uint64_t v, int width) {
    std::string s;
    for (int b = width - 1; b >= 0; b--) s += v >> b & 1 ? '1' : '0';
    size_t first = s.find('1');
    return first == std::string::npos ? "0" : s.substr(first);
}

// A count of what is open at a time, from its steps up and down.
void add_levels(Changes *out, const std::map<uint64_t, int64_t> &steps, int signal, int width) {
    int64_t level = 0;
    for (const auto &[at, step] : steps) {
        level += step;
        if (step) (*out)[at][signal] = binary(static_cast<uint64_t>(std::max<int64_t>(width == 1 ? std::min<int64_t>(level, 1) : level, 0)), width);
    }
}

void add_pipe(Changes *out, const RunResult &r, Pipe p) {
    std::map<uint64_t, int64_t> busy, queue, wait;
    std::map<uint64_t, uint32_t> line;
    for (const InstrRow &i : r.rows) {
        if (i.pipe != p) continue;
        busy[i.start]++, busy[i.end]--;
        queue[i.start - i.wait]++, queue[i.start]--;
        line[i.end];
        line[i.start] = i.line;
    }
    for (const WaitRow &w : r.waits)
        if (w.pipe == p && w.until > w.from) wait[w.from]++, wait[w.until]--;
    add_levels(out, busy, signal_of(p, SIG_BUSY), 1);
    add_levels(out, queue, signal_of(p, SIG_QUEUE), kWidth[SIG_QUEUE]);
    add_levels(out, wait, signal_of(p, SIG_WAIT), 1);
    for (const auto &[at, l] : line) (*out)[at][signal_of(p, SIG_LINE)] = binary(l, kWidth[SIG_LINE]);
}

std::string head(const ReportContext &c) {
    std::string s = std::string("$comment npusim: ") + c.target->name + ", one cycle is 1 ns $end\n$timescale 1ns $end\n$scope module core0 $end\n";
    for (Pipe p : {PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3}) {
        s += std::string("$scope module ") + pipe_name(p) + " $end\n";
        for (int k = 0; k < SIG_COUNT; k++)
            s += "$var wire " + std::to_string(kWidth[k]) + " " + code(signal_of(p, static_cast<Signal>(k))) + " " + kName[k] + " $end\n";
        s += "$upscope $end\n";
    }
    return s + "$upscope $end\n$enddefinitions $end\n";
}

std::string value(int signal, const std::string &bits) {
    return kWidth[signal % SIG_COUNT] == 1 ? bits + code(signal) + "\n" : "b" + bits + " " + code(signal) + "\n";
}

}  // namespace

std::string vcd_waveform(const RunResult &r, const ReportContext &c) {
    Changes all;
    for (int s = 0; s < PIPE_COUNT * SIG_COUNT; s++) all[0][s] = "0";
    for (Pipe p : {PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3}) add_pipe(&all, r, p);
    std::string out = head(c);
    std::map<int, std::string> now;
    for (const auto &[at, changes] : all) {
        out += "#" + std::to_string(at) + "\n";
        for (const auto &[signal, bits] : changes)
            if (now[signal] != bits) out += value(signal, now[signal] = bits);
    }
    if (all.rbegin()->first < r.cycles) out += "#" + std::to_string(r.cycles) + "\n";
    return out;
}

}  // namespace npusim

// A trace opened with its options on one target: what run, profile, lower and compare share.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/options.hpp"
#include "sim/report/report.hpp"

namespace npusim {

class Session {
public:
    // Opens the trace and loads the target; what is wrong goes to d. All sessions of a process must
    // exist before the first of them runs. loaded: the target, which the session frees; none: what the
    // options or the trace name.
    Session(const CommonOptions &o, Diag *d, Target *loaded = nullptr);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    bool ready() const { return core_ != nullptr; }
    const Target &target() const { return *target_; }
    Core &core() { return *core_; }

    void keep_details() { want_details_ = true; }                                 // for the context's details
    void on_step(std::function<void(const Step &)> f) { on_step_ = std::move(f); } // every statement, in program order
    void on_block(std::function<void(const std::string &)> f) { on_block_ = std::move(f); } // before each of several blocks

    // Runs the trace, block by block; false if it could not be read. Afterwards result and context() are
    // there, of the slowest block if there are several, and printed holds what --print asked for.
    bool run();
    RunResult result;
    std::string printed;

    ReportContext context(bool color);

private:
    // A block: its reader, its interpreter and what comes of it.
    struct Block;
    bool run_block(Block *b, BlockRow *row);
    std::string source_line(uint32_t line);

    struct Options;
    const CommonOptions &o_;
    Diag *diag_;
    std::unique_ptr<Options> run_;
    Names *names_ = nullptr;
    Memory *memory_ = nullptr;
    Target *target_ = nullptr;
    std::unique_ptr<Block> slowest_;
    std::unique_ptr<Core> core_;
    const char *reason_ = "", *sync_ = "", *shown_ = "";
    bool want_details_ = false, stopped_ = false;
    std::vector<BlockRow> blocks_;
    size_t at_ = 0; // the slowest of them
    std::function<void(const Step &)> on_step_;
    std::function<void(const std::string &)> on_block_;
    std::map<uint32_t, std::string> lines_;
};

}  // namespace npusim

#include "sim/cli/session.hpp"

#include <atomic>
#include <cmath>
#include <cstring>

#include "sim/cli/progress.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

namespace npusim {

namespace {

// "NAME=SPEC tolerance": texts live as long as the options.
struct Bindings {
    std::vector<std::unique_ptr<std::string>> texts;

    const char *keep(std::string s) {
        texts.push_back(std::make_unique<std::string>(std::move(s)));
        return texts.back()->c_str();
    }

    bool add(BindingList *list, const std::string &text, const char *option, bool needs_value, bool tolerance, Diag *d) {
        size_t eq = text.find('=');
        bool tile = !text.empty() && text[0] == '%';
        std::string name = text.substr(tile, eq == std::string::npos ? std::string::npos : eq - tile);
        if (name.empty() || (needs_value && (eq == std::string::npos || eq + 1 == text.size()))) {
            diag(d, DIAG_USAGE, Loc{option, 0, 0}, "expected NAME=VALUE, found %s", text.c_str());
            return false;
        }
        Binding b = {};
        b.name = keep(name);
        b.tile = tile;
        b.loc = Loc{option, 0, 0};
        std::string value = eq == std::string::npos ? "" : text.substr(eq + 1);
        size_t space = tolerance && value.find('(') == std::string::npos ? value.find(' ') : std::string::npos;
        if (space != std::string::npos) b.tolerance = keep(value.substr(space + 1));
        b.spec = keep(value.substr(0, space));
        binding_add(list, b);
        return true;
    }
};

// A file that the trace names lies beside the trace.
std::string beside(const std::string &trace, const std::string &name) {
    bool file = name.find('.') != std::string::npos && name[0] != '/';
    return file ? trace.substr(0, trace.rfind('/') + 1) + name : name;
}

struct TargetChoice {
    std::string name;
    const char *reason;
    Loc loc; // where the trace names it; line 0: it does not
};

TargetChoice choose_target(const CommonOptions &o, const TraceScan *s, const char *shown) {
    if (!o.target.empty()) return {o.target, "--target", {}};
    if (s->target_directive[0]) return {beside(o.trace, s->target_directive), "//! target", {shown, s->directive_loc.line, s->directive_loc.col}};
    if (s->target_arch[0]) return {s->target_arch, "pto.target_arch", {shown, s->arch_loc.line, s->arch_loc.col}};
    return {"a2a3", "default", {}};
}

// A target that the trace names and nobody knows: the message points at the name.
bool known_target(const TargetChoice &c, Diag *d) {
    bool path = c.name.find_first_of("/.") != std::string::npos;
    if (!c.loc.line || path || target_canonical(c.name.c_str())) return true;
    diag(d, DIAG_USAGE, c.loc, "unknown target '%s'\nthe targets are a2a3 (also a2, a3) and 950 (also a5); a path to a .yaml file names any other", c.name.c_str());
    return false;
}

SyncMode choose_sync(const CommonOptions &o, const TraceScan *s, const char **name) {
    bool written = s->has_sync && o.trace != "-";
    *name = !o.sync.empty() ? o.sync.c_str() : written ? "as-written" : "auto";
    return !std::strcmp(*name, "auto") ? SYNC_AUTO : !std::strcmp(*name, "ideal") ? SYNC_IDEAL : SYNC_AS_WRITTEN;
}

bool index_below(const std::optional<uint64_t> &index, uint64_t count, const char *option, Diag *d) {
    if (!index || *index < count) return true;
    diag(d, DIAG_USAGE, Loc{option, 0, 0}, "expected an index below %ss %llu, found %llu", option, static_cast<unsigned long long>(count), static_cast<unsigned long long>(*index));
    return false;
}

// The blocks that the options ask for, in order.
bool choose_blocks(const CommonOptions &o, std::vector<BlockRow> *rows, Diag *d) {
    if (!index_below(o.block, o.blocks, "--block", d) || !index_below(o.subblock, o.subblocks, "--subblock", d)) return false;
    for (uint64_t b = o.block.value_or(0); b < (o.block ? *o.block + 1 : o.blocks); b++)
        for (uint64_t s = o.subblock.value_or(0); s < (o.subblock ? *o.subblock + 1 : o.subblocks); s++) {
            rows->emplace_back();
            rows->back().name = "block " + std::to_string(b) + (o.subblocks > 1 ? "." + std::to_string(s) : "");
            rows->back().block = b;
            rows->back().subblock = s;
        }
    if (rows->size() == 1 || o.trace != "-") return true;
    diag(d, DIAG_USAGE, Loc{"--blocks", 0, 0}, "expected a file, because it is read once for each block, found -\n--block N runs one block");
    return false;
}

void check_cycles(Interp *in, const RunResult &r, Diag *d) {
    uint64_t want;
    double tolerance;
    Loc loc;
    if (!interp_cycles_expected(in, &want, &tolerance, &loc)) return;
    double off = std::fabs(static_cast<double>(r.cycles) - static_cast<double>(want));
    if (off <= static_cast<double>(want) * tolerance / 100) return;
    diag(d, DIAG_CYCLES, loc, "the trace took %llu cycles, expected %llu +- %g%%", static_cast<unsigned long long>(r.cycles),
         static_cast<unsigned long long>(want), tolerance);
}

}  // namespace

struct Session::Options {
    RunOptions run{};
    Bindings bindings;

    ~Options() {
        for (BindingList *l : {&run.args, &run.inits, &run.dumps, &run.prints, &run.expects}) free(l->v);
    }

    bool fill(const CommonOptions &o, Diag *d) {
        run.results = o.results == "on";
        run.checks = o.checks != "off";
        run.full = o.checks == "full";
        run.stale = o.stale;
        run.show_sync = o.show_sync;
        run.check_only = o.check_only;
        run.go_on = o.on_error == "continue";
        run.seed = o.seed;
        run.entry = o.entry.empty() ? nullptr : o.entry.c_str();
        run.block_count = o.blocks;
        run.subblock_count = o.subblocks;
        run.poison = 0x7fc07e007fc07e00ull; // reads as NaN in every float type
        bool ok = suppress_rules(o, d);
        for (const std::string &s : o.args) ok &= bindings.add(&run.args, s, "--arg", true, false, d);
        for (const std::string &s : o.inits) ok &= bindings.add(&run.inits, s, "--init", true, false, d);
        for (const std::string &s : o.dumps) ok &= bindings.add(&run.dumps, s, "--dump", true, false, d);
        for (const std::string &s : o.prints) ok &= bindings.add(&run.prints, s, "--print", false, false, d);
        for (const std::string &s : o.expects) ok &= bindings.add(&run.expects, s, "--expect", true, true, d);
        return ok;
    }
};

struct Session::Block {
    TraceReader *reader;
    Interp *interp = nullptr;
    RunResult result;
    Details details;

    Block(const char *trace, Names *names, Diag *d) : reader(trace_open(trace, names, d)) {
        if (reader) diag_set_source(d, trace_source_line, reader);
    }
    ~Block() {
        interp_free(interp);
        if (reader) trace_close(reader);
    }
};

Session::Session(const CommonOptions &o, Diag *d, Target *loaded) : o_(o), diag_(d), run_(std::make_unique<Options>()), target_(loaded) {
    names_ = names_new();
    slowest_ = std::make_unique<Block>(o.trace.c_str(), names_, d);
    if (!slowest_->reader) return;
    const TraceScan *scan = trace_scan(slowest_->reader);
    shown_ = o.trace == "-" ? "<stdin>" : o.trace.c_str();
    const TargetChoice choice = choose_target(o, scan, shown_);
    reason_ = choice.reason;
    if (!target_ && known_target(choice, d))
        for (Target *t : load_targets({choice.name}, o.sets, d)) target_ = t;
    run_->run.sync = choose_sync(o, scan, &sync_);
    if (!run_->fill(o, d) || !target_ || !choose_blocks(o, &blocks_, d)) return;
    if (o.arbitrate && target_->family != FAMILY_A2A3) {
        diag(d, DIAG_USAGE, Loc{"--arbitrate", 0, 0}, "contention between pipes is modelled for the family a2a3 only");
        return;
    }
    run_->run.several = blocks_.size() > 1;
    memory_ = memory_new(run_->run.several && run_->run.checks);
    SimOptions sim;
    sim.quantum = o.quantum;
    sim.skip = !o.step;
    sim.arbitrate = o.arbitrate;
    static std::atomic<unsigned> count{0};
    core_ = std::make_unique<Core>(("core" + std::to_string(count++)).c_str(), *target_, sim);
}

Session::~Session() {
    core_.reset();
    diag_set_source(diag_, nullptr, nullptr);
    slowest_.reset();
    memory_free(memory_);
    target_free(target_);
    names_free(names_);
}

bool Session::run_block(Block *b, BlockRow *row) {
    RunOptions &o = run_->run;
    o.block_index = row->block;
    o.subblock_index = row->subblock;
    o.block_name = row->name.c_str();
    if (o.several && on_block_) on_block_(row->name);
    b->interp = interp_new(&o, target_, b->reader, names_, memory_, diag_, shown_);
    const size_t limit = SimOptions{}.row_limit;
    Progress progress(o_.quiet ? "never" : o_.progress, "statements", 0);
    b->result = core_->run([&] {
        const Step *s = interp_step(b->interp);
        progress.step();
        if (s && want_details_ && s->instr && b->details.size() < limit) b->details.push_back(describe(*s, target_));
        if (s && on_step_) on_step_(*s);
        return s;
    }, diag_);
    row->cycles = b->result.cycles;
    row->instructions = b->result.instructions;
    row->uops = b->result.uops;
    if (diag_unreadable(diag_)) return false;
    StrBuf text = {};
    interp_finish(b->interp, &text);
    if (text.n) printed += (o.several ? row->name + "\n" : "") + text.s;
    sb_free(&text);
    return true;
}

// The blocks run one after the other on one global memory; each has a core of its own from cycle 0 on.
bool Session::run() {
    std::unique_ptr<Block> now = std::move(slowest_);
    bool whole = true;
    for (size_t k = 0; k < blocks_.size(); k++) {
        if (k) {
            diag_next_block(diag_, blocks_[k].name.c_str());
            now = std::make_unique<Block>(o_.trace.c_str(), names_, diag_);
            if (!now->reader) return false;
        }
        if (!run_block(now.get(), &blocks_[k])) return false;
        bool stopped = interp_stopped(now->interp), deadlock = now->result.deadlock;
        stopped_ |= stopped || deadlock;
        whole &= !stopped;
        if (!slowest_ || now->result.cycles > slowest_->result.cycles) slowest_ = std::move(now), at_ = k;
        if (stopped && !run_->run.go_on) {
            blocks_.resize(k + 1);
            break;
        }
    }
    diag_next_block(diag_, nullptr);
    diag_set_source(diag_, trace_source_line, slowest_->reader);
    if (run_->run.several && whole) {
        StrBuf text = {};
        interp_finish_memory(slowest_->interp, &text);
        if (text.n) printed += text.s;
        sb_free(&text);
    }
    result = std::move(slowest_->result);
    if (!o_.check_only) check_cycles(slowest_->interp, result, diag_);
    return true;
}

std::string Session::source_line(uint32_t line) {
    auto it = lines_.find(line);
    if (it != lines_.end()) return it->second;
    size_t n = 0;
    const char *s = trace_source_line(slowest_->reader, Loc{shown_, line, 1}, &n);
    return lines_[line] = s ? std::string(s, n) : "";
}

ReportContext Session::context(bool color) {
    ReportContext c;
    c.trace = shown_;
    c.target = target_;
    c.target_reason = reason_;
    c.sync = sync_;
    c.diag = diag_;
    c.interp = slowest_ ? slowest_->interp : nullptr;
    c.blocks = &blocks_;
    c.block = at_;
    c.seed = o_.seed;
    c.results = run_->run.results;
    c.color = color;
    c.stopped = stopped_;
    c.printed = printed;
    c.details = want_details_ && slowest_ ? &slowest_->details : nullptr;
    c.source = [this](uint32_t line) { return source_line(line); };
    return c;
}

}  // namespace npusim

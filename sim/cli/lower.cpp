// npusim lower: the micro-operations of a trace, one line each, in text that can be compared.
#include <unistd.h>

#include <cstdio>
#include <deque>

#include "sim/cli/commands.hpp"
#include "sim/cli/session.hpp"
#include "sim/core/recorder.hpp"
#include "sim/report/blocks.hpp"

extern "C" {
#include "isa/time/v950.h"
}

namespace npusim {

namespace {

// Cycles of one line relative to its vector function; the line of a loop or its end has none.
using Lines = std::vector<V950Line>;

class Listing {
public:
    Listing(const LowerOptions &o, Session &s) : o_(o), s_(s), mask_(mask_full()) {
        out_ = "# " + std::string(s.context(false).trace) + " on " + s.target().name + ", conformance " +
               (s.target().sem.library ? "library" : "document") + (o.no_cycles ? "" : "; [start, end) in cycles") + "\n";
        if (s.target().family == FAMILY_950) sched_ = v950_new(&s.target());
    }
    ~Listing() { v950_free(sched_); }

    void begin(const std::string &block) {
        pending_.clear();
        mask_ = mask_full();
        out_ += "# " + block + "\n";
    }

    // The statement is lowered; its times come later.
    void describe(const Step &step) {
        Pending p;
        p.head = std::to_string(step.loc.line) + ": " + (step.op ? step.op : "");
        if (step.instr) p.head += std::string(" ") + dtype_name(step.dtype) + " " + std::to_string(step.rows) + "x" + std::to_string(step.cols);
        for (uint32_t k = 0; k < step.uops->n; k++) p.line.push_back(line(step.uops, step.uops->uop[k]));
        for (uint32_t k = 0; k < step.uops->n; k++)
            if (step.uops->uop[k].op == U_VF) p.function.emplace_back(k, function(step.uops, step.uops->uop[k]));
        pending_.push_back(std::move(p));
    }

    // All times of the oldest statement are known.
    void print(const Flight &f) {
        Pending p = std::move(pending_.front());
        pending_.pop_front();
        out_ += p.head;
        if (f.counts && !o_.no_cycles) out_ += " [" + std::to_string(f.row.start) + ", " + std::to_string(f.row.end) + ")";
        out_ += "\n";
        size_t fn = 0;
        for (size_t k = 0; k < p.line.size(); k++) {
            out_ += times(f.time[k].start, f.time[k].end) + p.line[k] + "\n";
            if (fn < p.function.size() && p.function[fn].first == k) print_function(p.function[fn++].second, f.time[k].start);
        }
        constexpr size_t kWritten = 1 << 20; // a file is written when all is well, a stream on the way
        if (o_.output.empty() && out_.size() > kWritten) std::fwrite(out_.data(), 1, out_.size(), stdout), out_.clear();
    }

    std::string rest() {
        ReportContext c = s_.context(false);
        for (const BlockRow &b : *c.blocks)
            if (!o_.no_cycles) out_ += "# " + (several_blocks(c) ? b.name + ": " : "") + std::to_string(b.cycles) + " cycles, " + std::to_string(b.instructions) + " instructions\n";
        return out_;
    }

private:
    struct Function {
        std::vector<std::string> text;
        Lines lines;
    };
    struct Pending {
        std::string head;
        std::vector<std::string> line;
        std::vector<std::pair<size_t, Function>> function;
    };

    std::string times(uint64_t start, uint64_t end) const {
        if (o_.no_cycles) return "  ";
        char buf[64];
        std::snprintf(buf, sizeof buf, "  [%8llu, %8llu)  ", static_cast<unsigned long long>(start), static_cast<unsigned long long>(end));
        return buf;
    }

    std::string mask_text() const {
        char buf[80];
        if (mask_.count_mode) std::snprintf(buf, sizeof buf, " mask=count:%llu", static_cast<unsigned long long>(mask_.lo));
        else if (mask_.lo == ~0ull && mask_.hi == ~0ull) return " mask=all";
        else std::snprintf(buf, sizeof buf, " mask=0x%llx:0x%llx", static_cast<unsigned long long>(mask_.hi), static_cast<unsigned long long>(mask_.lo));
        return buf;
    }

    std::string line(const UopBuf *b, const Uop &u) {
        UopClass cls = uop_info[u.op].cls;
        if (cls == UC_MASK) mask_apply(&mask_, &u);
        StrBuf text = {};
        uop_print(&u, b, &text);
        Pipe pipe = cls == UC_MASK || cls == UC_SCALAR ? PIPE_S : uop_pipe(&u);
        char head[120];
        std::snprintf(head, sizeof head, "%-4s  %-20s  ", pipe_name(pipe), b->nstage ? b->stage[u.stage] : "");
        std::string out = head + std::string(text.s);
        sb_free(&text);
        bool lanes = cls > UC_SYNC && cls < UC_DMA && cls != UC_COPY && s_.target().family == FAMILY_A2A3;
        return lanes ? out + mask_text() : out;
    }

    Function function(const UopBuf *b, const Uop &u) {
        Function f;
        const VfInstr *body = b->vf + u.imm;
        f.lines.resize(u.rep);
        V950Result r;
        v950_run(sched_, body, u.rep, !o_.step, &r, f.lines.data());
        int depth = 0;
        for (uint32_t k = 0; k < u.rep; k++) {
            if (body[k].op == U_END) depth--;
            StrBuf text = {};
            vf_print(&body[k], depth, &text);
            f.text.push_back(text.s);
            sb_free(&text);
            if (body[k].op == U_LOOP) depth++;
        }
        return f;
    }

    // First start and last end of every line, and how often it runs.
    void print_function(const Function &f, uint64_t start) {
        for (size_t k = 0; k < f.text.size(); k++) {
            const V950Line &l = f.lines[k];
            std::string count = l.count ? std::to_string(l.count) : "";
            char head[40];
            std::snprintf(head, sizeof head, "    %8s x  ", count.c_str());
            std::string at = l.count ? times(start + l.first_start, start + l.last_end) : o_.no_cycles ? "  " : std::string(24, ' ');
            out_ += at + (l.count ? head : std::string(16, ' ')) + f.text[k] + "\n";
        }
    }

    const LowerOptions &o_;
    Session &s_;
    MaskState mask_;
    V950Sched *sched_ = nullptr;
    std::deque<Pending> pending_;
    std::string out_;
};

void execute(const LowerOptions &o, Diag *d) {
    Session s(o, d);
    if (!s.ready()) return;
    Listing listing(o, s);
    s.on_block([&](const std::string &block) { listing.begin(block); });
    s.on_step([&](const Step &step) { listing.describe(step); });
    s.core().observe([&](const Flight &f) { listing.print(f); });
    if (!s.run()) return;
    write_output(listing.rest(), o.output, d);
}

}  // namespace

int lower(const LowerOptions &o) {
    Diag *d = diag_new();
    execute(o, d);
    return finish(d, o.color, o.quiet);
}

}  // namespace npusim

#include "sim/core/recorder.hpp"

#include <algorithm>

namespace npusim {

namespace {
constexpr uint64_t kNever = ~0ull;
constexpr size_t kLineLimit = 10000;
}

void Recorder::reset() {
    for (Flight *f : window_) free_.push_back(f);
    window_.clear();
    first_ = cursor_ = 0;
    for (auto &ring : end_) ring.clear();
    last_.fill(0);
    covered_.fill(0);
    result = RunResult{};
    other_lines_ = nullptr;
}

Flight &Recorder::open() {
    if (free_.empty()) {
        pool_.emplace_back();
        free_.push_back(&pool_.back());
    }
    Flight *f = free_.back();
    free_.pop_back();
    f->id = first_ + window_.size();
    f->counts = false;
    f->ready = 0;
    f->reached = false;
    static const InstrRow empty;
    f->row = empty; // a copy, so that the memory of the stages is used again
    f->time.clear();
    f->stage.clear();
    f->vf.clear();
    f->waits.clear();
    f->pipe_blocker = f->scalar_blocker = Blocker{};
    window_.push_back(f);
    return *f;
}

void Recorder::issue(Flight &f) {
    f.pending = static_cast<uint32_t>(f.time.size());
    if (f.counts) {
        auto &ring = end_[f.row.pipe];
        if (f.seq % kKept >= ring.size()) ring.resize(f.seq % kKept + 1); // few runs need all of it
        ring[f.seq % kKept] = {kNever, f.id};
        last_[f.row.pipe] = f.seq;
    }
    if (f.pending) return;
    note_completion(f);
    close_finished();
}

void Recorder::done(uint64_t id, uint32_t index, uint64_t start, uint64_t end, Prov prov) {
    Flight &f = flight(id);
    UopTime &t = f.time[index];
    t.start = start;
    t.end = end;
    t.prov = static_cast<uint8_t>(prov);
    if (--f.pending == 0) {
        note_completion(f);
        close_finished();
    }
}

void Recorder::note_completion(const Flight &f) {
    if (!f.counts) return;
    uint64_t end = f.issued;
    for (const UopTime &t : f.time) end = std::max(end, t.end);
    end_[f.row.pipe][f.seq % kKept].end = end;
}

bool Recorder::completed(Pipe p, uint64_t seq, uint64_t *end, uint64_t *statement) const {
    const Completion &c = end_[p][seq % kKept];
    *end = c.end;
    *statement = c.statement;
    return *end != kNever;
}

uint64_t Recorder::kept_seq(Pipe p, uint64_t seq) const {
    return last_[p] >= kKept && seq <= last_[p] - kKept ? last_[p] - kKept + 1 : seq;
}

void Recorder::close_finished() {
    while (!window_.empty()) {
        Flight *f = window_.front();
        if (f->pending) break;
        close(*f);
        free_.push_back(f);
        window_.pop_front();
        first_++;
    }
}

// The waits at flags and barriers are known; before that the pipe was busy, the rest is the scalar unit's.
void Recorder::split_wait(const Flight &f, InstrRow &r) {
    r.statement = f.id;
    const Blocker &b = r.start > f.ready ? f.scalar_blocker : f.pipe_blocker;
    r.after = b.statement;
    r.cause = r.start > f.ready && r.pipe != PIPE_S ? WAIT_SCALAR : b.cause;
    uint64_t rest = r.wait = r.start > f.issued ? r.start - f.issued : 0;
    for (WaitCause c : {WAIT_FLAG, WAIT_BARRIER}) rest -= r.wait_for[c] = std::min(r.wait_for[c], rest);
    uint64_t scalar = std::min(rest, r.start > f.ready ? r.start - std::max(f.ready, f.issued) : 0);
    r.wait_for[WAIT_SCALAR] = scalar;
    r.wait_for[WAIT_PIPE] = rest - scalar;
}

static void add_wait(WaitCycles &sum, const WaitCycles &w) {
    for (size_t c = 0; c < w.size(); c++) sum[c] += w[c];
}

// A straight-line text has as many lines as instructions: beyond a limit they share line 0. There they
// come in ascending order, and a new one need not be looked for.
LineRow &Recorder::line_row(const InstrRow &r) {
    auto &lines = result.lines;
    bool known = !lines.empty() && r.line <= lines.rbegin()->first && lines.count(r.line);
    if (!known && lines.size() >= kLineLimit) {
        if (!other_lines_) other_lines_ = &lines[0];
        other_lines_->op = "(other lines)";
        return *other_lines_;
    }
    LineRow &l = lines[r.line];
    l.op = r.op;
    return l;
}

void Recorder::close(Flight &f) {
    InstrRow &r = f.row;
    uint64_t start = kNever, end = 0;
    for (const UopTime &t : f.time) {
        if (t.end > cursor_) {
            result.by_provenance[t.prov] += t.end - cursor_;
            cursor_ = t.end;
        }
        if (t.sync) continue;
        start = std::min(start, t.start);
        end = std::max(end, t.end);
    }
    result.cycles = std::max(result.cycles, cursor_);
    result.uops += f.time.size();
    if (result.rows.size() < limit_) result.waits.insert(result.waits.end(), f.waits.begin(), f.waits.end());
    if (!f.counts) {
        if (on_close) on_close(f);
        return;
    }
    if (start == kNever) start = end = f.issued;
    start = std::max(start, f.ready);
    r.start = start;
    r.end = std::max(start, end);
    split_wait(f, r);

    r.stages.clear();
    r.stages.resize(f.stage.size());
    uint64_t cursor = start;
    for (const UopTime &t : f.time) {
        if (t.sync) continue;
        StageRow &s = r.stages[t.stage];
        // What ran before the instruction's own time began ran in the shadow of its waiting.
        uint64_t from = std::max(t.start, start), to = std::max(t.end, start);
        if (!s.uops) s.start = from;
        s.uops += t.uops;
        s.start = std::min(s.start, from);
        s.end = std::max(s.end, to);
        if (t.end > cursor) {
            s.cycles += t.end - cursor;
            cursor = t.end;
            r.weakest = std::max(r.weakest, static_cast<Prov>(t.prov));
        }
    }
    r.work = std::min(r.work, r.end - r.start);
    count(r);
    r.index = result.instructions++;
    if (on_close) on_close(f);
    if (result.rows.size() < limit_) {
        for (size_t i = 0; i < r.stages.size(); i++) r.stages[i].name = f.stage[i];
        r.stages.erase(std::remove_if(r.stages.begin(), r.stages.end(), [](const StageRow &s) { return s.uops == 0; }), r.stages.end());
        result.rows.push_back(r);
        return;
    }
    LineRow &l = line_row(r);
    l.pipe = r.pipe;
    l.count++;
    l.work += r.work;
    l.conflicts += r.conflicts;
    add_wait(l.wait_for, r.wait_for);
    l.cycles += r.end - r.start;
    l.uops += r.uops;
    l.repeats += r.repeats;
    l.wait += r.wait;
    l.bytes_read += r.bytes_read;
    l.bytes_written += r.bytes_written;
    l.weakest = std::max(l.weakest, r.weakest);
}

void Recorder::count(const InstrRow &r) {
    PipeStats &p = result.pipes[r.pipe];
    uint64_t from = std::max(r.start, covered_[r.pipe]);
    if (r.end > from) p.busy += r.end - from;
    covered_[r.pipe] = std::max(covered_[r.pipe], r.end);
    p.wait += r.wait;
    add_wait(p.wait_for, r.wait_for);
    p.work += r.work;
    p.instructions++;
    p.uops += r.uops;
}

}  // namespace npusim

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
    for (auto &ring : end_) std::fill(ring.begin(), ring.end(), kNever);
    last_.fill(0);
    covered_.fill(0);
    result = RunResult{};
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
    f->row = InstrRow{};
    f->time.clear();
    f->stage.clear();
    f->vf.clear();
    window_.push_back(f);
    return *f;
}

void Recorder::issue(Flight &f) {
    f.pending = static_cast<uint32_t>(f.time.size());
    if (f.counts) {
        auto &ring = end_[f.row.pipe];
        if (ring.empty()) ring.assign(kKept, kNever);
        ring[f.seq % kKept] = kNever;
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
    end_[f.row.pipe][f.seq % kKept] = end;
}

bool Recorder::completed(Pipe p, uint64_t seq, uint64_t *end) const {
    *end = end_[p][seq % kKept];
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
    if (!f.counts) return;
    if (start == kNever) start = end = f.issued;
    start = std::max(start, f.ready);
    r.start = start;
    r.end = std::max(start, end);
    r.wait = start > f.issued ? start - f.issued : 0;

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
    PipeStats &p = result.pipes[r.pipe];
    uint64_t from = std::max(r.start, covered_[r.pipe]);
    if (r.end > from) p.busy += r.end - from;
    covered_[r.pipe] = std::max(covered_[r.pipe], r.end);
    p.wait += r.wait;
    p.instructions++;
    p.uops += r.uops;

    r.index = result.instructions++;
    if (result.rows.size() < limit_) {
        for (size_t i = 0; i < r.stages.size(); i++) r.stages[i].name = f.stage[i];
        r.stages.erase(std::remove_if(r.stages.begin(), r.stages.end(), [](const StageRow &s) { return s.uops == 0; }), r.stages.end());
        result.rows.push_back(r);
        return;
    }
    // A straight-line text has as many lines as instructions: beyond a limit they share line 0.
    bool own = result.lines.size() < kLineLimit || result.lines.count(r.line);
    LineRow &l = result.lines[own ? r.line : 0];
    l.op = own ? r.op : "(other lines)";
    l.count++;
    l.cycles += r.end - r.start;
    l.uops += r.uops;
    l.repeats += r.repeats;
    l.wait += r.wait;
    l.bytes_read += r.bytes_read;
    l.bytes_written += r.bytes_written;
    l.weakest = std::max(l.weakest, r.weakest);
}

}  // namespace npusim

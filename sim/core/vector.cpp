#include "sim/core/vector.hpp"

#include <algorithm>
#include <cstring>

extern "C" {
#include "isa/time/bulk.h"
}

namespace npusim {

// An access in every issue cycle.
void VectorA2a3::contend(const Item &item, VectorTime *t) {
    uint64_t groups = a2a3_groups(&target_, &item.u, &item.shape);
    uint64_t lost = ub->claim({PIPE_V, t->issue, t->issued, groups, t->issued - t->issue});
    if (state_.mask_busy == t->issued) state_.mask_busy += lost;
    t->conflicts += lost;
    t->end += lost;
    state_.slot = t->issued += lost;
    state_.done = std::max(state_.done, t->end);
}

void VectorA2a3::execute(const Item &item) {
    state_.slot = free_;
    state_.done = done_;
    VectorTime t = a2a3_issue(&state_, &target_, &item.u, &item.shape, item.arrival);
    if (ub->arbitrates() && t.issued > t.issue) contend(item, &t);
    free_ = state_.slot;
    done_ = std::max(state_.done, free_);
    Flight &f = recorder_.flight(item.flight);
    f.row.conflicts += t.conflicts;
    f.row.work += t.issued - t.issue;
    recorder_.result.bank_conflict_cycles += t.conflicts;
    report(item, t.start, t.end, t.weakest);
}

Vector950::Vector950(sc_core::sc_module_name name, const Target &t, Recorder &r, unsigned quantum, bool skip)
    : VectorPipe(name, PIPE_V, t, r, quantum), sched_(v950_new(&t)), skip_(skip), known_(kKnown) {}

const V950Result &Vector950::timed(const VfInstr *body, uint32_t n) {
    uint64_t hash = n;
    const unsigned char *p = reinterpret_cast<const unsigned char *>(body);
    for (size_t i = 0; i + 8 <= n * sizeof *body; i += 8) {
        uint64_t w;
        std::memcpy(&w, p + i, 8);
        hash = (hash ^ w) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
    }
    Known &k = known_[hash % kKnown];
    if (k.body.size() != n || std::memcmp(k.body.data(), body, n * sizeof *body) != 0) {
        k.body.assign(body, body + n);
        v950_run(sched_, body, n, skip_, &k.result, nullptr);
    }
    return k.result;
}

// Copies, sorts and merges run outside vector functions, one after the other.
void Vector950::execute_bulk(const Item &item) {
    const UopCost &c = target_.cost[item.u.op][item.u.dtype];
    uint64_t start = std::max(free_, item.arrival), work = bulk_cycles(&target_, &item.u, &item.shape);
    free_ = done_ = start + work + static_cast<uint64_t>(c.latency.v);
    recorder_.flight(item.flight).row.work += work;
    report(item, start, done_, std::max(c.latency.prov, c.interval.prov));
}

void Vector950::execute(const Item &item) {
    if (item.u.op != U_VF) {
        execute_bulk(item);
        return;
    }
    Flight &f = recorder_.flight(item.flight);
    const V950Result &r = timed(f.vf.data() + item.u.imm, item.u.rep);
    uint64_t start = std::max(free_, item.arrival);
    f.row.uops += r.uops - 1; // the function itself was counted when it was issued
    f.time[item.index].uops = static_cast<uint32_t>(r.uops);
    f.row.repeats += r.loads;
    f.row.work += (r.port_busy[0] + r.port_busy[1]) / static_cast<uint64_t>(target_.v950.exec_ports.v);
    f.row.conflicts += r.load_wait + r.store_wait;
    recorder_.result.bank_conflict_cycles += r.load_wait + r.store_wait;
    recorder_.result.uops += r.uops - 1;
    done_ = start + r.cycles;
    free_ = done_ + static_cast<uint64_t>(target_.v950.function_gap.v);
    report(item, start, done_, r.weakest);
}

}  // namespace npusim

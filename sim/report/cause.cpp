// Why an instruction takes other cycles on another target, in words.
#include <algorithm>

#include "sim/report/compare.hpp"

namespace npusim {

namespace {

std::string against(uint64_t a, uint64_t b) { return with_commas(a) + " against " + with_commas(b); }

std::string transfer_cause(const InstrRow &ra, const InstrRow &rb) {
    return "start-up " + against(ra.end - ra.start - ra.work, rb.end - rb.start - rb.work) + " cycles, " + with_commas(std::max(ra.bytes_read, ra.bytes_written)) +
           " bytes in " + against(ra.work, rb.work);
}

const StageRow *longest(const InstrRow &i) {
    auto it = std::max_element(i.stages.begin(), i.stages.end(), [](const StageRow &x, const StageRow &y) { return x.cycles < y.cycles; });
    return it == i.stages.end() ? nullptr : &*it;
}

uint64_t tmp_of(const Side &s, const InstrRow &i) { return s.c.details && i.index < s.c.details->size() ? (*s.c.details)[i.index].tmp_bytes : 0; }

// The side that goes through tmp, if only one does.
std::string tmp_reason(const Side &a, const InstrRow &ra, const Side &b, const InstrRow &rb) {
    bool ta = tmp_of(a, ra) != 0, tb = tmp_of(b, rb) != 0;
    if (ta == tb) return "";
    const Side &with = ta ? a : b, &without = ta ? b : a;
    const InstrRow &r = ta ? ra : rb;
    std::string s = with.label + " works through tmp in " + std::to_string(r.stages.size()) + (r.stages.size() == 1 ? " stage" : " stages");
    if (const StageRow *l = longest(r)) s += " ('" + std::string(l->name) + "' alone takes " + with_commas(l->cycles) + " cycles)";
    return s + ", " + without.label + (without.c.target->family == FAMILY_950 ? " keeps intermediate results in registers" : " works without");
}

uint64_t distance(uint64_t x, uint64_t y) { return x > y ? x - y : y - x; }

std::string vector_cause(const Side &a, const InstrRow &ra, const Side &b, const InstrRow &rb) {
    uint64_t sa = ra.end - ra.start - ra.work, sb = rb.end - rb.start - rb.work;
    std::vector<std::pair<uint64_t, std::string>> reasons = {
        {distance(sa, sb), "start-up, latency and drain " + against(sa, sb) + " cycles"},
        {distance(ra.work, rb.work), "throughput " + against(ra.work, rb.work) + " cycles for " + with_commas(ra.uops) + " against " + with_commas(rb.uops) + " micro-ops"}};
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto &x, const auto &y) { return x.first > y.first; });
    std::string s = tmp_reason(a, ra, b, rb);
    for (const auto &[size, text] : reasons)
        if (size) s += (s.empty() ? "" : "; ") + text;
    if (ra.conflicts != rb.conflicts) s += std::string(s.empty() ? "" : "; ") + "bank conflicts " + against(ra.conflicts, rb.conflicts) + " cycles";
    return s;
}

}  // namespace

std::string cause_of(const Side &a, const InstrRow &ra, const Side &b, const InstrRow &rb) {
    uint64_t ca = ra.end - ra.start, cb = rb.end - rb.start;
    if (ca == cb) return ra.uops == rb.uops ? "" : "same cycles with " + with_commas(ra.uops) + " against " + with_commas(rb.uops) + " micro-ops";
    std::string why = ra.pipe == PIPE_MTE2 || ra.pipe == PIPE_MTE3 ? transfer_cause(ra, rb) : vector_cause(a, ra, b, rb);
    return b.label + (cb < ca ? " is faster by " : " is slower by ") + with_commas(distance(ca, cb)) + " cycles: " + why;
}

}  // namespace npusim

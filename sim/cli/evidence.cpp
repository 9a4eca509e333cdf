#include "sim/cli/evidence.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

extern "C" {
#include "isa/run/single.h"
}

namespace npusim {

namespace {

std::string number_text(const char *what, const Num &n) {
    char value[32];
    std::snprintf(value, sizeof value, "%g", n.v);
    return std::string(what) + " " + value + " (" + prov_name(n.prov) + ": " + n.source + ")";
}

void add(std::vector<UopEvidence> *list, const Target *t, UopId op, DType type) {
    const UopCost &c = t->cost[op][type];
    if (!*uop_info[op].timing || !c.latency.source) return;
    std::string name = uop_info[op].name;
    bool there = std::any_of(list->begin(), list->end(), [&](const UopEvidence &e) { return e.name == name; });
    if (!there) list->push_back({name, number_text("latency", c.latency) + ", " + number_text("interval", c.interval), std::max(c.latency.prov, c.interval.prov)});
}

}  // namespace

std::vector<UopEvidence> evidence_of(const InstrInfo &i, const Target *t) {
    std::vector<UopEvidence> list;
    if (!i.lower[t->family]) return list;
    std::string first(i.types[t->family], std::strcspn(i.types[t->family], " "));
    SingleSpec spec = {};
    spec.op = i.name;
    spec.dtype = dtype_parse(first.data(), first.size());
    spec.rows = spec.tile_rows = 16;
    spec.cols = spec.tile_cols = 64;
    spec.layout = "spread";
    Diag *d = diag_new();
    Single s = {};
    if (single_build(&s, &spec, t, d)) {
        for (uint32_t k = 0; k < s.uops.n; k++) add(&list, t, static_cast<UopId>(s.uops.uop[k].op), static_cast<DType>(s.uops.uop[k].dtype));
        for (uint32_t k = 0; k < s.uops.nvf; k++) add(&list, t, static_cast<UopId>(s.uops.vf[k].op), static_cast<DType>(s.uops.vf[k].dtype));
    }
    single_free(&s);
    diag_free(d);
    return list;
}

}  // namespace npusim

// Values that two runs of one trace leave behind.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

extern "C" {
#include "isa/exec/machine.h"
}

#include "sim/report/compare.hpp"

namespace npusim {

namespace {

struct Count {
    uint64_t differ = 0, elements = 0, first = 0;
    uint64_t x = 0, y = 0;  // bits of the first that differs
    double largest = 0;     // difference, without NaN

    void look(DType t, const uint8_t *p, const uint8_t *q) {
        uint64_t a = dtype_load(t, p), b = dtype_load(t, q);
        bool same = a == b || (dtype_is_float(t) && dtype_is_nan(t, a) && dtype_is_nan(t, b));
        if (!same && !differ++) first = elements, x = a, y = b;
        if (!same) largest = std::fmax(largest, std::fabs(dtype_to_double(t, a) - dtype_to_double(t, b)));
        elements++;
    }
};

std::string number(double v, int digits = 3) {
    char buf[40];
    std::snprintf(buf, sizeof buf, "%.*g", digits, v);
    return buf;
}

std::string value_text(DType t, uint64_t bits) { return number(dtype_to_double(t, bits), 9); }

std::string words(const std::string &name, DType t, const Count &n, const std::string &where, const Side &a, const Side &b) {
    return name + ": " + with_commas(n.differ) + " of " + with_commas(n.elements) + " elements differ, first " + where + ": " + value_text(t, n.x) + " on " + a.label +
           ", " + value_text(t, n.y) + " on " + b.label + "; largest difference " + number(n.largest);
}

void compare_buffers(const Side &a, const Side &b, std::vector<std::string> *out) {
    const Machine *ma = interp_machine(a.c.interp), *mb = interp_machine(b.c.interp);
    for (uint32_t k = 0; k < std::min(ma->ngm, mb->ngm); k++) {
        DType t;
        const char *name = interp_buffer(a.c.interp, k, &t);
        uint32_t es = dtype_size(t);
        uint64_t n = std::min(ma->gm[k].size, mb->gm[k].size) / (es ? es : 1);
        Count c;
        for (uint64_t i = 0; i < n; i++) c.look(t, ma->gm[k].data + i * es, mb->gm[k].data + i * es);
        if (c.differ) out->push_back(words(name, t, c, "element " + std::to_string(c.first), a, b));
    }
}

// Tiles that some instruction of either side uses as tmp hold nothing that is meant.
std::set<std::string> tmp_names(const Side &a, const Side &b) {
    std::set<std::string> names;
    for (const Side *s : {&a, &b})
        for (const InstrDetail &d : *s->c.details)
            for (const OperandRange &o : d.operands)
                if (o.tmp) names.insert(o.name);
    return names;
}

void compare_tiles(const Side &a, const Side &b, std::vector<std::string> *out) {
    const Machine *ma = interp_machine(a.c.interp), *mb = interp_machine(b.c.interp);
    std::set<std::string> skip = tmp_names(a, b);
    for (int k = 0; k < std::min(interp_tile_count(a.c.interp), interp_tile_count(b.c.interp)); k++) {
        const Tile *x = interp_tile_at(a.c.interp, k), *y = interp_tile_at(b.c.interp, k);
        if (std::strcmp(x->name, y->name) || !x->written || !y->written || skip.count(x->name) || x->type.dtype != y->type.dtype) continue;
        Count c;
        uint32_t cols = std::min(x->vcols, y->vcols), es = tile_esize(x);
        for (uint32_t r = 0; r < std::min(x->vrows, y->vrows); r++)
            for (uint32_t col = 0; col < cols; col++) {
                uint64_t p = tile_elem_addr(x, r, col), q = tile_elem_addr(y, r, col);
                if (p + es <= ma->ub_size && q + es <= mb->ub_size) c.look(x->type.dtype, ma->ub + p, mb->ub + q);
            }
        std::string where = cols ? "in row " + std::to_string(c.first / cols) + ", column " + std::to_string(c.first % cols) : "";
        if (c.differ) out->push_back(words(x->name, x->type.dtype, c, where, a, b));
    }
}

}  // namespace

std::vector<std::string> result_differences(const Side &a, const Side &b) {
    std::vector<std::string> out;
    if (interp_machine(a.c.interp)->ngm) compare_buffers(a, b, &out);
    else if (a.c.details && b.c.details) compare_tiles(a, b, &out);
    return out;
}

}  // namespace npusim

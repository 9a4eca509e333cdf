#include "sim/report/details.hpp"

extern "C" {
#include "isa/lower/lower.h"
}

namespace npusim {

static OperandRange range_of(const Tile &t, bool write, bool tmp) {
    return {t.name, static_cast<uint32_t>(t.addr), static_cast<uint32_t>(static_cast<uint64_t>(t.addr) + tile_bytes(&t)), write, tmp};
}

static std::string main_uop(const UopBuf *b) {
    if (!b->n) return "";
    uint32_t k = 0;
    while (k < b->n && uop_info[b->uop[k].op].cls <= UC_SYNC) k++;
    StrBuf text = {};
    uop_print(&b->uop[k < b->n ? k : 0], b, &text);
    std::string s = text.s ? text.s : "";
    sb_free(&text);
    return s;
}

InstrDetail describe(const Step &s, const Target *t) {
    InstrDetail d;
    const Instr &i = *s.instr;
    for (int k = 0; k < i.nin; k++) d.operands.push_back(range_of(*i.in[k], false, false));
    for (int k = 0; k < i.nout; k++) d.operands.push_back(range_of(*i.out[k], true, false));
    if (i.tmp && instr_tmp_need(t, &i).rows) {
        d.operands.push_back(range_of(*i.tmp, true, true));
        d.tmp_bytes = tile_bytes(i.tmp);
    }
    d.uop = main_uop(s.uops);
    return d;
}

}  // namespace npusim

#include "sim/report/knee.hpp"

#include <algorithm>

namespace npusim {

static void look_at_mask(Lowering *l, const Uop &u, bool count_mode) {
    if (u.op != U_SET_MASK || count_mode || (u.imm == ~0ull && u.imm2 == ~0ull)) return;
    l->masked = true;
    l->wide_mask |= __builtin_popcountll(u.imm) + __builtin_popcountll(u.imm2) >= 64;
}

static void look_at_function(Lowering *l, const VfInstr *body, uint32_t n) {
    int depth = 0;
    l->functions++;
    for (uint32_t k = 0; k < n; k++) {
        if (body[k].op == U_LOOP) l->loops++, l->depth = std::max(l->depth, ++depth);
        else if (body[k].op == U_END) depth--;
        else l->lines++, l->ops.insert(uop_info[body[k].op].name);
    }
}

Lowering lowering_of(const std::vector<Uop> &uops, const std::vector<VfInstr> &vf) {
    Lowering l;
    bool count_mode = false;
    for (const Uop &u : uops) {
        UopClass cls = uop_info[u.op].cls;
        if (u.op == U_SET_MASK_COUNT) l.counted = count_mode = true;
        if (u.op == U_SET_MASK_NORM) count_mode = false;
        look_at_mask(&l, u, count_mode);
        if (u.op == U_VF) look_at_function(&l, vf.data() + u.imm, u.rep);
        if (cls <= UC_SYNC || cls >= UC_DMA) continue;
        l.vector_ops++;
        if (!count_mode) l.longest = std::max(l.longest, u.rep);
    }
    return l;
}

static std::string only_in(const std::vector<std::string> &a, const std::vector<std::string> &b) {
    std::string out;
    for (const std::string &s : a)
        if (std::find(b.begin(), b.end(), s) == b.end()) out += (out.empty() ? "" : ", ") + s;
    return out;
}

static void say(std::string *all, const std::string &reason) { *all += (all->empty() ? "" : "; ") + reason; }

// Case boundaries first, then masks, then limits of single micro-ops.
std::string knee_between(const Lowering &a, const Lowering &b) {
    std::string why;
    if (a.error.empty() && !b.error.empty()) return "not legal from here: " + b.error;
    if (!a.error.empty()) return b.error.empty() ? "legal from here" : "";
    std::string more = only_in(b.stages, a.stages), less = only_in(a.stages, b.stages);
    if (!more.empty()) say(&why, "another case with the stages " + more + (less.empty() ? "" : " instead of " + less));
    else if (!less.empty()) say(&why, "another case without the stages " + less);
    if (!a.tmp_bytes != !b.tmp_bytes) say(&why, b.tmp_bytes ? "a tmp tile is needed" : "no tmp tile is needed");
    if (a.counted != b.counted) say(&why, b.counted ? "count mode: the mask is a number of elements" : "norm mode: the mask is one bit per lane");
    if (a.masked != b.masked && a.counted == b.counted) say(&why, b.masked ? "the last repeat of a row is partly filled and needs a mask of its own" : "every repeat is full, no mask is written");
    else if (a.wide_mask != b.wide_mask) say(&why, b.wide_mask ? "the mask covers 64 lanes or more, which costs extra" : "the mask covers less than 64 lanes");
    if (a.longest < MAX_REPEAT && b.longest == MAX_REPEAT && b.vector_ops > a.vector_ops) say(&why, "more than 255 repeats: the micro-op is split");
    else if (a.vector_ops == 1 && b.vector_ops > 1 && why.empty()) say(&why, std::to_string(b.vector_ops) + " micro-ops instead of one: a single one no longer covers the region");
    else if (a.vector_ops > 1 && b.vector_ops == 1 && why.empty()) say(&why, "one micro-op covers the region");
    if (a.functions != b.functions) say(&why, std::to_string(b.functions) + " vector functions instead of " + std::to_string(a.functions));
    if (a.depth != b.depth || a.loops != b.loops)
        say(&why, "loop nest of " + std::to_string(b.loops) + " loops, " + std::to_string(b.depth) + " deep, instead of " + std::to_string(a.loops) + " and " + std::to_string(a.depth));
    else if (a.lines != b.lines || a.ops != b.ops) say(&why, "vector function of " + std::to_string(b.lines) + " operations instead of " + std::to_string(a.lines));
    return why;
}

}  // namespace npusim

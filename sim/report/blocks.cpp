#include "sim/report/blocks.hpp"

#include <cmath>
#include <cstdio>

namespace npusim {

namespace {

double mean_cycles(const std::vector<BlockRow> &rows) {
    double sum = 0;
    for (const BlockRow &b : rows) sum += static_cast<double>(b.cycles);
    return sum / static_cast<double>(rows.size());
}

}  // namespace

std::string blocks_line(const ReportContext &c) {
    const BlockRow &slowest = (*c.blocks)[c.block];
    double mean = mean_cycles(*c.blocks);
    char ratio[32];
    std::snprintf(ratio, sizeof ratio, "%.2f", mean > 0 ? static_cast<double>(slowest.cycles) / mean : 1.0);
    return with_commas(c.blocks->size()) + " blocks, each on a core of its own: the slowest is " + slowest.name + " with " + with_commas(slowest.cycles) + " cycles, mean " +
           with_commas(static_cast<uint64_t>(std::llround(mean))) + ", slowest / mean " + ratio;
}

Table blocks_table(const ReportContext &c, size_t top) {
    Table t({"<block", "cycles", "of the slowest", "instructions", "uops"});
    const std::vector<BlockRow> &rows = *c.blocks;
    for (size_t k = 0; k < rows.size() && k < top; k++)
        t.row({rows[k].name, with_commas(rows[k].cycles), percent(rows[k].cycles, rows[c.block].cycles), with_commas(rows[k].instructions), with_commas(rows[k].uops)});
    return t;
}

std::string blocks_text(const ReportContext &c) {
    if (!several_blocks(c)) return "";
    constexpr size_t shown = 40; // a report is read by people; JSON and CSV have every row
    std::string out = blocks_line(c) + "\n\n" + blocks_table(c, shown).text(c.color);
    if (c.blocks->size() > shown) out += "... " + with_commas(c.blocks->size() - shown) + " more blocks (--report csv or json lists them)\n";
    return out + "\n" + bold((*c.blocks)[c.block].name, c.color) + "\n";
}

nlohmann::ordered_json blocks_json(const ReportContext &c) {
    auto list = nlohmann::ordered_json::array();
    for (const BlockRow &b : *c.blocks)
        list.push_back({{"block", b.block}, {"subblock", b.subblock}, {"cycles", b.cycles}, {"instruction_count", b.instructions}, {"uops", b.uops}});
    return list;
}

}  // namespace npusim

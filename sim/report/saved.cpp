#include "sim/report/saved.hpp"

#include <algorithm>

#include "sim/report/json_text.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

using json = nlohmann::ordered_json;

struct Saved {
    std::string target;
    uint64_t cycles = 0;
    struct Row {
        uint32_t line;
        std::string what;  // op, type and region: what must agree
        uint64_t cycles, uops;
    };
    std::vector<Row> rows;
};

// What a report lacks.
struct Missing {
    std::string what;
};

std::string text_at(const json &j, const char *key) {
    auto it = j.find(key);
    if (it == j.end() || !it->is_string()) throw Missing{std::string("a text \"") + key + "\""};
    return *it;
}

uint64_t number_at(const json &j, const char *key) {
    auto it = j.find(key);
    if (it == j.end() || !it->is_number_unsigned()) throw Missing{std::string("a whole number \"") + key + "\""};
    return *it;
}

void take(const json &j, Saved *s) {
    if (text_at(j, "schema") != "npusim-report/1") throw Missing{"the schema npusim-report/1"};
    s->target = text_at(j, "target");
    s->cycles = number_at(j, "cycles");
    auto list = j.find("instructions");
    if (list == j.end() || !list->is_array()) throw Missing{"a list \"instructions\""};
    for (const json &i : *list)
        s->rows.push_back({static_cast<uint32_t>(number_at(i, "line")), text_at(i, "op") + " " + text_at(i, "dtype") + " " + text_at(i, "shape"),
                           number_at(i, "cycles"), number_at(i, "uops")});
}

// Place of a byte, counted from 1.
Loc place(const std::string &file, const std::string &text, size_t byte) {
    size_t at = std::min(byte ? byte - 1 : 0, text.size()), start = at ? text.rfind('\n', at - 1) + 1 : 0;
    auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return {file.c_str(), static_cast<uint32_t>(line), static_cast<uint32_t>(at - start + 1)};
}

bool read(const std::string &text, const std::string &file, Saved *s, Diag *d) {
    try {
        take(json::parse(text), s);
    } catch (const json::parse_error &e) {
        diag(d, DIAG_IO, place(file, text, e.byte), "expected a report of npusim run or profile with --report json, found no JSON here");
        return false;
    } catch (const json::out_of_range &) {
        diag(d, DIAG_IO, Loc{file.c_str(), 0, 0}, "expected a report of npusim run or profile with --report json, found a number that is too large");
        return false;
    } catch (const Missing &m) {
        diag(d, DIAG_IO, Loc{file.c_str(), 0, 0}, "expected a report of npusim run or profile with --report json, but %s is missing", m.what.c_str());
        return false;
    }
    return true;
}

using Pair = std::pair<const Saved::Row *, const Saved::Row *>; // either may be missing

// Longest common subsequence of a[0..n) and b[0..m); both small.
void match(const Saved::Row *a, size_t n, const Saved::Row *b, size_t m, std::vector<Pair> *out) {
    std::vector<uint32_t> best((n + 1) * (m + 1), 0);
    auto at = [&](size_t i, size_t k) -> uint32_t & { return best[i * (m + 1) + k]; };
    for (size_t i = n; i--;)
        for (size_t k = m; k--;) at(i, k) = a[i].what == b[k].what ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
    size_t i = 0, k = 0;
    while (i < n || k < m) {
        if (i < n && k < m && a[i].what == b[k].what) out->push_back({&a[i++], &b[k++]});
        else if (k == m || (i < n && at(i + 1, k) >= at(i, k + 1))) out->push_back({&a[i++], nullptr});
        else out->push_back({nullptr, &b[k++]});
    }
}

// Equal ends are cut off; what is left is matched exactly if it is small, else position by position.
std::vector<Pair> pairs(const Saved &a, const Saved &b) {
    std::vector<Pair> out;
    size_t n = a.rows.size(), m = b.rows.size(), head = 0, tail = 0;
    while (head < n && head < m && a.rows[head].what == b.rows[head].what) out.push_back({&a.rows[head], &b.rows[head]}), head++;
    while (tail < n - head && tail < m - head && a.rows[n - 1 - tail].what == b.rows[m - 1 - tail].what) tail++;
    size_t p = n - head - tail, q = m - head - tail;
    constexpr size_t kSmall = 4000000;
    if (p * q <= kSmall) {
        match(a.rows.data() + head, p, b.rows.data() + head, q, &out);
    } else {
        for (size_t i = 0; i < std::max(p, q); i++) out.push_back({i < p ? &a.rows[head + i] : nullptr, i < q ? &b.rows[head + i] : nullptr});
    }
    for (size_t i = 0; i < tail; i++) out.push_back({&a.rows[n - tail + i], &b.rows[m - tail + i]});
    return out;
}

std::string change(uint64_t a, uint64_t b) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "%+.1f %%", a ? 100.0 * (static_cast<double>(b) - static_cast<double>(a)) / static_cast<double>(a) : 0.0);
    return buf;
}

uint64_t size_of(const Pair &p) {
    uint64_t x = p.first ? p.first->cycles : 0, y = p.second ? p.second->cycles : 0;
    return x > y ? x - y : y - x;
}

void fill(SavedComparison *c, const Saved &a, const Saved &b, const std::string &before, const std::string &after, size_t top, bool color) {
    Table csv({"line_before", "line_after", "instruction", "cycles_before", "cycles_after", "change", "uops_before", "uops_after", "status"});
    Table text({"line", "<instruction", "before", "after", "change", "uops", "<"});
    json list = json::array();
    std::vector<Pair> all = pairs(a, b), changed;
    for (const Pair &p : all) {
        const Saved::Row *x = p.first, *y = p.second;
        std::string status = !x ? "new" : !y ? "gone" : x->cycles != y->cycles || x->uops != y->uops ? "changed" : "same";
        auto n = [](const Saved::Row *r, uint64_t Saved::Row::*f) { return r ? std::to_string(r->*f) : ""; };
        csv.row({x ? std::to_string(x->line) : "", y ? std::to_string(y->line) : "", (x ? x : y)->what, n(x, &Saved::Row::cycles), n(y, &Saved::Row::cycles),
                 x && y ? change(x->cycles, y->cycles) : "", n(x, &Saved::Row::uops), n(y, &Saved::Row::uops), status});
        if (status == "same") continue;
        changed.push_back(p);
        json j = {{"instruction", (x ? x : y)->what}, {"status", status}};
        if (x) j["before"] = {{"line", x->line}, {"cycles", x->cycles}, {"uops", x->uops}};
        if (y) j["after"] = {{"line", y->line}, {"cycles", y->cycles}, {"uops", y->uops}};
        list.push_back(std::move(j));
    }
    std::stable_sort(changed.begin(), changed.end(), [](const Pair &p, const Pair &q) { return size_of(p) > size_of(q); });
    for (size_t i = 0; i < changed.size() && i < top; i++) {
        const auto [x, y] = changed[i];
        bool both = x && y;
        text.row({std::to_string((y ? y : x)->line), (x ? x : y)->what, x ? std::to_string(x->cycles) : "", y ? std::to_string(y->cycles) : "",
                  both ? change(x->cycles, y->cycles) : "", both && x->uops != y->uops ? std::to_string(x->uops) + " -> " + std::to_string(y->uops) : "",
                  !x ? "new" : !y ? "gone" : ""});
    }
    c->text = bold(before + " (" + a.target + "): " + with_commas(a.cycles) + " cycles; " + after + " (" + b.target + "): " + with_commas(b.cycles) + " cycles; " +
                   change(a.cycles, b.cycles) + "\n", color);
    c->text += changed.empty() ? "no instruction changed\n" : "\n" + text.text(color);
    if (changed.size() > top) c->text += "... " + with_commas(changed.size() - top) + " more (--top, --report csv)\n";
    json j = {{"schema", "npusim-compare-saved/1"}, {"before", before}, {"after", after}, {"cycles", {a.cycles, b.cycles}}, {"growth_percent", c->growth()},
              {"instructions", {{"matched_or_not", all.size()}, {"changed", list}}}};
    c->json = json_text(j);
    c->csv = csv.csv();
}

}  // namespace

bool compare_saved(const std::string &before, const std::string &before_name, const std::string &after, const std::string &after_name, size_t top, bool color,
                   SavedComparison *c, Diag *d) {
    Saved a, b;
    if (!read(before, before_name, &a, d) || !read(after, after_name, &b, d)) return false;
    c->before = a.cycles;
    c->after = b.cycles;
    fill(c, a, b, before_name, after_name, top, color);
    return true;
}

}  // namespace npusim

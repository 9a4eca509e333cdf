#include "sim/report/table.hpp"

#include <algorithm>

namespace npusim {

Table::Table(std::vector<std::string> head) : head_(std::move(head)) {
    for (std::string &h : head_) {
        bool left = !h.empty() && h[0] == '<';
        left_.push_back(left);
        if (left) h.erase(0, 1);
    }
}

std::string Table::text(bool color) const {
    std::vector<size_t> width;
    for (const std::string &h : head_) width.push_back(h.size());
    for (const auto &r : rows_)
        for (size_t i = 0; i < r.size(); i++) width[i] = std::max(width[i], r[i].size());
    std::string out;
    auto line = [&](const std::vector<std::string> &cells) {
        std::string l;
        for (size_t i = 0; i < cells.size(); i++) {
            std::string pad(width[i] - cells[i].size(), ' ');
            l += (i ? "  " : "") + (left_[i] ? cells[i] + pad : pad + cells[i]);
        }
        l.erase(l.find_last_not_of(' ') + 1);
        out += l + "\n";
    };
    if (color) out += "\033[1m";
    line(head_);
    if (color) out.insert(out.size() - 1, "\033[0m");
    for (const auto &r : rows_) line(r);
    return out;
}

static std::string quoted(const std::string &s) {
    if (s.find_first_of(",\"\n") == std::string::npos) return s;
    std::string q = "\"";
    for (char c : s) q += c == '"' ? "\"\"" : std::string(1, c);
    return q + "\"";
}

// Column names of a file: words joined by underscores.
static std::vector<std::string> identifiers(std::vector<std::string> names) {
    for (std::string &n : names)
        for (char &c : n)
            if (c == ' ' || c == '-') c = '_';
    return names;
}

std::string Table::csv() const {
    std::string out;
    auto line = [&](const std::vector<std::string> &cells) {
        for (size_t i = 0; i < cells.size(); i++) out += (i ? "," : "") + quoted(cells[i]);
        out += "\n";
    };
    line(identifiers(head_));
    for (const auto &r : rows_) line(r);
    return out;
}

}  // namespace npusim

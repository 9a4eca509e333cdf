#include "sim/cli/csv_file.hpp"

#include <csv.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace npusim {

namespace {

struct Rows {
    std::vector<std::vector<std::string>> all;
    std::vector<std::string> now;
};

void on_cell(void *s, size_t n, void *ctx) { static_cast<Rows *>(ctx)->now.emplace_back(static_cast<char *>(s), n); }

void on_row(int, void *ctx) {
    Rows *r = static_cast<Rows *>(ctx);
    r->all.push_back(std::move(r->now));
    r->now.clear();
}

}  // namespace

bool CsvFile::read(const std::string &path, Diag *d) {
    std::unique_ptr<FILE, int (*)(FILE *)> f(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), [](FILE *p) { return p == stdin ? 0 : std::fclose(p); });
    if (!f) {
        diag(d, DIAG_IO, Loc{path.c_str(), 0, 0}, "cannot read the file: %s", std::strerror(errno));
        return false;
    }
    csv_parser parser;
    csv_init(&parser, 0);
    Rows rows;
    char buf[65536];
    bool ok = true;
    for (size_t n; ok && (n = std::fread(buf, 1, sizeof buf, f.get())) > 0;) ok = csv_parse(&parser, buf, n, on_cell, on_row, &rows) == n;
    csv_fini(&parser, on_cell, on_row, &rows);
    if (!ok || std::ferror(f.get()))
        diag(d, DIAG_IO, Loc{path.c_str(), 0, 0}, "cannot read the file: %s", ok ? std::strerror(errno) : csv_strerror(csv_error(&parser)));
    else if (rows.all.empty())
        diag(d, DIAG_IO, Loc{path.c_str(), 1, 1}, "expected a head line with the column names, found nothing");
    csv_free(&parser);
    if (diag_unreadable(d)) return false;
    head = std::move(rows.all.front());
    if (!head.empty() && head[0].rfind("\xef\xbb\xbf", 0) == 0) head[0].erase(0, 3); // byte order mark
    this->rows.assign(std::make_move_iterator(rows.all.begin() + 1), std::make_move_iterator(rows.all.end()));
    return true;
}

int CsvFile::column(const std::string &name) const {
    auto it = std::find(head.begin(), head.end(), name);
    return it == head.end() ? -1 : static_cast<int>(it - head.begin());
}

std::string csv_line(const std::vector<std::string> &cells) {
    std::string out;
    for (size_t i = 0; i < cells.size(); i++) {
        if (i) out += ",";
        if (cells[i].find_first_of(",\"\n\r") == std::string::npos) {
            out += cells[i];
            continue;
        }
        std::string q(2 * cells[i].size() + 2, '\0');
        size_t n = csv_write(q.data(), q.size(), cells[i].data(), cells[i].size());
        out.append(q, 0, n);
    }
    return out + "\n";
}

}  // namespace npusim

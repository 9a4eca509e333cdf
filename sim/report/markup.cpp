#include "sim/report/markup.hpp"

#include <cstdio>

namespace npusim {

// Length of the well-formed UTF-8 character at i, 0 if there is none.
static size_t utf8_length(const std::string &s, size_t i) {
    unsigned char c = static_cast<unsigned char>(s[i]);
    size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (!n || i + n > s.size()) return 0;
    for (size_t k = 1; k < n; k++)
        if ((static_cast<unsigned char>(s[i + k]) & 0xc0) != 0x80) return 0;
    return n;
}

std::string escaped(const std::string &s) {
    std::string out;
    for (size_t i = 0; i < s.size();) {
        size_t n = utf8_length(s, i);
        unsigned char c = static_cast<unsigned char>(s[i]);
        if (!n || (n == 1 && c < 0x20 && c != '\n')) out += c == '\t' ? " " : "\xef\xbf\xbd";
        else if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out.append(s, i, n);
        i += n ? n : 1;
    }
    return out;
}

std::string px(double v) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "%.1f", v);
    return buf;
}

uint64_t round_step(uint64_t range, unsigned parts) {
    for (uint64_t ten = 1;; ten *= 10)
        for (uint64_t f : {1u, 2u, 5u})
            if (f * ten * parts >= range) return f * ten;
}

std::string svg_text(double x, double y, const std::string &anchor, const std::string &s) {
    return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor + "\">" + escaped(s) + "</text>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string &cls) {
    return "<line class=\"" + cls + "\" x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) + "\"/>\n";
}

std::string svg_rect(double x, double y, double w, double h, const std::string &cls, const std::string &title) {
    std::string s = "<rect class=\"" + cls + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(w) + "\" height=\"" + px(h) + "\"";
    return title.empty() ? s + "/>\n" : s + "><title>" + escaped(title) + "</title></rect>\n";
}

}  // namespace npusim

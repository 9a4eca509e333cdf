// Pieces of SVG and HTML that the reports share.
#pragma once

#include <cstdint>
#include <string>

namespace npusim {

// & < > " as entities; bytes that are no UTF-8 become a replacement character.
std::string escaped(const std::string &s);
// Coordinates with one decimal.
std::string px(double v);
// A round step (1, 2 or 5 times a power of ten) that divides `range` into at most `parts`.
uint64_t round_step(uint64_t range, unsigned parts);
std::string svg_text(double x, double y, const std::string &anchor, const std::string &s);
std::string svg_line(double x1, double y1, double x2, double y2, const std::string &cls);
// A rectangle with a tool tip.
std::string svg_rect(double x, double y, double w, double h, const std::string &cls, const std::string &title);

}  // namespace npusim

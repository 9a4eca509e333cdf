// Line plot as one SVG file: a curve per series, numbered marks, the notes to the numbers below.
#pragma once

#include <string>
#include <vector>

namespace npusim {

struct PlotPoint {
    double x, y;
    std::string title;  // tool tip
    int mark = 0;       // number of a note, 0: none
};

struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;
};

struct Plot {
    std::string title, x_name, y_name;
    bool log_scale = false;  // both axes
    std::vector<PlotSeries> series;
    std::vector<std::string> notes;  // note k has number k + 1
};

std::string plot_svg(const Plot &p);

}  // namespace npusim

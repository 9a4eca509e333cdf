// CSV files with a head line, read with libcsv.
#pragma once

#include <string>
#include <vector>

extern "C" {
#include "isa/base/diag.h"
}

namespace npusim {

struct CsvFile {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;

    bool read(const std::string &path, Diag *d); // false with a message in d
    // Column number, -1 if there is none.
    int column(const std::string &name) const;
};

std::string csv_line(const std::vector<std::string> &cells);

}  // namespace npusim

// Text tables with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace npusim {

class Table {
public:
    // Names of the columns; a leading '<' aligns to the left.
    explicit Table(std::vector<std::string> head);
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    bool empty() const { return rows_.empty(); }
    std::string text() const;
    std::string csv() const;

private:
    std::vector<std::string> head_;
    std::vector<bool> left_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace npusim

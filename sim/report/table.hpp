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
    const std::vector<std::string> &head() const { return head_; }
    const std::vector<std::vector<std::string>> &rows() const { return rows_; }
    bool left(size_t column) const { return left_[column]; }
    bool empty() const { return rows_.empty(); }
    std::string text(bool color = false) const; // color: the head line is bold
    std::string csv() const;

private:
    std::vector<std::string> head_;
    std::vector<bool> left_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace npusim

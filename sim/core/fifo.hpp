// A queue in one piece of memory. std::deque allocates and frees a node every few items, which costs
// more than timing them.
#pragma once

#include <cstddef>
#include <vector>

namespace npusim {

template <typename T> class Fifo {
public:
    bool empty() const { return head_ == items_.size(); }
    size_t size() const { return items_.size() - head_; }
    T &front() { return items_[head_]; }
    const T &front() const { return items_[head_]; }
    T &operator[](size_t i) { return items_[head_ + i]; }
    void push_back(const T &item) { items_.push_back(item); }
    T &emplace_back() { return items_.emplace_back(); }
    void pop_front() {
        if (++head_ < items_.size() && head_ < kSlack) return;
        items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
        head_ = 0;
    }
    void clear() {
        items_.clear();
        head_ = 0;
    }
    auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
    auto end() { return items_.end(); }

private:
    static constexpr size_t kSlack = 1024;  // items taken before their memory is used again
    std::vector<T> items_;
    size_t head_ = 0;
};

}  // namespace npusim

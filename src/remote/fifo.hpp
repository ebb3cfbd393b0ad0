// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace weir::detail {

/// A queue that allocates no memory until it holds an element, unlike std::deque. There is one for
/// each of many thousand channels.
template <class T>
class fifo {
 public:
  bool empty() const noexcept { return first_ == items_.size(); }
  std::size_t size() const noexcept { return items_.size() - first_; }
  T& front() noexcept { return items_[first_]; }
  void push(T item) { items_.push_back(std::move(item)); }
  void pop() {
    items_[first_++] = T();
    if (first_ == items_.size()) {
      clear();
    } else if (first_ > items_.size() / 2) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }
  void clear() noexcept {
    items_.clear();
    first_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
};

}  // namespace weir::detail

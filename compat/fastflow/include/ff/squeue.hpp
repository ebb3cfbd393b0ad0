// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SQUEUE_HPP
#define WEIR_FF_SQUEUE_HPP

#include <cstddef>
#include <deque>

namespace ff {

/// A queue for one thread. Ends that are empty can't be read, and popping from them does nothing.
template <typename T>
class squeue {
 public:
  explicit squeue(std::size_t /*chunk*/ = 4096) {}

  void push_back(const T& element) { elements_.push_back(element); }
  void pop_back() {
    if (!elements_.empty()) elements_.pop_back();
  }
  void pop_front() {
    if (!elements_.empty()) elements_.pop_front();
  }
  T& back() { return elements_.back(); }
  T& front() { return elements_.front(); }
  T& at(std::size_t i) { return elements_.at(i); }
  std::size_t size() const { return elements_.size(); }

 private:
  std::deque<T> elements_;
};

}  // namespace ff

#endif

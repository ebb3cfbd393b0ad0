// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SVECTOR_HPP
#define WEIR_FF_SVECTOR_HPP

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ff {

/// A vector whose constructor takes a capacity: `svector<T>(n)` is empty, with room for `n`
/// elements.
template <class T>
class svector {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;
  using reverse_iterator = typename std::vector<T>::reverse_iterator;
  using vector_type = T;

  explicit svector(std::size_t capacity = 0) { elements_.reserve(capacity); }
  svector(std::initializer_list<T> elements) : elements_(elements) {}
  svector(const_iterator from, const_iterator to) : elements_(from, to) {}

  /// Appends the elements of `other`.
  svector& operator+=(const svector& other) {
    elements_.insert(elements_.end(), other.elements_.begin(), other.elements_.end());
    return *this;
  }

  void push_back(const T& element) { elements_.push_back(element); }
  void push_back(T&& element) { elements_.push_back(std::move(element)); }
  template <class... Args>
  void emplace_back(Args&&... args) {
    elements_.emplace_back(std::forward<Args>(args)...);
  }
  void pop_back() {
    if (!elements_.empty()) elements_.pop_back();
  }
  T& back() { return elements_.back(); }
  const T& back() const { return elements_.back(); }
  T& front() { return elements_.front(); }
  const T& front() const { return elements_.front(); }
  iterator erase(const_iterator where) { return elements_.erase(where); }
  iterator insert(const_iterator where, const T& element) { return elements_.insert(where, element); }
  template <class From>
  iterator insert(const_iterator where, From from, From to) {
    return elements_.insert(where, from, to);
  }
  void clear() { elements_.clear(); }
  void resize(std::size_t size) { elements_.resize(size); }
  void reserve(std::size_t capacity) { elements_.reserve(capacity); }
  std::size_t size() const { return elements_.size(); }
  std::size_t capacity() const { return elements_.capacity(); }
  bool empty() const { return elements_.empty(); }
  iterator begin() { return elements_.begin(); }
  iterator end() { return elements_.end(); }
  const_iterator begin() const { return elements_.begin(); }
  const_iterator end() const { return elements_.end(); }
  reverse_iterator rbegin() { return elements_.rbegin(); }
  reverse_iterator rend() { return elements_.rend(); }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  T& at(std::size_t i) { return elements_.at(i); }
  const T& at(std::size_t i) const { return elements_.at(i); }

  /// The elements as a vector of the standard library.
  const std::vector<T>& elements() const { return elements_; }

 private:
  std::vector<T> elements_;
};

}  // namespace ff

#endif

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"

#include <source_location>
#include <utility>

namespace explore {

/// An item that checks its own use. Every construction, move, assignment, read and destruction is a
/// non-atomic access to its address. Two accesses, of which one is a write and neither happened
/// before the other, are a data race; so a queue whose slots hold `tracked` is checked without a
/// hook in the queue. The execution also fails on a read or move of an item that was moved from or
/// destroyed, on construction over a live item, on double destruction, and if an item is alive at
/// the end. It can't be copied, so an item that arrives twice was moved from twice.
class tracked {
  using place = std::source_location;

 public:
  explicit tracked(int value, const place& where = place::current()) : value_(value) {
    use(this, cell_use::construct, value_, where);
  }
  tracked(tracked&& other) noexcept : value_(other.value_) {
    use(&other, cell_use::take, value_, place::current());
    use(this, cell_use::construct, value_, place::current());
  }
  tracked& operator=(tracked&& other) noexcept {
    use(&other, cell_use::take, other.value_, place::current());
    use(this, cell_use::write, other.value_, place::current());
    value_ = other.value_;
    return *this;
  }
  ~tracked() { use(this, cell_use::destroy, value_, place::current()); }

  int value(const place& where = place::current()) const {
    use(this, cell_use::read, value_, where);
    return value_;
  }

 private:
  static void use(const void* object, cell_use how, int value, const place& where) {
    engine::current().use_cell(object, how, value, where);
  }

  int value_;
};

/// A plain variable that threads share, checked for data races.
template <class T = int>
class cell {
  using place = std::source_location;

 public:
  explicit cell(T initial = T{}, const place& where = place::current()) : value_(std::move(initial)) {
    engine::current().use_cell(this, cell_use::construct, 0, where);
  }
  ~cell() { engine::current().use_cell(this, cell_use::destroy, 0, place::current()); }
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  const T& get(const place& where = place::current()) const {
    engine::current().use_cell(this, cell_use::read, 0, where);
    return value_;
  }
  void set(T value, const place& where = place::current()) { change(where) = std::move(value); }
  T& change(const place& where = place::current()) {
    engine::current().use_cell(this, cell_use::write, 0, where);
    return value_;
  }

 private:
  T value_;
};

}  // namespace explore

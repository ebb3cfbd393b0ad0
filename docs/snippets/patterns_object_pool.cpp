// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^1 2 3 $

// Pools of items in docs/patterns.md.
#include <weir/io/from.hpp>
#include <weir/patterns/object_pool.hpp>
#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

// Expensive to make: all its memory is allocated from the beginning.
class table {
 public:
  explicit table(std::size_t rows) { rows_.reserve(rows); }
  void add(int n) { rows_.push_back(n); }
  int sum() const { return std::accumulate(rows_.begin(), rows_.end(), 0); }
  void clear() { rows_.clear(); }

 private:
  std::vector<int> rows_;
};

}  // namespace

int main() {
  const weir::object_pool<table> tables({.make = [] { return table(100); }, .reset = [](table& t) { t.clear(); }});
  auto fill = [tables](int n) {
    weir::pooled<table> made = tables.take();
    made->add(n);
    return made;
  };
  auto print = weir::sink([](weir::pooled<table> t) { std::cout << t->sum() << ' '; });
  weir::run(weir::from({1, 2, 3}) | weir::farm(fill, 2).ordered() | print);
}

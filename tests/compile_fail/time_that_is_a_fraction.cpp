// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the time of a window's items is an integer, or a std::chrono duration or time_point of integers
#include "weir/patterns/aggregate.hpp"
#include "weir/patterns/time_window.hpp"

#ifdef CONTROL
using seconds = long;
#else
using seconds = double;
#endif

int main() {
  const auto count = weir::aggregate(0, [](int& to, int) { ++to; });
  auto windows = weir::time_window([](int n) { return seconds(n); }, 10, count);
}

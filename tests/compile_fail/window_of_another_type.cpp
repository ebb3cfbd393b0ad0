// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the left block sends items of another type than the right one takes
#include "weir/blocks/node.hpp"
#include "weir/blocks/source.hpp"
#include "weir/patterns/aggregate.hpp"
#include "weir/patterns/count_window.hpp"

#include <string>

#ifdef CONTROL
using item = int;
#else
using item = std::string;
#endif

int main() {
  const auto count = weir::aggregate(0, [](int& to, const item&) { ++to; });
  auto numbers = weir::source([] { return std::optional<int>(); });
  auto windows = numbers | weir::count_window(3, count);
}

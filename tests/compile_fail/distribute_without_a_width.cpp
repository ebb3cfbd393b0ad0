// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: distribute needs a function (item, width) -> index
#include "weir/weir.hpp"

int main() {
  const auto workers = weir::farm(weir::node([](int n) { return n; }), 2);
#ifdef CONTROL
  auto made = workers.distribute([](int n, std::size_t width) { return static_cast<std::size_t>(n) % width; });
#else
  auto made = workers.distribute([](int) { return std::size_t{0}; });
#endif
}

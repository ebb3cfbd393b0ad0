// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the item types can't be deduced
// expect: say weir::node<In, Out>(f)
#include "weir/weir.hpp"

int main() {
  const auto twice = [](auto n) { return n + n; };
#ifdef CONTROL
  auto made = weir::node<int, int>(twice);
#else
  auto made = weir::node(twice);
#endif
}

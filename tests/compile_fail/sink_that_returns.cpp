// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: a sink sends nothing; use weir::node
#include "weir/weir.hpp"

int main() {
  const auto same = [](int n) { return n; };
#ifdef CONTROL
  auto made = weir::node(same);
#else
  auto made = weir::sink(same);
#endif
}

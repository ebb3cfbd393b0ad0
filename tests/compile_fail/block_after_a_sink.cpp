// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the left block sends nothing, so nothing can follow it
#include "weir/weir.hpp"

int main() {
  const auto same = weir::node([](int n) { return n; });
  const auto end = weir::sink([](int) {});
#ifdef CONTROL
  auto joined = same | end;
#else
  auto joined = end | same;
#endif
}

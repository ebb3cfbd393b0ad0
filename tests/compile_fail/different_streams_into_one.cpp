// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the left block sends items of another type than the right one takes
// expect: streams<int, double>

#include "weir/weir.hpp"

#include <optional>

#ifdef CONTROL
using second = int;
#else
using second = double;
#endif

int main() {
  const auto parts = weir::node([](int item, weir::outlet<int>& a, weir::outlet<second>& b) {
    a.send(item);
    b.send(item);
  });
  const auto whole = parts | weir::sink([](int) {});
}

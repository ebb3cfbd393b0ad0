// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: items are objects, sent by value
#include "weir/weir.hpp"

#ifdef CONTROL
using item = int;
#else
using item = int&;
#endif

int main() {
  auto made = weir::node<item, int>([](int n) { return n; });
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the blocks of a set take and send the same types
#include "weir/weir.hpp"

#ifdef CONTROL
using item = int;
#else
using item = double;
#endif

int main() {
  auto both = weir::set(weir::node([](int n) { return n; }), weir::node([](item n) { return n; }));
}

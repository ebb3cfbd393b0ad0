// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: combine of an aggregate takes (state&, const state&), with the state that identity returns
#include "weir/patterns/count_window.hpp"

#include <string>

#ifdef CONTROL
using state = long;
#else
using state = std::string;
#endif

struct total {
  long identity() const { return 0; }
  void add(long& to, int item) const { to += item; }
  void combine(state& to, const state& later) const { to += later; }
};

int main() { auto windows = weir::count_window(3, 1, total{}); }

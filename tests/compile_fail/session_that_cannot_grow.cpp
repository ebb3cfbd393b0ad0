// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: sessions grow together, so their aggregate needs combine
#include "weir/patterns/session_window.hpp"

struct total {
  int identity() const { return 0; }
  void add(int& to, int item) const { to += item; }
#ifdef CONTROL
  void combine(int& to, int later) const { to += later; }
#endif
};

int main() {
  auto windows = weir::session_window([](int n) { return n; }, 10, total{});
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `finish` would not be called, and the sum would be lost.
// expect: weir: start, quiet, finish and on_deadline are public functions that take the outlets that process has
#include <weir/weir.hpp>

struct total {
  long sum = 0;
  void process(long item, weir::outlet<long>&) { sum += item; }
#ifdef CONTROL
  void finish(weir::outlet<long>& out) { out.send(sum); }
#else
  void finish(weir::outlet<int>& out) { out.send(static_cast<int>(sum)); }
#endif
};

int main() {
  static_cast<void>(weir::fuse(total{}, [](long item) { return item; }));
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `finish` is as it should be, and nothing is said of it.
// expect: weir: nodes with several outlets can't be fused
// expect-not: weir: start, quiet, finish
#include <weir/weir.hpp>

struct sorts {
#ifdef CONTROL
  long process(long item) { return item; }
  void finish(weir::outlet<long>& all) { all.send(0); }
#else
  void process(long item, weir::outlet<long>& even, weir::outlet<long>& odd) {
    (item % 2 == 0 ? even : odd).send(item);
  }
  void finish(weir::outlet<long>& even, weir::outlet<long>&) { even.send(0); }
#endif
};

int main() {
  static_cast<void>(weir::fuse([](long item) { return item; }, sorts{}));
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A `finish` that can't be called would silently be left out.
// expect: weir: start, quiet, finish and on_deadline are public functions that take the outlets that process has, or none
#include <weir/weir.hpp>

struct counter {
  long count = 0;
  void process(long, weir::outlet<long>&) { ++count; }
#ifdef CONTROL
  void finish(weir::outlet<long>& out) { out.send(count); }
#else
  void finish(weir::outlet<int>& out) { out.send(static_cast<int>(count)); }
#endif
};

int main() { static_cast<void>(weir::node(counter{})); }

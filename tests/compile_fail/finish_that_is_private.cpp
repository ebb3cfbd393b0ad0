// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nobody could call it, and so it would be left out in silence. Data of that name are no function.
// expect: weir: start, quiet, finish and on_deadline are public functions that take the outlets that process has, or none
#include <weir/weir.hpp>

class counter {
 public:
  void process(long, weir::outlet<long>&) { ++start; }
  long start = 0;

#ifndef CONTROL
 private:
#endif
  void finish(weir::outlet<long>& out) { out.send(start); }
};

int main() { static_cast<void>(weir::node(counter{})); }

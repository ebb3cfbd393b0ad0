// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The engine could not call this function, and would silently leave it out. Data members of that
// name are not functions.
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

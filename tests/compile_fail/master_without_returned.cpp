// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the master of a loop has process(Task, outlet<Job>&, outlet<Answer>&) and returned

#include "weir/weir.hpp"

struct half_a_master {
  void process(int task, weir::outlet<int>& jobs, weir::outlet<int>&) { jobs.send(task); }
#ifdef CONTROL
  void returned(int, weir::outlet<int>&, weir::outlet<int>&) {}
#endif
};

int main() {
  weir::feedback(half_a_master{}, weir::node([](int n) { return n; }));
}

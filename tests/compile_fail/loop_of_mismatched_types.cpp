// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the left block sends items of another type than the right one takes

#include "weir/weir.hpp"

struct job {};
struct result {};
struct master {
  void process(int, weir::outlet<job>& jobs, weir::outlet<int>&) { jobs.send({}); }
  void returned(result, weir::outlet<job>&, weir::outlet<int>& answers) { answers.send(1); }
};

int main() {
#ifdef CONTROL
  weir::feedback(master{}, weir::node([](job) { return result{}; }));
#else
  weir::feedback(master{}, weir::node([](job) { return 1; }));
#endif
}

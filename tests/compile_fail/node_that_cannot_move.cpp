// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: a node is moved into its block, and this one can't be moved
#include <weir/weir.hpp>

#include <atomic>

struct worker {
#ifndef CONTROL
  std::atomic<int> seen{0};
#endif
  int process(int item) { return item; }
};

int main() { static_cast<void>(weir::node(worker{})); }

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: farm copies its worker, and this one can't be copied: give it a factory
#include "weir/weir.hpp"

#include <memory>

struct worker {
  int process(int n) { return n + *offset; }
  std::unique_ptr<int> offset = std::make_unique<int>(1);
};

int main() {
#ifdef CONTROL
  auto workers = weir::farm([] { return worker{}; }, 2);
#else
  auto workers = weir::farm(worker{}, 2);
#endif
}

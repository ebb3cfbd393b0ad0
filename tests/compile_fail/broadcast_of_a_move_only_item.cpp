// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: broadcast copies its items, and this type can't be copied
#include "weir/weir.hpp"

#include <memory>

#ifdef CONTROL
using item = std::shared_ptr<int>;
#else
using item = std::unique_ptr<int>;
#endif

int main() {
  auto all = weir::farm(weir::sink([](item) {}), 2).broadcast();
}

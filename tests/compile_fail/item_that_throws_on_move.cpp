// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: items must be movable without throwing
#include "weir/weir.hpp"

#ifdef CONTROL
constexpr bool safe = true;
#else
constexpr bool safe = false;
#endif

struct item {
  item() = default;
  item(item&&) noexcept(safe) {}
};

int main() {
  auto made = weir::sink([](item) {});
}

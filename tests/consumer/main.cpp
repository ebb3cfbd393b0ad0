// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include <weir/weir.hpp>

#include <optional>

// A program outside the tree, built with the installed package.
int main() {
  long sum = 0;
  weir::run(weir::source([next = 0L]() mutable -> std::optional<long> {
              if (next == 10) return std::nullopt;
              return next++;
            }) |
            weir::sink([&](long item) { sum += item; }));
  return sum == 45 ? 0 : 1;
}

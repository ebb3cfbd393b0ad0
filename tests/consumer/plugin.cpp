// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include <weir/weir.hpp>

#include <optional>

// A shared library that hides its other symbols, and runs networks inside a program that does not
// use weir itself.
extern "C" [[gnu::visibility("default")]] long run_in_plugin() {
  long sum = 0;
  weir::run(weir::source([next = 0L]() mutable -> std::optional<long> {
              if (next == 10) return std::nullopt;
              return next++;
            }) |
            weir::farm([](long item) { return item; }, 2) | weir::sink([&](long item) { sum += item; }));
  return sum;
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `on_deadline` would never be called.
// expect: weir: a source does not wait for input, so it has no on_deadline
#include <weir/weir.hpp>

#include <chrono>
#include <optional>

struct ticker {
  std::optional<long> next() { return std::nullopt; }
  std::chrono::steady_clock::time_point deadline() { return std::chrono::steady_clock::time_point::max(); }
#ifndef CONTROL
  void on_deadline() {}
#endif
};

int main() { static_cast<void>(weir::source(ticker{})); }

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `quiet` would not be called.
// expect: weir: quiet is called in loops only, and a source is in none
#include <weir/weir.hpp>

#include <optional>

struct numbers {
  std::optional<long> next() { return std::nullopt; }
#ifndef CONTROL
  void quiet(weir::outlet<long>& out) { out.send(1); }
#endif
};

int main() { static_cast<void>(weir::source(numbers{})); }

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Only `next` would be called.
// expect: weir: a source has next() or run(outlet), not both
#include <weir/weir.hpp>

#include <optional>

struct numbers {
  std::optional<long> next() { return std::nullopt; }
#ifndef CONTROL
  void run(weir::outlet<long>& out) { out.send(1); }
#endif
};

int main() { static_cast<void>(weir::source(numbers{})); }

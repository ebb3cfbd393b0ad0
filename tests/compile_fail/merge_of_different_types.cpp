// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the blocks of a merge send the same type

#include "weir/weir.hpp"

#include <optional>

int main() {
  const auto whole = weir::source([]() -> std::optional<int> { return {}; });
#ifdef CONTROL
  const auto other = whole;
#else
  const auto other = weir::source([]() -> std::optional<double> { return {}; });
#endif
  weir::merge(whole, other);
}

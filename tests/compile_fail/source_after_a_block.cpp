// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the right block takes nothing, so it can't follow another
#include "weir/weir.hpp"

#include <optional>

int main() {
  const auto numbers = weir::source([]() -> std::optional<int> { return {}; });
  const auto same = weir::node([](int n) { return n; });
#ifdef CONTROL
  auto joined = numbers | same;
#else
  auto joined = same | numbers;
#endif
}

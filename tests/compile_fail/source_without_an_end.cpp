// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: a source returns std::optional<Out>, or takes a weir::outlet<Out>&
#include "weir/weir.hpp"

#include <optional>

#ifdef CONTROL
using result = std::optional<int>;
#else
using result = int;
#endif

int main() {
  auto made = weir::source([]() -> result { return 1; });
}

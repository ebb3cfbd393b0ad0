// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: what follows '|' is no block, and can't be called with an item of the type that the left block sends
#include <weir/weir.hpp>

#include <concepts>
#include <optional>

#ifdef CONTROL
using number = int;
#else
using number = double;
#endif

int main() {
  weir::network net = weir::source([]() -> std::optional<number> { return std::nullopt; }) |
                      [](std::integral auto item) { return item; } | weir::sink([](number) {});
}

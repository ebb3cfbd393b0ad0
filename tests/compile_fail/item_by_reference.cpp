// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: a node takes its item by value, const & or &&
#include <weir/weir.hpp>

#include <optional>
#include <string>

#ifdef CONTROL
using item = const std::string&;
#else
using item = std::string&;
#endif

int main() {
  weir::network net = weir::source([]() -> std::optional<std::string> { return std::nullopt; }) |
                      [](item text) { return text.size(); } | weir::sink([](std::size_t) {});
}

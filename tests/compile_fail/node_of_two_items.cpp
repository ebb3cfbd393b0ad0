// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: a node takes its item by value, const & or &&, and then nothing but its outlets and a context
#include <weir/weir.hpp>

#include <optional>

int main() {
  weir::network net = weir::source([]() -> std::optional<int> { return std::nullopt; }) |
#ifdef CONTROL
                      [](int a, weir::context&) { return a; } |
#else
                      [](int a, int b) { return a + b; } |
#endif
                      weir::sink([](int) {});
}

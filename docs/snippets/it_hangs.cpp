// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^/numbers: no node can go on, because each waits for the next: /numbers waits for room in the channel to /tee2/same .16 of 16 items; it sends by broadcast.2.., /tee2/same waits for room in the channel to /zip .16 of 16 items., /zip waits for input from /tee2/even .the channel is empty., /tee2/even waits for input from /numbers .the channel is empty.. Give

#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <tuple>

int main() {
  auto numbers = weir::source([next = 0]() mutable -> std::optional<int> {
                   if (next == 1000) return std::nullopt;
                   return next++;
                 }).named("numbers");
  try {
    auto same = weir::node([](int n) { return n; }).named("same").capacity(16);
    auto even = weir::node([](int n) { return n % 2 == 0 ? std::optional(n) : std::nullopt; }).named("even");
    weir::run(numbers | weir::tee(same, even) | weir::zip<int, int>().capacity(16).named("zip") |
              weir::sink([](std::tuple<int, int>) {}));
  } catch (const weir::node_error& error) {
    std::cout << error.what() << '\n';
  }
}

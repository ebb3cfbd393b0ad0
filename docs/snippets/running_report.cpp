// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: node .*items .*sent .*busy .*per item .*ready .*waits for input .*waits for room.*/read .*20000 .*/hash.0. .*/hash.2. .*/check .*/store .*"wall_ns"

#include <weir/weir.hpp>

#include <cstdint>
#include <iostream>
#include <optional>

std::uint64_t mixed(std::uint64_t n, int rounds) {
  for (int i = 0; i != rounds; ++i) n = n * 6364136223846793005U + 1442695040888963407U;
  return n;
}

int main() {
  auto read = weir::source([next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    if (next == 20'000) return std::nullopt;
    return next++;
  });
  auto hash = weir::farm([](std::uint64_t n) { return mixed(n, 2'000); }, 3);
  auto check = weir::node([](std::uint64_t n) { return mixed(n, 20'000); });
  std::uint64_t sum = 0;
  auto store = weir::sink([&](std::uint64_t n) { sum += n; });

  weir::network net = read.named("read") | hash.named("hash") | check.named("check") | store.named("store");
  const weir::report report = weir::run(net);
  std::cout << report;                         // a table
  std::cout << weir::to_json(report) << '\n';  // the same and more, for programs
}

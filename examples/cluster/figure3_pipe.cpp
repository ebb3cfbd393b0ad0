// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 2432902008176640000 is 20!

// F2, figure 3: a pipeline of three stages in groups. The program names two groups; a configuration
// may name others, such as one group for each stage. Without weir run it is one process.
//
//     ./figure3_pipe
//     weir run examples/cluster/figure3_two_groups.json -- ./figure3_pipe
//     weir run examples/cluster/figure3_three_groups.json -- ./figure3_pipe

#include <weir/weir.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>

struct factorial {
  std::uint64_t of;
  std::uint64_t value;
};

int main() {
  auto numbers = weir::source([next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
                   if (next == 21) return std::nullopt;
                   return next++;
                 }).named("S0");
  auto multiply = weir::node([](std::uint64_t of) {
                    factorial result{of, 1};
                    for (std::uint64_t factor = 2; factor <= of; ++factor) result.value *= factor;
                    return result;
                  }).named("S1");
  auto print =
      weir::sink([](factorial result) { std::cout << result.value << " is " << result.of << "!\n"; }).named("S2");
  try {
    weir::run((numbers | multiply).in_group("G1") | print.in_group("G2"));
  } catch (const std::exception& error) {
    std::cerr << "figure3_pipe: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "figure3_pipe: can't write standard output\n";
  return 1;
}

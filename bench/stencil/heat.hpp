// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weir_bench {

/// Heat in a square plate with cold edges and a hot middle: `--steps` steps of the five-point
/// stencil on `--side` times `--side` doubles, each with the largest change of all cells.
/// `Plate(side)` has `steps(count)`, which returns the largest change of the last step, and
/// `at(row, column)`. All contenders must give the same numbers to the last bit.
template <class Plate>
int run_heat(int argc, char** argv, const char* contender) {
  const options given(argc, argv, {{"side", 1000}, {"steps", 500}, {"active", 0}});
  const std::int64_t side = given["side"];
  const std::int64_t steps = given["steps"];
  Plate plate(static_cast<std::size_t>(side));
  plate.steps(3);
  const stopwatch watch;
  const double change = plate.steps(static_cast<std::size_t>(steps));
  const duration took = watch.elapsed();

  std::uint64_t digest = 0;
  const auto add = [&](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    digest = (digest ^ bits) * 0x9e37'79b9'7f4a'7c15U;
    digest ^= digest >> 29;
  };
  add(change);
  for (std::size_t row = 0; row != static_cast<std::size_t>(side); ++row) {
    for (std::size_t column = 0; column != static_cast<std::size_t>(side); ++column) add(plate.at(row, column));
  }
  print_result("stencil", contender, side * side * steps, took,
               {{"us_per_step", static_cast<double>(took.wall_ns) / 1000 / static_cast<double>(steps)},
                {"result", static_cast<double>(digest % 1'000'000)}});
  return 0;
}

}  // namespace weir_bench

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/patterns/random_engine.hpp>

#include "../harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace weir_bench {

/// A genetic algorithm for short tours through cities on a circle. All contenders draw the same
/// random numbers, so that they make the same tours.
struct tour {
  std::vector<int> order;
  double length = 0;
};
using tours = std::vector<tour>;

constexpr std::uint64_t seed = 7;

inline double length_of(const std::vector<int>& order) {
  const auto cities = static_cast<double>(order.size());
  double sum = 0;
  for (std::size_t i = 0; i != order.size(); ++i) {
    sum += 2 * std::abs(std::sin(std::numbers::pi * (order[i] - order[(i + 1) % order.size()]) / cities));
  }
  return sum;
}

inline std::vector<std::size_t> parents(const tours& all, weir::random_engine& random) {
  std::uniform_int_distribution<std::size_t> any(0, all.size() - 1);
  std::vector<std::size_t> chosen(all.size());
  for (std::size_t& each : chosen) each = std::min(any(random), any(random));  // they are sorted
  return chosen;
}

inline void vary(tour& child, weir::random_engine& random) {
  std::uniform_int_distribution<int> any(0, static_cast<int>(child.order.size()));
  const auto [first, last] = std::minmax({any(random), any(random)});
  std::reverse(child.order.begin() + first, child.order.begin() + last);
  child.length = length_of(child.order);
}

inline void survive(tours& all, tours& children) {
  const std::size_t count = all.size();
  std::move(children.begin(), children.end(), std::back_inserter(all));
  std::stable_sort(all.begin(), all.end(), [](const tour& a, const tour& b) { return a.length < b.length; });
  all.resize(count);
}

inline tours first_generation(std::size_t count, int cities) {
  tours all(count);
  weir::random_engine random(1);
  for (tour& each : all) {
    each.order.resize(static_cast<std::size_t>(cities));
    std::iota(each.order.begin(), each.order.end(), 0);
    std::shuffle(each.order.begin(), each.order.end(), random);
    each.length = length_of(each.order);
  }
  return all;
}

/// Runs `evolve(population, generations)`; an item is a child. The length of the best tour is part
/// of the result, for comparison.
template <class Evolve>
int evolve_main(int argc, char** argv, const char* contender, Evolve&& evolve) {
  const options given(argc, argv, {{"population", 200}, {"cities", 100}, {"generations", 500}});
  const auto size = static_cast<std::size_t>(given["population"]);
  tours warm_up = first_generation(size, static_cast<int>(given["cities"]));
  evolve(warm_up, std::size_t{3});
  tours all = first_generation(size, static_cast<int>(given["cities"]));
  const stopwatch watch;
  evolve(all, static_cast<std::size_t>(given["generations"]));
  const duration took = watch.elapsed();
  print_result(
      "evolve", contender, given["population"] * given["generations"], took,
      {{"us_per_generation", static_cast<double>(took.wall_ns) / 1e3 / static_cast<double>(given["generations"])},
       {"best", all.front().length}});
  return 0;
}

}  // namespace weir_bench

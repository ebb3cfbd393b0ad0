// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: a tour of length 6.277 after [0-9]+ generations; the best is 6.277

// A genetic algorithm: a short tour through the cities on a circle, whose order it does not know.
// The result is the same with any number of cores, because each child has random numbers of its
// own.
#include <weir/patterns/evolve.hpp>
#include <weir/patterns/random_engine.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

constexpr int cities = 40;

struct tour {
  std::vector<int> order;
  double length = 0;
};
using tours = std::vector<tour>;

double length_of(const std::vector<int>& order) {
  double sum = 0;
  for (std::size_t i = 0; i != order.size(); ++i) {
    const int apart = order[i] - order[(i + 1) % order.size()];
    sum += 2 * std::abs(std::sin(std::numbers::pi * apart / cities));
  }
  return sum;
}

bool shorter(const tour& a, const tour& b) { return a.length < b.length; }

// Selects the parents: the better of two, drawn a hundred times.
std::vector<std::size_t> parents(const tours& all, weir::random_engine& random) {
  std::uniform_int_distribution<std::size_t> any(0, all.size() - 1);
  std::vector<std::size_t> chosen(all.size());
  for (std::size_t& each : chosen) each = std::min(any(random), any(random));  // the shortest tours come first
  return chosen;
}

// Makes a child of its parent by reversing a part of the tour. Runs in parallel.
void vary(tour& child, weir::random_engine& random) {
  std::uniform_int_distribution<int> any(0, cities);
  const auto [first, last] = std::minmax({any(random), any(random)});
  std::reverse(child.order.begin() + first, child.order.begin() + last);
  child.length = length_of(child.order);
}

// Keeps the best of parents and children.
void survive(tours& all, tours& children) {
  const std::size_t count = all.size();
  std::move(children.begin(), children.end(), std::back_inserter(all));
  std::stable_sort(all.begin(), all.end(), shorter);
  all.resize(count);
}

int main() {
  tours all(100);
  weir::random_engine random(1);
  for (tour& each : all) {
    each.order.resize(cities);
    std::iota(each.order.begin(), each.order.end(), 0);
    std::shuffle(each.order.begin(), each.order.end(), random);
    each.length = length_of(each.order);
  }

  const double best_possible = cities * 2 * std::sin(std::numbers::pi / cities);
  const std::size_t generations =
      weir::evolve(all, parents, vary, survive,
                   [&](const tours& some, std::size_t) { return some.front().length < best_possible * 1.0001; },
                   {.seed = 7, .max_generations = 2000});
  std::printf("a tour of length %.3f after %zu generations; the best is %.3f\n", all.front().length, generations,
              best_possible);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("17_evolve: can't write standard output\n", stderr);
  return 1;
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^1.1.3.1.4.$

// Stencils and evolution in docs/patterns.md.
#include <weir/io/collect.hpp>
#include <weir/io/from.hpp>
#include <weir/patterns/evolve.hpp>
#include <weir/patterns/random_engine.hpp>
#include <weir/patterns/stencil.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

int main() {
  {
    weir::grid<double, 2> plate({480, 640}, {.value = 20, .outside = 20});  // every cell, and those outside
    for (int j = 0; j != 640; ++j) plate(-1, j) = 100;                      // the row above the first

    const auto average = [](auto at) { return (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) / 4; };
    weir::stencil(plate, average, 100);  // a hundred steps
    std::cout << (plate(0, 320) > 80) << "\n";

    const weir::stencil_reduction largest_change{0.0,
                                                 [](double before, double after) { return std::abs(after - before); },
                                                 [](double a, double b) { return std::max(a, b); }};
    const auto [steps, change] = weir::stencil(plate, average, largest_change, [](std::size_t step, double largest) {
      return largest < 0.01 || step == 5000;
    });
    std::cout << (change < 0.01) << "\n";
  }
  {
    weir::grid<float, 3> channel(
        {20, 20, 100},
        {.halo = 2, .boundary = {weir::boundary::clamped, weir::boundary::clamped, weir::boundary::periodic}});
    weir::stencil(
        channel, [](auto at) { return at(0, 0, -2) + 1; }, 3);
    std::cout << channel(5, 5, 5) << "\n";
  }
  {
    using genome = std::vector<bool>;
    using genomes = std::vector<genome>;
    const auto ones = [](const genome& g) { return std::count(g.begin(), g.end(), true); };
    const auto fitter = [&](const genome& a, const genome& b) { return ones(a) > ones(b); };
    genomes all(50, genome(40));

    const auto select = [](const genomes& some, weir::random_engine& random) {
      std::vector<std::size_t> chosen(some.size());  // those with small indices are fitter, and more often chosen
      for (std::size_t& each : chosen) each = std::min(random() % some.size(), random() % some.size());
      return chosen;
    };
    const auto mutate = [](genome& child, weir::random_engine& random) { child[random() % child.size()].flip(); };
    const auto replace = [&](genomes& some, genomes& children) {
      some.insert(some.end(), children.begin(), children.end());
      std::stable_sort(some.begin(), some.end(), fitter);
      some.resize(50);
    };
    const auto perfect = [&](const genomes& some, std::size_t) { return ones(some.front()) == 40; };
    const std::size_t generations =
        weir::evolve(all, select, mutate, replace, perfect, {.seed = 1, .max_generations = 1000});
    std::cout << (generations < 1000) << "\n";

    std::vector<genomes> islands(4, genomes(50, genome(40)));
    std::vector<genomes> evolved;
    weir::run(weir::from(islands) | weir::farm(weir::evolution<genome>(select, mutate, replace, perfect)) |
              weir::collect(evolved));
    std::cout << evolved.size() << "\n";
  }
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: settled after 1193 generations: 235 cells live, 52 change.*the middle has 50.8 degrees

// Stencils: Conway's game of life on a torus until nothing changes any more, and heat that spreads
// in a plate until it is steady.
#include <weir/patterns/random_engine.hpp>
#include <weir/patterns/stencil.hpp>
#include <weir/weir.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

using world = weir::grid<std::uint8_t, 2>;

// One cell of the next generation. The step sees the cells around it by their distance.
std::uint8_t live(weir::neighbourhood<std::uint8_t, 2> at) {
  const int around = at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 1) + at(1, -1) + at(1, 0) + at(1, 1);
  return around == 3 || (around == 2 && at(0, 0) != 0);
}

void life() {
  world cells({60, 100}, {.boundary = weir::boundary::periodic});
  weir::random_engine random(2026);
  for (std::size_t row = 0; row != cells.extent(0); ++row) {
    for (std::uint8_t& cell : cells.row(row)) cell = random() % 4 == 0;
  }

  const weir::stencil_reduction births_and_deaths{
      0, [](std::uint8_t before, std::uint8_t after) { return int{before != after}; },
      [](int a, int b) { return a + b; }};
  int before = -1;
  int twice = -2;
  const auto [generations, changed] =
      weir::stencil(cells, live, births_and_deaths, [&](std::size_t generation, int changes) {
        const bool settled = changes == before && changes == twice;  // the remaining cells only blink or glide
        twice = before;
        before = changes;
        return settled || generation == 5000;
      });

  int alive = 0;
  for (std::size_t row = 0; row != cells.extent(0); ++row) {
    for (const std::uint8_t cell : cells.row(row)) alive += cell;
  }
  std::printf("settled after %zu generations: %d cells live, %d change\n", generations, alive, changed);
}

void heat() {
  weir::grid<double, 2> plate({50, 80}, {.value = 20, .outside = 20});
  for (int column = 0; column != 80; ++column) plate(-1, column) = 100;  // the upper edge is kept hot

  const weir::stencil_reduction largest_change{0.0,
                                               [](double before, double after) { return std::abs(after - before); },
                                               [](double a, double b) { return a > b ? a : b; }};
  const auto [steps, change] = weir::stencil(
      plate, [](auto at) { return (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) / 4; }, largest_change,
      [](std::size_t step, double largest) { return largest < 1e-4 || step == 100'000; });
  std::printf("steady after %zu steps: the middle has %.1f degrees\n", steps, plate(25, 40));
}

int main() {
  life();
  heat();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("16_stencil: can't write standard output\n", stderr);
  return 1;
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: the closest of 200000 points are 0.002973 apart

// Divide and conquer: the closest pair of points, found by halving them along x. No function calls
// itself.
#include <weir/patterns/divide_and_conquer.hpp>
#include <weir/patterns/parallel_sort.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <random>
#include <span>
#include <vector>

struct point {
  double x = 0;
  double y = 0;
};
using points = std::span<point>;  // a problem: some points that lie together, sorted by x

double distance(const point& a, const point& b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Few points: compares each with each.
double closest_of_few(points few) {
  double best = INFINITY;
  for (std::size_t i = 0; i != few.size(); ++i) {
    for (std::size_t j = 0; j != i; ++j) best = std::min(best, distance(few[i], few[j]));
  }
  return best;
}

std::array<points, 2> halves(points all) {
  const std::size_t middle = all.size() / 2;
  return {all.first(middle), all.subspan(middle)};
}

// Returns the best of both halves, or of the pairs across the line between them; such a pair must
// lie near the line.
double across(points all, std::array<double, 2> best_of_halves) {
  double best = std::min(best_of_halves[0], best_of_halves[1]);
  const double line = all[all.size() / 2].x;
  std::vector<point> near;
  std::copy_if(all.begin(), all.end(), std::back_inserter(near),
               [&](const point& p) { return std::abs(p.x - line) < best; });
  std::sort(near.begin(), near.end(), [](const point& a, const point& b) { return a.y < b.y; });
  for (std::size_t i = 0; i != near.size(); ++i) {
    for (std::size_t j = i + 1; j != near.size() && near[j].y - near[i].y < best; ++j) {
      best = std::min(best, distance(near[i], near[j]));
    }
  }
  return best;
}

int main() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(0, 1000);
  std::vector<point> all(200'000);
  for (point& each : all) each = {anywhere(random), anywhere(random)};
  weir::parallel_sort(all, [](const point& a, const point& b) { return a.x < b.x; });

  const double best = weir::divide_and_conquer(
      points(all), [](const points& some) { return some.size() <= 500; }, closest_of_few, halves, across);
  std::printf("the closest of %zu points are %.6f apart\n", all.size(), best);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("11_divide_and_conquer: can't write standard output\n", stderr);
  return 1;
}

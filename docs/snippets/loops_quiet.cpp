// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 20 rounds, the top is at 1.57

#include <weir/weir.hpp>

#include <cmath>
#include <iostream>
#include <optional>

namespace {

struct point {
  double x = 0;
  double height = 0;
};

// Climbs in rounds: all points of a round are measured before the next round begins from the best
// of them.
struct climber {
  point best{};
  double step = 1;
  int rounds = 0;

  void process(double start, weir::outlet<double>& jobs, weir::outlet<point>&) { jobs.send(start); }
  void returned(point p, weir::outlet<double>&, weir::outlet<point>&) {
    if (rounds == 0 || p.height > best.height) best = p;
  }
  // No item is under way in the loop: the round is over.
  void quiet(weir::outlet<double>& jobs, weir::outlet<point>&) {
    if (rounds == 20) return;
    ++rounds;
    for (int i = -4; i <= 4; ++i) jobs.send(best.x + i * step);
    step /= 2;
  }
  void finish(weir::outlet<double>&, weir::outlet<point>& answers) { answers.send(best); }
};

}  // namespace

int main() {
  auto start = weir::source([first = true]() mutable -> std::optional<double> {
    if (!first) return std::nullopt;
    first = false;
    return 0.0;
  });
  auto measure = weir::farm([](double x) { return point{x, std::sin(x)}; }, 4);

  point top;
  weir::run(start | weir::feedback(climber{}, measure) | weir::sink([&](point p) { top = p; }));
  std::cout << "20 rounds, the top is at " << std::floor(top.x * 100) / 100 << '\n';
}

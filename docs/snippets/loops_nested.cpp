// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 100 roots in a farm of loops; 100 in a loop of loops

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

namespace {

struct guess {
  double number;
  double root;
  int rounds = 0;
};

bool good(guess g) { return g.root * g.root - g.number < 1e-6; }

// Sends each guess round four times.
struct four_times {
  void process(guess g, weir::outlet<guess>& jobs, weir::outlet<guess>&) {
    g.rounds = 0;
    jobs.send(g);
  }
  void returned(guess g, weir::outlet<guess>& jobs, weir::outlet<guess>& answers) {
    (++g.rounds == 4 ? answers : jobs).send(g);
  }
};

// Sends each guess round until it is good.
struct until_good {
  void process(guess g, weir::outlet<guess>& jobs, weir::outlet<guess>&) { jobs.send(g); }
  void returned(guess g, weir::outlet<guess>& jobs, weir::outlet<guess>& answers) {
    (good(g) ? answers : jobs).send(g);
  }
};

guess better(guess g) {
  g.root = (g.root + g.number / g.root) / 2;
  return g;
}

}  // namespace

int main() {
  auto numbers = weir::source([next = 1.0]() mutable -> std::optional<guess> {
    if (next > 100) return std::nullopt;
    const double number = next++;
    return guess{number, number};
  });
  int in_farms = 0;
  int in_loops = 0;

  // A farm of loops: each has its own master, and ends by itself.
  auto roots = weir::feedback(until_good{}, weir::farm(&better, 2));
  weir::run(numbers | weir::farm(roots, 2) | weir::sink([&](guess g) { in_farms += good(g) ? 1 : 0; }));

  // A loop whose workers are loops.
  auto inner = weir::feedback(four_times{}, weir::node(&better));
  auto outer = weir::feedback(until_good{}, weir::farm(inner, 2));
  weir::run(numbers | outer | weir::sink([&](guess g) { in_loops += good(g) ? 1 : 0; }));

  std::cout << in_farms << " roots in a farm of loops; " << in_loops << " in a loop of loops\n";
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 9592 primes below 100000, the largest gap behind a hundred is 68

// Patterns over all groups of a cluster: the same in one process, and with `weir run --on 3 --
// ./patterns`.
#include <weir/patterns/across_groups.hpp>
#include <weir/patterns/divide_and_conquer.hpp>
#include <weir/patterns/map_reduce.hpp>
#include <weir/patterns/parallel_reduce.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

// A piece of an integral, and the error that it may have.
struct piece {
  double from = 0;
  double to = 0;
  double error = 0;
};

double simpson(double from, double to) {
  return (to - from) / 6 * (std::sin(from) + 4 * std::sin((from + to) / 2) + std::sin(to));
}

// Whether halving the piece makes no difference.
bool is_smooth(const piece& p) {
  const double middle = (p.from + p.to) / 2;
  return std::abs(simpson(p.from, middle) + simpson(middle, p.to) - simpson(p.from, p.to)) < p.error;
}

std::array<piece, 2> halves(const piece& p) {
  const double middle = (p.from + p.to) / 2;
  return {piece{p.from, middle, p.error / 2}, piece{middle, p.to, p.error / 2}};
}

std::string word(long n) { return std::string(1, static_cast<char>('a' + n % 7)); }

int main() {
  const weir::across_groups everywhere;

  // Each group does its part; all groups get the result.
  const int primes = weir::parallel_reduce(
      everywhere, 0, 100'000, 0, [](int n) { return is_prime(n) ? 1 : 0; }, std::plus<>());
  const std::vector<int> next = weir::parallel_map(everywhere, 0, 1000, [](int i) {
    int n = 100 * i + 1;
    while (!is_prime(n)) ++n;
    return n - 100 * i - 1;
  });

  // A piece goes to a group that is free.
  const double area = weir::divide_and_conquer(
      everywhere, piece{0, std::acos(-1.0), 1e-14}, is_smooth, [](const piece& p) { return simpson(p.from, p.to); },
      halves, [](std::array<double, 2> both) { return both[0] + both[1]; });

  // A network: every group has mappers and reducers.
  std::map<std::string, int> words;
  const auto count =
      weir::map_reduce([](long n, weir::pair_outlet<std::string, int>& pairs) { pairs.send(word(n * n), 1); },
                       [](int& total, int more) { total += more; });
  const auto keep = weir::sink([&](std::pair<std::string, int> one) { words[one.first] += one.second; });
  const weir::report report = weir::run(
      weir::source([n = 0L]() mutable { return n == 1000 ? std::nullopt : std::optional(n++); }) | count | keep);

  if (everywhere.in_first_group()) {
    std::printf("%d primes below 100000, the largest gap behind a hundred is %d\n", primes,
                *std::max_element(next.begin(), next.end()));
    std::printf("the area is %.9f\n", area);
  }
  if (report.in_result_group) std::printf("%zu words, %d times a\n", words.size(), words["a"]);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("patterns: can't write standard output\n", stderr);
  return 1;
}

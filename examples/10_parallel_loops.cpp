// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: mean 100.004, highest 110.000, median 100.015, turnover 100004372, banded 200000.longest 31706.4

// Loops that all cores share: for, reduce, scan and sort, here over a million generated trades;
// then the same within a node.
#include <weir/io/from.hpp>
#include <weir/patterns/parallel_for.hpp>
#include <weir/patterns/parallel_reduce.hpp>
#include <weir/patterns/parallel_scan.hpp>
#include <weir/patterns/parallel_sort.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
  constexpr int count = 1'000'000;

  std::vector<double> price(count);
  weir::parallel_for(0, count, [&](int i) { price[i] = 100 + 10 * std::sin(i * 0.001); });

  const double sum = weir::parallel_reduce(price, 0.0, std::plus<>());
  const double highest = weir::parallel_reduce(price, price.front(), [](double a, double b) { return a > b ? a : b; });

  std::vector<double> turnover(count);
  weir::parallel_scan(price, turnover.begin(), 0.0, std::plus<>());  // turnover[i]: sum of the trades up to i

  std::vector<double> sorted = price;
  weir::parallel_sort(sorted);

  // In two dimensions: how often a price is followed, `lag` trades later, by one that lies in a
  // given band of ten.
  std::vector<std::int64_t> seen(20 * 10);
  weir::parallel_for(weir::index_space(20, 10), [&](std::size_t lag, std::size_t band) {
    for (int i = 0; i < count - 20; i += 100) {
      const double later = price[i + lag + 1];
      if (later >= 90 + 2.0 * band && later < 92 + 2.0 * band) ++seen[lag * 10 + band];
    }
  });

  std::printf("mean %.3f, highest %.3f, median %.3f, turnover %.0f, banded %lld\n", sum / count, highest,
              sorted[count / 2], turnover.back(),
              static_cast<long long>(weir::parallel_reduce(seen, std::int64_t{0}, std::plus<>())));

  // A node that shares its own work: the loop runs on the threads that the network has already.
  double longest = 0;
  weir::run(weir::from(std::vector<int>{1'000, 100'000, 10}) | weir::node([&](int n) {
              return weir::parallel_reduce(
                  0, n, 0.0, [&](int i) { return price[i] * price[i]; }, std::plus<>());
            }) |
            weir::sink([&](double square) { longest = std::max(longest, std::sqrt(square)); }));
  std::printf("longest %.1f\n", longest);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("10_parallel_loops: can't write standard output\n", stderr);
  return 1;
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 3.10000 5.0 2 4 8.60.504495.stopped

// The loops of docs/patterns.md.
#include <weir/io/from.hpp>
#include <weir/patterns/parallel_for.hpp>
#include <weir/patterns/parallel_reduce.hpp>
#include <weir/patterns/parallel_scan.hpp>
#include <weir/run/fork_join.hpp>
#include <weir/weir.hpp>

#include <atomic>
#include <functional>
#include <iostream>
#include <stop_token>
#include <vector>

int main() {
  const std::size_t n = 1000;
  std::vector<double> x(n, 1), y(n, 2);
  const double a = 3;

  {
    weir::parallel_for(std::size_t{0}, n, [&](std::size_t i) { y[i] += a * x[i]; });  // indices
    weir::parallel_for(x, [](double& each) { each *= 2; });                           // elements
    weir::parallel_for(10, 0, -2, [](int) { /* 10, 8, 6, 4, 2 */ });                  // every second, downwards
  }
  {
    std::vector<float> picture(640 * 480);
    weir::parallel_for(weir::index_space(480, 640), [&](std::size_t row, std::size_t column) {
      picture[row * 640 + column] = static_cast<float>(row ^ column);
    });
    std::cout << picture[640 + 2] << "\n";
  }
  {
    const double dot = weir::parallel_reduce(
        std::size_t{0}, n, 0.0, [&](std::size_t i) { return x[i] * y[i]; }, std::plus<>());
    const double largest = weir::parallel_reduce(y, y[0], [](double p, double q) { return p > q ? p : q; });
    std::cout << dot << " " << largest << "\n";
  }
  {
    std::vector<int> sizes{2, 2, 4}, starts(3);
    const int all = weir::parallel_scan(sizes, starts.begin(), 0, std::plus<>(), weir::scan::exclusive);
    for (const int start : starts) std::cout << start << " ";
    std::cout << all << "\n";
  }
  {
    std::vector<std::vector<int>> room(weir::concurrency());  // one for each worker: no lock, no allocation in the loop
    std::atomic<int> used{0};
    weir::parallel_for(0, 60, [&](int, weir::worker_index worker) {
      room[worker].assign(100, 0);
      ++used;
    });
    std::cout << used << "\n";
  }
  {
    long total = 0;
    weir::run(weir::from(std::vector<long>{10, 1000, 100}) | weir::farm([](long count) {
                return weir::parallel_reduce(
                    0L, count, 0L, [](long i) { return i; }, std::plus<>());
              }) |
              weir::sink([&](long sum) { total += sum; }));
    std::cout << total << "\n";
  }
  {
    std::stop_source stop;
    try {
      weir::parallel_for(0, 1'000'000,
                         [&](int i) {
                           if (i == 1000) stop.request_stop();
                         },
                         {.schedule = weir::schedule::dynamic, .grain = 100, .stop = stop.get_token()});
    } catch (const weir::stopped&) {
      std::cout << "stopped\n";
    }
  }
}

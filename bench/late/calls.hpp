// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstdint>
#include <vector>

namespace weir_bench {

/// A producer whose every call first sends the time. After `brief` calls that do nothing else comes
/// one that goes on computing for `steps`. The benchmark measures how late its message arrives.
struct late_calls {
  std::int64_t brief;
  std::uint64_t steps;
  std::int64_t calls = 0;

  template <class Send>
  void operator()(Send&& send) {
    const bool lengthy = calls++ % (brief + 1) == brief;
    // The lowest bit of a stamp distinguishes the two kinds.
    send((now_ns() & ~std::int64_t{1}) | (lengthy ? 1 : 0));
    if (lengthy) spin(steps);
  }
};

/// Microseconds from send to arrival.
class late_samples {
 public:
  explicit late_samples(std::int64_t items) { all_.reserve(static_cast<std::size_t>(items)); }

  void arrived(std::int64_t stamp) {
    const double late = static_cast<double>(now_ns() - stamp) / 1000.0;
    all_.push_back(late);
    if ((stamp & 1) != 0) of_lengthy_.push_back(late);
  }
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(all_.size()); }

  extras measures() {
    return {{"p50_us", quantile(all_, 0.5)},
            {"p99_us", quantile(all_, 0.99)},
            {"max_us", quantile(all_, 1.0)},
            {"lengthy_p50_us", quantile(of_lengthy_, 0.5)},
            {"lengthy_p99_us", quantile(of_lengthy_, 0.99)}};
  }

 private:
  std::vector<double> all_;
  std::vector<double> of_lengthy_;
};

/// Reads the arguments, warms up, and measures `run(items, producer, samples)`, which returns the
/// time it took.
template <class Run>
int late_main(int argc, char** argv, const char* contender, Run&& run) {
  const options given(argc, argv, {{"items", 500}, {"brief", 0}, {"work", 1'000'000}});
  const std::int64_t items = given["items"];
  const late_calls producer{given["brief"], work_scale().steps(given["work"])};
  late_samples warm_up(items / 10);
  run(items / 10, producer, warm_up);
  late_samples seen(items);
  const duration took = run(items, producer, seen);
  verify("count", seen.count(), items);
  print_result("late", contender, items, took, seen.measures());
  return 0;
}

}  // namespace weir_bench

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace weir_bench {

/// One loop of every kind, for each library that has parallel loops. `Loops` has
///
///     static void each(std::int64_t count, body)            body(i), all alike
///     static void each_uneven(std::int64_t count, body)     body(i), of very different cost
///     static double sum(std::int64_t count, body)           sum of body(i), all alike
///     static double sum_uneven(std::int64_t count, body)
///     static void on_every_worker(std::size_t workers, body)  body() once on each worker
template <class Loops>
class loops_benchmark {
 public:
  loops_benchmark(int argc, char** argv, const char* contender)
      : contender_(contender),
        given_(argc, argv, {{"items", 10'000'000}, {"kind", 0}, {"rounds", 20}, {"work", 5000}, {"active", 0}}) {}

  int run() {
    const std::int64_t items = given_["items"];
    switch (given_["kind"]) {
      case 0: return report("axpy", items, [&](std::int64_t rounds) { axpy(rounds); });
      case 1: return report("uneven", items, [&](std::int64_t rounds) { uneven(rounds); });
      case 2: return report("sum", items, [&](std::int64_t rounds) { sum(rounds); });
      case 3: return report("uneven sum", items, [&](std::int64_t rounds) { uneven_sum(rounds); });
      case 4: return report("launch", 1, [&](std::int64_t rounds) { launch(rounds); });
      default: return 2;
    }
  }

 private:
  template <class Rounds>
  int report(const char*, std::int64_t items, Rounds&& run_rounds) {
    const std::int64_t rounds = given_["rounds"];
    run_rounds(std::max<std::int64_t>(rounds / 10, 1));
    const stopwatch watch;
    run_rounds(rounds);
    const duration took = watch.elapsed();
    print_result("parallel", contender_, items * rounds, took,
                 {{"us_per_loop", static_cast<double>(took.wall_ns) / 1000 / static_cast<double>(rounds)}});
    return 0;
  }

  std::size_t size() const { return static_cast<std::size_t>(given_["items"]); }

  void axpy(std::int64_t rounds) {
    if (x_.empty()) {
      x_.assign(size(), 1);
      y_.assign(size(), 0);
    }
    const double before = y_.back();
    double* const y = y_.data();
    const double* const x = x_.data();
    for (std::int64_t round = 0; round != rounds; ++round) {
      Loops::each(given_["items"], [=](std::int64_t i) { y[i] += 2 * x[i]; });
    }
    for (const double each : y_) verify("y", std::llround(each), std::llround(before) + 2 * rounds);
  }

  void sum(std::int64_t rounds) {
    if (x_.empty()) x_.assign(size(), 1);
    const double* const x = x_.data();
    for (std::int64_t round = 0; round != rounds; ++round) {
      const double all = Loops::sum(given_["items"], [=](std::int64_t i) { return x[i] * x[i]; });
      verify("sum", std::llround(all), given_["items"]);
    }
  }

  // Costs rise from nothing to twice the mean, the expensive ones last; one in a hundred costs ten
  // times as much.
  std::uint64_t steps(std::int64_t i) const {
    const double mean = static_cast<double>(scale_.steps(given_["work"]));
    const double at = 2 * static_cast<double>(i) / static_cast<double>(given_["items"]);
    return static_cast<std::uint64_t>(mean * at * (i % 100 == 99 ? 10 : 1));
  }

  void uneven(std::int64_t rounds) {
    std::vector<std::uint8_t> done(size());
    for (std::int64_t round = 0; round != rounds; ++round) {
      Loops::each_uneven(given_["items"], [&](std::int64_t i) {
        spin(steps(i));
        done[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(round + 1);
      });
      for (const std::uint8_t each : done) verify("round", each, static_cast<std::uint8_t>(round + 1));
    }
  }

  void uneven_sum(std::int64_t rounds) {
    for (std::int64_t round = 0; round != rounds; ++round) {
      const double all = Loops::sum_uneven(given_["items"], [&](std::int64_t i) {
        spin(steps(i));
        return 1.0;
      });
      verify("sum", std::llround(all), given_["items"]);
    }
  }

  // All workers wait for each other in each round, so each of them is needed.
  void launch(std::int64_t rounds) {
    const std::size_t workers = cores();
    std::atomic<std::size_t> there{0};
    for (std::int64_t round = 0; round != rounds; ++round) {
      const std::size_t all = workers * static_cast<std::size_t>(round + 1);
      Loops::on_every_worker(workers, [&] {
        there.fetch_add(1, std::memory_order_relaxed);
        while (there.load(std::memory_order_relaxed) < all) std::this_thread::yield();
      });
    }
  }

  const char* contender_;
  options given_;
  work_scale scale_;
  std::vector<double> x_;
  std::vector<double> y_;
};

}  // namespace weir_bench

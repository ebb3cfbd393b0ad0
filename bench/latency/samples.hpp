// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace weir_bench {

/// Sleeps a millisecond, in which the network becomes idle, and returns the time.
inline std::int64_t late_stamp() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return now_ns();
}

/// Microseconds from a stamp until now, one for each item that arrived.
class samples {
 public:
  void reserve(std::int64_t items) { microseconds_.reserve(static_cast<std::size_t>(items)); }
  void arrived(std::int64_t stamp) { microseconds_.push_back(static_cast<double>(now_ns() - stamp) / 1000.0); }
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(microseconds_.size()); }

  extras measures() {
    return {{"median_us", quantile(microseconds_, 0.5)},
            {"p99_us", quantile(microseconds_, 0.99)},
            {"max_us", quantile(microseconds_, 1.0)}};
  }

 private:
  std::vector<double> microseconds_;
};

/// Reads the arguments, warms up, and measures `run(nodes, items, samples, given)`, which returns
/// the time it took.
template <class Run>
int latency_main(int argc, char** argv, const char* contender, Run&& run) {
  const options given(argc, argv, {{"items", 500}, {"nodes", 5}, {"threads", 0}});
  const std::int64_t items = given["items"];
  samples warm_up;
  run(given["nodes"], items / 10, warm_up, given);
  samples seen;
  seen.reserve(items);
  const duration took = run(given["nodes"], items, seen, given);
  verify("count", seen.count(), items);
  print_result("latency", contender, items, took, seen.measures());
  return 0;
}

}  // namespace weir_bench

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace weir_bench {

/// One message of 64 bytes goes to another process and back, again and again.
struct round_trip_message {
  std::int64_t number = 0;
  std::array<std::int64_t, 7> others{};
};
static_assert(sizeof(round_trip_message) == 64);

inline options round_trip_options(int argc, char** argv) { return {argc, argv, {{"items", 20'000}, {"shm", 0}}}; }

struct round_trip_outcome {
  std::int64_t trips = 0;
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
  double median_us = 0;
  double p99_us = 0;
};

/// Records the time of each round trip except the first tenth.
class round_trips {
 public:
  explicit round_trips(std::int64_t count) : count_(count) {}

  /// Called when a message leaves.
  void leaves() { left_ = now_ns(); }
  /// Called when the message is back. @return whether another one must be sent
  bool is_back() {
    if (++trips_ > count_ / 10) microseconds_.push_back(static_cast<double>(now_ns() - left_) / 1e3);
    return trips_ < count_;
  }
  void tell(round_trip_outcome& to) {
    to.trips = trips_;
    to.median_us = quantile(microseconds_, 0.5);
    to.p99_us = quantile(microseconds_, 0.99);
  }

 private:
  std::int64_t count_;
  std::int64_t trips_ = 0;
  std::int64_t left_ = 0;
  std::vector<double> microseconds_;
};

inline void print_round_trips(const char* contender, const options& given, const round_trip_outcome& was) {
  verify("number of round trips", was.trips, given["items"]);
  print_result("cluster_latency", contender, was.trips, {was.wall_ns, was.cpu_ns},
               {{"median_us", was.median_us}, {"p99_us", was.p99_us}});
}

}  // namespace weir_bench

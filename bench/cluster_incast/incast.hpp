// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

namespace weir_bench {

constexpr std::int64_t incast_senders = 15;

/// Fifteen senders with `items` messages each, and one receiver whose link is the bottleneck.
inline options incast_options(int argc, char** argv) {
  return {argc, argv, {{"items", 400}, {"size", 65'536}, {"hosts", 0}, {"rate", 200}}};
}

/// Counts at the receiver; written by one thread at a time.
struct incast_outcome {
  std::array<std::int64_t, incast_senders> from{};
  std::array<std::int64_t, incast_senders>
      at_half{};  ///< number of messages of each sender when half of all had arrived
  std::int64_t messages = 0;
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
  std::int64_t resident_kib = 0;
  std::int64_t grown_kib = 0;

  void came(std::int64_t sender, std::int64_t all) {
    ++from[static_cast<std::size_t>(sender)];
    ++messages;
    if (messages == all / 2) at_half = from;
    if (messages % (all / 10) != 0) return;
    if (resident_kib == 0) resident_kib = resident_kib_now();
    grown_kib = std::max(grown_kib, resident_kib_now() - resident_kib);
  }
};

inline void print_incast(const char* contender, const options& given, const incast_outcome& was) {
  const std::int64_t all = given["items"] * incast_senders;
  verify("number of messages", was.messages, all);
  for (const std::int64_t each : was.from) verify("number of messages of a sender", each, given["items"]);
  const double seconds = static_cast<double>(was.wall_ns) / 1e9;
  const double mean = static_cast<double>(all / 2) / static_cast<double>(incast_senders);
  const double rate = static_cast<double>(all * given["size"]) / 1e6 / seconds;
  extras extra{{"MB_per_s", rate},
               {"least_share", static_cast<double>(*std::ranges::min_element(was.at_half)) / mean},
               {"most_share", static_cast<double>(*std::ranges::max_element(was.at_half)) / mean},
               {"grown_kib", static_cast<double>(was.grown_kib)}};
  if (given["hosts"] != 0) extra.emplace_back("link_share", rate * 8 / static_cast<double>(given["rate"]));
  print_result("cluster_incast", contender, all, {was.wall_ns, was.cpu_ns}, extra);
}

}  // namespace weir_bench

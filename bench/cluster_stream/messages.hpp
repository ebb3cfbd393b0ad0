// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace weir_bench {

/// A stream of messages of equal size between two processes (F2 §5.1); each holds its number.
template <std::size_t size>
struct message {
  static_assert(size % sizeof(std::int64_t) == 0);
  std::int64_t first;
  std::array<std::int64_t, size / sizeof(std::int64_t) - 1> others;
};
template <>
struct message<sizeof(std::int64_t)> {
  std::int64_t first;
};

/// With `hosts` 2 the sender and the receiver are on two hosts of scripts/cluster.sh, else on this
/// one.
inline options stream_options(int argc, char** argv) {
  return {argc, argv, {{"items", 1'000'000}, {"size", 64}, {"batch", 0}, {"hosts", 0}, {"shm", 0}, {"kind", 0}}};
}

/// Calls `act` with a message type of `size` bytes.
template <class Act>
auto with_message(std::int64_t size, Act&& act) {
  switch (size) {
    case 8: return act(message<8>{});
    case 64: return act(message<64>{});
    case 512: return act(message<512>{});
    case 4096: return act(message<4096>{});
    case 8192: return act(message<8192>{});
    case 65'536: return act(message<65'536>{});
    default: std::fprintf(stderr, "sizes: 8, 64, 512, 4096, 8192, 65536\n"); std::exit(2);
  }
}

/// The receiver's result for one stream.
struct stream_outcome {
  double sum;
  std::int64_t wall_ns;
  std::int64_t cpu_ns;
};

inline void print_stream(const char* contender, const options& given, const stream_outcome& was,
                         const extras& more = {}) {
  const std::int64_t items = given["items"];
  const double seconds = static_cast<double>(was.wall_ns) / 1e9;
  // The sum is exact below 2^53.
  verify("sum", static_cast<std::int64_t>(was.sum), items * (items - 1) / 2);
  extras all{{"MB_per_s", static_cast<double>(items * given["size"]) / 1e6 / seconds}};
  all.insert(all.end(), more.begin(), more.end());
  print_result("cluster_stream", contender, items, {was.wall_ns, was.cpu_ns}, all);
}

}  // namespace weir_bench

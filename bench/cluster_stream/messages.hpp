// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace weir_bench {

/// A stream of messages of equal size between two processes over loopback TCP (F2 §5.1).
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

inline options stream_options(int argc, char** argv) {
  return {argc, argv, {{"items", 1'000'000}, {"size", 64}, {"batch", 0}}};
}

/// Calls act with a message type of `size` bytes.
template <class Act>
auto with_message(std::int64_t size, Act&& act) {
  switch (size) {
    case 8: return act(message<8>{});
    case 64: return act(message<64>{});
    case 512: return act(message<512>{});
    case 4096: return act(message<4096>{});
    case 65'536: return act(message<65'536>{});
    default: std::fprintf(stderr, "sizes: 8, 64, 512, 4096, 65536\n"); std::exit(2);
  }
}

/// Runs `child` in a process of its own, and `parent` here. @return what the parent returns
template <class Child, class Parent>
auto in_two_processes(Child&& child, Parent&& parent) {
  const pid_t other = fork();
  if (other < 0) std::abort();
  if (other == 0) {
    child();
    std::_Exit(0);
  }
  auto result = parent();
  int status = 0;
  waitpid(other, &status, 0);
  verify("exit status of the sender", status, 0);
  return result;
}

inline void print_stream(const char* contender, std::int64_t items, std::int64_t size, const duration& took,
                         double sum) {
  const double seconds = static_cast<double>(took.wall_ns) / 1e9;
  print_result("cluster_stream", contender, items, took,
               {{"MB_per_s", static_cast<double>(items * size) / 1e6 / seconds}, {"result", sum}});
}

}  // namespace weir_bench

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace weir_bench {

/// A master and workers that sleep instead of computing, so that they may outnumber the cores (F2
/// §5.2): `groups` times `workers` workers, `work` nanoseconds a task.
inline options master_options(int argc, char** argv) {
  return {argc,
          argv,
          {{"items", 100'000},
           {"work", 1'000'000},
           {"groups", 4},
           {"workers", 4},
           {"batch", 32},
           {"frames", 1},
           {"depth", 32},
           {"shm", 0}}};
}

struct task {
  std::int64_t number = 0;
  std::int64_t ns = 0;
  std::array<std::int64_t, 14> others{};
};
static_assert(sizeof(task) == 128);

struct master_outcome {
  std::atomic<std::int64_t> slept{0};  // nanoseconds
  std::int64_t sum = 0;
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
};

/// Sleeps as exactly as the kernel can. @return how long it slept, in nanoseconds
inline std::int64_t sleep_ns(std::int64_t ns) {
  static thread_local const int exact = ::prctl(PR_SET_TIMERSLACK, 1UL);
  static_cast<void>(exact);
  const std::int64_t before = now_ns();
  timespec time{ns / 1'000'000'000, ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) == EINTR) {
  }
  return now_ns() - before;
}

/// Prints the result. `efficiency` is the share of the ideal, tasks x grain / all workers. `asleep`
/// is the share of all workers' time in which they slept, which is longer than they were told to.
inline void print_master(const char* contender, const options& given, const master_outcome& was) {
  const std::int64_t items = given["items"];
  verify("sum", was.sum, items * (items - 1) / 2);
  const double workers = static_cast<double>(given["groups"] * given["workers"]);
  const auto wall = static_cast<double>(was.wall_ns);
  print_result("cluster_master", contender, items, {was.wall_ns, was.cpu_ns},
               {{"efficiency", static_cast<double>(items) * static_cast<double>(given["work"]) / workers / wall},
                {"asleep", static_cast<double>(was.slept) / workers / wall},
                {"cores", static_cast<double>(was.cpu_ns) / wall},
                {"result", static_cast<double>(was.sum)}});
}

}  // namespace weir_bench

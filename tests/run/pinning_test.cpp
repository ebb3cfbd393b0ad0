// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/run.hpp"
#include "weir/weir.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

// Number of processors on which the thread that ran the node was allowed to run, for each call.
struct widths {
  std::mutex mutex{};
  std::vector<int> seen{};

  void look() {
    const cpu_set_t now = allowed();
    const std::lock_guard lock(mutex);
    seen.push_back(CPU_COUNT(&now));
  }
};

struct twenty {
  int made = 0;

  void start() { made = 0; }
  std::optional<int> next() {
    if (made == 20) return std::nullopt;
    return made++;
  }
};

weir::network looking(widths& into) {
  return weir::source(twenty{}) | weir::sink([&into](int) { into.look(); });
}

TEST(pinning, of_the_pool_keeps_its_workers_on_one_processor_each) {
  widths seen;
  weir::run(looking(seen), {.pin = weir::pinning::on});
  EXPECT_EQ(seen.seen, std::vector<int>(20, 1));
}

TEST(pinning, of_threads_lasts_for_one_run) {
  if (weir::available_cores() < 2) GTEST_SKIP() << "needs two processors";
  widths seen;
  weir::network net = looking(seen);
  weir::run(net, {.executor = weir::executor::threads, .pin = weir::pinning::on});
  EXPECT_EQ(seen.seen, std::vector<int>(20, 1));
  seen.seen.clear();
  weir::run(net, {.executor = weir::executor::threads});
  const cpu_set_t all = allowed();
  EXPECT_EQ(seen.seen, std::vector<int>(20, CPU_COUNT(&all)));
}

TEST(pinning, is_off_where_workers_outnumber_the_processors) {
  widths seen;
  weir::run(looking(seen), {.workers = weir::available_cores() + 1, .pin = weir::pinning::on});
  const cpu_set_t all = allowed();
  EXPECT_EQ(seen.seen, std::vector<int>(20, CPU_COUNT(&all)));
}

}  // namespace

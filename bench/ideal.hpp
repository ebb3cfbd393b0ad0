// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace weir_bench {

/// The ideal for `efficiency`, measured instead of calculated: `width` threads (or one a core, if
/// cores are fewer) do the work of all `items` in large portions and never communicate.
/// `steps_of(item)` returns the steps of an item.
template <class StepsOf>
duration ideal_run(std::int64_t items, std::size_t width, StepsOf steps_of) {
  const std::int64_t portion = std::max<std::int64_t>(items / 1000, 1);
  std::atomic<std::int64_t> taken{0};
  std::atomic<std::int64_t> done{0};
  const auto work = [&] {
    for (;;) {
      const std::int64_t first = taken.fetch_add(portion, std::memory_order_relaxed);
      const std::int64_t last = std::min(first + portion, items);
      if (first >= last) return;
      for (std::int64_t item = first; item != last; ++item) spin(steps_of(item));
      done.fetch_add(last - first, std::memory_order_relaxed);
    }
  };
  const stopwatch watch;
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(width, cores()); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  const duration took = watch.elapsed();
  verify("count", done.load(), items);
  return took;
}

}  // namespace weir_bench

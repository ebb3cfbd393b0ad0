// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/export.hpp"
#include "weir/patterns/schedule.hpp"
#include "weir/run/fork_join.hpp"

#include <atomic>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace weir::detail {

// Runs the same blocks repeatedly, each time on several threads. As far as possible, a block runs
// on the thread that ran it last, in whose caches it lies. One thread calls `sweep` at a time.
//
// The blocks are divided into one part per worker. A piece of the join takes the part that its
// thread had before, or else a part that no thread has taken yet, and then helps with the remaining
// blocks of the other parts. Blocks are taken by an atomic counter, so each is run once. The fork
// and the join order all other accesses, so relaxed ones suffice.
class WEIR_API sweeps {
 public:
  sweeps(std::size_t blocks, const parallel_options& options);

  // Calls `run(block, worker)` for each block. @throws the first exception of `run`; stopped
  void sweep(piece_function run);

 private:
  struct alignas(cache_line) part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> taken_in{0};  // number of the sweep in which it was last taken
    std::atomic<const void*> owner{nullptr};
  };

  std::size_t take_part() noexcept;

  std::vector<part> parts_;
  std::size_t sweep_ = 0;
  std::stop_token stop_;
};

}  // namespace weir::detail

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/patterns/schedule.hpp"
#include "weir/run/fork_join.hpp"

#include <atomic>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace weir::detail {

// The same blocks again and again, each time by several threads: as far as possible by those that
// ran them the last time, in whose caches they lie. One thread sweeps at a time.
//
// The blocks are divided into a part for each worker. A piece of the join takes the part that its
// thread had before, or else one that nobody has taken yet, and then helps with what is left of the
// others. Blocks are taken by counting on, so each is run once; the fork and the join order all
// else, so relaxed accesses suffice.
class sweeps {
 public:
  sweeps(std::size_t blocks, const parallel_options& options);

  // Calls `run(block, worker)` for each block. @throws what it throws, the first of them; stopped
  void sweep(piece_function run);

 private:
  struct alignas(cache_line) part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> taken_in{0};  // the sweep
    std::atomic<const void*> owner{nullptr};
  };

  std::size_t take_part() noexcept;

  std::vector<part> parts_;
  std::size_t sweep_ = 0;
  std::stop_token stop_;
};

}  // namespace weir::detail

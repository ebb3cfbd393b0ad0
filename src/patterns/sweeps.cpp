// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/sweeps.hpp"

#include "weir/graph/error.hpp"

#include <algorithm>

namespace weir::detail {
namespace {

// The address of this variable identifies the thread.
thread_local constinit char this_thread = 0;

}  // namespace

sweeps::sweeps(std::size_t blocks, const parallel_options& options)
    : parts_(parts_of(blocks, {.workers = options.workers})), stop_(options.stop) {
  for (std::size_t i = 0; i != parts_.size(); ++i) {
    parts_[i].begin = blocks / parts_.size() * i + std::min(blocks % parts_.size(), i);
    parts_[i].end = blocks / parts_.size() * (i + 1) + std::min(blocks % parts_.size(), i + 1);
  }
}

void sweeps::sweep(piece_function run) {
  if (stop_.stop_requested() || join_fails()) throw stopped{};
  ++sweep_;
  for (part& each : parts_) each.next.store(each.begin, std::memory_order_relaxed);
  fork_join(std::max<std::size_t>(parts_.size(), 1), [&](std::size_t, std::size_t worker) {
    const std::size_t mine = take_part();
    for (std::size_t i = 0; i != parts_.size(); ++i) {
      part& from = parts_[(mine + i) % parts_.size()];
      while (from.next.load(std::memory_order_relaxed) < from.end) {
        const std::size_t block = from.next.fetch_add(1, std::memory_order_relaxed);
        if (block >= from.end) break;
        if (stop_.stop_requested() || join_fails()) throw stopped{};
        run(block, worker);
      }
    }
  });
}

std::size_t sweeps::take_part() noexcept {
  const auto take = [&](part& which) {
    return which.taken_in.load(std::memory_order_relaxed) != sweep_ &&
           which.taken_in.exchange(sweep_, std::memory_order_relaxed) != sweep_;
  };
  for (part& each : parts_) {
    if (each.owner.load(std::memory_order_relaxed) == &this_thread && take(each)) {
      return static_cast<std::size_t>(&each - parts_.data());
    }
  }
  for (part& each : parts_) {
    if (take(each)) {
      each.owner.store(&this_thread, std::memory_order_relaxed);
      return static_cast<std::size_t>(&each - parts_.data());
    }
  }
  return 0;
}

}  // namespace weir::detail

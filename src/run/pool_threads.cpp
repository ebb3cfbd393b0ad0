// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/pool_threads.hpp"

#include "run/start_thread.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir::detail {

pool_threads::pool_threads(std::function<void(pool_thread&)> main)
    : main_(std::move(main)), records_(std::make_unique<std::array<std::atomic<pool_thread*>, most>>()) {}

pool_thread& pool_threads::take() {
  const std::lock_guard lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  const std::size_t limit = std::min(limit_.load(std::memory_order_relaxed), most);
  if (count - spares_.size() >= limit) {  // spares are not at work
    throw std::runtime_error("all " + std::to_string(limit) +
                             " threads are taken (run_options::max_threads); raise it, or let fewer nodes block");
  }
  if (!spares_.empty()) {
    pool_thread* const spare = spares_.back();
    spares_.pop_back();
    return *spare;
  }
  auto made = std::make_unique<pool_thread>();
  pool_thread& spare = *made;
  spare.number = static_cast<std::uint16_t>(count);
  spare.handle = start_thread([this, &spare] { main_(spare); });
  (*records_)[count].store(made.release(), std::memory_order_release);
  count_.store(count + 1, std::memory_order_release);
  return spare;
}

void pool_threads::put_back(pool_thread& spare) noexcept {
  const std::lock_guard lock(mutex_);
  spares_.push_back(&spare);
}

void pool_threads::join_all() noexcept {
  for_each([](pool_thread& each) { each.place.unpark(); });
  for_each([](pool_thread& each) { each.handle.join(); });
  for_each([](pool_thread& each) { delete &each; });  // until then, others may look at it in a scan
}

// The owner may have lost the core to another thread, which sleeps, and may still put an activation
// here. So no thread is sure to come between steps.
bool pool_core::shares() const noexcept {
  const std::size_t waiting = ready.size();
  if (waiting == 0 || waiting > few_activations) return waiting != 0;
  return !is_in_step() || step_takes.load(std::memory_order_relaxed) >= light_run;
}

}  // namespace weir::detail

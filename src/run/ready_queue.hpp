// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/activation.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>

namespace weir::detail {

/// A double-ended queue of ready activations, linked through the activations. Its owner works at
/// the back, thieves at the front. Any thread. Uses a lock, since it is taken only once for a step
/// of hundreds of items.
class ready_queue {
 public:
  /// @param now an increasing number, for `pop_overdue`
  void push_back(activation& ready, unsigned now) noexcept;
  void push_front(activation& ready, unsigned now) noexcept;
  activation* pop_back() noexcept;
  activation* pop_front() noexcept;
  /// Takes the activation that has waited longest, if it was pushed `age` or more before `now`.
  activation* pop_overdue(unsigned now, unsigned age) noexcept;

  /// A hint. Exact for a thread that executed a full fence after announcing that it is about to
  /// sleep.
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

 private:
  activation* taken_out(activation* one) noexcept;
  void count(std::size_t change) noexcept;

  std::mutex mutex_;
  activation* front_ = nullptr;
  activation* back_ = nullptr;
  std::atomic<std::size_t> size_{0};
};

}  // namespace weir::detail

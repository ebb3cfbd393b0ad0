// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace ff::detail {

/// Waits of code that can't return to the engine to wait: longer and longer ones.
class pauses {
 public:
  /// @throws stopped
  void wait(const weir::detail::ports& at) {
    if (at.stopping()) throw weir::stopped{};
    std::this_thread::sleep_for(next_);
    next_ = std::min(next_ * 2, longest);
  }

 private:
  static constexpr std::chrono::microseconds longest{1000};
  std::chrono::microseconds next_{1};
};

}  // namespace ff::detail

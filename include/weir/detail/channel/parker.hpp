// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weir::detail {

/// Puts one thread to sleep until another thread wakes it, by a token on a futex.
///
/// `unpark` leaves the token (at most one). `park` takes the token and returns, or sleeps until
/// there is one. One thread may park, any thread may unpark. All that happened before `unpark` is
/// visible after the `park` that took its token.
class WEIR_API parker {
 public:
  void park() noexcept;

  /// @return false if `longest` passed without a token
  bool park_for(std::chrono::nanoseconds longest) noexcept;

  void unpark() noexcept;

 private:
  enum : std::uint32_t { empty, token, parked };
  std::atomic<std::uint32_t> state_{empty};
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4,
                "a futex is a 32-bit word");
};

}  // namespace weir::detail

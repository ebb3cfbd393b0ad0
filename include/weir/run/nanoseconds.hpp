// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace weir {

/// A duration in nanoseconds, for programs that don't need all of `<chrono>`. It converts to
/// `std::chrono::nanoseconds` and to durations of floating-point numbers, and from durations that
/// are whole nanoseconds.
///
///     const std::chrono::duration<double> seconds = report.wall;
class nanoseconds {
 public:
  constexpr nanoseconds() noexcept = default;
  constexpr explicit nanoseconds(std::int64_t count) noexcept : count_(count) {}

  template <class Duration>
    requires(std::is_integral_v<typename Duration::rep> && 1'000'000'000 % Duration::period::den == 0)
  constexpr nanoseconds(Duration other) noexcept  // NOLINT(google-explicit-constructor)
      : count_(static_cast<std::int64_t>(other.count()) *
               (1'000'000'000 / Duration::period::den * Duration::period::num)) {}

  template <class Duration>
    requires(std::is_floating_point_v<typename Duration::rep> ||
             (Duration::period::num == 1 && Duration::period::den == 1'000'000'000))
  constexpr operator Duration() const noexcept {  // NOLINT(google-explicit-constructor)
    using rep = typename Duration::rep;
    if constexpr (std::is_floating_point_v<rep>) {
      constexpr rep units = static_cast<rep>(1e9) * Duration::period::num / Duration::period::den;
      return Duration(static_cast<rep>(count_) / units);
    } else {
      return Duration(static_cast<rep>(count_));
    }
  }

  constexpr std::int64_t count() const noexcept { return count_; }

  friend constexpr auto operator<=>(const nanoseconds&, const nanoseconds&) = default;
  friend constexpr nanoseconds operator+(nanoseconds a, nanoseconds b) noexcept {
    return nanoseconds(a.count_ + b.count_);
  }
  friend constexpr nanoseconds operator-(nanoseconds a, nanoseconds b) noexcept {
    return nanoseconds(a.count_ - b.count_);
  }
  constexpr nanoseconds& operator+=(nanoseconds other) noexcept { return *this = *this + other; }
  constexpr nanoseconds& operator-=(nanoseconds other) noexcept { return *this = *this - other; }

 private:
  std::int64_t count_ = 0;
};

}  // namespace weir

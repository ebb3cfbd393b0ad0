// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace weir::cluster {

/// Result of one exchange, or of the best of several, that compares another process' steady clock
/// with this one's (as in NTP: D. Mills, RFC 5905, §8). Nanoseconds.
struct clock_comparison {
  std::int64_t at = 0;          ///< time here, in the middle of the exchange
  std::int64_t ahead = 0;       ///< how far the other clock is ahead then, plus or minus `uncertainty`
  std::int64_t round_trip = 0;  ///< time from the question to the answer

  /// Largest error of `ahead`: all of the round trip may have been one way.
  std::int64_t uncertainty() const noexcept { return (round_trip + 1) / 2; }
};

/// @param asked,answered times here @param there time of the other clock in between
clock_comparison compare_clocks(std::int64_t asked, std::int64_t there, std::int64_t answered) noexcept;

/// Translates times here to times there. The difference of the clocks changes linearly between two
/// comparisons and beyond them. If the comparisons are less than a second apart, only the better
/// one counts.
class clock_translation {
 public:
  explicit clock_translation(const clock_comparison& first,
                             const std::optional<clock_comparison>& second = {}) noexcept;

  std::int64_t there(std::int64_t here) const noexcept;
  /// The greatest uncertainty of the comparisons that count.
  std::int64_t uncertainty() const noexcept { return uncertainty_; }
  /// `ahead` at the first comparison.
  std::int64_t ahead() const noexcept { return first_.ahead; }

 private:
  clock_comparison first_;
  double drift_ = 0;  // nanoseconds per nanosecond
  std::int64_t uncertainty_;
};

}  // namespace weir::cluster

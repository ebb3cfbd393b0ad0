// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace weir::cluster {

/// What one exchange, or the best of several, says of another process' steady clock (as NTP has it:
/// D. Mills, RFC 5905, §8). Nanoseconds.
struct clock_comparison {
  std::int64_t at = 0;          ///< here, in the middle of the exchange
  std::int64_t ahead = 0;       ///< so much is the other clock ahead then, give or take `uncertainty`
  std::int64_t round_trip = 0;  ///< from the question to the answer

  /// How wrong `ahead` can be: all of the round trip may have been one way.
  std::int64_t uncertainty() const noexcept { return (round_trip + 1) / 2; }
};

/// @param asked,answered here @param there what the other clock said in between
clock_comparison compare_clocks(std::int64_t asked, std::int64_t there, std::int64_t answered) noexcept;

/// Times here as times there. Between two comparisons, and outside, the difference changes evenly;
/// if they are less than a second apart, the better one counts alone.
class clock_translation {
 public:
  explicit clock_translation(const clock_comparison& first,
                             const std::optional<clock_comparison>& second = {}) noexcept;

  std::int64_t there(std::int64_t here) const noexcept;
  /// The greater one of both.
  std::int64_t uncertainty() const noexcept { return uncertainty_; }
  /// At the first comparison.
  std::int64_t ahead() const noexcept { return first_.ahead; }

 private:
  clock_comparison first_;
  double drift_ = 0;  // nanoseconds a nanosecond
  std::int64_t uncertainty_;
};

}  // namespace weir::cluster

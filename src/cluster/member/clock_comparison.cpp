// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/clock_comparison.hpp"

#include <algorithm>

namespace weir::cluster {

clock_comparison compare_clocks(std::int64_t asked, std::int64_t there, std::int64_t answered) noexcept {
  const std::int64_t middle = asked + (answered - asked) / 2;
  return {.at = middle, .ahead = there - middle, .round_trip = answered - asked};
}

clock_translation::clock_translation(const clock_comparison& first,
                                     const std::optional<clock_comparison>& second) noexcept
    : first_(first), uncertainty_(first.uncertainty()) {
  constexpr std::int64_t apart_least = 1'000'000'000;
  if (!second) return;
  const std::int64_t between = second->at - first.at;
  if (between < apart_least) {
    if (second->round_trip < first.round_trip) first_ = *second;
    uncertainty_ = first_.uncertainty();
    return;
  }
  // No clock drifts as fast as time.
  drift_ = std::clamp(static_cast<double>(second->ahead - first.ahead) / static_cast<double>(between), -1.0, 1.0);
  uncertainty_ = std::max(uncertainty_, second->uncertainty());
}

std::int64_t clock_translation::there(std::int64_t here) const noexcept {
  return here + first_.ahead + static_cast<std::int64_t>(drift_ * static_cast<double>(here - first_.at));
}

}  // namespace weir::cluster

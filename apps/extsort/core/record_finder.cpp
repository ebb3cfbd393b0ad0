// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "record_finder.hpp"

#include <algorithm>

namespace extsort {

std::uint64_t record_finder::first_from(std::uint64_t place) {
  constexpr std::size_t usual_window = std::size_t{1} << 20;
  if (place == 0) return 0;
  for (std::size_t window = std::min(usual_window, memory_.size());; window = std::min(window * 4, memory_.size())) {
    const auto found = find(place, window);
    if (found || window == memory_.size() || place + window >= size_) return found.value_or(size_);
  }
}

void record_finder::look_around(std::uint64_t place, std::size_t window, std::size_t most,
                                const std::function<void(record_view record, std::uint64_t place)>& take) {
  window = std::min(window, memory_.size());
  const auto begin = place == 0 ? 0 : find(place, window);
  if (!begin) return;
  for (std::uint64_t at = *begin; most != 0 && at < held_end_; --most) {
    const std::byte* const record = memory_.data() + (at - held_place_);
    const std::uint64_t size = rules_->size_of(record, held_end_ - at);
    if (size > held_end_ - at) return;
    take(record_view(record, static_cast<std::size_t>(size)), at);
    at += size;
  }
}

std::optional<std::uint64_t> record_finder::behind(std::uint64_t place) {
  hold(place, std::min<std::uint64_t>(2 * page, memory_.size()));
  const std::uint64_t size = rules_->size_of(memory_.data() + (place - held_place_), held_end_ - place);
  return size <= size_ - place ? std::optional(place + size) : std::nullopt;
}

std::optional<std::uint64_t> record_finder::find(std::uint64_t place, std::size_t window) {
  if (place >= size_) return size_;
  // The end byte of the record before `place` may tell that a record begins there.
  const std::uint64_t from = place - (rules_->end() ? 1 : 0);
  hold(from, window);
  const std::span<const std::byte> seen(memory_.data() + (from - held_place_), held_end_ - from);
  const auto found = rules_->find(from, seen, held_end_ == size_);
  return found ? std::optional(from + *found) : std::nullopt;
}

void record_finder::hold(std::uint64_t place, std::uint64_t window) {
  held_place_ = rounded_down(place);
  const std::uint64_t wanted = std::min(rounded_up(size_), rounded_down(held_place_ + window)) - held_place_;
  transfer reading;
  disk_->read(reading, *from_, held_place_, memory_.data(), std::max<std::uint64_t>(wanted, page));
  held_end_ = std::min(held_place_ + disk_->finish(reading), size_);
}

}  // namespace extsort

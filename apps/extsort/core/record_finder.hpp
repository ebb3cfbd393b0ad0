// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "records.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace extsort {

/// Finds records from anywhere in a file. Where formats do not say where a record begins, it is a guess: see `find_record`. For one thread at a time.
template <class Format>
class record_finder {
 public:
  /// Whether what is found may be no record.
  static constexpr bool guesses = std::same_as<Format, binary_records>;

  /// @param memory for what is looked at @param size of the file; all outlive the finder
  record_finder(disk_queue& disk, const file& from, const Format& format, std::uint64_t size,
                std::span<std::byte> memory)
      : disk_(&disk), from_(&from), format_(format), size_(size), memory_(memory.first(rounded_down(memory.size()))) {}

  /// The beginning of a record at or not far behind that place; the size of the file if none is found.
  std::uint64_t first_from(std::uint64_t place) {
    if (place == 0) return 0;
    for (std::size_t window = std::min(usual_window, memory_.size());; window = std::min(window * 4, memory_.size())) {
      const auto found = find(place, window);
      if (found || window == memory_.size() || place + window >= size_) return found.value_or(size_);
    }
  }

  /// Calls `take(record, place)` for some records that follow each other from about there on, of which it sees so many bytes.
  template <class Take>
  void look_around(std::uint64_t place, std::size_t window, std::size_t most, Take&& take) {
    window = std::min(window, memory_.size());
    const auto begin = place == 0 ? 0 : find(place, window);
    if (!begin) return;
    for (std::uint64_t at = *begin; most != 0 && at < held_end_; --most) {
      const std::byte* const record = memory_.data() + (at - held_place_);
      const std::uint64_t size = format_.size_of(record, held_end_ - at);
      if (size > held_end_ - at) return;
      take(record_view(record, static_cast<std::size_t>(size)), at);
      at += size;
    }
  }

  /// The record that begins there: where the next one does; none if the file ends before.
  std::optional<std::uint64_t> behind(std::uint64_t place) {
    hold(place, std::min<std::uint64_t>(2 * page, memory_.size()));
    const std::uint64_t size = format_.size_of(memory_.data() + (place - held_place_), held_end_ - place);
    return size <= size_ - place ? std::optional(place + size) : std::nullopt;
  }

 private:
  static constexpr std::size_t usual_window = std::size_t{1} << 20;

  std::optional<std::uint64_t> find(std::uint64_t place, std::size_t window) {
    if (place >= size_) return size_;
    const std::uint64_t from = place - std::min(place, format_before());
    hold(from, window);
    const std::span<const std::byte> seen(memory_.data() + (from - held_place_), held_end_ - from);
    const auto found = find_record(format_, from, seen, held_end_ == size_);
    return found ? std::optional(from + *found) : std::nullopt;
  }

  // How far before a place one must look to know whether a record begins there.
  std::uint64_t format_before() const noexcept {
    if constexpr (requires { Format::end; }) return 1;
    return 0;
  }

  void hold(std::uint64_t place, std::uint64_t window) {
    held_place_ = rounded_down(place);
    const std::uint64_t wanted = std::min(rounded_up(size_), rounded_down(held_place_ + window)) - held_place_;
    transfer reading;
    disk_->read(reading, *from_, held_place_, memory_.data(), std::max<std::uint64_t>(wanted, page));
    held_end_ = std::min(held_place_ + disk_->finish(reading), size_);
  }

  disk_queue* disk_;
  const file* from_;
  Format format_;
  std::uint64_t size_;
  std::span<std::byte> memory_;
  std::uint64_t held_place_ = 0;  // of the first byte in memory
  std::uint64_t held_end_ = 0;
};

/// Where in `seen`, which begins at byte `place` of the file, a record begins; none: nowhere, as far as can be told. @param at_end the file ends with them
inline std::optional<std::uint64_t> find_record(const fixed_records& format, std::uint64_t place,
                                                std::span<const std::byte> seen, bool) {
  const std::uint64_t at = (place + format.size - 1) / format.size * format.size - place;
  return at <= seen.size() ? std::optional(at) : std::nullopt;
}

/// Any format whose records have an end that is nowhere else. The first of them that does not begin at `place`.
template <class Format>
  requires requires { Format::end; }
std::optional<std::uint64_t> find_record(const Format& format, std::uint64_t, std::span<const std::byte> seen,
                                         bool at_end) {
  const std::uint64_t size = format.size_of(seen.data(), seen.size());
  if (size <= seen.size()) return size;
  return at_end ? std::optional<std::uint64_t>(seen.size()) : std::nullopt;
}

/// S's records say only how long they are. Wherever one begins to follow lengths, one soon follows the true ones, or comes to one that makes no sense; so that on which most agree is the true one, unless
/// the file has been made to deceive.
std::optional<std::uint64_t> find_record(const binary_records& format, std::uint64_t place,
                                         std::span<const std::byte> seen, bool at_end);

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace extsort {

/// The number of a chunk, in front of each of its records.
using chunk_number = std::uint32_t;

/// Records of another format, each preceded by the number of its chunk. Runs have such records if
/// the order of runs is not the order of equal records. Records with equal keys compare by that
/// number. Grammar: `u32 number | record`.
template <class Format>
class numbered_records {
 public:
  static constexpr bool words_decide = false;
  using number = chunk_number;
  static constexpr std::size_t number_size = sizeof(number);

  explicit numbered_records(const Format& of) : of_(of) {}

  std::uint64_t size_of(const std::byte* at, std::uint64_t available, std::uint64_t seen = 0) const noexcept {
    if (available < number_size) return number_size + 1;
    return number_size + extsort::size_of(of_, at + number_size, available - number_size,
                                          seen < number_size ? 0 : seen - number_size);
  }
  std::uint64_t word(const std::byte* at, key_place place) const noexcept {
    return place.key == number_key ? loaded<number>(at) : of_.word(at + number_size, place);
  }
  bool next(key_place& place, std::uint64_t word) const noexcept {
    if (place.key == number_key) return false;
    if (!of_.next(place, word)) place = {.key = number_key, .column = 0};
    return true;
  }
  key_difference difference(const std::byte* a, const std::byte* b, key_place place) const noexcept {
    if (place.key != number_key) {
      const key_difference of_keys = extsort::difference(of_, a + number_size, b + number_size, place);
      if (!of_keys.is_none) return of_keys;
    }
    const std::uint64_t x = loaded<number>(a), y = loaded<number>(b);
    return {.is_none = x == y, .place = {.key = number_key, .column = 0}, .a = x, .b = y};
  }
  std::strong_ordering compare_keys(record_view a, record_view b) const noexcept {
    return of_.compare(a.subspan(number_size), b.subspan(number_size));
  }
  std::strong_ordering compare(record_view a, record_view b) const noexcept {
    const auto order = compare_keys(a, b);
    return order != 0 ? order : loaded<number>(a.data()) <=> loaded<number>(b.data());
  }

 private:
  static constexpr std::uint32_t number_key = std::numeric_limits<std::uint32_t>::max();  // follows all other keys

  Format of_;
};

/// Number of bytes in front of a record in a run that are not its own.
template <class Format>
inline constexpr std::size_t bytes_in_front = 0;
template <class Format>
inline constexpr std::size_t bytes_in_front<numbered_records<Format>> = numbered_records<Format>::number_size;

/// Compares by the keys alone.
template <class Format>
std::strong_ordering compare_keys(const Format& format, record_view a, record_view b) noexcept {
  return format.compare(a, b);
}
template <class Format>
std::strong_ordering compare_keys(const numbered_records<Format>& format, record_view a, record_view b) noexcept {
  return format.compare_keys(a, b);
}

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>

namespace extsort {

/// Records of another format, each behind the number of the chunk that it came from, as runs have them whose numbers don't tell which of equal records was first. Records with equal keys compare by that
/// number. Grammar: `u32 number | record`.
template <class Format>
class numbered_records {
 public:
  static constexpr bool words_decide = false;
  using number = std::uint32_t;
  static constexpr std::size_t number_size = sizeof(number);

  explicit numbered_records(const Format& of) : of_(of) {}

  std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept {
    return available < number_size ? number_size + 1
                                   : number_size + of_.size_of(at + number_size, available - number_size);
  }
  std::uint64_t word(const std::byte* at, std::uint64_t size, std::size_t depth) const noexcept {
    return of_.word(at + number_size, size - number_size, depth);
  }
  std::strong_ordering compare_keys(record_view a, record_view b) const noexcept {
    return of_.compare(a.subspan(number_size), b.subspan(number_size));
  }
  std::strong_ordering compare(record_view a, record_view b) const noexcept {
    const auto order = compare_keys(a, b);
    return order != 0 ? order : loaded<number>(a.data()) <=> loaded<number>(b.data());
  }

 private:
  Format of_;
};

/// How many bytes are in front of a record in a run that are not its own.
template <class Format>
inline constexpr std::size_t bytes_in_front = 0;
template <class Format>
inline constexpr std::size_t bytes_in_front<numbered_records<Format>> = numbered_records<Format>::number_size;

/// By their keys alone.
template <class Format>
std::strong_ordering compare_keys(const Format& format, record_view a, record_view b) noexcept {
  return format.compare(a, b);
}
template <class Format>
std::strong_ordering compare_keys(const numbered_records<Format>& format, record_view a, record_view b) noexcept {
  return format.compare_keys(a, b);
}

}  // namespace extsort

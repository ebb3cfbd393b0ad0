// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "key_image.hpp"
#include "line_bytes.hpp"
#include "records.hpp"
#include "text_key.hpp"
#include "text_words.hpp"

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace extsort {

/// Lines of text, each with its end byte, in the order of `LC_ALL=C sort -s`.
template <char End>
class lines_ending_with {
 public:
  static constexpr bool words_decide = false;
  static constexpr std::byte end{static_cast<unsigned char>(End)};  ///< the last line of a file may lack it

  /// Lines that are sorted as a whole.
  lines_ending_with() : lines_ending_with({}, std::nullopt) {}
  /// @param keys in their order; none: whole lines
  /// @param separator of fields; none: the empty string between a non-blank and a blank
  lines_ending_with(std::vector<text_key> keys, std::optional<char> separator);

  std::uint64_t size_of(const std::byte* at, std::uint64_t available, std::uint64_t seen = 0) const noexcept {
    const void* const found = available == seen ? nullptr : std::memchr(at + seen, End, available - seen);
    return found == nullptr ? available + 1 : static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - at) + 1;
  }
  std::uint64_t word(const std::byte* at, key_place place) const noexcept {
    const char* const line = reinterpret_cast<const char*>(at);
    if (is_plain_) return word_of_line<End>(line + word_bytes * place.column);
    return word_of_key(line, place);
  }
  bool next(key_place& place, std::uint64_t word) const noexcept {
    if (goes_on(word)) {
      ++place.column;
      return true;
    }
    place = {place.key + 1, 0};
    return place.key != keys_.size();
  }
  key_difference difference(const std::byte* a, const std::byte* b, key_place place) const noexcept {
    if (!is_plain_) return difference_of_keys(a, b, place);
    return difference_of_lines(reinterpret_cast<const char*>(a), reinterpret_cast<const char*>(b), place, false);
  }
  std::strong_ordering compare(record_view a, record_view b) const;

 private:
  using blanks = blanks_of_lines<End>;

  static std::string_view line_of(const std::byte* at, std::uint64_t size) noexcept {
    return {reinterpret_cast<const char*>(at), static_cast<std::size_t>(size - 1)};
  }
  // A part of a line from `begin` on, of `most` bytes, or up to the end of the line if that is
  // earlier.
  struct line_part {
    const char* begin;
    std::size_t most;  // bytes

    std::string_view text() const noexcept {
      std::size_t size = 0;
      while (size != most && begin[size] != End) ++size;
      return {begin, size};
    }
  };
  line_part part_of(const char* line, const text_key& key) const noexcept;
  const char* behind_fields(const char* at, std::size_t fields, bool past) const noexcept;
  std::string_view part_of(std::string_view line, const text_key& key) const noexcept;
  static std::uint64_t word_of_part(const line_part& of, const key_order& order, std::uint32_t column) noexcept;
  static key_image image_of(const line_part& of, const key_order& order, std::uint32_t column) noexcept;
  static std::strong_ordering compare_parts(std::string_view a, std::string_view b, const key_order& order) noexcept;
  key_difference difference_of_keys(const std::byte* a, const std::byte* b, key_place place) const noexcept;
  key_difference difference_of_parts(const line_part& a, const line_part& b, const key_order& order,
                                     key_place place) const noexcept;
  key_difference difference_of_images(const line_part& a, const line_part& b, const key_order& order,
                                      key_place place) const noexcept;
  // For keys that go on to the ends of lines.
  key_difference difference_of_lines(const char* a, const char* b, key_place place, bool is_reversed) const noexcept {
    a += word_bytes * place.column;
    b += word_bytes * place.column;
    while (true) {
      std::uint64_t bytes_of_a, bytes_of_b;
      std::memcpy(&bytes_of_a, a, sizeof bytes_of_a);
      std::memcpy(&bytes_of_b, b, sizeof bytes_of_b);
      if (bytes_of_a == bytes_of_b && ends_in<End>(bytes_of_a) == 0) {
        a += word_bytes;
        b += word_bytes;
        ++place.column;
        continue;
      }
      const std::uint64_t x = word_of_line<End>(a), y = word_of_line<End>(b);
      if (x != y) return {.place = place, .a = is_reversed ? ~x : x, .b = is_reversed ? ~y : y};
      if (!next(place, x)) return {.is_none = true, .place = place};
      a += word_bytes;
      b += word_bytes;
    }
  }
  std::uint64_t word_of_key(const char* line, key_place place) const noexcept;

  std::vector<text_key> keys_;
  std::optional<char> separator_;
  bool is_plain_;  // sorts whole lines, not reversed
};

/// The usual lines, and those of `sort -z`.
using text_lines = lines_ending_with<'\n'>;
using zero_lines = lines_ending_with<'\0'>;

extern template class lines_ending_with<'\n'>;
extern template class lines_ending_with<'\0'>;

}  // namespace extsort

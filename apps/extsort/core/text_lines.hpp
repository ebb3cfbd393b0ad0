// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

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

/// A part of a line that it is sorted by, as `sort -k` has it (POSIX), bytes for characters.
struct text_key {
  std::size_t begin_field = 0;  ///< from 0
  std::size_t begin_byte = 0;   ///< likewise, in that field
  bool has_end = false;         ///< else to the end of the line
  std::size_t end_field = 0;
  std::size_t end_bytes = 0;  ///< so many bytes of that field; 0: all
  bool skips_blanks_at_begin = false;
  bool skips_blanks_at_end = false;
  bool is_numeric = false;
  bool is_reversed = false;
};

/// Words of text have seven bytes, zeros behind its end, and in the last byte how many of them there are, or 8 if the text goes on behind them; in a reversed order all bits of that are inverted.
inline constexpr std::size_t word_bytes = 7;
inline constexpr std::uint64_t text_goes_on = 8;

inline bool goes_on(std::uint64_t word) noexcept {
  const std::uint64_t last = word & 0xff;
  return last == text_goes_on || last == (~text_goes_on & 0xff);
}
/// @param count of the bytes up to its end, or any greater number
inline std::uint64_t word_of_text(std::uint64_t loaded_bytes, std::size_t count) noexcept {
  if (count > word_bytes) return (__builtin_bswap64(loaded_bytes) & ~std::uint64_t{0xff}) | text_goes_on;
  const std::uint64_t kept = loaded_bytes & ((std::uint64_t{1} << (8 * count)) - 1);
  return __builtin_bswap64(kept) | count;
}
/// The lowest of the bits that are set is in the first byte that is the end of a line (Mycroft).
inline std::uint64_t ends_in(std::uint64_t loaded_bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t differing = loaded_bytes ^ ones * '\n';
  return (differing - ones) & ~differing & (ones << 7);
}
/// Of what is before the end of the line. Eight bytes are read.
inline std::uint64_t word_of_line(const char* at) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  const std::uint64_t ends = ends_in(bytes);
  return word_of_text(bytes, ends == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(ends)) / 8);
}

/// Lines of text, each with its end, in the order of `LC_ALL=C sort -s`.
class text_lines {
 public:
  static constexpr bool words_decide = false;
  static constexpr std::byte end{'\n'};  ///< that the last line of a file may lack

  /// Whole lines.
  text_lines() : text_lines({}, std::nullopt) {}
  /// @param keys in their order; none: whole lines @param separator of fields; none: the emptiness before blanks
  text_lines(std::vector<text_key> keys, std::optional<char> separator);

  std::uint64_t size_of(const std::byte* at, std::uint64_t available, std::uint64_t seen = 0) const noexcept {
    const void* const found = available == seen ? nullptr : std::memchr(at + seen, '\n', available - seen);
    return found == nullptr ? available + 1 : static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - at) + 1;
  }
  std::uint64_t word(const std::byte* at, key_place place) const noexcept {
    const char* const line = reinterpret_cast<const char*>(at);
    if (is_plain_) return word_of_line(line + word_bytes * place.column);
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
  static std::string_view line_of(const std::byte* at, std::uint64_t size) noexcept {
    return {reinterpret_cast<const char*>(at), static_cast<std::size_t>(size - 1)};
  }
  // Of a line, from `begin` on, up to its end if that is earlier.
  struct part {
    const char* begin;
    std::size_t most;  // bytes

    std::string_view text() const noexcept {
      std::size_t size = 0;
      while (size != most && begin[size] != '\n') ++size;
      return {begin, size};
    }
  };
  part part_of(const char* line, const text_key& key) const noexcept;
  const char* behind_fields(const char* at, std::size_t fields, bool past) const noexcept;
  std::string_view part_of(std::string_view line, const text_key& key) const noexcept;
  static std::uint64_t word_of_part(const part& of, const text_key& key, std::uint32_t column) noexcept;
  key_difference difference_of_keys(const std::byte* a, const std::byte* b, key_place place) const noexcept;
  // Of what goes on to the ends of lines.
  key_difference difference_of_lines(const char* a, const char* b, key_place place, bool is_reversed) const noexcept {
    a += word_bytes * place.column;
    b += word_bytes * place.column;
    while (true) {
      std::uint64_t bytes_of_a, bytes_of_b;
      std::memcpy(&bytes_of_a, a, sizeof bytes_of_a);
      std::memcpy(&bytes_of_b, b, sizeof bytes_of_b);
      if (bytes_of_a == bytes_of_b && ends_in(bytes_of_a) == 0) {
        a += word_bytes;
        b += word_bytes;
        ++place.column;
        continue;
      }
      const std::uint64_t x = word_of_line(a), y = word_of_line(b);
      if (x != y) return {.place = place, .a = is_reversed ? ~x : x, .b = is_reversed ? ~y : y};
      if (!next(place, x)) return {.is_none = true, .place = place};
      a += word_bytes;
      b += word_bytes;
    }
  }
  std::uint64_t word_of_key(const char* line, key_place place) const noexcept;

  std::vector<text_key> keys_;
  std::optional<char> separator_;
  bool is_plain_;  // whole lines, forwards
};

/// The key that stands behind -k: `F[.C][OPTIONS][,F[.C][OPTIONS]]`, with the options b, n and r; `usual` has those of a key without any.
/// @throws std::invalid_argument that says what is wrong with it
text_key parse_text_key(std::string_view text, const text_key& usual);

/// Numbers as `sort -n` has them: blanks, an optional minus, digits, a point, digits; nothing is 0.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;
/// A word of a number that has at most so many bytes (behind it, `record_slack` may be read): numbers compare as their words do, one after the other; nearly always the first one says that it is the last. Like words of text, which they have behind the first.
std::uint64_t word_of_number(const char* text, std::size_t most, std::uint32_t column) noexcept;

}  // namespace extsort

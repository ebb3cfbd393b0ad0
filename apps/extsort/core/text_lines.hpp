// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
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

/// Lines of text, each with its end, in the order of `LC_ALL=C sort -s`.
class text_lines {
 public:
  static constexpr bool words_decide = false;
  static constexpr std::byte end{'\n'};  ///< that the last line of a file may lack

  /// Whole lines.
  text_lines() : text_lines({}, std::nullopt) {}
  /// @param keys in their order; none: whole lines @param separator of fields; none: the emptiness before blanks
  text_lines(std::vector<text_key> keys, std::optional<char> separator);

  std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept {
    const void* const found = available == 0 ? nullptr : std::memchr(at, '\n', available);
    return found == nullptr ? available + 1 : static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - at) + 1;
  }
  std::uint64_t word(const std::byte* at, std::uint64_t size, std::size_t depth) const noexcept {
    const std::string_view line = line_of(at, size);
    if (is_plain_) return word_of(line, depth);
    return word_of_key(line, depth);
  }
  std::uint64_t rest(const std::byte* at, std::uint64_t size, std::size_t depth) const noexcept;
  std::strong_ordering compare(record_view a, record_view b) const noexcept;

 private:
  static std::string_view line_of(const std::byte* at, std::uint64_t size) noexcept {
    return {reinterpret_cast<const char*>(at), static_cast<std::size_t>(size - 1)};
  }
  std::string_view part_of(std::string_view line, const text_key& key) const noexcept;
  std::uint64_t word_of_key(std::string_view line, std::size_t depth) const noexcept;

  std::vector<text_key> keys_;
  std::optional<char> separator_;
  bool is_plain_;  // whole lines, forwards
};

/// The key that stands behind -k: `F[.C][OPTIONS][,F[.C][OPTIONS]]`, with the options b, n and r; `usual` has those of a key without any.
/// @throws std::invalid_argument that says what is wrong with it
text_key parse_text_key(std::string_view text, const text_key& usual);

/// Numbers as `sort -n` has them: blanks, an optional minus, digits, a point, digits; nothing is 0.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;
/// A number of 64 bits that is greater where the other is; equal ones need not be equal.
std::uint64_t word_of_number(std::string_view text) noexcept;

}  // namespace extsort

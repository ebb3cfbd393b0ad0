// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace extsort {

/// How keys compare, as options of `sort` say.
enum class key_kind : std::uint8_t {
  bytes,     ///< no option
  number,    ///< n
  human,     ///< h: by the unit, then as numbers
  filtered,  ///< bytes that f, d or i have changed
  month,     ///< M
  version    ///< V
};

/// Bytes that do not count: none, those that can't be printed (i), or all but letters, digits and
/// blanks (d).
enum class ignored_bytes : std::uint8_t { none, nonprinting, nondictionary };

/// The order of a key.
struct key_order {
  key_kind kind = key_kind::bytes;
  ignored_bytes ignored = ignored_bytes::none;
  bool folds_case = false;   ///< f: lower case letters count as upper case ones
  bool is_reversed = false;  ///< r

  bool operator==(const key_order&) const = default;

  /// Adds an option: one of dfhiMnrV. @return false: it is none of these
  bool add(char option);
  /// Whether it compares numbers.
  bool is_numeric() const noexcept { return kind == key_kind::number || kind == key_kind::human; }
  /// Whether it compares a `key_image`.
  bool has_image() const noexcept { return kind >= key_kind::filtered; }
};

/// A part of a line that it is sorted by, as `sort -k` has it (POSIX), bytes for characters.
struct text_key {
  std::size_t begin_field = 0;  ///< from 0
  std::size_t begin_byte = 0;   ///< likewise, in that field
  bool has_end = false;         ///< else to the end of the line
  std::size_t end_field = 0;
  std::size_t end_bytes = 0;  ///< so many bytes of that field; 0: all
  bool skips_blanks_at_begin = false;
  bool skips_blanks_at_end = false;
  key_order order = {};
};

/// The key that stands behind -k: `F[.C][OPTIONS][,F[.C][OPTIONS]]`, with the options bdfhiMnrV.
/// @param usual has the options of a key without any, and is called for such a one only
/// @throws std::invalid_argument that says what is wrong with it
text_key parse_text_key(std::string_view text, const std::function<text_key()>& usual);

/// The order that options mean.
/// @throws std::invalid_argument if one of them is unknown, or two exclude each other; it says so
/// behind `where`
key_order parse_key_order(std::string_view options, std::string_view where);

}  // namespace extsort

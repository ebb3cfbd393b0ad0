// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace extsort {

/// How keys compare, by the options of `sort`.
enum class key_kind : std::uint8_t {
  bytes,     ///< no option
  number,    ///< n
  human,     ///< h: by the unit, then as numbers of n
  filtered,  ///< bytes that f, d or i have changed
  month,     ///< M
  version    ///< V
};

/// Bytes that do not count for the order: none, those that are not printable (i), or all but
/// letters, digits and blanks (d).
enum class ignored_bytes : std::uint8_t { none, nonprinting, nondictionary };

/// The order of a key.
struct key_order {
  key_kind kind = key_kind::bytes;
  ignored_bytes ignored = ignored_bytes::none;
  bool folds_case = false;   ///< f: lower case letters count as upper case ones
  bool is_reversed = false;  ///< r

  bool operator==(const key_order&) const = default;

  /// Adds an option, one of dfhiMnrV. @return false: `option` is none of these
  bool add(char option);
  /// Whether keys compare as numbers.
  bool is_numeric() const noexcept { return kind == key_kind::number || kind == key_kind::human; }
  /// Whether keys compare by their `key_image`.
  bool has_image() const noexcept { return kind >= key_kind::filtered; }
};

/// A part of a line by which lines are sorted, as for `sort -k` (POSIX), in bytes for characters.
struct text_key {
  std::size_t begin_field = 0;  ///< from 0
  std::size_t begin_byte = 0;   ///< from 0, in that field
  bool has_end = false;         ///< false: the key goes to the end of the line
  std::size_t end_field = 0;
  std::size_t end_bytes = 0;  ///< number of bytes of that field; 0: all
  bool skips_blanks_at_begin = false;
  bool skips_blanks_at_end = false;
  key_order order = {};
};

/// Parses a key as given after -k: `F[.C][OPTIONS][,F[.C][OPTIONS]]`, with the options bdfhiMnrV.
/// @param usual returns the options of a key that has none, and is called only for such a key
/// @throws std::invalid_argument with the reason
text_key parse_text_key(std::string_view text, const std::function<text_key()>& usual);

/// Returns the order that options mean.
/// @throws std::invalid_argument if an option is unknown, or two exclude each other; its text
/// begins with `where`
key_order parse_key_order(std::string_view options, std::string_view where);

}  // namespace extsort

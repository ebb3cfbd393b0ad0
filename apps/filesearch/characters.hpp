// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// The encoding of characters in a text.
enum class encoding {
  bytes,     ///< each byte is a character; those above 127 belong to no class
  one_byte,  ///< each byte is a character of the locale's encoding, such as ISO-8859-1, or invalid
  utf8,
};

/// Exchanges NUL bytes and line ends in texts whose lines end with NUL bytes, before the search and
/// after it. The search itself thus knows only one byte that ends lines.
void exchange_line_ends(char* text, std::size_t size) noexcept;

/// Returns the encoding that LC_ALL, LC_CTYPE or LANG ask for. Makes it the locale of the process
/// for character classes, and with `one_byte` also for the order of characters.
/// @throws std::runtime_error for an encoding of several bytes that is not UTF-8
encoding adopt_locale();

/// A range of characters, including both ends.
struct range {
  char32_t first;
  char32_t last;
  bool operator==(const range&) const = default;
};

/// A set of characters: disjoint ranges in ascending order, with gaps between them.
using characters = std::vector<range>;

/// Sorts and joins ranges that were collected in any order.
characters united(characters collected);

/// Returns all other characters except the line end, which belongs to no set.
characters complement(const characters& set, encoding text);

/// Returns the set with every character that differs from one of its characters only in case.
characters with_both_cases(const characters& set, encoding text);

/// Returns the class `alpha`, `digit` or one of the other ten; none for another name.
std::optional<characters> named_class(std::string_view name, encoding text);

/// Returns the bytes that a bracket expression stands for in an encoding of one byte, by the
/// locale's order of characters.
/// @param brackets with `[` and `]`
/// @return none if the expression is invalid, such as a range that ends before it begins
std::optional<characters> in_brackets(const std::string& brackets, bool ignore_case);

/// Returns letters, digits and the underscore.
characters word_characters(encoding text);

/// Whether the character before, or after, this place of the text is a word character.
bool word_before(std::string_view text, std::size_t at, encoding as);
bool word_after(std::string_view text, std::size_t at, encoding as);

/// A character and its length in bytes. `decode` returns the one at a place; none if the bytes
/// there are not valid UTF-8.
struct decoded {
  char32_t character;
  std::size_t bytes;
};
std::optional<decoded> decode(std::string_view text, std::size_t at, encoding as);

bool valid(std::string_view text, encoding as);

/// Appends a character in UTF-8, or as its byte.
void append(std::string& text, char32_t character, encoding as);

}  // namespace filesearch

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// The characters that bytes stand for.
enum class encoding {
  bytes,     ///< each is a character; those above 127 belong to no class
  one_byte,  ///< each is a character of the locale's encoding, such as ISO-8859-1, or of none
  utf8,
};

/// In texts whose lines end with NUL bytes, these and the line ends are exchanged before the search
/// and after it. So all that searches knows but one byte that ends lines.
void exchange_line_ends(char* text, std::size_t size) noexcept;

/// The encoding that LC_ALL, LC_CTYPE or LANG ask for. Makes it the locale of the process for
/// character classes, and in `one_byte` for the order of characters.
/// @throws std::runtime_error in an encoding of several bytes that is not UTF-8
encoding adopt_locale();

/// A range of characters; both ends belong to it.
struct range {
  char32_t first;
  char32_t last;
  bool operator==(const range&) const = default;
};

/// A set of characters: disjoint ranges in ascending order, with gaps between them.
using characters = std::vector<range>;

/// Sorts and joins ranges that were only collected.
characters united(characters collected);

/// All other characters, but for the line end, which belongs to no set.
characters complement(const characters& set, encoding text);

/// The set and every character that differs from one of it in its case only.
characters with_both_cases(const characters& set, encoding text);

/// `alpha`, `digit` and the other ten; none for another name.
std::optional<characters> named_class(std::string_view name, encoding text);

/// The bytes that a bracket expression stands for in an encoding of one byte, by the locale's order
/// of characters.
/// @param brackets with `[` and `]`
/// @return none if it means nothing, such as a range that ends before it begins
std::optional<characters> in_brackets(const std::string& brackets, bool ignore_case);

/// Letters, digits and the underscore.
characters word_characters(encoding text);

/// Whether a word character ends, or begins, at this place of the text.
bool word_before(std::string_view text, std::size_t at, encoding as);
bool word_after(std::string_view text, std::size_t at, encoding as);

/// The length in bytes of the character that begins there, and which it is; none if that is no
/// valid UTF-8.
struct decoded {
  char32_t character;
  std::size_t bytes;
};
std::optional<decoded> decode(std::string_view text, std::size_t at, encoding as);

bool valid(std::string_view text, encoding as);

/// Appends a character in UTF-8, or as its byte.
void append(std::string& text, char32_t character, encoding as);

}  // namespace filesearch

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characters.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// Thrown if a pattern is invalid, or uses an unsupported feature.
class pattern_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A regular expression as a tree.
struct expression {
  enum class form {
    set,         ///< one character of a set
    line_start,  ///< the places `^`, `$`, `\b`, `\B`, `\<` and `\>`, without a character
    line_end,
    word_edge,
    no_word_edge,
    word_start,
    word_end,
    sequence,      ///< the parts in order; without parts: the empty text
    alternatives,  ///< one of the parts
    repeat,        ///< the only part, `least` to `most` times
  };
  static constexpr int unlimited = -1;

  form what = form::sequence;
  characters set = {};
  std::vector<expression> parts = {};
  int least = 1;
  int most = 1;
};

/// The notation of patterns and the text that they are for.
struct notation {
  encoding text = encoding::bytes;
  bool ignore_case = false;
  bool nul_ends = false;  ///< the text comes from exchange_line_ends()
};

/// Parses a POSIX extended regular expression with GNU's additions (`\w \W \s \S \b \B \< \>`).
/// @param warn gets one line for each part that has a meaning, but hardly the intended one
/// @throws pattern_error
expression parse_extended(std::string_view pattern, notation as, const std::function<void(const std::string&)>& warn);

/// Returns the expression of a text that stands for itself. The text must be valid in its encoding.
expression parse_fixed(std::string_view pattern, notation as);

/// Returns an equivalent tree without `word_start` and `word_end`, which RE2 doesn't have. An empty
/// match may be at the other edge of a word.
/// @throws pattern_error if the tree would become too large
expression resolve_word_places(const expression& tree, notation as);

/// Returns the expression in the syntax of RE2, for trees without `word_start` and `word_end`. The
/// line end is in no set, and `^` and `$` refer to lines.
std::string re2_text(const expression& tree);

/// Texts of which every match of the expression contains at least one.
struct required_texts {
  std::vector<std::string> any_of;  ///< empty: none are known. In lower case if case is ignored
  bool suffices = false;            ///< whether each occurrence of one of them is a match
};

required_texts required(const expression& tree, notation as);

}  // namespace filesearch

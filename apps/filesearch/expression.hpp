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

/// A pattern that means nothing, or asks for what isn't there.
class pattern_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A regular expression as a tree.
struct expression {
  enum class form {
    set,         ///< one character of a set
    line_start,  ///< the places `^`, `$`, `\b`, `\B`, `\<` and `\>`, which take no character
    line_end,
    word_edge,
    no_word_edge,
    word_start,
    word_end,
    sequence,      ///< the parts, one after the other; without parts: the empty text
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

/// How patterns are written, and what they stand for.
struct notation {
  encoding text = encoding::bytes;
  bool ignore_case = false;
  bool nul_ends = false;  ///< the text comes from exchange_line_ends()
};

/// Reads a POSIX extended regular expression with GNU's additions (`\w \W \s \S \b \B \< \>`).
/// @param warn gets one line for what has a meaning, but hardly the one intended
/// @throws pattern_error
expression parse_extended(std::string_view pattern, notation as, const std::function<void(const std::string&)>& warn);

/// A text that stands for itself. It must be valid in its encoding.
expression parse_fixed(std::string_view pattern, notation as);

/// The same without `word_start` and `word_end`, which RE2 doesn't have. An empty match may stand
/// at the other edge of a word.
/// @throws pattern_error where that can't be said
expression resolve_word_places(const expression& tree, notation as);

/// The same in the syntax of RE2, for trees without `word_start` and `word_end`. The line end is in
/// no set, and `^` and `$` are those of lines.
std::string re2_text(const expression& tree);

/// Texts one of which is in everything that the expression matches.
struct required_texts {
  std::vector<std::string> any_of;  ///< empty: nothing is known. In lower case where case is ignored
  bool suffices = false;            ///< whether one of them is a match
};

required_texts required(const expression& tree, notation as);

}  // namespace filesearch

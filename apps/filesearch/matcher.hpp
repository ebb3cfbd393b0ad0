// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expression.hpp"
#include "text_finder.hpp"

#include <re2/re2.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// How a line must match.
enum class extent {
  anywhere,
  words,  ///< the match has no word character beside it
  line,   ///< the match is the whole line
};

/// What is searched for.
struct wanted {
  std::vector<std::string> patterns;  ///< one of them must match; none: nothing matches
  bool fixed = false;                 ///< they stand for themselves
  notation as;
  extent where = extent::anywhere;
};

/// A part of a text.
struct span {
  std::size_t begin;
  std::size_t end;
};

/// Finds lines, and the matches in them, the longest of those that begin first, as POSIX has it.
/// Time is linear in the text (but for `extent::words`, where it is so in the lines that match
/// otherwise). Not to be shared between threads: each searcher makes its own.
class matcher {
 public:
  /// @param warn gets one line for each questionable pattern; may be empty
  /// @throws pattern_error
  explicit matcher(const wanted& what, const std::function<void(const std::string&)>& warn = {});

  /// Another file begins, in which texts that the last one had in vain may be rare.
  void begin_file() noexcept {
    found_ = found_in_vain_ = 0;
    looks_for_texts_ = finder_.has_value();
  }
  /// Whether it looks for texts that each line that matches must have, before it looks at lines.
  bool looks_for_texts() const noexcept { return looks_for_texts_; }

  /// Where the first line that matches begins; npos if none does.
  /// @param lines whole lines; the end of the last may be missing
  /// @param from where a line begins
  std::size_t next_line(std::string_view lines, std::size_t from);

  /// The first match in a line, which comes without its end, that begins at or after `from`.
  std::optional<span> next(std::string_view line, std::size_t from) const;

 private:
  bool matches(std::string_view line) const;
  std::optional<span> longest(std::string_view line, std::size_t from, std::size_t to, RE2::Anchor anchor) const;
  std::size_t next_line_by_text(std::string_view lines, std::size_t from);
  std::size_t next_line_by_expression(std::string_view lines, std::size_t from) const;

  encoding text_;
  extent where_;
  bool never_ = false;
  bool always_ = false;
  std::unique_ptr<RE2> expression_;
  std::optional<text_finder> finder_;
  bool looks_for_texts_ = false;
  bool finding_suffices_ = false;
  std::size_t found_ = 0;
  std::size_t found_in_vain_ = 0;
};

}  // namespace filesearch

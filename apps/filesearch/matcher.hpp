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

/// The part of a line that must match.
enum class extent {
  anywhere,
  words,  ///< the match has no word character beside it
  line,   ///< the match is the whole line
};

/// The patterns to search for.
struct wanted {
  std::vector<std::string> patterns;  ///< one of them must match; none: nothing matches
  bool fixed = false;                 ///< each pattern stands for itself
  notation as;
  extent where = extent::anywhere;
};

/// A part of a text.
struct span {
  std::size_t begin;
  std::size_t end;
};

/// Finds matching lines, and the matches in them: the longest of those that begin first, as in
/// POSIX. The time is linear in the text (with `extent::words`, linear in the lines that match
/// otherwise). Not to be shared between threads; each searcher makes its own.
class matcher {
 public:
  /// @param warn gets one line for each questionable pattern; may be empty
  /// @throws pattern_error
  explicit matcher(const wanted& what, const std::function<void(const std::string&)>& warn = {});

  /// Begins another file. Texts that were too frequent in the last file may be rare in this one.
  void begin_file() noexcept {
    found_ = found_in_vain_ = 0;
    looks_for_texts_ = finder_.has_value();
  }
  /// Whether the matcher looks for texts that every matching line contains, before it looks at
  /// lines.
  bool looks_for_texts() const noexcept { return looks_for_texts_; }

  /// Returns the beginning of the first line that matches; npos if none does.
  /// @param lines whole lines; the line end of the last one may be missing
  /// @param from the beginning of a line
  std::size_t next_line(std::string_view lines, std::size_t from);

  /// Returns the first match in a line at or after `from`. The line comes without its end.
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

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matcher.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace filesearch {

/// The appearance of lines in the output.
struct line_style {
  bool file_names = false;
  bool line_numbers = false;
  bool byte_offsets = false;  ///< offset in the file of the line, or of the match with `only_matching`
  bool only_matching = false;
  bool colour = false;
  bool selects_matches = true;   ///< false if lines without a match are selected
  bool context = false;          ///< whether a separator stands between groups of lines
  bool nul_after_names = false;  ///< in place of the separator
  bool nul_ends = false;         ///< lines end with NUL bytes, and come from exchange_line_ends()
  std::size_t before = 0;        ///< lines of context
  std::size_t after = 0;
};

/// Writes the name of a file, in its colour.
void write_name(std::string& out, std::string_view name, const line_style& style);

/// Writes the name of a file in front of a line or a count.
void write_name_before(std::string& out, std::string_view name, std::string_view separator, const line_style& style);

/// Writes the separator behind a number.
void write_separator(std::string& out, std::string_view separator, const line_style& style);

/// The text of the selected lines of one file and their context.
///
/// The file comes as consecutive blocks of whole lines, which are named by their offset in the
/// file. The text in memory must begin at `needed_from` of the call before, or earlier.
class listing {
 public:
  /// @param out gets the text
  /// @param grouped whether `out` already had a group of lines
  /// @param lines_are the encoding in which a line must be valid to be written; other lines are
  /// left out
  listing(std::string& out, bool grouped, std::string_view name, const line_style& style, const matcher& matches,
          encoding lines_are)
      : out_(&out), name_(name), style_(style), matches_(matches), lines_are_(lines_are), grouped_(grouped) {}

  /// Sets the text that is in memory now: a part of the file that begins at an offset.
  void show(std::string_view text, std::uint64_t offset) {
    text_ = text;
    offset_ = offset;
  }

  /// Writes a selected line, [begin, end) of the file, and the context before it.
  /// @param in_group whether the line before was selected too
  void select(std::uint64_t begin, std::uint64_t end, bool in_group);

  /// Writes the context after the last selected line, from the lines before `end`.
  void follow(std::uint64_t end);

  /// Whether lines to come may be needed as context.
  bool expects_context() const noexcept { return due_ != 0; }

  /// Returns where the text begins that must be shown again together with the text after `end`.
  /// Must be the last call for each text.
  std::uint64_t needed_from(std::uint64_t end);

  /// Whether a line was left out because it is not valid text.
  bool has_bad_lines() const noexcept { return bad_lines_; }
  bool grouped() const noexcept { return grouped_; }

 private:
  std::string_view part(std::uint64_t begin, std::uint64_t end) const {
    return text_.substr(static_cast<std::size_t>(begin - offset_), static_cast<std::size_t>(end - begin));
  }
  std::uint64_t first_unwritten() const { return std::max(written_to_.value_or(0), offset_); }
  std::uint64_t begin_of_line_before(std::uint64_t line) const;
  void write_text(std::string_view text);
  void end_line() { *out_ += style_.nul_ends ? '\0' : '\n'; }
  void write_line(std::uint64_t begin, std::uint64_t end, bool selected);
  void write_head(std::uint64_t line, std::uint64_t begin, std::string_view separator);
  void write_number(std::uint64_t number, std::string_view separator);
  bool is_text(std::string_view part_of_line);
  bool write_matches(std::string_view line, std::uint64_t begin);

  std::string* out_;
  std::string_view name_;
  const line_style& style_;
  const matcher& matches_;
  encoding lines_are_;
  std::string_view text_;
  std::uint64_t offset_ = 0;
  std::optional<std::uint64_t> written_to_;
  std::uint64_t numbered_to_ = 0;
  std::uint64_t lines_before_ = 0;  // number of line ends before `numbered_to_`
  std::size_t due_ = 0;
  bool grouped_;
  bool bad_lines_ = false;
};

}  // namespace filesearch

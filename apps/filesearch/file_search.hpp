// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "known_lines.hpp"
#include "listing.hpp"
#include "matcher.hpp"
#include "options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace filesearch {

/// The search of one file, whose bytes come in blocks. Where to look for NUL bytes, and what
/// follows from them, is as GNU grep has it.
class file_search {
 public:
  /// GNU grep reads so much at a time, and takes what it has read for text, unless there is a NUL
  /// byte in it.
  static constexpr std::size_t block_bytes = std::size_t{96} * 1024;

  /// @param out gets the lines
  /// @param grouped whether there are lines in `out` before
  file_search(const options& chosen, matcher& matches, std::string& out, bool grouped, std::string_view name);

  /// Searches what has come. The bytes before `fresh` were there before, and are shown again
  /// because it was asked for, with what needs_from() says.
  /// @param text of the file, from `offset` on; NUL bytes become line ends. If these end lines,
  /// both were exchanged before
  /// @param fresh where in it the new bytes begin
  /// @param last whether nothing follows
  /// @param known lines that match, as far as they have been looked for; then there is no NUL byte
  /// among the new bytes
  /// @return whether more is needed
  bool take(char* text, std::size_t size, std::size_t fresh, bool last, known_lines* known = nullptr);

  /// Where in the text of the last call that begins which take() must be given again, in front of
  /// what follows.
  std::size_t needs_from() const noexcept { return needed_from_; }

  /// The file has holes, which are read as NUL bytes.
  void has_holes() noexcept { holes_ = true; }
  /// Whether one NUL byte is as good as many that follow each other: each is a line without
  /// anything, and none of these is selected.
  bool can_skip_holes();

  /// Selected lines. In a binary file that is left out, none.
  std::uint64_t selected() const noexcept { return left_out_ ? 0 : selected_; }

  /// Whether lines were selected that can't be shown, since the file is binary.
  bool matches_unseen() const noexcept;

  bool grouped() const noexcept { return listing_.grouped(); }

 private:
  bool search(std::string_view text, std::size_t from, std::size_t to, known_lines* known);
  bool select(std::size_t begin, std::size_t end, bool in_group);

  const options& chosen_;
  matcher& matches_;
  listing listing_;
  std::uint64_t offset_ = 0;  // of the text in the file
  std::size_t searched_ = 0;  // of the text
  std::size_t needed_from_ = 0;
  std::uint64_t selected_ = 0;
  std::uint64_t selected_as_text_ = 0;
  bool binary_ = false;
  bool left_out_ = false;
  bool holes_ = false;
  std::optional<bool> selects_empty_lines_;
  bool full_;  // as many lines are selected as shall be
  bool shows_;
};

}  // namespace filesearch

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

/// The search of one file, whose bytes come in blocks. NUL bytes are looked for, and treated, as in
/// GNU grep.
class file_search {
 public:
  /// Block size of GNU grep, which takes the bytes of a block for text unless there is a NUL byte
  /// among them.
  static constexpr std::size_t block_bytes = std::size_t{96} * 1024;

  /// @param out gets the lines
  /// @param grouped whether `out` already has lines
  file_search(const options& chosen, matcher& matches, std::string& out, bool grouped, std::string_view name);

  /// Searches the bytes that have arrived. The bytes before `fresh` were passed before, and are
  /// passed again because needs_from() asked for them.
  /// @param text of the file, from `offset_` on; NUL bytes become line ends. If NUL bytes end
  /// lines, both were exchanged before
  /// @param fresh the place of the new bytes in the text
  /// @param last whether nothing follows
  /// @param known the matching lines, as far as they are known; the new bytes then have no NUL byte
  /// @return whether more bytes are needed
  bool take(char* text, std::size_t size, std::size_t fresh, bool last, known_lines* known = nullptr);

  /// Returns the place in the last text from which take() must be given the text again, in front of
  /// the following bytes.
  std::size_t needs_from() const noexcept { return needed_from_; }

  /// Tells that the file has holes, which are read as NUL bytes.
  void has_holes() noexcept { holes_ = true; }
  /// Whether one NUL byte is equivalent to many consecutive ones: each is an empty line, and no
  /// empty line is selected.
  bool can_skip_holes();

  /// Returns the number of selected lines; 0 for a binary file that is left out.
  std::uint64_t selected() const noexcept { return left_out_ ? 0 : selected_; }

  /// Whether selected lines can't be shown because the file is binary.
  bool matches_unseen() const noexcept;

  bool grouped() const noexcept { return listing_.grouped(); }

 private:
  bool search(std::string_view text, std::size_t from, std::size_t to, known_lines* known);
  bool select(std::size_t begin, std::size_t end, bool in_group);

  const options& chosen_;
  matcher& matches_;
  listing listing_;
  std::uint64_t offset_ = 0;  // of the text in the file
  std::size_t searched_ = 0;  // end of the searched part of the text
  std::size_t needed_from_ = 0;
  std::uint64_t selected_ = 0;
  std::uint64_t selected_as_text_ = 0;
  bool binary_ = false;
  bool left_out_ = false;
  bool holes_ = false;
  std::optional<bool> selects_empty_lines_;
  bool full_;  // whether the most lines to select have been selected
  bool shows_;
};

}  // namespace filesearch

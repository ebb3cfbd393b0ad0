// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matcher.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace filesearch {

/// The matching lines in a part of a text, found in advance.
class known_lines {
 public:
  /// The part [from, to) consists of whole lines.
  /// @param lines the beginnings of the matching lines, in order
  known_lines(std::size_t from, std::size_t to, std::vector<std::size_t> lines)
      : from_(from), to_(to), lines_(std::move(lines)) {}

  /// Adjusts the places when the text of next_line() gets this number of bytes in front.
  void move_by(std::size_t bytes);

  /// Does the same as matcher::next_line, which it calls outside of the known part. Must be called
  /// with ascending places.
  std::size_t next_line(matcher& matches, std::string_view lines, std::size_t from);

 private:
  std::size_t from_;
  std::size_t to_;
  std::vector<std::size_t> lines_;
  std::size_t moved_by_ = 0;  // to be added to each of `lines_`
  std::size_t next_ = 0;      // index of the first line that has not been passed
};

}  // namespace filesearch

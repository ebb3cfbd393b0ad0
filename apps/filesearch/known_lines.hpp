// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matcher.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace filesearch {

/// The lines that match in a part of a text, found beforehand.
class known_lines {
 public:
  /// The part is [from, to), of whole lines.
  /// @param lines where those begin that match, in order
  known_lines(std::size_t from, std::size_t to, std::vector<std::size_t> lines)
      : from_(from), to_(to), lines_(std::move(lines)) {}

  /// The text, as next_line() gets it, has so many bytes more in front.
  void move_by(std::size_t bytes);

  /// As matcher::next_line, which looks around the part. To be called with places in ascending
  /// order.
  std::size_t next_line(matcher& matches, std::string_view lines, std::size_t from);

 private:
  std::size_t from_;
  std::size_t to_;
  std::vector<std::size_t> lines_;
  std::size_t moved_by_ = 0;  // is to be added to each of `lines_`
  std::size_t next_ = 0;      // all lines before are passed
};

}  // namespace filesearch

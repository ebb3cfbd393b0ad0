// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matcher.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace filesearch {

/// The lines that match in parts of a text, found beforehand.
class known_lines {
 public:
  /// Lines of [from, to), which are whole ones.
  struct region {
    std::size_t from;
    std::size_t to;
    std::vector<std::size_t> lines;  ///< where those begin that match
  };

  known_lines() = default;
  /// @param regions in the order of the text, not overlapping
  explicit known_lines(std::vector<region> regions) : regions_(std::move(regions)) {}

  /// As matcher::next_line, which looks between the regions. To be called with places in ascending order.
  std::size_t next_line(matcher& matches, std::string_view lines, std::size_t from);

 private:
  std::vector<region> regions_;
  std::size_t next_ = 0;  // all regions before are passed
};

}  // namespace filesearch

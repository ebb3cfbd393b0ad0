// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "known_lines.hpp"

#include <algorithm>

namespace filesearch {

std::size_t known_lines::next_line(matcher& matches, std::string_view lines, std::size_t from) {
  std::size_t at = from;
  for (; next_ != regions_.size(); ++next_) {
    const region& next = regions_[next_];
    if (at >= next.to) continue;
    if (at < next.from) {
      const std::size_t between = std::min(next.from, lines.size());
      const std::size_t found = matches.next_line(lines.substr(0, between), at);
      if (found != std::string_view::npos || between == lines.size()) return found;
      at = next.from;
    }
    const auto found = std::lower_bound(next.lines.begin(), next.lines.end(), at);
    if (found != next.lines.end()) return *found;
    at = next.to;
  }
  return at < lines.size() ? matches.next_line(lines, at) : std::string_view::npos;
}

}  // namespace filesearch

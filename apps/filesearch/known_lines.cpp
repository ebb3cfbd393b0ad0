// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "known_lines.hpp"

#include <algorithm>

namespace filesearch {

void known_lines::move_by(std::size_t bytes) {
  from_ += bytes;
  to_ += bytes;
  moved_by_ += bytes;
}

std::size_t known_lines::next_line(matcher& matches, std::string_view lines, std::size_t from) {
  std::size_t at = from;
  if (at < from_) {
    const std::size_t before = std::min(from_, lines.size());
    const std::size_t found = matches.next_line(lines.substr(0, before), at);
    if (found != std::string_view::npos || before == lines.size()) return found;
    at = from_;
  }
  while (next_ != lines_.size() && moved_by_ + lines_[next_] < at) ++next_;
  if (next_ != lines_.size()) return moved_by_ + lines_[next_];
  at = std::max(at, to_);
  return at < lines.size() ? matches.next_line(lines, at) : std::string_view::npos;
}

}  // namespace filesearch

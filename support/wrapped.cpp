// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/wrapped.hpp"

#include <sstream>

namespace weir::support {

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines;
  std::size_t length = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = length == 0 || length + 1 + word.size() <= columns;
    if (length != 0) lines += fits ? ' ' : '\n';
    length = fits ? length + (length != 0 ? 1 : 0) + word.size() : word.size();
    lines += word;
  }
  return lines;
}

}  // namespace weir::support

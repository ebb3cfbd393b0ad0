// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir_fuzz {

/// The lines of an input.
inline std::vector<std::string> lines_of(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    lines.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace weir_fuzz

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "header.hpp"

#include "arena.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace extsort {

std::string read_header(const file& from, std::uint64_t size, std::uint64_t lines, char end) {
  if (lines == 0 || size == 0) return {};
  constexpr std::size_t at_once = std::size_t{64} << 10;
  arena memory(at_once);
  const std::span<std::byte> buffer = memory.take(at_once);
  disk_queue disk(false);
  std::string made;
  while (made.size() < size) {
    transfer reading;
    disk.read(reading, from, made.size(), buffer.data(), at_once);
    const std::size_t got = disk.finish(reading);
    if (got == 0) break;
    for (const std::byte each : buffer.first(std::min<std::uint64_t>(got, size - made.size()))) {
      made += static_cast<char>(each);
      if (made.back() == end && --lines == 0) return made;
    }
    if (made.size() >= longest_header)
      throw std::runtime_error(fmt::format("{}: the header is longer than {} bytes; give --header fewer lines",
                                           weir::support::quoted_name(from.name()), longest_header));
  }
  return made;
}

}  // namespace extsort

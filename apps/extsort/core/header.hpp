// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace extsort {

/// A header is kept in memory, and may have so many bytes.
inline constexpr std::size_t longest_header = std::size_t{1} << 20;

/// The first lines of a file, or all that there are.
/// @param size of the file
/// @param end of a line; the last line may lack it
/// @throws std::system_error, std::runtime_error if they are too long, each of which names the file
std::string read_header(const file& from, std::uint64_t size, std::uint64_t lines, char end);

}  // namespace extsort

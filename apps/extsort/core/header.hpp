// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace extsort {

/// Most bytes of a header, which is kept in memory.
inline constexpr std::size_t longest_header = std::size_t{1} << 20;

/// Returns the first lines of a file, or all if there are fewer.
/// @param size of the file
/// @param end byte that ends a line; the last line may lack it
/// @throws std::system_error, std::runtime_error if the lines are too long; both name the file
std::string read_header(const file& from, std::uint64_t size, std::uint64_t lines, char end);

}  // namespace extsort

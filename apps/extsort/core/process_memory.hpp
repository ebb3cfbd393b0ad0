// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace extsort {

/// What the process takes now, in bytes.
std::size_t taken_already();

/// What is left for records of a limit for the process, beside what it took before it began and
/// what so many workers, and the connections to so many other groups, are going to take: so much
/// that it makes sense, at least.
std::size_t memory_for_records(std::uint64_t limit, std::size_t taken, std::size_t workers, std::size_t others = 0);

/// With how many of so many workers a limit can be kept: no fewer than one.
/// @param compression a level of zstd; 0: none
std::size_t workers_within(std::uint64_t limit, std::size_t taken, std::size_t asked, int compression);

/// What threads have freed others can take, instead of each keeping some for itself: for records
/// that are on their way between threads. To be called before there are any.
void share_freed_memory() noexcept;

}  // namespace extsort

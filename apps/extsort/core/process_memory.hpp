// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace extsort {

/// Returns the bytes that the process takes now.
std::size_t taken_already();

/// Returns the memory for records under a limit for the process: the limit less `taken`, and less
/// the needs of the workers and of connections to the other groups; at least a usable minimum.
std::size_t memory_for_records(std::uint64_t limit, std::size_t taken, std::size_t workers, std::size_t others = 0);

/// Returns how many of `asked` workers are possible under a limit; at least one.
/// @param compression a level of zstd; 0: none
std::size_t workers_within(std::uint64_t limit, std::size_t taken, std::size_t asked, int compression);

/// Lets all threads share freed memory instead of keeping some for each: for records on their way
/// between threads. Must be called before there are further threads.
void share_freed_memory() noexcept;

}  // namespace extsort

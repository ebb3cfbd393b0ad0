// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"
#include "run_codec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

// How the steps of a sort divide its memory.

namespace extsort {

/// Bytes of the smallest block that is read at once, and of the smallest frame, which is always
/// read as a whole.
inline constexpr std::size_t least_block = std::size_t{32} << 10;

/// Returns the share of `memory` that a writer may take as its buffer.
std::size_t buffer_for(std::size_t memory) noexcept;
/// Returns the bytes of the writing buffer for a worker with that memory, including compression.
std::size_t run_buffer_for(std::size_t memory, const std::optional<run_compression>& as);

/// Returns how many of `asked` workers can make runs with that memory: each needs a buffer for
/// writing, and at least `least_chunk`. 0: none.
std::size_t workers_with_memory(std::size_t asked, std::size_t memory, const std::optional<run_compression>& as);

/// Returns how runs of that many bytes are compressed, so that the indices of their frames take
/// only a small share of the memory. @param level 0: they are not
std::optional<run_compression> compression_of(int level, std::uint64_t bytes, std::size_t memory);

/// Frees all memory, but takes a share that stays unused: the indices of frames lie outside of the
/// arena, and count against it. @param bytes of all runs
void share_out_anew(arena& memory, const std::optional<run_compression>& as, std::uint64_t bytes);

/// Returns the bytes of a run between two samples, which take only a small share of the memory.
/// @param bytes of all runs
std::uint64_t sample_distance_of(std::uint64_t bytes, std::size_t memory) noexcept;

/// @param bytes of all runs
/// @throws too_little_memory always: what is left is not enough to make runs, or to merge them
[[noreturn]] void refuse_memory(const arena& memory, const std::optional<run_compression>& as, std::uint64_t bytes);

}  // namespace extsort

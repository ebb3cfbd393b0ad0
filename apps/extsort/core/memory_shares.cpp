// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_shares.hpp"

#include "chunk_reader.hpp"
#include "run_output.hpp"
#include "runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace extsort {
namespace {

constexpr std::size_t index_share = 32;  // an index of frames takes at most this fraction of the memory

}  // namespace

std::size_t buffer_for(std::size_t memory) noexcept {
  constexpr std::size_t least = 8 * page, most = std::size_t{2} << 20;
  return rounded_down(std::clamp(memory / 16, least, most)) / (2 * page) * (2 * page);
}

std::size_t run_buffer_for(std::size_t memory, const std::optional<run_compression>& as) {
  const std::size_t beside = run_output::memory_for(0, as);
  return beside + buffer_for(memory - std::min(memory, beside));
}

std::size_t workers_with_memory(std::size_t asked, std::size_t memory, const std::optional<run_compression>& as) {
  const std::size_t of_each = run_output::memory_for(buffer_for(0), as) + least_chunk;
  // One more chunk is read while the workers process the others.
  return memory < least_chunk ? 0 : std::min(asked, (memory - least_chunk) / of_each);
}

std::optional<run_compression> compression_of(int level, std::uint64_t bytes, std::size_t memory) {
  if (level == 0) return std::nullopt;
  const std::uint64_t most = memory / index_share / sizeof(std::uint32_t);
  return run_compression{.level = level,
                         .frame = std::max(least_block, std::bit_ceil(bytes / std::max<std::uint64_t>(1, most)))};
}

void share_out_anew(arena& memory, const std::optional<run_compression>& as, std::uint64_t bytes) {
  memory.reset();
  if (!as) return;
  const std::uint64_t index = bytes / as->frame * sizeof(std::uint32_t);
  memory.take(std::min<std::uint64_t>(2 * index, 2 * memory.size() / index_share));
}

std::uint64_t sample_distance_of(std::uint64_t bytes, std::size_t memory) noexcept {
  constexpr std::uint64_t usual = std::uint64_t{64} << 10;
  return std::max(usual, bytes * 2 * sizeof(sample) * 32 / memory);
}

void refuse_memory(const arena& memory, const std::optional<run_compression>& as, std::uint64_t bytes) {
  if (!as) throw too_little_memory(fmt::format("{} bytes of memory are too few for records; raise -m", memory.size()));
  throw too_little_memory(fmt::format(
      "{} bytes can't be compressed with the {} bytes of memory that are left for it; more memory is needed, a lower "
      "level of compression, or none",
      bytes, memory.left()));
}

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace extsort {

/// How runs are compressed: as frames of zstd (RFC 8878), one behind the other without gaps, each
/// of so many bytes (the last one of a run of fewer) and with a checksum. So reading can begin at
/// any of them.
struct run_compression {
  int level = 1;          ///< of zstd, from 1 to `most_level`
  std::size_t frame = 0;  ///< bytes before compression, a power of two and a multiple of `page`
  static constexpr int most_level = 19;
};

/// Where the frames of a run are. About four bytes for each.
class frame_index {
 public:
  void add(std::size_t bytes);
  std::size_t size() const noexcept { return sizes_.size(); }
  /// Of a frame, or behind the last one, in the run as it is stored.
  std::uint64_t begin_of(std::size_t frame) const noexcept;
  std::size_t size_of(std::size_t frame) const noexcept { return sizes_[frame]; }

 private:
  static constexpr std::size_t step = 64;

  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> begins_;  // of every `step`-th frame
  std::uint64_t end_ = 0;
};

/// The most bytes that a frame of so many may have.
std::size_t frame_bound(std::size_t bytes) noexcept;

/// Makes frames, in memory of its caller. For one thread at a time.
class frame_encoder {
 public:
  static std::size_t memory_for(const run_compression& as);
  /// @param memory of `memory_for`, which begins at a page and outlives it
  frame_encoder(const run_compression& as, std::span<std::byte> memory);
  /// @return good until the next call; `record_slack` bytes behind it may be read
  std::span<const std::byte> encode(std::span<const std::byte> bytes);

 private:
  ZSTD_CCtx_s* by_;
  std::span<std::byte> made_;
};

/// Takes frames apart, in memory of its caller. For one thread at a time.
class frame_decoder {
 public:
  static std::size_t memory_for() noexcept;
  /// @param memory of `memory_for`, which begins at a page and outlives it
  explicit frame_decoder(std::span<std::byte> memory);
  /// @param to exactly as many bytes as it had @return null, or what is wrong with it
  const char* decode(std::span<const std::byte> frame, std::span<std::byte> to) noexcept;

 private:
  ZSTD_DCtx_s* by_;
};

}  // namespace extsort

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

/// How runs are compressed: as frames of zstd (RFC 8878), one after the other without gaps, each of
/// `frame` bytes (the last one of a run may have fewer) and with a checksum. Reading can begin at
/// any frame.
struct run_compression {
  int level = 1;          ///< level of zstd, from 1 to `most_level`
  std::size_t frame = 0;  ///< bytes before compression, a power of two and a multiple of `page`
  static constexpr int most_level = 19;
};

/// Places of the frames of a run. Takes about four bytes for each frame.
class frame_index {
 public:
  void add(std::size_t bytes);
  std::size_t size() const noexcept { return sizes_.size(); }
  /// Returns the place in the stored run at which a frame begins, or the last one ends.
  std::uint64_t begin_of(std::size_t frame) const noexcept;
  std::size_t size_of(std::size_t frame) const noexcept { return sizes_[frame]; }

 private:
  static constexpr std::size_t step = 64;

  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> begins_;  // beginning of every `step`-th frame
  std::uint64_t end_ = 0;
};

/// Returns the most bytes that `bytes` bytes may have when compressed as a frame.
std::size_t frame_bound(std::size_t bytes) noexcept;

/// Compresses frames, in memory of its caller. For one thread at a time.
class frame_encoder {
 public:
  static std::size_t memory_for(const run_compression& as);
  /// @param memory of `memory_for`, which begins at a page and outlives it
  frame_encoder(const run_compression& as, std::span<std::byte> memory);
  /// @return valid until the next call; `record_slack` bytes after it may be read
  std::span<const std::byte> encode(std::span<const std::byte> bytes);

 private:
  ZSTD_CCtx_s* by_;
  std::span<std::byte> made_;
};

/// Decompresses frames, in memory of its caller. For one thread at a time.
class frame_decoder {
 public:
  static std::size_t memory_for() noexcept;
  /// @param memory of `memory_for`, which begins at a page and outlives it
  explicit frame_decoder(std::span<std::byte> memory);
  /// @param to has exactly the original number of bytes @return null, or the reason of a failure
  const char* decode(std::span<const std::byte> frame, std::span<std::byte> to) noexcept;

 private:
  ZSTD_DCtx_s* by_;
};

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "run_codec.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>

namespace extsort {

/// Reads a part of a run, and decompresses it if needed. For one thread. Must not be moved.
class run_reading {
 public:
  /// Returns the memory that it takes in addition to that for the result.
  /// @param frame of the run, or 0
  /// @param bytes a multiple of `frame`
  static std::size_t memory_for(std::size_t bytes, std::size_t frame) noexcept;

  /// Begins to read.
  /// @param offset in the run, a multiple of its `unit`
  /// @param size at least 1; rounded up to the next such multiple
  /// @param to has room for that size
  /// @param beside of `memory_for`, at a page; not used if the run is not compressed
  /// @param by likewise; other objects may use it meanwhile
  void begin(disk_queue& disk, const run& of, std::uint64_t offset, std::size_t size, std::byte* to, std::byte* beside,
             frame_decoder* by);
  /// Waits for the end. @return bytes, of which those after the end of the run are arbitrary
  /// @throws std::system_error @throws std::runtime_error if the bytes read differ from those
  /// written
  std::size_t finish();
  bool is_under_way() const noexcept { return transfer_.is_under_way(); }
  void abandon() noexcept;

 private:
  transfer transfer_;
  disk_queue* disk_ = nullptr;
  const run* run_ = nullptr;
  std::uint64_t offset_ = 0;
  std::size_t size_ = 0;
  std::byte* to_ = nullptr;
  std::byte* beside_ = nullptr;  // place of the first frame
  frame_decoder* by_ = nullptr;
};

}  // namespace extsort

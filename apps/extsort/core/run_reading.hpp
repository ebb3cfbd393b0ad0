// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "run_codec.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>

namespace extsort {

/// Reads a part of a run, as it was before it was compressed, if it was. For one thread; it stays
/// where it is.
class run_reading {
 public:
  /// Memory that it takes beside that for what is read.
  /// @param frame of the run, or 0
  /// @param bytes a multiple of it
  static std::size_t memory_for(std::size_t bytes, std::size_t frame) noexcept;

  /// @param offset in the run, a multiple of its `unit`
  /// @param size at least 1; up to the next such multiple
  /// @param to has room up to there
  /// @param beside of `memory_for`, at a page; not used if the run is not compressed
  /// @param by likewise; others may use it meanwhile
  void begin(disk_queue& disk, const run& of, std::uint64_t offset, std::size_t size, std::byte* to, std::byte* beside,
             frame_decoder* by);
  /// Waits for it. @return how many bytes, of which those behind the end of the run are anyone's
  /// @throws std::system_error @throws std::runtime_error if what was read is not what was written
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
  std::byte* beside_ = nullptr;  // where the first frame is going to be
  frame_decoder* by_ = nullptr;
};

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record_writer.hpp"
#include "run_codec.hpp"
#include "runs.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace extsort {

/// Writes runs of any size, one after the other. For one thread at a time. Must not be moved.
class run_output {
 public:
  /// @param buffer as required by record_writer
  static std::size_t memory_for(std::size_t buffer, const std::optional<run_compression>& as);
  /// @param lane that no other object uses at the same time
  /// @param memory of `memory_for`; the arguments outlive this object
  run_output(disk_queue& disk, temporary_space& space, std::size_t lane, const std::optional<run_compression>& as,
             std::span<std::byte> memory);
  run_output(const run_output&) = delete;
  run_output& operator=(const run_output&) = delete;

  /// Returns the writer for the records of the next run, until `end`.
  record_writer& begin();
  /// Waits until the whole run is written. @param made gets the place of the run
  void end(run& made);

 private:
  // Compresses the bytes of a run.
  struct frame_writer final : record_sink {
    frame_encoder by;
    std::size_t frame;
    record_writer* to = nullptr;
    frame_index made;

    frame_writer(const run_compression& as, std::span<std::byte> memory) : by(as, memory), frame(as.frame) {}
    void add(std::span<const std::byte> bytes) override;
  };

  disk_queue* disk_;
  temporary_space* space_;
  std::size_t lane_;
  std::optional<frame_writer> frames_;
  std::span<std::byte> buffer_;
  std::span<std::byte> frame_buffer_;
  temporary_space::place place_;
  std::optional<record_writer> stored_;
  std::optional<record_writer> compressed_;
};

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record_writer.hpp"
#include "runs.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace extsort {

/// Writes runs, one after the other, of any size. For one thread at a time.
class run_output {
 public:
  /// @param lane that nobody else uses at the same time @param buffer as a record_writer wants it; all of them outlive it
  run_output(disk_queue& disk, temporary_space& space, std::size_t lane, std::span<std::byte> buffer)
      : disk_(&disk), space_(&space), lane_(lane), buffer_(buffer) {}

  /// Where the records of the next run go, until `end`.
  record_writer& begin() {
    place_ = space_->begin(lane_);
    return writer_.emplace(*disk_, buffer_, *place_.in, nullptr, place_.begin);
  }
  /// Waits until all of it is written. @param made gets to know where it is
  void end(run& made) {
    writer_->finish();
    made.in = place_.in;
    made.begin = place_.begin;
    space_->end(place_, writer_->written());
    writer_.reset();
  }

 private:
  disk_queue* disk_;
  temporary_space* space_;
  std::size_t lane_;
  std::span<std::byte> buffer_;
  temporary_space::place place_;
  std::optional<record_writer> writer_;
};

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run_output.hpp"

#include <algorithm>
#include <utility>

namespace extsort {

std::size_t run_output::memory_for(std::size_t buffer, const std::optional<run_compression>& as) {
  return buffer + (as ? frame_encoder::memory_for(*as) + 2 * as->frame : 0);
}

run_output::run_output(disk_queue& disk, temporary_space& space, std::size_t lane,
                       const std::optional<run_compression>& as, std::span<std::byte> memory)
    : disk_(&disk), space_(&space), lane_(lane) {
  if (as) {
    const std::size_t encoder = frame_encoder::memory_for(*as);
    frames_.emplace(*as, memory.first(encoder));
    frame_buffer_ = memory.subspan(encoder, 2 * as->frame);
    memory = memory.subspan(encoder + 2 * as->frame);
  }
  buffer_ = memory;
}

void run_output::frame_writer::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto some = bytes.first(std::min(frame, bytes.size()));
    const auto encoded = by.encode(some);
    made.add(encoded.size());
    to->add(encoded.data(), encoded.size());
    bytes = bytes.subspan(some.size());
  }
}

record_writer& run_output::begin() {
  place_ = space_->begin(lane_);
  record_writer& stored = stored_.emplace(*disk_, buffer_, *place_.in, nullptr, place_.begin);
  if (!frames_) return stored;
  frames_->to = &stored;
  return compressed_.emplace(*disk_, frame_buffer_, *frames_);
}

void run_output::end(run& made) {
  if (frames_) {
    compressed_->finish();
    compressed_.reset();
    made.frame = frames_->frame;
    made.frames = std::exchange(frames_->made, {});
  }
  made.in = place_.in;
  made.begin = place_.begin;
  made.stored = stored_->written();
  stored_->finish();
  space_->end(place_, made.stored);
  stored_.reset();
}

}  // namespace extsort

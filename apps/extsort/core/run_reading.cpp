// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run_reading.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace extsort {

std::size_t run_reading::memory_for(std::size_t bytes, std::size_t frame) noexcept {
  return frame == 0 ? 0 : rounded_up(bytes / frame * frame_bound(frame)) + 2 * page;
}

void run_reading::begin(disk_queue& disk, const run& of, std::uint64_t offset, std::size_t size, std::byte* to,
                        std::byte* beside, frame_decoder* by) {
  disk_ = &disk;
  run_ = &of;
  offset_ = offset;
  to_ = to;
  by_ = by;
  if (of.frame == 0) {
    size_ = rounded_up(size);
    disk.read(transfer_, *of.in, of.begin + offset, to, size_);
    return;
  }
  size_ = std::min<std::uint64_t>(size, of.size - offset);
  const std::uint64_t begin = of.begin + of.frames.begin_of(offset / of.frame);
  const std::uint64_t end = of.begin + of.frames.begin_of((offset + size_ + of.frame - 1) / of.frame);
  const std::uint64_t place = rounded_down(begin);
  beside_ = beside + (begin - place);
  disk.read(transfer_, *of.in, place, beside, rounded_up(end) - place);
}

std::size_t run_reading::finish() {
  const std::size_t got = disk_->finish(transfer_);
  if (run_->frame == 0) return got;
  const std::byte* at = beside_;
  std::size_t done = 0;
  const std::size_t first = offset_ / run_->frame;
  // Decompresses whole frames, even if only a part was wanted.
  const std::size_t whole =
      std::min<std::uint64_t>((size_ + run_->frame - 1) / run_->frame * run_->frame, run_->size - offset_);
  for (std::size_t number = first; done != whole; ++number) {
    const std::size_t size = std::min<std::size_t>(run_->frame, whole - done);
    const std::size_t stored = run_->frames.size_of(number);
    const char* const wrong = by_->decode({at, stored}, {to_ + done, size});
    if (wrong != nullptr)
      throw std::runtime_error(fmt::format("a temporary file in {} is not as it was written: {}, at byte {}",
                                           weir::support::quoted_name(run_->in->name()), wrong,
                                           run_->begin + run_->frames.begin_of(number)));
    at += stored;
    done += size;
  }
  return done;
}

void run_reading::abandon() noexcept {
  if (transfer_.is_under_way()) disk_->abandon(transfer_);
}

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "records.hpp"
#include "run_reading.hpp"
#include "runs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace extsort {

/// Returns the memory that a run_cursor takes.
/// @param block a multiple of the run's `unit`
/// @param longest bytes of the longest record
/// @param frame of the run, or 0
inline std::size_t cursor_memory(std::size_t block, std::uint64_t longest, std::size_t frame) noexcept {
  if (frame != 0) return rounded_up(longest) + block + page + run_reading::memory_for(block, frame);
  return 2 * (block + rounded_up(longest)) + page;
}

/// Reads the records of a run one after the other, with two blocks: one is read from the disk while
/// the records of the other are used. For one thread.
template <class Format>
class run_cursor {
 public:
  /// @param decoder may be null if runs are not compressed
  run_cursor(disk_queue& disk, const Format& format, frame_decoder* decoder)
      : disk_(&disk), format_(format), decoder_(decoder) {}
  ~run_cursor() {
    for (run_reading& each : readings_) each.abandon();
  }
  run_cursor(const run_cursor&) = delete;
  run_cursor& operator=(const run_cursor&) = delete;

  /// Moves to the first record from byte `begin` on; the cursor ends before byte `end`.
  /// @param memory of `cursor_memory`
  /// @param gives_back releases the disk space of records once they are read
  void open(const run& of, std::uint64_t begin, std::uint64_t end, std::size_t block, std::span<std::byte> memory,
            bool gives_back = false) {
    run_ = &of;
    gives_back_ = gives_back;
    given_back_ = begin;
    left_ = end - begin;
    const std::size_t carry = rounded_up(of.longest);
    block_ = block;
    blocks_ = {memory.data() + carry, memory.data() + carry + block + carry};
    // While the records of one block are used, the next one is in memory in its compressed form:
    // one block is enough.
    if (of.frame != 0) blocks_[1] = blocks_[0];
    stored_ = blocks_[0] + block + page;
    next_ = begin / of.unit() * of.unit();
    end_ = end;
    skipped_ = begin - next_;
    current_ = 1;
    size_ = 0;
    at_ = limit_ = blocks_[1];
    before_ = behind_ = nullptr;
    if (left_ == 0) return;
    begin_block(0);
    load();
  }

  bool is_at_end() const noexcept { return left_ == 0; }
  /// Returns the present record.
  const std::byte* at() const noexcept { return at_; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t word() const noexcept { return format_.word(at_, {}); }

  /// Returns the record before the present one; null if it is no longer in memory.
  const std::byte* before() const noexcept { return before_; }

  void next() {
    before_ = at_;
    at_ += size_;
    if (behind_ != nullptr) [[unlikely]]
      at_ = std::exchange(behind_, nullptr);
    left_ -= size_;
    if (left_ != 0) load();
  }

 private:
  static constexpr std::size_t ahead = 192;  // bytes

  void load() {
    while (true) {
      const auto available = static_cast<std::uint64_t>(limit_ - at_);
      size_ = format_.size_of(at_, available);
      if (size_ <= available) [[likely]] {
        // There are more runs than the hardware prefetcher recognises streams.
        __builtin_prefetch(at_ + size_ + ahead);
        return;
      }
      if (available >= block_) return gather();
      go_on();
    }
  }

  // Assembles a record that is longer than a block, in front of the block where it was found. Each
  // byte is moved, and scanned, only a few times.
  void gather() {
    auto there = static_cast<std::uint64_t>(limit_ - at_);
    if (there > run_->longest) throw damaged_run(*run_);
    std::byte* const record = blocks_[current_] - rounded_up(run_->longest);
    std::memmove(record, at_, there);
    before_ = nullptr;
    while (true) {
      const std::size_t got = take_next_block();
      const std::byte* const more = blocks_[current_];
      const std::uint64_t some = std::min<std::uint64_t>(got, run_->longest - there);
      std::memcpy(record + there, more, some);
      size_ = extsort::size_of(format_, record, there + some, there);
      if (size_ <= there + some) {
        at_ = record;
        behind_ = more + (size_ - there);
        limit_ = more + got;
        return;
      }
      if (some != got) throw damaged_run(*run_);
      there += some;
    }
  }

  void begin_block(std::size_t which) {
    if (next_ >= end_) return;
    const std::size_t size = std::min<std::uint64_t>(block_, end_ - next_);
    readings_[which].begin(*disk_, *run_, next_, size, blocks_[which], stored_, decoder_);
    next_ += block_;
  }

  // Moves the rest of a record to the front of the next block.
  void go_on() {
    const auto rest = static_cast<std::size_t>(limit_ - at_);
    if (rest > run_->longest) throw damaged_run(*run_);
    std::byte* const to = blocks_[1 - current_] - rest;
    std::memmove(to, at_, rest);
    at_ = to;
    const std::size_t got = take_next_block();
    limit_ = blocks_[current_] + got;
    if (skipped_ != 0) {
      at_ += skipped_;
      skipped_ = 0;
    }
    before_ = nullptr;
  }

  // Ends the use of the present block. @return bytes in the next one
  std::size_t take_next_block() {
    const std::size_t other = 1 - current_;
    if (!readings_[other].is_under_way()) throw damaged_run(*run_);
    const std::size_t got = readings_[other].finish();
    if (gives_back_) {
      const std::uint64_t there = std::min(next_, end_);
      temporary_space::give_back(*run_, given_back_, there);
      // A page or frame that is only partly read is released with its rest.
      given_back_ = there == end_ ? there : there / run_->unit() * run_->unit();
    }
    begin_block(current_);
    current_ = other;
    if (got == 0) throw damaged_run(*run_);
    return got;
  }

  disk_queue* disk_;
  Format format_;
  frame_decoder* decoder_;
  const run* run_ = nullptr;
  const std::byte* at_ = nullptr;
  const std::byte* before_ = nullptr;
  const std::byte* behind_ = nullptr;  // the next record, if it does not follow this one in memory
  const std::byte* limit_ = nullptr;   // end of the bytes that are there, of the current block
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;  // bytes, from `at_` on
  std::size_t block_ = 0;
  std::size_t current_ = 0;
  std::array<std::byte*, 2> blocks_{};
  std::byte* stored_ = nullptr;  // memory for compressed bytes
  std::array<run_reading, 2> readings_;
  std::uint64_t next_ = 0;  // byte of the run to be read next
  std::uint64_t end_ = 0;
  std::uint64_t skipped_ = 0;  // bytes of the first block before the first record
  bool gives_back_ = false;
  std::uint64_t given_back_ = 0;  // byte of the run up to which space is released
};

}  // namespace extsort

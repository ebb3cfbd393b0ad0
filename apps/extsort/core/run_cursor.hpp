// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "records.hpp"
#include "runs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>

namespace extsort {

/// Reads records of a run one after the other, from two blocks: one is read from the disk while the records of the other are used. For one thread.
template <class Format>
class run_cursor {
 public:
  /// How much memory one takes. @param block a multiple of `page` @param longest record
  static std::size_t memory_for(std::size_t block, std::uint64_t longest) noexcept {
    return 2 * (block + rounded_up(longest)) + page;
  }

  run_cursor(disk_queue& disk, const Format& format) : disk_(&disk), format_(format) {}
  ~run_cursor() {
    for (transfer& each : transfers_) disk_->abandon(each);
  }
  run_cursor(const run_cursor&) = delete;
  run_cursor& operator=(const run_cursor&) = delete;

  /// Stands at the first record from byte `begin` on; ends before byte `end`. @param memory of `memory_for`
  void open(const run& of, std::uint64_t begin, std::uint64_t end, std::size_t block, std::span<std::byte> memory) {
    run_ = &of;
    left_ = end - begin;
    const std::size_t carry = rounded_up(of.longest);
    block_ = block;
    blocks_ = {memory.data() + carry, memory.data() + carry + block + carry};
    next_place_ = rounded_down(of.begin + begin);
    end_place_ = of.begin + end;
    skipped_ = of.begin + begin - next_place_;
    current_ = 1;
    size_ = 0;
    at_ = limit_ = blocks_[1];
    begin_block(0);
    if (left_ != 0) load();
  }

  bool is_at_end() const noexcept { return left_ == 0; }
  /// The record it stands at.
  const std::byte* at() const noexcept { return at_; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t word() const noexcept { return format_.word(at_, size_, 0); }

  void next() {
    at_ += size_;
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
        // There are more runs than the processor sees streams.
        __builtin_prefetch(at_ + size_ + ahead);
        return;
      }
      go_on();
    }
  }

  void begin_block(std::size_t which) {
    if (next_place_ >= end_place_) return;
    const std::size_t size = std::min<std::uint64_t>(block_, rounded_up(end_place_) - next_place_);
    disk_->read(transfers_[which], *run_->in, next_place_, blocks_[which], size);
    next_place_ += size;
  }

  // Takes what is left of a record before the next block.
  void go_on() {
    const std::size_t other = 1 - current_;
    if (!transfers_[other].is_under_way()) throw std::logic_error("a run ends within a record");
    const std::size_t got = disk_->finish(transfers_[other]);
    const auto rest = static_cast<std::size_t>(limit_ - at_);
    std::byte* const to = blocks_[other] - rest;
    std::memcpy(to, at_, rest);
    at_ = to;
    limit_ = blocks_[other] + got;
    if (skipped_ != 0) {
      at_ += skipped_;
      skipped_ = 0;
    }
    begin_block(current_);
    current_ = other;
    if (got == 0) throw std::runtime_error("a temporary file has become shorter");
  }

  disk_queue* disk_;
  Format format_;
  const run* run_ = nullptr;
  const std::byte* at_ = nullptr;
  const std::byte* limit_ = nullptr;  // what is there, of the current block
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;  // bytes, from `at_` on
  std::size_t block_ = 0;
  std::size_t current_ = 0;
  std::array<std::byte*, 2> blocks_{};
  std::array<transfer, 2> transfers_;
  std::uint64_t next_place_ = 0;  // in the file
  std::uint64_t end_place_ = 0;
  std::uint64_t skipped_ = 0;  // of the first block
};

}  // namespace extsort

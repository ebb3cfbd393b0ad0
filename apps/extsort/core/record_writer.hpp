// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace extsort {

/// A consumer of consecutive bytes.
class record_sink {
 public:
  virtual ~record_sink() = default;
  virtual void add(std::span<const std::byte> bytes) = 0;
};

/// Writes consecutive bytes into a part of a file, with two buffers: one is filled while the other
/// is written. Bytes around that part are left unchanged, even if the file requires whole pages:
/// then the edges go through the page cache. For one thread.
class record_writer {
 public:
  /// @param buffer a multiple of two pages, and at least four; it and `disk` outlive the writer
  /// @param edges the same file, through the page cache; may be null if `begin` and the end are
  /// multiples of `page`, or the file is not direct
  record_writer(disk_queue& disk, std::span<std::byte> buffer, const file& to, const file* edges, std::uint64_t begin);
  /// Gives the bytes to a sink instead, in halves of the buffer.
  record_writer(disk_queue& disk, std::span<std::byte> buffer, record_sink& to);
  ~record_writer();
  record_writer(const record_writer&) = delete;
  record_writer& operator=(const record_writer&) = delete;

  /// Adds bytes. @param from `record_slack` bytes after it may be read
  void add(const std::byte* from, std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) >= size + record_slack) {
      copy(at_, from, size);
      at_ += size;
    } else {
      add_across(from, size);
    }
  }
  /// Likewise, for bytes after which nothing may be read.
  void add_exactly(std::span<const std::byte> bytes) { add_across(bytes.data(), bytes.size()); }
  /// Copies `size` bytes; `record_slack` more may be read and written.
  static void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    // The number of iterations of a loop over records of many sizes cannot be predicted. Copying
    // a few fixed sizes costs less.
    constexpr std::size_t step = 32, few = 96;
    static_assert(few <= record_slack);
    std::memcpy(to, from, step);
    if (size <= step) return;
    std::memcpy(to + step, from + step, few - step);
    if (size <= few) return;
    if (size > 8 * step) {
      std::memcpy(to + few, from + few, size - few);
      return;
    }
    for (std::size_t i = few; i < size; i += step) std::memcpy(to + i, from + i, step);
  }
  /// Returns the number of bytes added so far.
  std::uint64_t written() const noexcept {
    return place_ + static_cast<std::uint64_t>(at_ - buffers_[current_].data()) - begin_;
  }
  /// Writes the rest, and waits for all writes.
  void finish();

 private:
  void add_across(const std::byte* from, std::size_t size);
  void send(std::size_t size);
  void write_edge(const std::byte* from, std::uint64_t place, std::size_t size);

  disk_queue* disk_;
  record_sink* sink_ = nullptr;
  const file* to_;
  const file* edges_;
  std::uint64_t begin_;
  std::uint64_t place_;  // place of the current buffer's first byte
  std::array<std::span<std::byte>, 2> buffers_;
  std::array<transfer, 2> transfers_;
  std::size_t current_ = 0;
  std::byte* at_;
  std::byte* end_;
};

}  // namespace extsort

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

/// What takes bytes that follow each other.
class record_sink {
 public:
  virtual ~record_sink() = default;
  virtual void add(std::span<const std::byte> bytes) = 0;
};

/// Writes bytes that follow each other into a part of a file, from two buffers: one is filled while
/// the other is written. What lies around that part is left as it is, also where the file wants
/// whole pages: the ends go through the page cache then. For one thread.
class record_writer {
 public:
  /// @param buffer a multiple of two pages, and at least four; it and `disk` outlive the writer
  /// @param edges the same file, through the page cache; may be null if `begin` and the end are
  /// multiples of `page`, or the file is not direct
  record_writer(disk_queue& disk, std::span<std::byte> buffer, const file& to, const file* edges, std::uint64_t begin);
  /// Gives them to something else instead, by halves of the buffer.
  record_writer(disk_queue& disk, std::span<std::byte> buffer, record_sink& to);
  ~record_writer();
  record_writer(const record_writer&) = delete;
  record_writer& operator=(const record_writer&) = delete;

  /// @param from `record_slack` bytes behind it may be read
  void add(const std::byte* from, std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) >= size + record_slack) {
      copy(at_, from, size);
      at_ += size;
    } else {
      add_across(from, size);
    }
  }
  /// The same of bytes behind which there is nothing.
  void add_exactly(std::span<const std::byte> bytes) { add_across(bytes.data(), bytes.size()); }
  /// Copies so many bytes; `record_slack` more may be read and written.
  static void copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    // How often a loop goes round for records of many sizes can't be foreseen, and costs more than
    // to copy all of a few.
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
  /// Where the next byte goes, counted from the first.
  std::uint64_t written() const noexcept {
    return place_ + static_cast<std::uint64_t>(at_ - buffers_[current_].data()) - begin_;
  }
  /// Writes what is left, and waits for all.
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
  std::uint64_t place_;  // of the current buffer's first byte
  std::array<std::span<std::byte>, 2> buffers_;
  std::array<transfer, 2> transfers_;
  std::size_t current_ = 0;
  std::byte* at_;
  std::byte* end_;
};

}  // namespace extsort

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace extsort {

/// An open file, and whether it bypasses the page cache.
class file {
 public:
  file() = default;
  /// Takes over the descriptor. @param name for messages
  file(int descriptor, std::string name, bool is_direct) noexcept
      : descriptor_(descriptor), is_direct_(is_direct), name_(std::move(name)) {}
  file(file&& other) noexcept;
  file& operator=(file&& other) noexcept;
  ~file();

  int descriptor() const noexcept { return descriptor_; }
  bool is_direct() const noexcept { return is_direct_; }
  const std::string& name() const noexcept { return name_; }
  /// Sets the name in messages.
  void set_name(std::string name) noexcept { name_ = std::move(name); }

 private:
  int descriptor_ = -1;
  bool is_direct_ = false;
  std::string name_;
};

/// Whether the file is in a file system that has only the page cache (tmpfs).
bool is_in_memory(int descriptor) noexcept;

/// Opens a file without the page cache if `direct`, unless its file system does not support that or
/// has only the page cache.
/// @param flags of open(2)
/// @throws std::system_error that names the file, and `to_do`
file open_file(const std::string& name, int flags, bool direct, const char* to_do);

/// A read or a write in progress. Must stay in place until `disk_queue::finish` has returned.
class transfer {
 public:
  bool is_under_way() const noexcept { return of_ != nullptr; }

 private:
  friend class disk_queue;
  const file* of_ = nullptr;
  std::byte* at_ = nullptr;
  std::uint64_t place_ = 0;
  std::size_t left_ = 0;
  std::size_t done_ = 0;
  int error_ = 0;
  bool is_write_ = false;
  bool is_complete_ = false;
};

/// Reads and writes of one thread. Files that bypass the page cache use io_uring, in parallel with
/// the thread; other files, and systems without io_uring, use pread and pwrite, at once.
class disk_queue {
 public:
  /// @param by_uring false: all files use pread and pwrite
  explicit disk_queue(bool by_uring = true);
  ~disk_queue();
  disk_queue(const disk_queue&) = delete;
  disk_queue& operator=(const disk_queue&) = delete;

  /// Begins a transfer. For direct files, addresses, sizes and places are multiples of `page`.
  void read(transfer& as, const file& from, std::uint64_t place, std::byte* to, std::size_t size);
  void write(transfer& as, const file& to, std::uint64_t place, const std::byte* from, std::size_t size);
  /// Waits for a transfer. @return bytes; a read has fewer than wanted only at the end of the file
  /// @throws std::system_error that names the file
  std::size_t finish(transfer& of);
  /// Waits for a transfer, and ignores its errors: for memory that is about to be freed.
  void abandon(transfer& of) noexcept;

  /// Returns the time that this thread has waited for all transfers together.
  std::chrono::nanoseconds waited() const noexcept { return waited_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }

 private:
  struct ring;

  void begin(transfer& as);
  void by_hand(transfer& as) noexcept;
  void submit(transfer& as);
  void wait_for(transfer& of);

  std::unique_ptr<ring> ring_;
  std::chrono::nanoseconds waited_{};
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace extsort

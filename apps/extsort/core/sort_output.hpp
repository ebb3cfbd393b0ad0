// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "output_file.hpp"
#include "sort_file.hpp"
#include "streams.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace extsort {

class peers;

/// The output of a sort: a file of this process alone, or one that groups share, of which each
/// writes its part. With peers, functions with "by all" must be called by all groups, as those of
/// `peers`.
class sort_output {
 public:
  /// Creates the file; a shared file is created by the first group. By all.
  /// @param others null: there are none; otherwise they outlive this object
  /// @throws std::system_error
  sort_output(const sort_setup& setup, const peers* others);

  bool is_shared() const noexcept { return is_shared_; }
  const file& whole_pages() const noexcept { return file_->whole_pages(); }
  /// Returns the same file through the page cache.
  const file& edges() const noexcept { return file_->edges(); }

  /// Writes the header, which precedes all records, of a file that is not shared. Must be the first
  /// write.
  /// @throws std::system_error
  void begin_with(std::string_view header);
  /// Gives the file its size; of a shared file, that of all groups together.
  /// @throws std::system_error if the disk has too little room
  void make_room(std::uint64_t size);
  /// Returns the bytes of that size which the file system has not allocated.
  std::uint64_t without_room() const noexcept { return without_room_; }
  /// Announces how many bytes this process is going to write, and makes room for them if needed. By
  /// all.
  /// @return the place in the file at which they begin
  std::uint64_t place(std::uint64_t own);
  /// Waits until all processes' bytes are on the disk. By all.
  /// @param own bytes that this process has written; may be fewer than announced
  void secure(std::uint64_t own);
  /// Gives the file its name, and ends its use. By all.
  void publish();
  /// Whether the output is a pipe or a device, and has no name.
  bool is_stream() const noexcept { return stream_.has_value(); }
  /// Copies the file to that stream. @throws as output_stream::copy
  void copy(std::uint64_t size, disk_queue& disk, std::span<std::byte> buffer, const std::stop_token& stop) {
    stream_->copy(whole_pages(), header_size_ + size, disk, buffer, stop);
  }
  /// Returns the attributes of the replaced file that this one lacks, in words; empty: none.
  std::string lost() const { return file_->lost(); }

 private:
  const peers* others_;
  bool is_shared_;
  std::optional<output_stream> stream_;
  std::unique_ptr<output_file> file_;
  std::uint64_t header_size_ = 0;
  std::uint64_t shared_size_ = 0;
  std::uint64_t without_room_ = 0;
};

}  // namespace extsort

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

/// Where a sort writes: a file of this process alone, or one that groups share, each of which
/// writes its part. With peers, calls that say so are made by all of them, as those of `peers`.
class sort_output {
 public:
  /// Makes the file; of one that is shared, the first group does. By all.
  /// @param others null: there are none; they outlive this
  /// @throws std::system_error
  sort_output(const sort_setup& setup, const peers* others);

  bool is_shared() const noexcept { return is_shared_; }
  const file& whole_pages() const noexcept { return file_->whole_pages(); }
  /// The same through the page cache.
  const file& edges() const noexcept { return file_->edges(); }

  /// Writes what stands in front of all records, of a file that is not shared. Before anything
  /// else.
  /// @throws std::system_error
  void begin_with(std::string_view header);
  /// Gives the file a size, of a shared one for all groups.
  /// @throws std::system_error if the disk has too little room
  void make_room(std::uint64_t size);
  /// Bytes of that which the file system has not set aside.
  std::uint64_t without_room() const noexcept { return without_room_; }
  /// Says how many bytes this process is going to write, and makes room for them unless there is.
  /// By all.
  /// @return where they begin in the file
  std::uint64_t place(std::uint64_t own);
  /// Waits until all is on the disk, everywhere. By all.
  /// @param own bytes that this process has written, which may be fewer than it said
  void secure(std::uint64_t own);
  /// Gives the file its name, and lets it be. By all.
  void publish();
  /// Whether it goes to a pipe or a device in the end, and has no name.
  bool is_stream() const noexcept { return stream_.has_value(); }
  /// Sends it there. @throws as output_stream::copy
  void copy(std::uint64_t size, disk_queue& disk, std::span<std::byte> buffer, const std::stop_token& stop) {
    stream_->copy(whole_pages(), header_size_ + size, disk, buffer, stop);
  }
  /// All that the file that is replaced has, and this one has not, in words; empty: nothing.
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

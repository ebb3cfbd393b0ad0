// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace extsort {

/// A file that can be read at any place: the one that is asked for, or a copy of a stream. The name
/// `-` is standard input.
class input_file {
 public:
  /// None.
  input_file() = default;
  /// @throws std::system_error that names it
  input_file(const std::string& name, bool direct);

  /// Whether it can be read only once, from its beginning: a pipe, a terminal, a device.
  bool is_stream() const noexcept { return is_stream_; }
  /// Reads a stream to its end, into a file without a name in one of the directories: from then on
  /// it is that file.
  /// @throws std::system_error that names what could not be read or written; interrupted
  void spool(temporary_space& to, disk_queue& disk, std::span<std::byte> buffer, const std::stop_token& stop);
  /// Gives up what the copy of a stream holds of the disk: nobody reads it any more.
  void release() const noexcept;

  /// Whether it was a stream.
  bool is_copy() const noexcept { return is_copy_; }

  const file& contents() const noexcept { return contents_; }
  std::uint64_t size() const noexcept { return size_; }
  /// The byte at which records begin: behind a header.
  std::uint64_t begin() const noexcept { return begin_; }
  void set_begin(std::uint64_t begin) noexcept { begin_ = begin; }

 private:
  file contents_;
  std::uint64_t size_ = 0, begin_ = 0;
  bool is_stream_ = false;
  bool is_copy_ = false;
};

/// Whether an output is no file whose place another one takes: `-`, standard output, or a pipe or a
/// device.
bool is_output_stream(const std::string& name);

/// Such an output.
class output_stream {
 public:
  /// @throws std::system_error that names it
  explicit output_stream(std::string name);

  /// Writes all of a file to it; to a pipe with a name once somebody reads that.
  /// @throws std::system_error, of which output_closed is one; interrupted
  void copy(const file& from, std::uint64_t size, disk_queue& disk, std::span<std::byte> buffer,
            const std::stop_token& stop);

 private:
  std::string name_;
  std::optional<file> to_;  // none: standard output, or a pipe that is not open yet
};

}  // namespace extsort

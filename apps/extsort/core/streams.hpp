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

/// An input file that can be read at any place: the named file, or a copy of a stream. The name `-`
/// means standard input.
class input_file {
 public:
  /// No file.
  input_file() = default;
  /// @throws std::system_error that names the file
  input_file(const std::string& name, bool direct);

  /// Whether the input can be read only once, from its beginning: a pipe, a terminal, a device.
  bool is_stream() const noexcept { return is_stream_; }
  /// Copies a stream to its end, into a file without a name in one of the directories. From then on
  /// this object is that file.
  /// @throws std::system_error that names the file that could not be read or written; interrupted
  void spool(temporary_space& to, disk_queue& disk, std::span<std::byte> buffer, const std::stop_token& stop);
  /// Releases the disk space of the copy of a stream, which is not read any more.
  void release() const noexcept;

  /// Whether the input was a stream.
  bool is_copy() const noexcept { return is_copy_; }

  const file& contents() const noexcept { return contents_; }
  std::uint64_t size() const noexcept { return size_; }
  /// Returns the byte at which records begin: after a header.
  std::uint64_t begin() const noexcept { return begin_; }
  void set_begin(std::uint64_t begin) noexcept { begin_ = begin; }

 private:
  file contents_;
  std::uint64_t size_ = 0, begin_ = 0;
  bool is_stream_ = false;
  bool is_copy_ = false;
};

/// Whether an output is not a file that can be replaced: `-`, standard output, or a pipe or a
/// device.
bool is_output_stream(const std::string& name);

/// An output for which `is_output_stream` is true.
class output_stream {
 public:
  /// @throws std::system_error that names the output
  explicit output_stream(std::string name);

  /// Writes a whole file to the output; to a named pipe once it has a reader.
  /// @throws std::system_error, of which output_closed is one kind; interrupted
  void copy(const file& from, std::uint64_t size, disk_queue& disk, std::span<std::byte> buffer,
            const std::stop_token& stop);

 private:
  std::string name_;
  std::optional<file> to_;  // none: standard output, or a pipe that is not open yet
};

}  // namespace extsort

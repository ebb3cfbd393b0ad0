// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct gzFile_s;

namespace weir {

/// A text file, compressed with gzip if its name ends in `.gz`. It has content once `close` has returned true; until then, and
/// where something could not be written, it is left empty. One thread.
class trace_file {
 public:
  /// Opens it, emptying what is there. @throws graph_error
  explicit trace_file(std::string name);
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;
  ~trace_file();

  trace_file& operator<<(std::string_view text);
  trace_file& operator<<(char character) { return *this << std::string_view(&character, 1); }

  /// Nanoseconds as microseconds with three digits after the point.
  void put_microseconds(std::int64_t nanoseconds);

  /// All is written. @return whether it arrived
  bool close() noexcept;

 private:
  void flush() noexcept;

  std::string name_;
  gzFile_s* file_;
  std::string waiting_;
  bool failed_ = false;
};

}  // namespace weir

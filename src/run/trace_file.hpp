// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

struct gzFile_s;

namespace weir {

/// Where the events of a trace are written. One thread.
class trace_text {
 public:
  trace_text& operator<<(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= flushed_bytes) flush();
    return *this;
  }
  trace_text& operator<<(char character) { return *this << std::string_view(&character, 1); }

  /// Nanoseconds as microseconds with three digits after the point.
  void put_microseconds(std::int64_t nanoseconds);

 protected:
  ~trace_text() = default;
  /// Takes what is waiting, or a part of it.
  virtual void flush() = 0;

  std::string waiting_;

 private:
  static constexpr std::size_t flushed_bytes = std::size_t{64} * 1024;
};

/// A text file, compressed with gzip if its name ends in `.gz`. It has content once `close` has
/// returned true; until then, and where something could not be written, it is left empty, which
/// standard error then says.
class trace_file final : public trace_text {
 public:
  /// Opens it, emptying what is there. @throws graph_error
  explicit trace_file(std::string name);
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;
  ~trace_file();

  /// All is written. @return whether it arrived
  bool close() noexcept;

 private:
  void flush() noexcept override;
  bool end() noexcept;

  std::string name_;
  gzFile_s* file_;
  int problem_ = 0;  // errno of what failed first
};

/// The events of one group's part of a run, handed on in pieces that end between two events. An
/// event begins with `,\n`; so do the pieces.
class trace_pieces final : public trace_text {
 public:
  explicit trace_pieces(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  /// Hands on the rest.
  void end();

 private:
  void flush() override;

  std::function<void(std::string_view)> take_;
};

}  // namespace weir

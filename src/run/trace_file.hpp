// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/give_notice.hpp"
#include "run/output_file.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::detail {

/// Buffered output for the events of a trace. One thread.
class trace_text {
 public:
  trace_text& operator<<(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= flushed_bytes) flush();
    return *this;
  }
  trace_text& operator<<(char character) { return *this << std::string_view(&character, 1); }

  /// Writes nanoseconds as microseconds with three digits after the point.
  void put_microseconds(std::int64_t nanoseconds);

 protected:
  ~trace_text() = default;
  /// Takes the buffered text, or a part of it.
  virtual void flush() = 0;

  std::string waiting_;

 private:
  static constexpr std::size_t flushed_bytes = std::size_t{64} * 1024;
};

/// A text file, compressed with gzip if its name ends in `.gz`. It has content once `close` has
/// returned true. Before that, and if a write failed, of which a notice tells, it is empty.
class trace_file final : public trace_text {
 public:
  /// Opens and empties the file. @throws graph_error
  explicit trace_file(std::string name);
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;
  ~trace_file();

  /// Ends the file. @param wait whether a notice of an error may wait for its reader
  /// @return whether everything was written
  bool close(detail::notice_wait wait = detail::notice_wait::allowed) noexcept;

 private:
  void flush() noexcept override;
  bool end() noexcept;

  std::string name_;
  std::optional<output_file> file_;  // none: it has ended
  int problem_ = 0;                  // errno of the first failure
};

/// The events of one group's part of a run, passed on in pieces that end between two events. Each
/// event, and so each piece, begins with `,\n`.
class trace_pieces final : public trace_text {
 public:
  explicit trace_pieces(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  /// Passes on the rest.
  void end();

 private:
  void flush() override;

  std::function<void(std::string_view)> take_;
};

}  // namespace weir::detail

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/descriptor.hpp"
#include "support/stop_event.hpp"

#include <sys/types.h>

#include <climits>
#include <cstddef>
#include <stop_token>
#include <string_view>

namespace weir::support {

/// A standard stream that is written without waiting for its reader, even if other processes share
/// the stream and do want to wait.
class unhurried_stream {
 public:
  explicit unhurried_stream(int to);

  int number() const noexcept { return to_; }
  /// Like write(2), but fails with EAGAIN if nothing can be written now.
  ssize_t write(std::string_view text) const noexcept;

 private:
  enum class kind { file, pipe_or_terminal, socket };

  const int to_;
  kind kind_ = kind::file;
  std::size_t bytes_at_once_ = PIPE_BUF;
  descriptor own_{-1};  // the same pipe or terminal, opened again: O_NONBLOCK is then set for this process alone
};

/// A standard stream whose reader is waited for until a stop is requested. For programs that take
/// signals as requests to stop: no signal would end a write that waits for ever. One thread writes.
class stoppable_stream {
 public:
  stoppable_stream(int to, const std::stop_token& stop) : to_(to), stop_(stop) {}

  /// Writes the whole text; after a request to stop, only as much as one write(2) takes
  /// without waiting, and of a socket at most PIPE_BUF bytes.
  /// @return false: the write failed, and errno says why; ECANCELED: the text is not written to its
  /// end, because a stop was requested
  bool write(std::string_view text) const noexcept;

 private:
  const unhurried_stream to_;
  const stop_event stop_;
};

/// Writes the text to standard error. If it is not read within half a second, the rest is dropped,
/// and from then on text that can't be written at once is dropped. For messages while signals are
/// held, and after one that ends the program.
void write_standard_error_in_time(std::string_view text);

}  // namespace weir::support

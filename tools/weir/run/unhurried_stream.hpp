// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"

#include <sys/types.h>

#include <string_view>

/// A standard stream that is written without waiting for its reader, even if other processes share
/// the stream and do want to wait.
class unhurried_stream {
 public:
  explicit unhurried_stream(int to);

  int number() const { return to_; }
  /// Like write(2), but fails with EAGAIN if nothing can be written now.
  ssize_t write(std::string_view text) const;

 private:
  enum class kind { file, pipe_or_terminal, socket };

  const int to_;
  kind kind_ = kind::file;
  descriptor own_{-1};  // the same pipe or terminal, opened again: O_NONBLOCK is then set for this process alone
};

/// Writes the text to standard error. If no text is read for half a second, the rest is dropped,
/// and from then on text that can't be written at once is dropped. For messages while signals are
/// held: no signal could end this process if a write waited for ever.
void tell(std::string_view text);

/// Writes a line of `weir run` in the same way.
void tell_problem(std::string_view message);

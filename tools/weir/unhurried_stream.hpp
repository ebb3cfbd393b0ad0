// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"

#include <sys/types.h>

#include <string_view>

/// A standard stream that is written without waiting for whoever reads it, also where others share
/// it, who want to wait.
class unhurried_stream {
 public:
  explicit unhurried_stream(int to);

  int number() const { return to_; }
  /// As write(2), with EAGAIN where nothing can be written now.
  ssize_t write(std::string_view text) const;

 private:
  enum class kind { file, pipe_or_terminal, socket };

  const int to_;
  kind kind_ = kind::file;
  descriptor own_{-1};  // the same pipe or terminal, opened again: that nobody waits for it holds for us alone
};

/// Says it on standard error, as far as somebody reads that: after half a second without, and from
/// then on at once, it is lost. For what is said while signals are held: nobody could end us if
/// that took for ever.
void tell(std::string_view text);

/// A line of `weir run`, likewise.
void tell_problem(std::string_view message);

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"
#include "support/unhurried_stream.hpp"

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

/// The output of a program while a view hides the terminal. It is kept in an unnamed file and shown
/// afterwards.
class kept_output {
 public:
  /// @throws std::runtime_error
  kept_output();

  /// Descriptor for the program. Output of several writers is appended.
  int written_to() const noexcept { return *file_; }

  /// Returns the last lines, at most `most`, without control characters.
  std::vector<std::string> last_lines(std::size_t most) const;

  /// Copies the text that is new since the last call, or as much of it as `to` takes without
  /// waiting.
  /// @return whether it was all. @throws std::runtime_error
  bool pass_on(const weir::support::unhurried_stream& to);
  /// Copies all text that is new since the last call. @throws std::runtime_error
  void pass_on(int to);

 private:
  descriptor file_;
  off_t passed_on_ = 0;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

/// What a program writes while a view hides the terminal: kept in a file without a name, to be
/// shown afterwards.
class kept_output {
 public:
  /// @throws std::runtime_error
  kept_output();

  /// For the program. What several write there follows each other.
  int written_to() const noexcept { return *file_; }

  /// The last lines, at most that many, without control characters.
  std::vector<std::string> last_lines(std::size_t most) const;

  /// Copies what is new since the last call. @throws std::runtime_error
  void pass_on(int to);

 private:
  descriptor file_;
  off_t passed_on_ = 0;
};

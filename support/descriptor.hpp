// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace weir::support {

/// Owns an open file descriptor and closes it. Negative: there is none.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  descriptor& operator=(descriptor&& other) noexcept {
    if (this == &other) return *this;
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }

  explicit operator bool() const noexcept { return number_ >= 0; }
  int operator*() const noexcept { return number_; }

  /// Hands the descriptor over to the caller. @return its number
  int release() noexcept { return std::exchange(number_, -1); }

  /// Closes the descriptor. @return whether all that was written got through.
  bool close() noexcept {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

}  // namespace weir::support

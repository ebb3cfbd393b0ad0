// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace weir::io {

/// An owned file descriptor. The destructor closes it, unless it is one of the standard streams.
class descriptor {
 public:
  explicit descriptor(int number = -1) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();

  int get() const noexcept { return number_; }
  int release() noexcept { return std::exchange(number_, -1); }

  /// Closes the descriptor now; a standard stream stays open.
  /// @return false with errno if the system reports that written data is lost
  bool close() noexcept;

 private:
  int number_;
};

/// Formats a file name for messages: in quotes, with control characters as octal escapes; `-` as
/// `standard`.
std::string shown(std::string_view name, const char* standard);

/// @throws std::system_error with errno: `<what>: <the system's text>`
[[noreturn]] void fail_with_errno(const std::string& what);

}  // namespace weir::io

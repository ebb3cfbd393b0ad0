// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace weir::detail {

/// An open file descriptor that closes itself.
class open_descriptor {
 public:
  explicit open_descriptor(int number = -1) noexcept : number_(number) {}
  open_descriptor(open_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  open_descriptor& operator=(open_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~open_descriptor();

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_;
};

/// A listening Unix-domain stream socket that only its owner can connect to. It does not block, and
/// is closed on exec.
class live_socket {
 public:
  /// Creates the socket, and replaces a socket at which no process listens any more. The socket
  /// gets its name only once it listens, and has mode 0600 from the beginning.
  /// @return none if another process listens there
  /// @throws graph_error if it can't be made
  static std::optional<live_socket> open(const std::string& path);

  live_socket(live_socket&&) noexcept = default;

  int descriptor() const noexcept { return listening_.get(); }

  /// Returns the next connection of this user or of root; none if there is none now. Closes
  /// connections of other users.
  /// @throws std::system_error if this process can't open more descriptors
  open_descriptor accept() const;

  /// Removes the name, if it still belongs to this socket.
  void remove() const noexcept;

 private:
  live_socket(std::string path, open_descriptor listening);

  std::string path_;
  open_descriptor listening_;
  unsigned long device_ = 0;
  unsigned long file_ = 0;
};

/// Folder that `live_view_folder` creates.
std::string usual_live_view_folder();

}  // namespace weir::detail

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"
#include "top/live_sample.hpp"

#include <chrono>
#include <optional>
#include <string>

/// Thrown if the program at the other end can't be reached, or has ended before it answered; the
/// text says which.
struct not_reached : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A connection to a program that is being watched.
class live_connection {
 public:
  /// @throws not_reached
  explicit live_connection(const std::string& socket);

  /// Descriptor to be polled for reading.
  int polled() const noexcept { return *socket_; }

  /// Asks for a sample. Reports no error if the program has ended: `has_ended` will then tell.
  void ask() noexcept;

  /// Reads the data that have arrived, without waiting.
  /// @return the latest sample, if a whole one has arrived.
  /// @throws std::runtime_error for malformed data
  std::optional<live_sample> receive();

  /// Waits for the next sample.
  /// @return none if the program has ended.
  /// @throws std::runtime_error for malformed data, or if nothing arrives for `most`
  std::optional<live_sample> wait_for_sample(std::chrono::milliseconds most);

  /// Whether the program has closed the connection.
  bool has_ended() const noexcept { return ended_; }

 private:
  std::string name_;
  descriptor socket_;
  std::string received_;
  bool ended_ = false;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"
#include "live_sample.hpp"

#include <chrono>
#include <optional>
#include <string>

/// The program at the other end can't be reached, or has gone before it answered; the text says
/// which.
struct not_reached : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A connection to a program that is watched.
class live_connection {
 public:
  /// @throws not_reached
  explicit live_connection(const std::string& socket);

  /// To be polled for reading.
  int polled() const noexcept { return *socket_; }

  /// Asks for a sample. Nothing is said where the program has gone: then `has_ended` will tell.
  void ask() noexcept;

  /// Reads what has come, without waiting.
  /// @return the latest sample, if a whole one has come.
  /// @throws std::runtime_error for one that makes no sense
  std::optional<live_sample> receive();

  /// Waits for the next sample.
  /// @return none if the program has gone.
  /// @throws std::runtime_error also if nothing comes for `most`
  std::optional<live_sample> wait_for_sample(std::chrono::milliseconds most);

  /// Whether the program has closed the connection.
  bool has_ended() const noexcept { return ended_; }

 private:
  std::string name_;
  descriptor socket_;
  std::string received_;
  bool ended_ = false;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_connection.hpp"
#include "top/top_table.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

/// Samples a program at intervals, and gives the content that any view of it shows. It never waits
/// but in `attach` and `hear_last_words`: its owner waits for `polled` and until `next_look`.
class live_watch {
 public:
  using clock = std::chrono::steady_clock;

  explicit live_watch(std::chrono::milliseconds interval) : interval_(interval) {}

  /// Begins to watch, and waits for the first sample.
  /// @throws std::runtime_error if the program ends before, or does not answer
  void attach(std::unique_ptr<live_connection> to);
  /// Begins to watch another process, whose samples have nothing to do with those before.
  void begin(std::unique_ptr<live_connection> to);
  /// Stops sampling; the last samples are kept.
  void detach() { connection_.reset(); }

  bool is_attached() const { return connection_ != nullptr; }
  /// Whether the process of the last sample has ended.
  bool has_ended() const { return ended_; }
  /// Descriptor to be polled for reading; negative if nothing is watched.
  int polled() const { return connection_ ? connection_->polled() : -1; }
  clock::time_point next_look() const { return next_look_; }

  /// Reads what has arrived.
  /// @return whether it is a sample, or the end of the process.
  /// @throws std::runtime_error for malformed data
  bool receive();
  /// Asks for the next sample if it is time to do so.
  /// @return whether it was
  bool look();
  /// Waits a little for the samples that a program sends before it ends.
  void hear_last_words();

  /// Returns the last sample; null if there is none.
  const live_sample* latest() const { return latest_ ? &*latest_ : nullptr; }
  /// Says for how long the program has not answered; empty if it has, or it was not long.
  std::string unanswered() const;
  /// Returns the program, its state, and its runs, with rates over the time between the last two
  /// samples. Without a sample, it is empty.
  top_content content() const;
  /// Returns the same of a program that has ended, with averages over each run.
  top_content last_content() const;

 private:
  void take(live_sample sample);
  void ask();

  std::chrono::milliseconds interval_;
  std::unique_ptr<live_connection> connection_;
  std::optional<live_sample> before_, latest_;
  std::optional<clock::time_point> asked_at_;  // time of a request without an answer
  clock::time_point next_look_ = clock::now();
  bool ended_ = false;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "group_streams.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

/// All that the groups of a run print, and what they read of us.
class group_traffic {
 public:
  /// What is left in the pipes when all processes have ended is read for so long: somebody else may hold their ends.
  static constexpr auto last_words = std::chrono::milliseconds(500);

  /// @param groups they outlive it @param logs a folder for what each of them prints; empty: none
  group_traffic(const std::vector<weir::group_configuration>& groups, std::string logs);

  /// Where lines of that group go. One for each group and stream; it lives as long as this.
  group_output& output_of(const weir::group_configuration& group, bool is_error);

  const read_pipe& add(std::unique_ptr<read_pipe> from);
  /// @param prints when that has begun, our standard input follows; null: it follows from the start
  void add(std::unique_ptr<input_pipe> to, const read_pipe* prints);
  /// The groups get no more of our standard input.
  void end_inputs() { inputs_.clear(); }

  /// Passes on what there is, after at most 100 ms. @param news when that can be read, it does not wait; -1: there is nothing
  void wait(int news = -1);
  /// Passes on what those print that have just ended.
  void read_last_words();
  /// The same, and then no more.
  void end();

 private:
  struct followed_input {
    std::unique_ptr<input_pipe> to;
    const read_pipe* prints;
  };

  const std::vector<weir::group_configuration>& groups_;
  const std::string logs_;
  const bool coloured_;
  std::vector<std::unique_ptr<group_output>> outputs_;
  std::vector<std::unique_ptr<read_pipe>> pipes_;
  std::vector<followed_input> inputs_;
};

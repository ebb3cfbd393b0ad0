// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "group_streams.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Whether each line that a group prints comes out behind the group's name.
enum class line_prefix { on_terminal, always, never };

/// All that the groups of a run print, and what they read of us.
class group_traffic {
 public:
  /// What is left in the pipes when all processes have ended is read for so long: somebody else may
  /// hold their ends.
  static constexpr auto last_words = std::chrono::milliseconds(500);

  /// @param groups they outlive it @param logs a folder for what each of them prints; empty: none
  /// @param silenced once it says so, what they print comes out no more, but in the logs
  group_traffic(const std::vector<weir::group_configuration>& groups, line_prefix prefix, std::string logs,
                std::function<bool()> silenced);

  /// Where lines of that group go. One for each group and stream; it lives as long as this.
  group_output& output_of(const weir::group_configuration& group, bool is_error);

  const read_pipe& add(std::unique_ptr<read_pipe> from);
  /// @param prints when that has begun, our standard input follows; null: it follows from the start
  void add(std::unique_ptr<input_pipe> to, const read_pipe* prints);
  /// Whether something that the groups have printed is still to be written.
  bool waiting() const { return output_.waiting() || error_.waiting() || said_.waiting(); }
  /// Why not all gets through that they print, or read from our standard input.
  const traffic_failure& failure() const { return failure_; }
  /// Loses what they print from now on.
  void drop();
  /// From now on groups do not wait for who reads: what they print is lost once nothing more can be
  /// kept of it.
  void take_what_fits();
  /// A line of our own, to standard error. Does not wait either.
  void say(const std::string& line);

  /// The groups get no more of our standard input.
  void end_inputs() { inputs_.clear(); }

  /// Passes on what there is, after at most 100 ms.
  /// @param news when that can be read, it does not wait; -1: there is nothing
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

  std::string prefix_of(const weir::group_configuration& group, int stream) const;

  const std::vector<weir::group_configuration>& groups_;
  const std::string logs_;
  const line_prefix prefix_;
  const std::function<bool()> silenced_;
  traffic_failure failure_;
  standard_stream output_;
  standard_stream error_;
  traffic_failure nobody_to_tell_;
  standard_stream said_;
  std::vector<std::unique_ptr<group_output>> outputs_;
  std::vector<std::unique_ptr<read_pipe>> pipes_;
  std::vector<followed_input> inputs_;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "run/group_streams.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Whether each line that a group prints is prefixed with the group's name.
enum class line_prefix { on_terminal, always, never };

/// The output of all groups of a run, and their share of this process's standard input.
class group_traffic {
 public:
  /// Time for reading the rest of the pipes after all processes have ended: a process of another
  /// program may still hold an end of a pipe.
  static constexpr auto last_words = std::chrono::milliseconds(500);

  /// @param groups outlive this object @param logs a folder for the output of each group; empty:
  /// none
  /// @param silenced once it returns true, output of the groups goes only to the logs
  group_traffic(const std::vector<weir::group_configuration>& groups, line_prefix prefix, std::string logs,
                std::function<bool()> silenced);

  /// Returns a new output for one group and one stream; it lives as long as this object.
  group_output& output_of(const weir::group_configuration& group, bool is_error);

  const read_pipe& add(std::unique_ptr<read_pipe> from);
  /// @param prints standard input follows once its output has begun; null: it follows from the
  /// start
  void add(std::unique_ptr<input_pipe> to, const read_pipe* prints);
  /// Whether output of the groups is still to be written.
  bool waiting() const { return output_.waiting() || error_.waiting() || said_.waiting(); }
  /// Returns why output of the groups, or our standard input, does not get through.
  const traffic_failure& failure() const { return failure_; }
  /// Drops the output of the groups from now on.
  void drop();
  /// From now on groups do not wait for a slow reader: their output is dropped when no more of it
  /// can be kept.
  void take_what_fits();
  /// Prints a line of this process to standard error, without waiting either.
  void say(const std::string& line);

  /// Ends the standard input of the groups.
  void end_inputs() { inputs_.clear(); }

  /// Passes on the data that arrive, for at most 100 ms.
  /// @param news returns at once when this descriptor can be read; -1: there is none
  void wait(int news = -1);
  /// Passes on the last output of groups that have just ended.
  void read_last_words();
  /// Does the same, and then closes all pipes.
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

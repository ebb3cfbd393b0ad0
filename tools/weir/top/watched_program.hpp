// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/process.hpp"
#include "top/kept_output.hpp"
#include "top/live_connection.hpp"

#include <poll.h>
#include <signal.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// A folder that only this user can access. The destructor removes the folder and its contents.
class private_folder {
 public:
  /// @throws std::runtime_error
  private_folder();
  ~private_folder();
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Who has the terminal while the program runs. A view takes the program's standard input, and
/// keeps its output until the view ends.
enum class terminal_of { view, program };

/// A program that this process has started in order to watch it.
class watched_program {
 public:
  /// @param mask the signals that the program finds blocked
  /// @throws std::runtime_error, one line for the user, if the program can't be started
  watched_program(const std::vector<std::string>& program, const sigset_t& mask, terminal_of whose);

  const std::string& name() const noexcept { return name_; }
  pid_t pid() const noexcept { return pid_; }
  bool has_ended() const noexcept { return end_.has_value(); }
  void look_whether_it_ended();
  void pass_on(int signal) const;

  /// Returns the exit code of the program, which has ended. If a signal ended it, a line on
  /// standard error says so, and the code is 128 + the signal.
  /// @param asked the signal that asked this process to end; 0: none
  /// @throws interrupted if that signal also ended the program
  int exit_code(int asked) const;

  /// Returns a new connection to one of the program's processes; null if there is none yet.
  std::unique_ptr<live_connection> connect();

  std::vector<std::string> last_lines() const;
  void show_output();
  /// Ends the use of the folder: the program has ended.
  void remove_folder() { folder_.reset(); }
  /// Shows as much as the terminal takes now.
  /// @return what to wait for until it takes more: nothing, or the terminal
  pollfd show_some_output();

 private:
  std::optional<private_folder> folder_{std::in_place};
  std::string name_;
  std::optional<kept_output> kept_;
  int shown_on_ = -1;
  pid_t pid_ = 0;
  std::optional<process_end> end_;
  std::set<std::string> known_;
};

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How a process ended.
struct process_end {
  int code = 0;    ///< its exit code
  int signal = 0;  ///< that ended it; 0 if it ended by itself

  std::string signal_name() const;
};

/// A program that does not exist or can't be executed; the text is the system's reason.
struct cannot_start : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A program that did not end in the time it was given; it was killed.
struct took_too_long : std::runtime_error {
  took_too_long() : std::runtime_error("took too long") {}
};

/// We were asked to end, by this signal, while we waited for a program; it has ended.
struct interrupted : std::runtime_error {
  explicit interrupted(int number) : std::runtime_error("interrupted"), signal(number) {}
  int signal;
};

/// Blocked while it exists: the signals by which people and scripts end us, the one that tells of a
/// child's end, and others that are asked for. None of those that are ignored.
class held_signals {
 public:
  explicit held_signals(std::initializer_list<int> others = {});
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  const sigset_t& set() const noexcept { return set_; }
  const sigset_t& before() const noexcept { return before_; }

 private:
  sigset_t set_, before_;
};

/// What a program gets in place of our standard streams; negative: ours.
struct program_streams {
  int input = -1;
  int output = -1;
  int error = -1;
};

/// Starts a program, found in PATH, with this mask of blocked signals. It shares our process group,
/// so that a Ctrl-C at the terminal reaches it.
/// @return its process id.
/// @throws cannot_start
pid_t start_program(const std::vector<std::string>& program, const program_streams& streams, const sigset_t& mask);

/// One line for the user: that it can't be started, why, and what to do.
std::string explained(const cannot_start& why, const std::string& program);

/// All processes of this machine that run, each with its parent.
std::vector<std::pair<pid_t, pid_t>> all_processes();

/// All that this process has started, and all that these have, as far as they are on this machine.
std::vector<pid_t> descendants_of(pid_t id);

/// A variable of a process, a folder of /proc, when it began; empty if it was not set, or is not to
/// be seen.
std::string variable_of(const std::filesystem::path& process, std::string_view name);

/// How it ended, by the status that waitpid gave.
process_end end_of(int status);

enum class program_output { to_standard_error, discarded };

/// Runs a program, found in PATH, with an empty standard input; its standard output goes to
/// standard error too, or nowhere.
///
/// It shares our process group, so that a Ctrl-C at the terminal reaches it; a signal that only we
/// get is passed on.
/// @param most how long it may take, before it is killed; 0: as long as it likes
/// @throws cannot_start, interrupted, took_too_long
process_end run_to_the_end(const std::vector<std::string>& program,
                           program_output output = program_output::to_standard_error,
                           std::chrono::seconds most = std::chrono::seconds(0));

/// Runs a program with `input` as its standard input; what it prints becomes `output`.
/// @throws cannot_start
process_end pipe_through(const std::vector<std::string>& program, const std::string& input, std::string& output);

/// A program that has ended, and what it printed.
struct finished_program {
  process_end end;
  std::string output;
  std::string error;
};

/// Runs a program with an empty standard input, in a session of its own: no signal of the terminal
/// reaches it, so it comes to its own end. No other child is waited for, and no signal is taken.
/// @throws cannot_start; took_too_long: it was killed after `most`
finished_program run_apart(const std::vector<std::string>& program, std::chrono::milliseconds most);

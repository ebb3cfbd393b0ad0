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

/// The end of a process: its exit code, or the signal that ended it.
struct process_end {
  int code = 0;    ///< exit code
  int signal = 0;  ///< signal that ended the process; 0 if the process ended by itself

  std::string signal_name() const;
};

/// Thrown if a program does not exist or can't be executed; the text is the system's reason.
struct cannot_start : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown if a program did not end in the time it was given, and was killed.
struct took_too_long : std::runtime_error {
  took_too_long() : std::runtime_error("took too long") {}
};

/// Thrown if a signal asked this process to end while it waited for a program; the program has
/// ended.
struct interrupted : std::runtime_error {
  explicit interrupted(int number) : std::runtime_error("interrupted"), signal(number) {}
  int signal;
};

/// Blocks signals while it exists: SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD and the signals that
/// the caller adds. Signals that are ignored are not blocked.
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

/// Descriptors that a program gets as its standard streams; negative: the stream of this process.
struct program_streams {
  int input = -1;
  int output = -1;
  int error = -1;
};

/// Starts a program, found in PATH, with this mask of blocked signals. The program shares the
/// process group of this process, which a Ctrl-C at the terminal therefore reaches too.
/// @return its process id.
/// @throws cannot_start
pid_t start_program(const std::vector<std::string>& program, const program_streams& streams, const sigset_t& mask);

/// Returns one line for the user: the program can't be started, why, and what to do.
std::string explained(const cannot_start& why, const std::string& program);

/// Returns all processes that run on this machine, each with its parent.
std::vector<std::pair<pid_t, pid_t>> all_processes();

/// Returns the children of this process and all their descendants on this machine.
std::vector<pid_t> descendants_of(pid_t id);

/// Returns the value that a variable had when the process began. Returns an empty string if the
/// variable was not set, or can't be read.
/// @param process the folder of the process in /proc
std::string variable_of(const std::filesystem::path& process, std::string_view name);

/// Returns how a process ended, from the status that waitpid gave.
process_end end_of(int status);

enum class program_output { to_standard_error, discarded };

/// Runs a program, found in PATH, with an empty standard input. Its standard output goes to
/// standard error, or is discarded.
///
/// The program shares the process group of this process, which a Ctrl-C at the terminal therefore
/// reaches too. A signal that only this process gets is passed on to the program.
/// @param most the longest time before the program is killed; 0: no limit
/// @throws cannot_start, interrupted, took_too_long
process_end run_to_the_end(const std::vector<std::string>& program,
                           program_output output = program_output::to_standard_error,
                           std::chrono::seconds most = std::chrono::seconds(0));

/// Runs a program with `input` as its standard input; `output` becomes the text that it prints.
/// @throws cannot_start
process_end pipe_through(const std::vector<std::string>& program, const std::string& input, std::string& output);

/// A program that has ended, and the text that it printed.
struct finished_program {
  process_end end;
  std::string output;
  std::string error;
};

/// Runs a program with an empty standard input, in a session of its own. No signal of the terminal
/// reaches the program. The call waits for no other child, and takes no signal.
/// @throws cannot_start; took_too_long: the program was killed after `most`
finished_program run_apart(const std::vector<std::string>& program, std::chrono::milliseconds most);

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"

#include <memory>
#include <string>
#include <string_view>

/// A file that gets what a group prints, as it is.
class group_log {
 public:
  /// @param folder empty: there is no file @throws std::runtime_error that says why it can't be made
  group_log(const std::string& folder, const std::string& name);

  /// Once that fails, it is said, and nothing more is written.
  void add(std::string_view text);

 private:
  std::string file_;
  descriptor to_{-1};
};

/// What a group prints, on its way to ours: line by line, behind its name.
class output_pipe {
 public:
  /// @param from a pipe's end, which it owns @param first_line if not empty: what comes first, and is for us alone
  output_pipe(int from, int to, std::string prefix, std::string first_line, std::unique_ptr<group_log> log);

  bool open() const { return static_cast<bool>(from_); }
  int number() const { return *from_; }
  /// Whether the first line has come.
  bool begun() const { return first_line_.empty(); }

  /// Reads what there is.
  void pass_on();
  /// Prints what is left.
  void end();

 private:
  void take_first_line();
  void print_lines();
  void write(std::string_view text) const;

  descriptor from_;
  const int to_;
  const std::string prefix_;
  std::string first_line_;
  const std::unique_ptr<group_log> log_;
  std::string line_;
};

/// What goes to the standard input of a program that can't have ours: words of our own, and then all that we read.
class input_pipe {
 public:
  /// @param to a pipe's end, which it owns @param passes_on whether our standard input follows
  input_pipe(int to, std::string first, bool passes_on);

  bool open() const { return static_cast<bool>(to_); }
  int number() const { return *to_; }
  /// Whether there is something to be written; else it waits for our standard input.
  bool full() const { return !waiting_.empty(); }

  /// From now on our standard input is read.
  void follow() { follows_ = true; }
  bool follows() const { return follows_; }

  void write();
  void read();

 private:
  descriptor to_;
  std::string waiting_;
  const bool passes_on_;
  bool follows_ = false;
};

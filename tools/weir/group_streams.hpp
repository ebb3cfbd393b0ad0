// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"
#include "mpi_start.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
class group_output {
 public:
  group_output(int to, std::string prefix, std::unique_ptr<group_log> log);

  void add(std::string_view text);
  /// Prints what is left.
  void end();

 private:
  const int to_;
  const std::string prefix_;
  const std::unique_ptr<group_log> log_;
  std::string line_;
};

/// The end of a pipe that is read as something comes.
class read_pipe {
 public:
  /// @param from which it owns
  explicit read_pipe(int from);
  virtual ~read_pipe() = default;

  bool open() const { return static_cast<bool>(from_); }
  int number() const { return *from_; }
  /// Whether something of the program itself may have come.
  virtual bool begun() const { return true; }

  /// Reads what there is.
  void pass_on();
  /// Nothing more is read.
  void end();

 private:
  virtual void take(std::string_view text) = 0;
  virtual void take_end() = 0;

  descriptor from_;
};

/// All that comes belongs to one group.
class output_pipe final : public read_pipe {
 public:
  /// @param first_line if not empty: what comes first, and is for us alone
  output_pipe(int from, group_output& to, std::string first_line);

  bool begun() const override { return first_line_.empty(); }

 private:
  void take(std::string_view text) override;
  void take_end() override;

  group_output& to_;
  std::string first_line_;
  std::string before_;  // what came before that
};

/// The output of all ranks of an MPI job, which its launcher has labelled.
class ranks_pipe final : public read_pipe {
 public:
  struct rank_output {
    group_output* output;
    group_output* error;
  };
  /// @param job outlives it @param own gets what the launcher says itself
  ranks_pipe(int from, const mpi_job& job, bool is_error, std::vector<rank_output> ranks, std::string& own);

 private:
  void take(std::string_view text) override;
  void take_end() override;
  void take_line(std::string_view line);
  std::optional<labelled_line> label_at(std::string_view line) const;

  const mpi_job& job_;
  const bool is_error_;
  const std::vector<rank_output> ranks_;
  std::string& own_;
  std::string line_;
  group_output* within_ = nullptr;  // whose line goes on; null: a new one begins
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

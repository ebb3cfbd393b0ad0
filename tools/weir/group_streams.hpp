// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"
#include "mpi_start.hpp"
#include "unhurried_stream.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Why not all gets through that the groups print, or that they are to read; the first reason
/// counts.
struct traffic_failure {
  std::string what;          ///< "can't write …: …"; empty: nothing has failed
  bool reader_gone = false;  ///< of our standard output: whoever read it wants no more

  bool happened() const { return reader_gone || !what.empty(); }
};

/// Our standard output or error. It never waits for whoever reads that: what can't be written yet
/// is kept, and those whose output is `full` are to be read no further until it is not.
class standard_stream {
 public:
  /// @param failure of any output, which outlives it
  standard_stream(int to, const char* name, traffic_failure& failure);

  int number() const { return to_.number(); }
  /// Whether something is kept that is to be written when that can be done without waiting.
  bool waiting() const { return !kept_.empty(); }
  bool full() const;

  void add(std::string_view text);
  /// Writes as much as goes without waiting.
  void write();
  /// From now on it is never full: only a little more comes.
  void take_all() { takes_all_ = true; }
  /// From now on it is never full: of what is added, the end is lost that finds no room.
  void take_what_fits() { takes_what_fits_ = true; }
  /// Loses all that is kept, and all that comes from now on.
  void drop();

 private:
  const unhurried_stream to_;
  const char* const name_;
  traffic_failure& failure_;
  std::string kept_;
  bool takes_all_ = false;
  bool takes_what_fits_ = false;
  bool cut_ = false;  // what is kept is the last that comes out
  bool dropped_ = false;
};

/// A file that gets what a group prints, as it is.
class group_log {
 public:
  /// @param folder empty: there is no file
  /// @throws std::runtime_error that says why it can't be made
  group_log(const std::string& folder, const std::string& name, traffic_failure& failure);

  void add(std::string_view text);
  /// Nothing more comes.
  void end();

 private:
  void fail(const std::string& why);

  traffic_failure& failure_;
  std::string file_;
  descriptor to_{-1};
};

/// The output of a group on its way to ours. It passes on whole lines of up to 8 MiB, so that lines
/// of several groups do not mix.
class group_output {
 public:
  /// @param to outlives it @param prefix of each line; empty: all bytes come out as they are
  /// @param silenced whether what is added comes out no more, but in the log; outlives it
  group_output(standard_stream& to, std::string prefix, std::unique_ptr<group_log> log,
               const std::function<bool()>& silenced);

  bool full() const { return to_.full(); }
  void add(std::string_view text);
  /// Prints what is left.
  void end();
  /// Nothing more comes from any pipe.
  void end_log();

 private:
  void pass_on(std::string_view lines);
  void pass_on_rest();

  standard_stream& to_;
  const std::string prefix_;
  const std::unique_ptr<group_log> log_;
  const std::function<bool()>& silenced_;
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

  /// Whether what comes could not be passed on now.
  virtual bool held_up() const = 0;

  /// Reads what there is, unless it is held up.
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
  bool held_up() const override { return to_.full(); }

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

  bool held_up() const override;

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

/// What goes to the standard input of a program that can't have ours: words of our own, and then
/// all that we read.
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
  /// Why our standard input can't be read to its end; empty: nothing is wrong.
  const std::string& problem() const { return problem_; }

 private:
  descriptor to_;
  std::string waiting_;
  std::string problem_;
  const bool passes_on_;
  bool follows_ = false;
};

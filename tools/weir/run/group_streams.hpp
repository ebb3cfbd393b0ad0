// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"
#include "run/mpi_start.hpp"
#include "support/unhurried_stream.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The first reason why output of the groups, or input for them, does not get through.
struct traffic_failure {
  std::string what;          ///< "can't write …: …"; empty: nothing has failed
  bool reader_gone = false;  ///< the reader of this process's standard output has closed it

  bool happened() const { return reader_gone || !what.empty(); }
};

/// Standard output or standard error of this process. A write never waits for the reader: text that
/// can't be written yet is kept. While the stream is `full`, the pipes that feed it are not to be
/// read.
class standard_stream {
 public:
  /// @param failure of any output; it outlives this object
  standard_stream(int to, const char* name, traffic_failure& failure);

  int number() const { return to_.number(); }
  /// Whether text is kept that is still to be written.
  bool waiting() const { return !kept_.empty(); }
  bool full() const;

  void add(std::string_view text);
  /// Writes as much as it can without waiting.
  void write();
  /// From now on the stream is never full: only little more text will come.
  void take_all() { takes_all_ = true; }
  /// From now on the stream is never full: added text is cut off at its end if there is no room.
  void take_what_fits() { takes_what_fits_ = true; }
  /// Drops the text that is kept, and all text that is added from now on.
  void drop();

 private:
  const weir::support::unhurried_stream to_;
  const char* const name_;
  traffic_failure& failure_;
  std::string kept_;
  bool takes_all_ = false;
  bool takes_what_fits_ = false;
  bool cut_ = false;  // no text may follow the text that is kept
  bool dropped_ = false;
};

/// A log file that gets the output of a group unchanged.
class group_log {
 public:
  /// @param folder empty: there is no file
  /// @throws std::runtime_error that says why the file can't be made
  group_log(const std::string& folder, const std::string& name, traffic_failure& failure);

  void add(std::string_view text);
  /// Ends the log: no more text comes.
  void end();

 private:
  void fail(const std::string& why);

  traffic_failure& failure_;
  std::string file_;
  descriptor to_{-1};
};

/// The output of a group, on its way to a standard stream of this process. It passes on whole lines
/// of up to 8 MiB, which keeps lines of different groups apart.
class group_output {
 public:
  /// @param to outlives this object @param prefix of each line; empty: all bytes are passed on
  /// unchanged
  /// @param silenced whether added text goes only to the log; outlives this object
  group_output(standard_stream& to, std::string prefix, std::unique_ptr<group_log> log,
               const std::function<bool()>& silenced);

  bool full() const { return to_.full(); }
  void add(std::string_view text);
  /// Prints the unfinished line that is left.
  void end();
  /// Ends the log: no more text comes from any pipe.
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

/// The end of a pipe that is read when data arrive.
class read_pipe {
 public:
  /// @param from the descriptor, which this object owns
  explicit read_pipe(int from);
  virtual ~read_pipe() = default;

  bool open() const { return static_cast<bool>(from_); }
  int number() const { return *from_; }
  /// Whether output of the program itself may have arrived.
  virtual bool begun() const { return true; }

  /// Whether arriving text could not be passed on now.
  virtual bool held_up() const = 0;

  /// Reads the data that are there, unless the pipe is held up.
  void pass_on();
  /// Ends the reading of the pipe.
  void end();

 private:
  virtual void take(std::string_view text) = 0;
  virtual void take_end() = 0;

  descriptor from_;
};

/// A pipe whose whole output belongs to one group.
class output_pipe final : public read_pipe {
 public:
  /// @param first_line if not empty: the line that comes first, and is not passed on
  output_pipe(int from, group_output& to, std::string first_line);

  bool begun() const override { return first_line_.empty(); }
  bool held_up() const override { return to_.full(); }

 private:
  void take(std::string_view text) override;
  void take_end() override;

  group_output& to_;
  std::string first_line_;
  std::string before_;  // the text that came before `first_line_`
};

/// The output of all ranks of an MPI job, whose launcher has labelled the ranks' lines.
class ranks_pipe final : public read_pipe {
 public:
  struct rank_output {
    group_output* output;
    group_output* error;
  };
  /// @param job outlives this object @param own gets the launcher's own messages
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
  group_output* within_ = nullptr;  // the output whose line is unfinished; null: a new line begins
};

/// The standard input of a program that can't share this process's standard input. It sends a text
/// of its own first, and then all that this process reads from its standard input.
class input_pipe {
 public:
  /// @param to the end of a pipe, which this object owns @param passes_on whether our standard
  /// input follows
  input_pipe(int to, std::string first, bool passes_on);

  bool open() const { return static_cast<bool>(to_); }
  int number() const { return *to_; }
  /// Whether text is still to be written; if not, the object waits for standard input.
  bool full() const { return !waiting_.empty(); }

  /// From now on standard input is read.
  void follow() { follows_ = true; }
  bool follows() const { return follows_; }

  void write();
  void read();
  /// Returns why standard input can't be read to its end; empty: nothing is wrong.
  const std::string& problem() const { return problem_; }

 private:
  descriptor to_;
  std::string waiting_;
  std::string problem_;
  const bool passes_on_;
  bool follows_ = false;
};

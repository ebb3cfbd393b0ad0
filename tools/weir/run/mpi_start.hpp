// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/process.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The program that starts the processes of an MPI job. It determines the command's arguments and
/// the format of its output.
enum class mpi_launcher { open_mpi, hydra, srun };

/// Returns the words of a command given by a user, who may include options in it.
std::vector<std::string> words_in(const std::string& command);

/// Finds out to which MPI the command belongs.
/// @throws std::runtime_error if the command can't be started, or is no launcher of MPI
mpi_launcher launcher_behind(const std::string& command);

/// One process of an MPI job: a rank.
struct mpi_rank {
  std::string host;  ///< empty: this machine; with srun, any node, unless every rank has a host
  std::string folder;
  std::vector<std::string> words;
};

struct mpi_job {
  mpi_launcher launcher = mpi_launcher::open_mpi;
  std::string command;
  std::vector<mpi_rank> ranks;         ///< the first gets standard input; ranks on one host are adjacent
  std::vector<std::string> variables;  ///< names of the variables that all ranks get from this process
  std::string agent;                   ///< program that starts a command on a host, called with both; empty: ssh
  std::string file;                    ///< name of a file with the text of `file_for`
  bool without_input = false;          ///< the first rank does not read the launcher's standard input
  std::string mark;                    ///< word that no program prints, for the labels of MPICH's launcher
};

/// Whether a launcher would not pass the word on to the program.
inline bool is_taken_by_launchers(const std::string& word) {
  return word == ":" || word.find('\n') != std::string::npos;
}

/// Returns the words of the call that starts the job.
std::vector<std::string> words_for(const mpi_job& job);

/// Returns the script of an agent that reaches a host by this command, with `{host}` replaced.
std::string agent_for(const std::string& via);

/// Returns the text of the launcher's file: for MPICH the hosts of the ranks, for srun the command
/// of each rank. Empty: the launcher needs no file.
std::string file_for(const mpi_job& job);

/// Returns the variables that a job needs besides those of weir. They let a program call MPI_Init
/// while weir uses MPI from its own threads.
std::vector<std::pair<std::string, std::string>> thread_variables();

/// Returns the variables that the job's launcher itself needs, without those that are set already.
/// Without them the launcher of Open MPI occasionally hangs when a rank is killed.
std::vector<std::pair<std::string, std::string>> launcher_variables(mpi_launcher launcher);

/// Returns the end of the first rank that did not end well, as far as the launcher reports it.
process_end end_of_ranks(mpi_launcher launcher, const process_end& of_launcher, std::string_view said);

/// Returns the first rank that a signal has ended. Returns none for MPICH: the process that its
/// launcher names may be one that the launcher itself has killed.
std::optional<std::size_t> killed_rank(mpi_launcher launcher, std::string_view said);

struct labelled_line {
  std::size_t rank;
  bool is_error;  ///< whether it came from standard error
  std::string_view text;
};

/// Splits a line, or a part of one, at the label that the launcher has put in front; none: the line
/// is the launcher's own message.
/// @param from_error the line came on the standard error of the launcher
std::optional<labelled_line> rank_of(const mpi_job& job, std::string_view line, bool from_error);

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What starts the processes of an MPI job: which command that is, and what it is told.
enum class mpi_launcher { open_mpi, hydra, srun };

/// The words of a command that a user has given: with options, where he likes.
std::vector<std::string> words_in(const std::string& command);

/// Finds out which MPI the command belongs to.
/// @throws std::runtime_error if it can't be started, or is no such command
mpi_launcher launcher_behind(const std::string& command);

/// One process: a rank.
struct mpi_rank {
  std::string host;  ///< empty: here; for srun, unless every rank has one, where it likes
  std::string folder;
  std::vector<std::string> words;
};

struct mpi_job {
  mpi_launcher launcher = mpi_launcher::open_mpi;
  std::string command;
  std::vector<mpi_rank> ranks;         ///< the first gets standard input; those on one host follow each other
  std::vector<std::string> variables;  ///< names of those that all ranks get from this process
  std::string agent;                   ///< a program that starts a command on a host, called with both; empty: ssh
  std::string file;                    ///< what `file_for` says must be in it
  bool without_input = false;          ///< the first rank has another standard input than the launcher's
  std::string mark;                    ///< a word that no program prints, for the labels of MPICH's launcher
};

/// Whether a launcher would not pass that word on.
inline bool is_taken_by_launchers(const std::string& word) {
  return word == ":" || word.find('\n') != std::string::npos;
}

/// The call.
std::vector<std::string> words_for(const mpi_job& job);

/// The script of an agent that goes to a host by this command, with `{host}` replaced.
std::string agent_for(const std::string& via);

/// For MPICH the hosts of the ranks, for srun what each of them runs; empty: the launcher needs no
/// file.
std::string file_for(const mpi_job& job);

/// Variables that a job needs beside those of weir, so that a program may say MPI_Init and weir may
/// still use MPI from its own threads.
std::vector<std::pair<std::string, std::string>> thread_variables();

/// Variables that the job's launcher itself needs, unless they are set: without them that of Open
/// MPI now and then hangs when a rank is killed.
std::vector<std::pair<std::string, std::string>> launcher_variables(mpi_launcher launcher);

/// How the first rank that did not end well has ended, as far as the launcher says so.
process_end end_of_ranks(mpi_launcher launcher, const process_end& of_launcher, std::string_view said);

/// Of ranks that a signal has ended, the first. MPICH's launcher does not say: the process that it
/// names may be one that it has killed itself.
std::optional<std::size_t> killed_rank(mpi_launcher launcher, std::string_view said);

struct labelled_line {
  std::size_t rank;
  bool is_error;  ///< it came from standard error
  std::string_view text;
};

/// A line, or a part of one, that the launcher has put a rank in front of; none: it speaks itself.
/// @param from_error it came on the standard error of the launcher
std::optional<labelled_line> rank_of(const mpi_job& job, std::string_view line, bool from_error);

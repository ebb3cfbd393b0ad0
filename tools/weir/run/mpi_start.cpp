// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/mpi_start.hpp"

#include "support/environment.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

std::vector<std::pair<std::string, std::string>> thread_variables() {
  return {{"OMPI_MPI_THREAD_LEVEL", "2"}, {"MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_SERIALIZED"}};
}

// PMIx exchanges data of the ranks through shared memory, guarded by mutexes that the processes
// share. A rank that is killed in its MPI_Init while it holds a mutex never releases the mutex, and
// mpirun then waits for ever; this happened in one of 70 such runs. "hash" uses no shared memory.
std::vector<std::pair<std::string, std::string>> launcher_variables(mpi_launcher launcher) {
  const std::string name = "PMIX_MCA_gds";
  if (launcher != mpi_launcher::open_mpi || weir::support::variable(name.c_str()) != nullptr) return {};
  return {{name, "hash"}};
}

std::vector<std::string> words_in(const std::string& command) {
  std::istringstream text(command);
  return {std::istream_iterator<std::string>(text), {}};
}

mpi_launcher launcher_behind(const std::string& command) {
  const std::vector<std::string> words = words_in(command);
  if (words.empty()) throw std::runtime_error("--mpirun has no command; name one");
  std::string said;
  try {
    pipe_through({words.front(), "--version"}, "", said);
  } catch (const cannot_start& why) {
    throw std::runtime_error(std::string("can't start ") + words.front() + ": " + why.what() +
                             "; install Open MPI or MPICH, or name another command with --mpirun");
  }
  if (said.find("Open MPI") != std::string::npos || said.find("OpenRTE") != std::string::npos)
    return mpi_launcher::open_mpi;
  if (said.find("HYDRA") != std::string::npos || said.find("mpich") != std::string::npos) return mpi_launcher::hydra;
  if (said.starts_with("slurm")) return mpi_launcher::srun;
  throw std::runtime_error(
      command +
      " is not the mpirun of Open MPI or MPICH, nor srun, by its --version; name another command with --mpirun");
}

namespace {

void add(std::vector<std::string>& to, std::initializer_list<std::string> words) {
  to.insert(to.end(), words.begin(), words.end());
}

std::vector<std::string> words_for_open_mpi(const mpi_job& job) {
  std::vector<std::string> words = words_in(job.command);
  add(words, {"--tag-output", "--oversubscribe", "--bind-to", "none"});
  if (::geteuid() == 0) words.emplace_back("--allow-run-as-root");
  if (job.without_input) add(words, {"--stdin", "none"});
  if (!job.agent.empty()) add(words, {"--mca", "plm_rsh_agent", job.agent});
  for (const std::string& name : job.variables) add(words, {"-x", name});
  bool first = true;
  for (const mpi_rank& each : job.ranks) {
    if (!std::exchange(first, false)) words.emplace_back(":");
    add(words, {"-n", "1"});
    if (!each.host.empty()) add(words, {"--host", each.host});
    add(words, {"--wdir", each.folder});
    words.insert(words.end(), each.words.begin(), each.words.end());
  }
  return words;
}

std::vector<std::string> words_for_hydra(const mpi_job& job) {
  std::vector<std::string> words = words_in(job.command);
  add(words, {"-prepend-pattern", "[%r]<" + job.mark + ">", "-bind-to", "none"});
  if (!job.file.empty()) add(words, {"-f", job.file});
  if (!job.agent.empty()) add(words, {"-launcher", "rsh", "-launcher-exec", job.agent});
  bool first = true;
  for (const mpi_rank& each : job.ranks) {
    if (!std::exchange(first, false)) words.emplace_back(":");
    add(words, {"-n", "1", "-wdir", each.folder});
    words.insert(words.end(), each.words.begin(), each.words.end());
  }
  return words;
}

// Places each rank on the node that it names.
void place(const std::vector<mpi_rank>& ranks, std::vector<std::string>& words) {
  std::string list;
  std::set<std::string> nodes;
  for (const mpi_rank& each : ranks) {
    list += (list.empty() ? "" : ",") + each.host;
    nodes.insert(each.host);
  }
  add(words, {"--nodes", std::to_string(nodes.size()), "--distribution=arbitrary", "--nodelist", list});
}

std::vector<std::string> words_for_srun(const mpi_job& job) {
  std::vector<std::string> words = words_in(job.command);
  // A rank may use all cores that the job has on its node, unless the user says otherwise.
  words.insert(words.begin() + 1, "--cpu-bind=none");
  add(words, {"--label", "--overcommit", "--kill-on-bad-exit=0", "--ntasks", std::to_string(job.ranks.size()),
              "--input", "0"});
  if (std::ranges::none_of(job.ranks, [](const mpi_rank& each) { return each.host.empty(); })) place(job.ranks, words);
  add(words, {"--multi-prog", job.file});
  return words;
}

// Longest number in characters, with the brackets around it.
constexpr std::size_t number_most = 24;

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::string> words_for(const mpi_job& job) {
  switch (job.launcher) {
    case mpi_launcher::open_mpi: return words_for_open_mpi(job);
    case mpi_launcher::hydra: return words_for_hydra(job);
    default: return words_for_srun(job);
  }
}

// The agent is called with the host and the words of a command for a shell there.
std::string agent_for(const std::string& via) {
  std::string command = via;
  const std::string place = "{host}";
  const std::string by = "\"$host\"";
  for (std::size_t at = 0; (at = command.find(place, at)) != std::string::npos; at += by.size())
    command.replace(at, place.size(), by);
  return "#!/bin/sh\nhost=$1\nshift\nexec " + command + " sh -c \"$*\"\n";
}

std::string file_for(const mpi_job& job) {
  std::string text;
  if (job.launcher == mpi_launcher::open_mpi) return text;
  if (job.launcher == mpi_launcher::hydra) {
    if (std::ranges::all_of(job.ranks, [](const mpi_rank& each) { return each.host.empty(); })) return text;
    for (auto rank = job.ranks.begin(); rank != job.ranks.end();) {
      const auto next =
          std::find_if(rank, job.ranks.end(), [&](const mpi_rank& each) { return each.host != rank->host; });
      text += (rank->host.empty() ? "localhost" : rank->host) + ":" + std::to_string(next - rank) + "\n";
      rank = next;
    }
    return text;
  }
  for (std::size_t rank = 0; rank != job.ranks.size(); ++rank) {
    text += std::to_string(rank);
    for (const std::string& word : job.ranks[rank].words) {
      text += " '";
      for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
      text += "'";
    }
    text += "\n";
  }
  return text;
}

// Open MPI and srun end with 128 plus the signal's number. MPICH ends with the signal's number
// alone, and prints a message.
process_end end_of_ranks(mpi_launcher launcher, const process_end& of_launcher, std::string_view said) {
  const int code = of_launcher.code;
  if (launcher == mpi_launcher::hydra) {
    const bool is_signal = said.find("(signal " + std::to_string(code) + ")") != std::string_view::npos;
    return is_signal ? process_end{0, code} : of_launcher;
  }
  return code > 128 && code < 128 + NSIG ? process_end{0, code - 128} : of_launcher;
}

// Open MPI: "process rank RANK with PID P on node HOST exited on signal 9 (Killed)", srun: "srun:
// error: HOST: task RANK: Killed".
std::optional<std::size_t> killed_rank(mpi_launcher launcher, std::string_view said) {
  if (launcher == mpi_launcher::hydra) return std::nullopt;
  const bool is_srun = launcher == mpi_launcher::srun;
  const std::string_view words = is_srun ? ": task " : "process rank ";
  const std::size_t at = said.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view line = said.substr(at + words.size(), said.substr(at).find('\n') - words.size());
  const std::size_t behind = line.find_first_not_of("0123456789");
  const bool by_signal = is_srun ? line.find(": Exited") == std::string_view::npos
                                 : line.find("exited on signal") != std::string_view::npos;
  return by_signal ? number_in(line.substr(0, behind)) : std::nullopt;
}

// Open MPI: "[1,RANK]<stdout>:text", MPICH, as it was told: "[RANK]<MARK>text", srun: "RANK: text".
std::optional<labelled_line> rank_of(const mpi_job& job, std::string_view line, bool from_error) {
  if (job.launcher == mpi_launcher::srun) {
    const std::size_t colon = line.find(": ");
    const std::size_t begin = line.find_first_not_of(' ');
    if (colon == std::string_view::npos || begin >= colon) return std::nullopt;
    const auto rank = number_in(line.substr(begin, colon - begin));
    if (!rank) return std::nullopt;
    return labelled_line{*rank, from_error, line.substr(colon + 2)};
  }
  if (!line.starts_with('[')) return std::nullopt;
  const std::size_t end = line.substr(0, number_most).find(']');
  if (end == std::string_view::npos) return std::nullopt;
  if (job.launcher == mpi_launcher::hydra) {
    const auto rank = number_in(line.substr(1, end - 1));
    const std::string mark = "<" + job.mark + ">";
    if (!rank || !line.substr(end + 1).starts_with(mark)) return std::nullopt;
    return labelled_line{*rank, from_error, line.substr(end + 1 + mark.size())};
  }
  const std::size_t comma = line.find(',');
  if (comma >= end) return std::nullopt;
  const auto rank = number_in(line.substr(comma + 1, end - comma - 1));
  for (const auto& [name, is_error] : {std::pair{std::string_view("<stdout>:"), false}, {"<stderr>:", true}}) {
    if (rank && line.substr(end + 1).starts_with(name))
      return labelled_line{*rank, is_error, line.substr(end + 1 + name.size())};
  }
  return std::nullopt;
}

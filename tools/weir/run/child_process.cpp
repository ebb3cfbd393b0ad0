// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/child_process.hpp"

#include "common/files.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

pipe_ends::pipe_ends() : to_read(-1), to_write(-1) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("can't make a pipe: " + std::string(std::strerror(errno)));
  to_read = ends[0];
  to_write = ends[1];
}

std::vector<std::string> own_environment() {
  std::vector<std::string> made;
  for (char** each = environ; *each != nullptr; ++each) {
    // One viewer watches all groups, from this process, which also collects their traces.
    const std::string_view variable(*each);
    if (!variable.starts_with("WEIR_TOP=") && !variable.starts_with("WEIR_TRACE=")) made.emplace_back(variable);
  }
  return made;
}

namespace {

// How a child that can't become the program tells its parent.
struct failed_start {
  int problem;
  bool at_cgroup;
};

[[noreturn]] void refuse(const failed_start& why, const std::string& program) {
  const char* const reason = std::strerror(why.problem);
  if (why.at_cgroup) throw std::runtime_error(program + ": can't enter the cgroup of the run: " + reason);
  throw std::runtime_error(explained(cannot_start(reason), program));
}

}  // namespace

pid_t start_child(const child_program& program) {
  const auto pointers = [](const std::vector<std::string>& from) {
    std::vector<char*> made;
    for (const std::string& each : from) made.push_back(const_cast<char*>(each.c_str()));
    made.push_back(nullptr);
    return made;
  };
  const std::vector<char*> arguments = pointers(program.words);
  const std::vector<char*> variables = pointers(program.environment);
  const pipe_ends report;
  const descriptor report_end(report.to_read);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    const failed_start why{errno, false};
    ::close(report.to_write);
    refuse(why, program.words.front());
  }
  if (child == 0) {
    // Calls only functions that may be called between fork and exec.
    prctl(PR_SET_PDEATHSIG, program.last_signal);
    if (getppid() != parent) _exit(1);
    const auto give_up = [&](bool at_cgroup = false) {
      const failed_start why{errno, at_cgroup};
      static_cast<void>(!::write(report.to_write, &why, sizeof why));
      _exit(127);
    };
    if (program.cgroup >= 0 && ::write(program.cgroup, "0", 1) != 1) give_up(true);
    if (program.without_terminal) setsid();
    const auto lead = [&](int from, int to) {
      if (from >= 0 && dup2(from, to) < 0) give_up();
    };
    lead(program.streams.input, STDIN_FILENO);
    lead(program.streams.output, STDOUT_FILENO);
    lead(program.streams.error, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (program.mask != nullptr) sigprocmask(SIG_SETMASK, program.mask, nullptr);
    execvpe(arguments.front(), arguments.data(), variables.data());
    give_up();
  }
  ::close(report.to_write);
  failed_start why{};
  if (::read(*report_end, &why, sizeof why) == sizeof why) {
    waitpid(child, nullptr, 0);
    refuse(why, program.words.front());
  }
  return child;
}

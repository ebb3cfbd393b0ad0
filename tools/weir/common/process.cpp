// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "common/process.hpp"

#include "common/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace {

/// Settings for posix_spawn. The child gets `before` as its signal mask, and the default handling
/// of SIGPIPE and SIGXFSZ.
class spawn_settings {
 public:
  explicit spawn_settings(const sigset_t& before, short others = 0) {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    sigset_t ignored;
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | others));
  }
  ~spawn_settings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  spawn_settings(const spawn_settings&) = delete;
  spawn_settings& operator=(const spawn_settings&) = delete;

  pid_t start(const std::vector<std::string>& program) const {
    std::vector<char*> arguments;
    for (const std::string& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    if (error != 0) throw cannot_start(std::strerror(error));
    return child;
  }

  posix_spawn_file_actions_t files;

 private:
  posix_spawnattr_t attributes;
};

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(what + (": " + std::string(std::strerror(errno))));
}

}  // namespace

std::string process_end::signal_name() const { return strsignal(signal); }

held_signals::held_signals(std::initializer_list<int> others) {
  ::signal(SIGCHLD, SIG_DFL);
  sigemptyset(&set_);
  std::vector<int> wanted{SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD};
  wanted.insert(wanted.end(), others);
  for (const int number : wanted) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set_, number);
  }
  sigprocmask(SIG_BLOCK, &set_, &before_);
}

held_signals::~held_signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

process_end end_of(int status) {
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

std::string explained(const cannot_start& why, const std::string& program) {
  const bool bare = program.find('/') == std::string::npos;
  return "can't start " + program + ": " + why.what() + "; " +
         (bare ? "it was looked for in PATH, so give its path, such as ./" + program : "check the path after --");
}

pid_t start_program(const std::vector<std::string>& program, const program_streams& streams, const sigset_t& mask) {
  spawn_settings settings(mask);
  const auto lead = [&](int from, int to) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&settings.files, from, to);
  };
  lead(streams.input, STDIN_FILENO);
  lead(streams.output, STDOUT_FILENO);
  lead(streams.error, STDERR_FILENO);
  return settings.start(program);
}

std::vector<std::pair<pid_t, pid_t>> all_processes() {
  std::vector<std::pair<pid_t, pid_t>> made;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = each.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // The fields of the file: number, name in brackets, state, parent, …
    std::ifstream file(each.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t bracket = line.rfind(')');
    if (bracket == std::string::npos) continue;  // the process has gone
    std::istringstream words(line.substr(bracket + 1));
    char state = 0;
    pid_t parent = 0;
    words >> state >> parent;
    if (state != 'Z' && state != 'X') made.emplace_back(std::stoi(name), parent);
  }
  return made;
}

std::string variable_of(const std::filesystem::path& process, std::string_view name) {
  std::ifstream file(process / "environ", std::ios::binary);
  for (std::string each; std::getline(file, each, '\0');) {
    if (each.starts_with(name) && each.substr(name.size()).starts_with('=')) return each.substr(name.size() + 1);
  }
  return {};
}

std::vector<pid_t> descendants_of(pid_t id) {
  const auto all = all_processes();
  std::vector<pid_t> made{id};
  for (std::size_t i = 0; i != made.size(); ++i) {
    for (const auto& [each, parent] : all) {
      if (parent == made[i]) made.push_back(each);
    }
  }
  made.erase(made.begin());
  return made;
}

process_end run_to_the_end(const std::vector<std::string>& program, program_output output, std::chrono::seconds most) {
  const auto began = std::chrono::steady_clock::now();
  const held_signals held;
  const descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  const int to = output == program_output::discarded ? *nothing : STDERR_FILENO;
  const pid_t child = start_program(program, {.input = *nothing, .output = to}, held.before());
  int asked = 0;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t came{};
    constexpr timespec a_moment{.tv_sec = 1, .tv_nsec = 0};
    const int got = most.count() == 0 ? sigwaitinfo(&held.set(), &came) : sigtimedwait(&held.set(), &came, &a_moment);
    if (got < 0 && most.count() != 0 && std::chrono::steady_clock::now() - began > most) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
      throw took_too_long();
    }
    if (got < 0 || came.si_signo == SIGCHLD) continue;
    asked = came.si_signo;
    if (came.si_code == SI_USER) kill(child, asked);  // the terminal has sent its signal to the whole process group
  }
  if (asked != 0) throw interrupted(asked);
  return end_of(status);
}

process_end pipe_through(const std::vector<std::string>& program, const std::string& input, std::string& output) {
  const descriptor in(memfd_create("weir", MFD_CLOEXEC));
  if (!in) fail("can't make a file in memory");
  write_all(*in, input, "a file in memory");
  lseek(*in, 0, SEEK_SET);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("can't make a pipe");
  const descriptor read_end(ends[0]);
  descriptor write_end(ends[1]);
  sigset_t unchanged;
  sigprocmask(SIG_BLOCK, nullptr, &unchanged);
  spawn_settings settings(unchanged);
  posix_spawn_file_actions_adddup2(&settings.files, *in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, *write_end, STDOUT_FILENO);
  const pid_t child = settings.start(program);
  write_end.close();
  output = read_all(*read_end, program.front());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return end_of(status);
}

finished_program run_apart(const std::vector<std::string>& program, std::chrono::milliseconds most) {
  using clock = std::chrono::steady_clock;
  const clock::time_point until = clock::now() + most;
  const descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const descriptor error(memfd_create("weir", MFD_CLOEXEC));
  int ends[2];
  if (!error || pipe2(ends, O_CLOEXEC) != 0) fail("can't take what a program prints");
  const descriptor read_end(ends[0]);
  descriptor write_end(ends[1]);
  sigset_t none;
  sigemptyset(&none);
  spawn_settings settings(none, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_adddup2(&settings.files, *nothing, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, *write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, *error, STDERR_FILENO);
  const pid_t child = settings.start(program);
  write_end.close();
  finished_program made;
  bool in_time = true;
  for (char some[1 << 12];;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
    pollfd source{*read_end, POLLIN, 0};
    in_time = left.count() > 0;
    if (!in_time) break;
    if (poll(&source, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = read(*read_end, some, sizeof some);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    made.output.append(some, static_cast<std::size_t>(got));
  }
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!in_time) throw took_too_long();
  lseek(*error, 0, SEEK_SET);
  made.error = read_all(*error, program.front());
  made.end = end_of(status);
  return made;
}

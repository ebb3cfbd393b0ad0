// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "launcher.hpp"

#include <weir/cluster/coordinator.hpp>

#include "files.hpp"
#include "group_streams.hpp"
#include "process.hpp"
#include "remote_start.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr const char* loopback = "127.0.0.1";
// After a failure the groups end by themselves; those that don't are asked, and then killed.
constexpr auto asked_after = 2s;
constexpr auto killed_after = 4s;
// What is left in the pipes when all processes have ended is read for so long: somebody else may hold their ends.
constexpr auto last_words = 500ms;
struct group_process {
  const weir::group_configuration* about = nullptr;
  bool elsewhere = false;
  pid_t id = 0;
  bool running = true;
  process_end end{};
};

std::string how_it_ended(const process_end& end) {
  if (end.signal != 0) return "was killed by signal " + std::to_string(end.signal) + " (" + end.signal_name() + ")";
  if (end.code != 0) return "has ended with exit code " + std::to_string(end.code);
  return "";
}

class launcher {
 public:
  explicit launcher(const launch_options& options)
      : options_(options),
        secret_(weir::new_cluster_secret()),
        address_(address_for(options)),
        coordinator_(options.configuration, secret_, address_ == loopback),
        signals_(signalfd(-1, &held_.set(), SFD_NONBLOCK | SFD_CLOEXEC)) {}

  int run() {
    coordinator_.let_be_watched(std::filesystem::path(options_.program.front()).filename().native());
    coordinator_.write_traces();
    start_all();
    const clock::time_point began = clock::now();
    std::optional<clock::time_point> failed;
    while (std::ranges::any_of(groups_, &group_process::running)) {
      wait_for_news();
      reap();
      const clock::time_point now = clock::now();
      if (options_.timeout != 0s && now - began > options_.timeout && !timed_out_) {
        timed_out_ = true;
        weir::support::complain("weir run",
                                "has taken longer than " + std::to_string(options_.timeout.count()) + " s; ending it");
        signal_all(SIGTERM);
      }
      if (!failed && (timed_out_ || interrupted_ != 0 || coordinator_.failure())) failed = now;
      if (failed && now - *failed > killed_after) {
        signal_all(SIGKILL);
      } else if (failed && now - *failed > asked_after && !std::exchange(asked_, true)) {
        signal_all(SIGTERM);
      }
    }
    drain_pipes();
    return exit_code();
  }

 private:
  void start_all() {
    const bool coloured = isatty(STDOUT_FILENO) != 0;
    std::size_t widest = 0;
    for (const auto& group : options_.configuration.groups) widest = std::max(widest, group.name.size());
    const std::string input =
        options_.standard_input.empty() ? options_.configuration.groups.front().name : options_.standard_input;
    for (const auto& group : options_.configuration.groups) {
      std::string prefix = "[" + group.name + "]" + std::string(widest - group.name.size() + 1, ' ');
      if (coloured) prefix = "\x1b[3" + std::to_string(1 + groups_.size() % 6) + "m" + prefix + "\x1b[0m";
      try {
        start(group, group.name == input, prefix);
      } catch (...) {
        signal_all(SIGKILL);
        for (const group_process& each : groups_) waitpid(each.id, nullptr, 0);
        throw;
      }
    }
  }

  void start(const weir::group_configuration& group, bool gets_input, const std::string& prefix) {
    int output[2];
    int error[2];
    if (pipe2(output, O_CLOEXEC) != 0)
      throw std::runtime_error("can't make a pipe: " + std::string(std::strerror(errno)));
    const descriptor output_end(output[1]);
    const bool elsewhere = is_elsewhere(group, options_);
    const std::string ready = elsewhere && gets_input ? "weir " + secret_.substr(0, 16) : "";
    pipes_.push_back(
        std::make_unique<output_pipe>(output[0], STDOUT_FILENO, prefix, ready.empty() ? "" : ready + "\n"));
    const output_pipe& prints = *pipes_.back();
    if (pipe2(error, O_CLOEXEC) != 0)
      throw std::runtime_error("can't make a pipe: " + std::string(std::strerror(errno)));
    const descriptor error_end(error[1]);
    pipes_.push_back(std::make_unique<output_pipe>(error[0], STDERR_FILENO, prefix, ""));

    std::vector<std::pair<std::string, std::string>> added(group.environment.begin(), group.environment.end());
    using names = weir::group_environment;
    added.emplace_back(names::group, group.name);
    added.emplace_back(names::coordinator, address_ + ":" + std::to_string(coordinator_.port()));
    added.emplace_back(names::secret, secret_);
    if (!group.cores.empty()) added.emplace_back(names::cores, group.cores);
    if (group.port != 0) added.emplace_back(names::port, std::to_string(group.port));
    if (const weir::tls_configuration& tls = options_.configuration.tls; tls.is_set()) {
      added.emplace_back(names::certificate, tls.certificate);
      added.emplace_back(names::key, tls.key);
      added.emplace_back(names::authorities, tls.authorities);
    }
    if (elsewhere) {
      int input[2];
      if (pipe2(input, O_CLOEXEC) != 0)
        throw std::runtime_error("can't make a pipe: " + std::string(std::strerror(errno)));
      const descriptor input_end(input[0]);
      const std::string script =
          script_for({options_.program, group.pre_command, std::filesystem::current_path(), added, ready});
      inputs_.push_back({std::make_unique<input_pipe>(input[1], script, gets_input), &prints});
      const std::vector<std::string> words = shell_on(group.host, options_.via);
      groups_.push_back({&group, true, start_child(words, own_environment(), *input_end, *output_end, *error_end)});
      return;
    }
    std::vector<std::string> words = options_.program;
    if (!group.pre_command.empty()) {
      const std::vector<std::string> shell{"/bin/sh", "-c", "exec " + group.pre_command + " \"$@\"", "sh"};
      words.insert(words.begin(), shell.begin(), shell.end());
    }
    std::vector<std::string> environment = own_environment();
    for (const auto& [name, value] : added) environment.push_back(name + "=" + value);
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const int input = gets_input ? STDIN_FILENO : *nothing;
    groups_.push_back({&group, false, start_child(words, last_of_each(environment), input, *output_end, *error_end)});
  }

  static std::vector<std::string> own_environment() {
    std::vector<std::string> made;
    for (char** each = environ; *each != nullptr; ++each) {
      // Who watches, watches all groups: here. Their traces come here, too.
      const std::string_view variable(*each);
      if (!variable.starts_with("WEIR_TOP=") && !variable.starts_with("WEIR_TRACE=")) made.emplace_back(variable);
    }
    return made;
  }

  // Where a group with a host is: the way that was asked for leads to all of them, ssh only to other machines.
  static bool is_elsewhere(const weir::group_configuration& group, const launch_options& options) {
    return !group.host.empty() && (!options.via.empty() || !is_this_machine(group.host));
  }

  // Where the groups find the coordinator.
  static std::string address_for(const launch_options& options) {
    const auto& groups = options.configuration.groups;
    const auto first = std::ranges::find_if(groups, [&](const auto& each) { return is_elsewhere(each, options); });
    if (!options.address.empty()) return options.address;
    return first == groups.end() ? loopback : own_address_towards(first->host);
  }

  // Of variables that are set twice, the last.
  static std::vector<std::string> last_of_each(const std::vector<std::string>& all) {
    std::vector<std::string> made;
    for (const std::string& each : all) {
      const std::string name = each.substr(0, each.find('=') + 1);
      std::erase_if(made, [&](const std::string& earlier) { return earlier.starts_with(name); });
      made.push_back(each);
    }
    return made;
  }

  pid_t start_child(const std::vector<std::string>& words, const std::vector<std::string>& environment, int input,
                    int output, int error) {
    const auto pointers = [](const std::vector<std::string>& from) {
      std::vector<char*> made;
      for (const std::string& each : from) made.push_back(const_cast<char*>(each.c_str()));
      made.push_back(nullptr);
      return made;
    };
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> variables = pointers(environment);
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
      throw std::runtime_error("can't make a pipe: " + std::string(std::strerror(errno)));
    const descriptor report_end(report[0]);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw cannot_start(std::strerror(errno));
    if (child == 0) {
      // Only what may be called between fork and exec.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      dup2(input, STDIN_FILENO);
      dup2(output, STDOUT_FILENO);
      dup2(error, STDERR_FILENO);
      signal(SIGPIPE, SIG_DFL);
      sigprocmask(SIG_SETMASK, &held_.before(), nullptr);
      execvpe(arguments.front(), arguments.data(), variables.data());
      const int problem = errno;
      static_cast<void>(!::write(report[1], &problem, sizeof problem));
      _exit(127);
    }
    ::close(report[1]);
    int problem = 0;
    if (::read(*report_end, &problem, sizeof problem) == sizeof problem) {
      waitpid(child, nullptr, 0);
      throw std::runtime_error(explained(cannot_start(std::strerror(problem)), words.front()));
    }
    return child;
  }

  void wait_for_news() {
    std::vector<pollfd> watched{{*signals_, POLLIN, 0}};
    std::vector<output_pipe*> open;
    for (const auto& each : pipes_) {
      if (!each->open()) continue;
      watched.push_back({each->number(), POLLIN, 0});
      open.push_back(each.get());
    }
    const std::size_t first_input = watched.size();
    std::vector<input_pipe*> writing;
    for (auto& [to, prints] : inputs_) {
      if (!to->open()) continue;
      if (!to->full() && !to->follows() && prints->begun()) to->follow();
      if (!to->full() && !to->follows()) continue;
      if (to->full()) {
        watched.push_back({to->number(), POLLOUT, 0});
      } else {
        watched.push_back({STDIN_FILENO, POLLIN, 0});
      }
      writing.push_back(to.get());
    }
    poll(watched.data(), watched.size(), 100);
    for (std::size_t i = 0; i != open.size(); ++i) {
      if (watched[i + 1].revents != 0) open[i]->pass_on();
    }
    for (std::size_t i = 0; i != writing.size(); ++i) {
      if (watched[first_input + i].revents == 0) continue;
      if (writing[i]->full()) {
        writing[i]->write();
      } else {
        writing[i]->read();
      }
    }
    signalfd_siginfo came{};
    while (::read(*signals_, &came, sizeof came) == sizeof came) {
      const int number = static_cast<int>(came.ssi_signo);
      if (number == SIGCHLD) continue;
      interrupted_ = number;
      if (came.ssi_code == SI_USER) signal_all(number);  // one from the terminal has gone to the whole group
    }
  }

  void reap() {
    for (group_process& each : groups_) {
      int status = 0;
      if (!each.running || waitpid(each.id, &status, WNOHANG) != each.id) continue;
      each.running = false;
      each.end = end_of(status);
      coordinator_.process_ended(each.about->name, how_it_ended(each.end));
    }
  }

  void signal_all(int number) {
    for (const group_process& each : groups_) {
      if (!each.running) continue;
      // What would be killed here is only what has started the group there.
      if (each.elsewhere && number != SIGKILL && coordinator_.signal(each.about->name, number)) continue;
      kill(each.id, number);
    }
  }

  void drain_pipes() {
    const clock::time_point until = clock::now() + last_words;
    while (clock::now() < until && std::ranges::any_of(pipes_, [](const auto& each) { return each->open(); }))
      wait_for_news();
    for (const auto& each : pipes_) {
      if (each->open()) each->end();
    }
  }

  static int code_of(const process_end& end) { return end.signal != 0 ? 128 + end.signal : end.code; }

  int exit_code() const {
    if (timed_out_) return exit_timeout;
    if (interrupted_ != 0) throw interrupted(interrupted_);
    if (const auto failure = coordinator_.failure()) {
      const std::string what =
          failure->path.empty() ? "group " + failure->group : failure->path + " (group " + failure->group + ")";
      weir::support::complain("weir run", what + ": " + failure->text);
      switch (failure->kind) {
        case weir::failure_kind::lost: return exit_group_lost;
        case weir::failure_kind::data: return exit_data;
        case weir::failure_kind::protocol: return exit_protocol;
        case weir::failure_kind::authentication: return exit_authentication;
        default: break;
      }
      const auto cause =
          std::ranges::find_if(groups_, [&](const group_process& each) { return each.about->name == failure->group; });
      if (cause == groups_.end() || code_of(cause->end) == 0) return exit_internal;
      // Where a node threw, its program has the word, unless it has not ended until we ended it.
      const bool by_us = asked_ && (cause->end.signal == SIGTERM || cause->end.signal == SIGKILL);
      return by_us && failure->kind == weir::failure_kind::node ? exit_internal : code_of(cause->end);
    }
    const std::string home = coordinator_.home();
    int code = 0;
    for (const group_process& each : groups_) {
      const int own = code_of(each.end);
      if (own != 0 && (code == 0 || each.about->name == home)) code = own;
      if (each.end.signal != 0)
        weir::support::complain("weir run", "group " + each.about->name + ": " + how_it_ended(each.end));
    }
    return code;
  }

  const launch_options& options_;
  const held_signals held_;
  struct followed_input {
    std::unique_ptr<input_pipe> to;
    const output_pipe* prints;  // when that has begun, our standard input follows
  };

  const std::string secret_;
  const std::string address_;
  weir::coordinator coordinator_;
  const descriptor signals_;
  std::vector<std::unique_ptr<output_pipe>> pipes_;
  std::vector<followed_input> inputs_;
  std::vector<group_process> groups_;
  bool timed_out_ = false;
  bool asked_ = false;
  int interrupted_ = 0;
};

}  // namespace

int launch(const launch_options& options) { return launcher(options).run(); }

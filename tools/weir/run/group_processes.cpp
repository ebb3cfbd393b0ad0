// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_processes.hpp"

#include "common/files.hpp"
#include "run/child_process.hpp"
#include "run/remote_start.hpp"
#include "run/tell.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace {

class group_processes final : public started_groups {
 public:
  group_processes(launch_context& of, const std::string& input) : launch_(of), input_(input) {
    for (const auto& group : launch_.options.configuration.groups) not_started_.push_back(&group);
    start_more();
  }

  bool running() const override {
    return !not_started_.empty() || std::ranges::any_of(groups_, &group_process::running);
  }

  bool has_started(pid_t child) const override {
    return std::ranges::find(groups_, child, &group_process::id) != groups_.end();
  }

  void reap() override {
    for (const auto& each : launch_.sessions) {
      if (!lost_host_ && each->has_ended()) lost_host_ = each->host();
    }
    for (group_process& each : groups_) {
      int status = 0;
      if (!each.running || ::waitpid(each.id, &status, WNOHANG) != each.id) continue;
      each.running = false;
      const process_end end = end_of(status);
      each.end = end;
      if (each.there != nullptr && each.end.code > 128 && each.end.code < 128 + NSIG)
        each.end = {0, each.end.code - 128};
      // If so, it is not known how the process there has ended, or whether it has.
      each.unreachable = each.there != nullptr && (end.signal != 0 || end.code == exit_of_broken_way);
      launch_.coordinator.process_ended(
          each.about->name, each.unreachable ? "can't be reached: what has started it there " + how_it_ended(end)
                                             : how_it_ended(each.end));
    }
    if (launch_.coordinator.failure()) not_started_.clear();
    start_more();
  }

  void signal(int number, bool from_terminal) override {
    const bool is_message = number == SIGUSR1 || number == SIGUSR2;
    if (!is_message && number != SIGCONT) not_started_.clear();
    for (const group_process& each : groups_) {
      if (!each.running || (from_terminal && each.there == nullptr)) continue;
      // If the group is on another host, the local process has only started the group there. A
      // message is for the program, not for a shell in front of it.
      const bool to_program = is_message || (each.there != nullptr && number != SIGKILL);
      if (to_program && launch_.coordinator.signal(each.about->name, number)) continue;
      ::kill(each.id, number);
    }
  }

  int exit_code(bool asked) override {
    if (const auto failure = launch_.coordinator.failure()) return exit_code_of(*failure, asked);
    const std::string result_group = launch_.coordinator.result_group();
    int code = 0;
    for (const group_process& each : groups_) {
      const int own = code_of(each.end);
      if (own != 0 && (code == 0 || each.about->name == result_group)) code = own;
      if (each.end.signal != 0) tell_problem("group " + each.about->name + ": " + how_it_ended(each.end));
    }
    return code;
  }

 private:
  struct group_process {
    const weir::group_configuration* about = nullptr;
    host_session* there = nullptr;  // null: this machine
    pid_t id = 0;
    bool running = true;
    process_end end{};
    bool unreachable = false;
    const read_pipe* prints = nullptr;

    /// Whether the command that leads to the host may still be authenticating.
    bool is_on_its_way() const { return there != nullptr && running && prints->open() && !prints->begun(); }
  };

  // With its default settings, sshd drops some of the unauthenticated connections when there are
  // more than ten of them.
  static constexpr std::ptrdiff_t most_on_their_way = 8;

  // Starts groups in their order, but only a limited number at a time on one host.
  void start_more() {
    try {
      std::erase_if(not_started_, [this](const weir::group_configuration* group) {
        host_session* const there = launch_.session_of(*group);
        const auto is_behind = [&](const group_process& each) { return each.there == there && each.is_on_its_way(); };
        if (there != nullptr && std::ranges::count_if(groups_, is_behind) >= most_on_their_way) return false;
        start(*group, group->name == input_);
        return true;
      });
    } catch (...) {
      signal(SIGKILL, false);
      for (const group_process& each : groups_) {
        if (each.running) ::waitpid(each.id, nullptr, 0);
      }
      throw;
    }
  }

  void start(const weir::group_configuration& group, bool gets_input) {
    group_traffic& traffic = launch_.traffic;
    const pipe_ends output;
    const descriptor output_end(output.to_write);
    host_session* const there = launch_.session_of(group);
    const std::string ready = there != nullptr ? "weir " + token_ : "";
    const read_pipe& prints = traffic.add(std::make_unique<output_pipe>(output.to_read, traffic.output_of(group, false),
                                                                        ready.empty() ? "" : ready + "\n"));
    const pipe_ends error;
    const descriptor error_end(error.to_write);
    traffic.add(std::make_unique<output_pipe>(error.to_read, traffic.output_of(group, true), ""));

    launch_context::variables added = launch_context::variables_of(group);
    std::ranges::copy(launch_.variables_of_all(), std::back_inserter(added));
    if (there != nullptr) {
      added.emplace_back(run_variable, there->mark());
      const pipe_ends input;
      const descriptor input_end(input.to_read);
      const std::string script = script_for({launch_.program_of(there), group.pre_command, there->folder(), added,
                                             there->id_file(group), there->session_file(group), ready, gets_input});
      traffic.add(std::make_unique<input_pipe>(input.to_write, script, gets_input), &prints);
      add({.about = &group,
           .there = there,
           .id = start_child(
               {.words = shell_on(group.host, launch_.options.via, launch_.options.configuration.start_within),
                .environment = own_environment(),
                .streams = {*input_end, *output_end, *error_end},
                .mask = &launch_.held.before(),
                .without_terminal = true}),
           .prints = &prints});
      return;
    }
    added.push_back(launch_.left.variable());
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    add({.about = &group,
         .id = start_child({.words = launch_.words_of(group),
                            .environment = own_environment_with(added),
                            .streams = {gets_input ? STDIN_FILENO : *nothing, *output_end, *error_end},
                            .mask = &launch_.held.before(),
                            .cgroup = launch_.left.cgroup()})});
  }

  // Inserts in the order of the configuration, in which the exit codes are examined.
  void add(const group_process& started) {
    groups_.insert(std::ranges::upper_bound(groups_, started.about, {}, &group_process::about), started);
  }

  int exit_code_of(const weir::cluster_failure& failure, bool asked) const {
    if (const auto code = say(failure)) return *code;
    if (failure.kind == weir::failure_kind::process && lost_host_) {
      tell_problem("host " + *lost_host_ + ": the shell that watches over its groups has ended");
      return exit_group_lost;
    }
    const auto cause =
        std::ranges::find_if(groups_, [&](const group_process& each) { return each.about->name == failure.group; });
    if (cause != groups_.end() && cause->unreachable) return exit_group_lost;
    if (cause == groups_.end() || code_of(cause->end) == 0) return exit_internal;
    // If a node threw, the exit code of its program is used, unless the program did not end before
    // it was ended by this process.
    const bool by_us = asked && (cause->end.signal == SIGTERM || cause->end.signal == SIGKILL);
    return by_us && failure.kind == weir::failure_kind::node ? exit_internal : code_of(cause->end);
  }

  launch_context& launch_;
  const std::string input_;  // the group that gets our standard input
  const std::string token_ = weir::new_cluster_secret().substr(0, 16);
  std::vector<const weir::group_configuration*> not_started_;
  std::vector<group_process> groups_;
  std::optional<std::string> lost_host_;
};

}  // namespace

std::unique_ptr<started_groups> start_processes(launch_context& of, const std::string& input) {
  return std::make_unique<group_processes>(of, input);
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/launcher.hpp"

#include <weir/cluster/coordinator.hpp>

#include "common/files.hpp"
#include "common/process.hpp"
#include "run/group_processes.hpp"
#include "run/group_ranks.hpp"
#include "run/host_session.hpp"
#include "run/leftovers.hpp"
#include "run/remote_start.hpp"
#include "run/slurm_allocation.hpp"
#include "run/start_checks.hpp"
#include "run/started_groups.hpp"
#include "run/tell.hpp"
#include "support/command_line.hpp"
#include "support/output.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr const char* loopback = "127.0.0.1";

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1" || address == "localhost";
}

// Signals whose meaning only the program knows, such as SLURM's --signal shortly before a job's
// time is over. The run goes on.
constexpr bool is_message(int number) { return number == SIGUSR1 || number == SIGUSR2; }

// After this time, processes that have been asked to end and still run are killed.
constexpr auto killed_after_that = 2s;
// Time that left-over processes have to end by themselves when all groups have ended well.
constexpr auto ends_by_itself_within = 200ms;
// Time in which a failure of the run itself may still be reported after output was lost. Such a
// failure takes precedence, and the groups' messages about it may arrive before it does.
constexpr auto own_failure_within = 200ms;

std::string taken_too_long(std::chrono::seconds timeout) {
  return "has taken longer than " + std::to_string(timeout.count()) + " s; ending it";
}

// Returns the hosts that need a session. A `via` command is used for all hosts, ssh only for other
// machines.
std::set<std::string> hosts_elsewhere(const launch_options& options) {
  std::set<std::string> made;
  if (options.mpi == mpi_launcher::srun) return made;  // SLURM places the groups and checks the hosts
  for (const auto& group : options.configuration.groups) {
    if (group.host.empty() || made.contains(group.host)) continue;
    if (!options.via.empty() || !is_this_machine(group.host)) made.insert(group.host);
  }
  return made;
}

// Returns the address of this machine towards the first of the nodes that is another machine.
std::string address_for_nodes(const std::vector<std::string>& nodes) {
  for (const std::string& each : nodes) {
    try {
      if (!is_this_machine(each)) return own_address_towards(each);
    } catch (const std::exception&) {
      // Only SLURM knows nodes that are merely names of this machine.
    }
  }
  return loopback;
}

// Returns the address at which the groups find the coordinator.
std::string address_for(const launch_options& options, const std::set<std::string>& elsewhere) {
  if (!options.address.empty()) return options.address;
  if (options.mpi == mpi_launcher::srun) return address_for_nodes(allocated_nodes());
  const auto& groups = options.configuration.groups;
  const auto first = std::ranges::find_if(groups, [&](const auto& each) { return elsewhere.contains(each.host); });
  return first == groups.end() ? loopback : own_address_towards(first->host);
}

// For a cluster that is on this machine alone. With srun these options are refused.
void tell_of_options_without_effect(const launch_options& options) {
  if (!options.via.empty()) tell_problem("--via has no effect, because no group has a host; --hosts gives them some");
  if (options.deployed)
    tell_problem("--deploy and --deploy-files have no effect, because all groups are on this machine");
}

// Whether the program is only asked for help or its version; it then runs no network.
bool asks_for_help(const std::vector<std::string>& program) {
  static const std::set<std::string> asking{"--help", "-h", "-?", "help", "--version", "-V", "version"};
  return std::any_of(program.begin() + 1, program.end(), [](const std::string& word) { return asking.contains(word); });
}

class launcher {
 public:
  /// @param held and `signals`, which reports these signals, outlive this object
  launcher(const launch_options& options, const held_signals& held, const descriptor& signals,
           const std::string& address, leftovers& left, const std::vector<std::unique_ptr<host_session>>& sessions,
           clock::time_point began)
      : signals_(signals),
        secret_(weir::new_cluster_secret()),
        launch_{
            options,
            held,
            left,
            sessions,
            address,
            secret_,
            weir::coordinator(options.configuration, secret_, is_loopback(address)),
            group_traffic(options.configuration.groups, options.prefix, options.logs, [this] { return is_refused(); })},
        began_(began) {}

  int run() {
    const launch_options& options = launch_.options;
    launch_.coordinator.let_be_watched(std::filesystem::path(options.program.front()).filename().native());
    launch_.coordinator.write_traces();
    const std::string input =
        options.standard_input.empty() ? options.configuration.groups.front().name : options.standard_input;
    const auto groups = options.mpi ? start_ranks(launch_, input) : start_processes(launch_, input);
    const bool asked = wait_for_end(*groups);
    if (has_failed()) launch_.left.end(0ms);
    launch_.traffic.end();
    launch_.left.end(ends_by_itself_within);
    write_rest(*groups);
    pass_on_signals(*groups);
    if (timed_out_) return exit_timeout;
    if (interrupted_ != 0) throw interrupted(interrupted_);
    if (output_ended_it_) return code_of_lost_output();
    const int code = groups->exit_code(asked);
    if (code == 0 && launch_.traffic.failure().happened()) return code_of_lost_output();
    if (code != 0 || !launch_.coordinator.nobody_came() || asks_for_help(options.program)) return code;
    tell_problem("group " + options.configuration.groups.front().name +
                 ": has ended before it ran a network, and so have all; check that it is a weir program");
    return exit_group_lost;
  }

 private:
  // @return whether the groups had to be asked to end
  bool wait_for_end(started_groups& groups) {
    std::optional<clock::time_point> failed;
    bool asked = false;
    while (groups.running()) {
      // A program that reads its input to the end before it learns of a failure would not end by
      // itself.
      if (launch_.coordinator.failure()) launch_.traffic.end_inputs();
      launch_.traffic.wait(*signals_);
      pass_on_signals(groups);
      groups.reap();
      launch_.left.reap([&](pid_t child) {
        return groups.has_started(child) ||
               std::ranges::any_of(launch_.sessions, [&](const auto& each) { return each->is(child); });
      });
      const clock::time_point now = clock::now();
      if (look_at_time() || look_at_output()) groups.signal(SIGTERM, false);
      if (!failed && (output_ended_it_ || has_failed())) failed = now;
      // A program that still writes to a reader that has stopped could not end by itself.
      if (failed && now - *failed > groups.asked_after() / 2) launch_.traffic.take_what_fits();
      if (failed && now - *failed > groups.asked_after() + killed_after_that) {
        groups.signal(SIGKILL, false);
      } else if (failed && now - *failed > groups.asked_after() && !std::exchange(asked, true)) {
        groups.signal(SIGTERM, false);
        groups.signal(SIGCONT, false);  // a stopped process would not receive the signal
      }
    }
    return asked;
  }

  // Writes the remaining output of the groups, for as long as it may still be read; after a failure
  // only for a moment.
  void write_rest(started_groups& groups) {
    std::optional<clock::time_point> failed;
    const auto too_late = [&] {
      if (!failed && has_failed()) failed = clock::now();
      return failed && clock::now() - *failed > group_traffic::last_words;
    };
    while (launch_.traffic.waiting() && !too_late()) {
      launch_.traffic.wait(*signals_);
      pass_on_signals(groups);
      look_at_time();
    }
    if (const std::string& what = launch_.traffic.failure().what; !what.empty() && !output_ended_it_)
      tell_problem(what);
  }

  // Whether the configuration was refused. Each group then reports the same problem, and this
  // process prints it once for all. The groups report it only once it is known here.
  bool is_refused() const {
    const auto failure = launch_.coordinator.failure();
    return failure && failure->kind == weir::failure_kind::configuration;
  }

  bool has_failed() const { return timed_out_ || interrupted_ != 0 || launch_.coordinator.failure(); }

  // @return whether the time has just run out; true only once
  bool look_at_time() {
    const std::chrono::seconds timeout = launch_.options.timeout;
    if (timeout == 0s || timed_out_ || clock::now() - began_ <= timeout) return false;
    timed_out_ = true;
    launch_.traffic.say(taken_too_long(timeout));
    return true;
  }

  // @return whether the run has to end because output of the groups is lost; true only once
  bool look_at_output() {
    if (!launch_.traffic.failure().happened() || output_ended_it_) return false;
    const clock::time_point now = clock::now();
    if (!output_lost_) {
      output_lost_ = now;
      launch_.traffic.drop();
    }
    if (has_failed() || now - *output_lost_ < own_failure_within) return false;
    output_ended_it_ = true;
    if (const std::string& what = launch_.traffic.failure().what; !what.empty()) {
      launch_.traffic.say(what + "; ending it");
    }
    return true;
  }

  int code_of_lost_output() const {
    if (launch_.traffic.failure().reader_gone)
      throw interrupted(SIGPIPE);  // like any program whose output is read no further
    return weir::support::failure;
  }

  void pass_on_signals(started_groups& groups) {
    signalfd_siginfo came{};
    while (::read(*signals_, &came, sizeof came) == sizeof came) {
      const int number = static_cast<int>(came.ssi_signo);
      if (number == SIGCHLD) continue;
      if (!is_message(number)) interrupted_ = number;
      // The terminal has sent its signal to all processes on this machine.
      groups.signal(number, came.ssi_code != SI_USER);
    }
  }

  const descriptor& signals_;
  const std::string secret_;
  launch_context launch_;
  const clock::time_point began_;
  bool timed_out_ = false;
  std::optional<clock::time_point> output_lost_;
  bool output_ended_it_ = false;
  int interrupted_ = 0;
};

// Opens a session on each host that is not this machine.
host_sessions sessions_for(const launch_options& options, const std::set<std::string>& elsewhere, const sigset_t& mask,
                           std::vector<std::string>& problems) {
  std::vector<host_request> requests;
  for (const auto& group : options.configuration.groups) {
    if (!elsewhere.contains(group.host)) continue;
    auto known = std::ranges::find(requests, group.host, &host_request::host);
    if (known == requests.end()) {
      try {
        requests.push_back({.host = group.host,
                            .shell = shell_on(group.host, options.via, options.configuration.start_within),
                            .groups = {},
                            .program = options.deployed ? options.deployed->program : options.program.front(),
                            .folder = std::filesystem::current_path(),
                            .files = options.deployed ? &*options.deployed : nullptr});
      } catch (const std::exception& problem) {
        problems.push_back("group " + group.name + ": " + problem.what());
        continue;
      }
      known = requests.end() - 1;
    }
    known->groups.push_back(&group);
  }
  host_sessions sessions;
  for (const host_request& each : requests) sessions.all.push_back(std::make_unique<host_session>(each, mask));
  return sessions;
}

// Waits until each session has all that is needed on its host, or has said what is wrong.
// @param until when the whole command must have ended; empty: there is no such time
// @return whether they have, before that time came. @throws interrupted
bool settle(const std::vector<std::unique_ptr<host_session>>& sessions, std::chrono::milliseconds patience,
            std::optional<clock::time_point> until, const descriptor& signals) {
  while (!std::ranges::all_of(sessions, [](const auto& each) { return each->settled(); })) {
    if (until && clock::now() > *until) return false;
    std::vector<pollfd> watched{{*signals, POLLIN, 0}};
    for (const auto& each : sessions) {
      if (!each->settled()) each->watch(watched);
    }
    poll(watched.data(), watched.size(), 100);
    for (const auto& each : sessions) {
      if (each->settled()) continue;
      each->go_on();
      if (each->silent_for() > patience)
        each->give_up("nothing came of it for " + std::to_string(patience.count() / 1000) + " s");
    }
    signalfd_siginfo came{};
    while (::read(*signals, &came, sizeof came) == sizeof came) {
      if (came.ssi_signo != SIGCHLD && !is_message(static_cast<int>(came.ssi_signo)))
        throw interrupted(static_cast<int>(came.ssi_signo));
    }
  }
  return true;
}

}  // namespace

int launch(const launch_options& options) {
  const clock::time_point began = clock::now();
  const held_signals held({SIGUSR1, SIGUSR2});
  const descriptor signals(signalfd(-1, &held.set(), SFD_NONBLOCK | SFD_CLOEXEC));
  std::vector<std::string> problems = options.problems;
  check_ports(options.configuration, problems);
  const std::vector<descriptor> pipes = check_logs(options.configuration, options.logs, problems);
  if (options.mpi && std::ranges::any_of(options.program, is_taken_by_launchers)) {
    problems.push_back(
        "an argument of the program is \":\" or has a line break, which MPI's launchers interpret; change it");
  }
  const std::set<std::string> elsewhere = hosts_elsewhere(options);
  if (elsewhere.empty()) tell_of_options_without_effect(options);
  std::string address;
  std::string no_address;
  try {
    address = address_for(options, elsewhere);
  } catch (const std::exception& problem) {
    no_address = problem.what();
  }
  for (const auto& group : options.configuration.groups) {
    if (!elsewhere.contains(group.host)) check_here(group, options.program.front(), address, problems);
  }
  const host_sessions hosts = sessions_for(options, elsewhere, held.before(), problems);
  const auto& sessions = hosts.all;
  std::optional<clock::time_point> until;
  if (options.timeout != 0s) until = began + options.timeout;
  const bool in_time = settle(sessions, options.configuration.start_within, until, signals);
  for (const auto& each : sessions) {
    std::ranges::copy(each->problems(), std::back_inserter(problems));
    if (!each->settled()) problems.push_back("host " + each->host() + ": is not ready yet");
  }
  // If a host can't be reached at all, that problem has already been reported.
  if (problems.empty() && !no_address.empty()) problems.push_back(no_address);
  if (!in_time) problems.push_back(taken_too_long(options.timeout) + " before any group was started");
  if (!problems.empty()) {
    std::set<std::string> said;
    std::string lines;
    for (const std::string& each : problems) {
      if (said.insert(each).second) lines += weir::support::complaint("weir run", each);
    }
    tell(lines);
    return in_time ? exit_configuration : exit_timeout;
  }
  leftovers left;
  if (sessions.empty()) left.count_all_descendants();
  return launcher(options, held, signals, address, left, sessions, began).run();
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "launcher.hpp"

#include <weir/cluster/coordinator.hpp>

#include "child_process.hpp"
#include "files.hpp"
#include "group_streams.hpp"
#include "host_session.hpp"
#include "mpi_start.hpp"
#include "process.hpp"
#include "remote_start.hpp"
#include "slurm_allocation.hpp"
#include "start_checks.hpp"
#include "support/output.hpp"
#include "temporary_files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
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
  host_session* there = nullptr;  // null: here
  pid_t id = 0;
  bool running = true;
  process_end end{};
  bool unreachable = false;
};

// The way that was asked for leads to all hosts, ssh only to other machines.
std::set<std::string> hosts_elsewhere(const launch_options& options) {
  std::set<std::string> made;
  if (options.mpi == mpi_launcher::srun) return made;  // SLURM places them, and sees to what is there
  for (const auto& group : options.configuration.groups) {
    if (group.host.empty() || made.contains(group.host)) continue;
    if (!options.via.empty() || !is_this_machine(group.host)) made.insert(group.host);
  }
  return made;
}

// Towards the first of these that is another machine.
std::string address_for_nodes(const std::vector<std::string>& nodes) {
  for (const std::string& each : nodes) {
    try {
      if (!is_this_machine(each)) return own_address_towards(each);
    } catch (const std::exception&) {
      // Nodes that are only names of this machine are known to SLURM alone.
    }
  }
  return loopback;
}

// Where the groups find the coordinator.
std::string address_for(const launch_options& options, const std::set<std::string>& elsewhere) {
  if (!options.address.empty()) return options.address;
  if (options.mpi == mpi_launcher::srun) return address_for_nodes(allocated_nodes());
  const auto& groups = options.configuration.groups;
  const auto first = std::ranges::find_if(groups, [&](const auto& each) { return elsewhere.contains(each.host); });
  return first == groups.end() ? loopback : own_address_towards(first->host);
}

std::string how_it_ended(const process_end& end) {
  if (end.signal != 0) return "was killed by signal " + std::to_string(end.signal) + " (" + end.signal_name() + ")";
  if (end.code != 0) return "has ended with exit code " + std::to_string(end.code);
  return "";
}

class launcher {
 public:
  /// @param held and what comes of them in `signals`, outlive it @param sessions one on each host that is not this machine
  launcher(const launch_options& options, const held_signals& held, const descriptor& signals, std::string address,
           const std::vector<std::unique_ptr<host_session>>& sessions)
      : options_(options),
        held_(held),
        signals_(signals),
        sessions_(sessions),
        address_(std::move(address)),
        coordinator_(options.configuration, secret_, address_ == loopback) {}

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
        signal_all(SIGCONT);  // one that is stopped would not hear of it
      }
    }
    drain_pipes();
    return exit_code();
  }

 private:
  void start_all() {
    const std::string input =
        options_.standard_input.empty() ? options_.configuration.groups.front().name : options_.standard_input;
    if (options_.mpi) return start_ranks(input);
    for (const auto& group : options_.configuration.groups) {
      try {
        start(group, group.name == input);
      } catch (...) {
        signal_all(SIGKILL);
        for (const group_process& each : groups_) waitpid(each.id, nullptr, 0);
        throw;
      }
    }
  }

  group_output& output_of(const weir::group_configuration& group, bool is_error) {
    std::size_t widest = 0;
    for (const auto& each : options_.configuration.groups) widest = std::max(widest, each.name.size());
    const auto number = static_cast<std::size_t>(&group - options_.configuration.groups.data());
    std::string prefix = "[" + group.name + "]" + std::string(widest - group.name.size() + 1, ' ');
    if (coloured_) prefix = "\x1b[3" + std::to_string(1 + number % 6) + "m" + prefix + "\x1b[0m";
    auto log = std::make_unique<group_log>(options_.logs, group.name + (is_error ? ".err" : ".out"));
    outputs_.push_back(
        std::make_unique<group_output>(is_error ? STDERR_FILENO : STDOUT_FILENO, std::move(prefix), std::move(log)));
    return *outputs_.back();
  }

  using variables = std::vector<std::pair<std::string, std::string>>;

  // What a group's process finds in its environment, and others do not.
  static variables variables_of(const weir::group_configuration& group) {
    using names = weir::group_environment;
    variables made(group.environment.begin(), group.environment.end());
    made.emplace_back(names::group, group.name);
    if (!group.cores.empty()) made.emplace_back(names::cores, group.cores);
    if (group.port != 0) made.emplace_back(names::port, std::to_string(group.port));
    return made;
  }
  // What all of them do.
  variables variables_of_all() const {
    using names = weir::group_environment;
    variables made{{names::coordinator, address_ + ":" + std::to_string(coordinator_.port())},
                   {names::secret, secret_}};
    for (const char* other_way : {names::cluster, names::secret_file}) made.emplace_back(other_way, "");
    if (const weir::tls_configuration& tls = options_.configuration.tls; tls.is_set()) {
      made.emplace_back(names::certificate, tls.certificate);
      made.emplace_back(names::key, tls.key);
      made.emplace_back(names::authorities, tls.authorities);
    }
    return made;
  }

  static std::vector<std::string> own_environment_with(const variables& added) {
    std::vector<std::string> environment = own_environment();
    for (const auto& [name, value] : added) environment.push_back(name + "=" + value);
    return last_of_each(environment);
  }

  std::vector<std::string> program_of(const host_session* there) const {
    std::vector<std::string> words = options_.program;
    if (there != nullptr && options_.deployed) words.front() = options_.deployed->program;
    return words;
  }

  // The program behind its group's command.
  std::vector<std::string> words_of(const weir::group_configuration& group, const host_session* there) const {
    std::vector<std::string> words = program_of(there);
    if (!group.pre_command.empty()) {
      const std::vector<std::string> shell{"/bin/sh", "-c", "exec " + group.pre_command + " \"$@\"", "sh"};
      words.insert(words.begin(), shell.begin(), shell.end());
    }
    return words;
  }

  void start(const weir::group_configuration& group, bool gets_input) {
    const pipe_ends output;
    const descriptor output_end(output.to_write);
    host_session* const there = session_of(group);
    const std::string ready = there != nullptr && gets_input ? "weir " + token_ : "";
    pipes_.push_back(
        std::make_unique<output_pipe>(output.to_read, output_of(group, false), ready.empty() ? "" : ready + "\n"));
    const read_pipe& prints = *pipes_.back();
    const pipe_ends error;
    const descriptor error_end(error.to_write);
    pipes_.push_back(std::make_unique<output_pipe>(error.to_read, output_of(group, true), ""));

    variables added = variables_of(group);
    std::ranges::copy(variables_of_all(), std::back_inserter(added));
    if (there != nullptr) {
      const pipe_ends input;
      const descriptor input_end(input.to_read);
      const std::string script =
          script_for({program_of(there), group.pre_command, there->folder(), added, there->id_file(group), ready});
      inputs_.push_back({std::make_unique<input_pipe>(input.to_write, script, gets_input), &prints});
      groups_.push_back({&group, there,
                         start_child({.words = shell_on(group.host, options_.via),
                                      .environment = own_environment(),
                                      .streams = {*input_end, *output_end, *error_end},
                                      .mask = &held_.before(),
                                      .without_terminal = true})});
      return;
    }
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    groups_.push_back({&group, nullptr,
                       start_child({.words = words_of(group, nullptr),
                                    .environment = own_environment_with(added),
                                    .streams = {gets_input ? STDIN_FILENO : *nothing, *output_end, *error_end},
                                    .mask = &held_.before()})});
  }

  // Where the next rank reads; empty: what its launcher passes on of our standard input. MPICH's gives up when that is read slowly, and Open
  // MPI's may crash at its end, but a rank on our machine can read a pipe of ours itself.
  std::string input_of_rank(const mpi_job& job, const host_session* there) {
    if (!job.ranks.empty()) return "/dev/null";
    if (job.launcher == mpi_launcher::srun || there != nullptr) return "";
    // With an address of ours that others reach, its own host file may have sent the rank to another machine.
    if (job.launcher == mpi_launcher::open_mpi && !options_.address.empty()) return "";
    const pipe_ends input;
    input_of_first_rank_ = descriptor(input.to_read);
    inputs_.push_back({std::make_unique<input_pipe>(input.to_write, "", true), nullptr});
    inputs_.back().to->follow();
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(*input_of_first_rank_);
  }
  static std::vector<std::string> reading_from(const std::string& file, std::vector<std::string> words) {
    if (file.empty()) return words;
    const std::vector<std::string> shell{"/bin/sh", "-c", "exec \"$@\" <\"$0\"", file};
    words.insert(words.begin(), shell.begin(), shell.end());
    return words;
  }

  // All of them by one command.
  void start_ranks(const std::string& input) {
    mpi_job job;
    job.launcher = *options_.mpi;
    job.command = options_.mpi_command;
    std::vector<ranks_pipe::rank_output> outputs;
    std::vector<const weir::group_configuration*> in_order;  // of ranks; the first gets our standard input
    for (const auto& group : options_.configuration.groups) in_order.push_back(&group);
    // One host after the other, beginning with that group's.
    const auto first = std::ranges::find_if(in_order, [&](const auto* group) { return group->name == input; });
    std::rotate(in_order.begin(), first, first + 1);
    for (auto from = in_order.begin(); from != in_order.end();)
      from = std::stable_partition(from, in_order.end(),
                                   [host = (*from)->host](const auto* group) { return group->host == host; });
    for (const weir::group_configuration* each : in_order) {
      const weir::group_configuration& group = *each;
      const host_session* const there = session_of(group);
      std::vector<std::string> words{"env"};
      for (const auto& [name, value] : variables_of(group)) words.push_back(name + "=" + value);
      std::ranges::copy(words_of(group, there), std::back_inserter(words));
      ranks_.push_back(each);
      job.ranks.push_back({there == nullptr && job.launcher != mpi_launcher::srun ? "" : group.host,
                           there == nullptr ? std::filesystem::current_path().native() : there->folder(),
                           reading_from(input_of_rank(job, there), std::move(words))});
      outputs.push_back({&output_of(group, false), &output_of(group, true)});
    }
    variables added = variables_of_all();
    std::ranges::copy(thread_variables(), std::back_inserter(added));
    for (const auto& [name, value] : added) job.variables.push_back(name);
    files_.emplace();
    if (!options_.via.empty()) job.agent = files_->add("agent", agent_for(options_.via), 0700);
    if (const std::string text = file_for(job); !text.empty()) job.file = files_->add("ranks", text, 0600);

    const pipe_ends output;
    const descriptor output_end(output.to_write);
    pipes_.push_back(std::make_unique<ranks_pipe>(output.to_read, job.launcher, false, outputs, mpi_says_));
    const pipe_ends error;
    const descriptor error_end(error.to_write);
    pipes_.push_back(std::make_unique<ranks_pipe>(error.to_read, job.launcher, true, outputs, mpi_says_));
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const auto& first_words = job.ranks.front().words;
    const bool passes_on = first_words.front() == "env";  // else it opens its input by itself
    job.without_input = !passes_on;
    const pid_t id = start_child({.words = words_for(job),
                                  .environment = own_environment_with(added),
                                  .streams = {passes_on ? STDIN_FILENO : *nothing, *output_end, *error_end},
                                  .mask = &held_.before()});
    for (const auto& group : options_.configuration.groups) groups_.push_back({&group, nullptr, id});
  }

  host_session* session_of(const weir::group_configuration& group) const {
    const auto found = std::ranges::find_if(sessions_, [&](const auto& each) { return each->host() == group.host; });
    return found == sessions_.end() ? nullptr : found->get();
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

  // Then whoever reads the terminal is stopped.
  static bool in_background() noexcept {
    return ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) != ::getpgrp();
  }

  void wait_for_news() {
    // Who reads its input to the end before it hears of a failure would not end by itself.
    if (coordinator_.failure()) inputs_.clear();
    std::vector<pollfd> watched{{*signals_, POLLIN, 0}};
    std::vector<read_pipe*> open;
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
      } else if (in_background()) {
        continue;
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
      // One from the terminal has gone to all that is here.
      signal_all(number, came.ssi_code != SI_USER);
    }
  }

  void reap() {
    for (const auto& each : sessions_) {
      if (!lost_host_ && each->has_ended()) lost_host_ = each->host();
    }
    if (options_.mpi) return reap_ranks();
    for (group_process& each : groups_) {
      int status = 0;
      if (!each.running || waitpid(each.id, &status, WNOHANG) != each.id) continue;
      each.running = false;
      const process_end end = end_of(status);
      each.end = end;
      if (each.there != nullptr && each.end.code > 128 && each.end.code < 128 + NSIG)
        each.end = {0, each.end.code - 128};
      // Then it is not known how the process there has ended, or whether it has.
      each.unreachable = each.there != nullptr && (end.signal != 0 || end.code == exit_of_broken_way);
      coordinator_.process_ended(each.about->name,
                                 each.unreachable ? "can't be reached: what has started it there " + how_it_ended(end)
                                                  : how_it_ended(each.end));
    }
  }

  // How each of them has ended, only mpirun knows; it tells of the first that has not ended well.
  void reap_ranks() {
    int status = 0;
    if (waitpid(groups_.front().id, &status, WNOHANG) != groups_.front().id) return;
    mpi_ended_first_ = !coordinator_.failure();
    for (group_process& each : groups_) {
      each.running = false;
      each.end = end_of(status);
    }
    find_killed_rank();
    // Those that were ended with it may be missed sooner, but are not the cause; once all have met, the first that was missed is.
    if (killed_by_.signal != 0 && (killed_ != nullptr || (mpi_ended_first_ && coordinator_.home().empty()))) return;
    for (const group_process& each : groups_) coordinator_.process_ended(each.about->name, "");
    // Why it ended so may only just have come.
    const clock::time_point until = clock::now() + last_words;
    while (code_of(groups_.front().end) != 0 && clock::now() < until && !coordinator_.failure()) wait_for_news();
  }

  // Unless it was us who had ranks killed.
  void find_killed_rank() {
    if (code_of(groups_.front().end) == 0 || asked_ || timed_out_ || interrupted_ != 0) return;
    read_last_words();
    killed_by_ = {0, end_of_ranks(*options_.mpi, groups_.front().end, mpi_says_).signal};
    const auto rank = killed_rank(*options_.mpi, mpi_says_);
    if (rank && *rank < ranks_.size()) killed_ = ranks_[*rank];
  }

  void signal_all(int number, bool only_elsewhere = false) {
    if (options_.mpi) return signal_ranks(number, only_elsewhere);
    for (const group_process& each : groups_) {
      if (!each.running || (only_elsewhere && each.there == nullptr)) continue;
      // What would be killed here is only what has started the group there.
      if (each.there != nullptr && number != SIGKILL && coordinator_.signal(each.about->name, number)) continue;
      kill(each.id, number);
    }
  }

  // To the ranks themselves, where they can be reached; what mpirun would do with a signal is its own affair.
  void signal_ranks(int number, bool from_terminal) {
    if (!groups_.front().running) return;
    bool reached = !from_terminal;
    for (const group_process& each : groups_) {
      if (number != SIGKILL) reached = coordinator_.signal(each.about->name, number) && reached;
    }
    // One that is stopped hears of nothing; then mpirun must see to it, but MPICH's passes on no SIGCONT.
    if (!reached || number == SIGKILL || coordinator_.failure()) kill(groups_.front().id, number);
    if (number == SIGCONT) signal_descendants(groups_.front().id, number);
  }

  void read_last_words() {
    const clock::time_point until = clock::now() + last_words;
    while (clock::now() < until && std::ranges::any_of(pipes_, [](const auto& each) { return each->open(); }))
      wait_for_news();
  }

  void drain_pipes() {
    read_last_words();
    for (const auto& each : pipes_) {
      if (each->open()) each->end();
    }
  }

  static int code_of(const process_end& end) { return end.signal != 0 ? 128 + end.signal : end.code; }

  int exit_code_of_ranks() const {
    const process_end end = end_of_ranks(*options_.mpi, groups_.front().end, mpi_says_);
    const int code = code_of(end);
    const auto failure = coordinator_.failure();
    if (mpi_ended_first_ && code != 0) weir::support::write_standard_error(mpi_says_);
    if (killed_by_.signal != 0 && (!failure || (killed_ != nullptr && is_loss(failure->kind)))) {
      const std::string who = killed_ != nullptr ? "group " + killed_->name + ": " : "a group ";
      weir::support::complain("weir run", who + how_it_ended(killed_by_));
      return code_of(killed_by_);
    }
    if (!failure && options_.mpi == mpi_launcher::hydra &&
        mpi_says_.find("process manager error") != std::string::npos) {
      weir::support::complain("weir run", options_.mpi_command + " has failed itself; it said why");
      return exit_internal;
    }
    if (!failure) return code;
    say(*failure);
    if (const auto of_kind = code_of(failure->kind)) return *of_kind;
    // MPICH's launcher kills the others when one has ended so, and then tells of these.
    const bool others_killed = options_.mpi == mpi_launcher::hydra && end.signal != 0;
    return code != 0 && !asked_ && !others_killed ? code : exit_internal;
  }

  static void say(const weir::cluster_failure& failure) {
    const std::string what =
        failure.path.empty() ? "group " + failure.group : failure.path + " (group " + failure.group + ")";
    weir::support::complain("weir run", what + ": " + failure.text);
  }

  static bool is_loss(weir::failure_kind kind) {
    return kind == weir::failure_kind::lost || kind == weir::failure_kind::process;
  }

  // None: how its process ended counts.
  static std::optional<int> code_of(weir::failure_kind kind) {
    switch (kind) {
      case weir::failure_kind::lost: return exit_group_lost;
      case weir::failure_kind::data: return exit_data;
      case weir::failure_kind::protocol: return exit_protocol;
      case weir::failure_kind::authentication: return exit_authentication;
      default: return std::nullopt;
    }
  }

  int exit_code() const {
    if (timed_out_) return exit_timeout;
    if (interrupted_ != 0) throw interrupted(interrupted_);
    if (options_.mpi) return exit_code_of_ranks();
    if (const auto failure = coordinator_.failure()) {
      say(*failure);
      if (const auto code = code_of(failure->kind)) return *code;
      if (failure->kind == weir::failure_kind::process && lost_host_) {
        weir::support::complain("weir run",
                                "host " + *lost_host_ + ": the shell that watches over its groups has ended");
        return exit_group_lost;
      }
      const auto cause =
          std::ranges::find_if(groups_, [&](const group_process& each) { return each.about->name == failure->group; });
      if (cause != groups_.end() && cause->unreachable) return exit_group_lost;
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
  const held_signals& held_;
  const descriptor& signals_;
  const std::vector<std::unique_ptr<host_session>>& sessions_;
  struct followed_input {
    std::unique_ptr<input_pipe> to;
    const read_pipe* prints;  // when that has begun, our standard input follows; null: it follows from the start
  };

  const std::string secret_ = weir::new_cluster_secret();
  const std::string token_ = weir::new_cluster_secret().substr(0, 16);
  const std::string address_;
  weir::coordinator coordinator_;
  const bool coloured_ = isatty(STDOUT_FILENO) != 0;
  std::vector<std::unique_ptr<group_output>> outputs_;
  std::vector<std::unique_ptr<read_pipe>> pipes_;
  std::vector<followed_input> inputs_;
  descriptor input_of_first_rank_{-1};  // the end of one of them that this rank opens
  std::vector<group_process> groups_;
  bool timed_out_ = false;
  bool asked_ = false;
  int interrupted_ = 0;
  std::optional<std::string> lost_host_;
  std::optional<temporary_files> files_;
  std::vector<const weir::group_configuration*> ranks_;
  process_end killed_by_;                              // a rank, and so the job, as far as is known
  const weir::group_configuration* killed_ = nullptr;  // whose; null: that is not known
  std::string mpi_says_;                               // mpirun itself
  bool mpi_ended_first_ = false;                       // before anything was wrong, as far as was known
};

// A session on each host that is not this machine.
std::vector<std::unique_ptr<host_session>> sessions_for(const launch_options& options,
                                                        const std::set<std::string>& elsewhere, const sigset_t& mask,
                                                        std::vector<std::string>& problems) {
  std::vector<host_request> requests;
  for (const auto& group : options.configuration.groups) {
    if (!elsewhere.contains(group.host)) continue;
    auto known = std::ranges::find(requests, group.host, &host_request::host);
    if (known == requests.end()) {
      try {
        requests.push_back({.host = group.host,
                            .shell = shell_on(group.host, options.via),
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
  std::vector<std::unique_ptr<host_session>> sessions;
  for (const host_request& each : requests) sessions.push_back(std::make_unique<host_session>(each, mask));
  return sessions;
}

// Until each has all that is needed there, or has said what is wrong. @throws interrupted
void settle(const std::vector<std::unique_ptr<host_session>>& sessions, std::chrono::milliseconds patience,
            const descriptor& signals) {
  while (!std::ranges::all_of(sessions, [](const auto& each) { return each->settled(); })) {
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
      if (came.ssi_signo != SIGCHLD) throw interrupted(static_cast<int>(came.ssi_signo));
    }
  }
}

}  // namespace

int launch(const launch_options& options) {
  const held_signals held;
  const descriptor signals(signalfd(-1, &held.set(), SFD_NONBLOCK | SFD_CLOEXEC));
  std::vector<std::string> problems = options.problems;
  check_ports(options.configuration, problems);
  check_logs(options.configuration, options.logs, problems);
  if (options.mpi && std::ranges::any_of(options.program, is_taken_by_launchers)) {
    problems.push_back(
        "a word of the program is \":\", or has a line break, which launchers of MPI take for their own");
  }
  const std::set<std::string> elsewhere = hosts_elsewhere(options);
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
  const auto sessions = sessions_for(options, elsewhere, held.before(), problems);
  settle(sessions, options.configuration.start_within, signals);
  for (const auto& each : sessions) std::ranges::copy(each->problems(), std::back_inserter(problems));
  // A host that can't be reached at all has said so itself.
  if (problems.empty() && !no_address.empty()) problems.push_back(no_address);
  if (!problems.empty()) {
    std::set<std::string> said;
    for (const std::string& each : problems) {
      if (said.insert(each).second) weir::support::complain("weir run", each);
    }
    return exit_configuration;
  }
  return launcher(options, held, signals, address, sessions).run();
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_ranks.hpp"

#include "common/files.hpp"
#include "run/child_process.hpp"
#include "run/mpi_start.hpp"
#include "run/tell.hpp"
#include "run/temporary_files.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace {

using clock = std::chrono::steady_clock;

// Groups that run as the ranks of an MPI job. Only the job's launcher knows how each rank has
// ended, and it reports the first one that has not ended well.
class group_ranks final : public started_groups {
 public:
  group_ranks(launch_context& of, const std::string& input) : launch_(of) {
    job_.launcher = *launch_.options.mpi;
    job_.command = launch_.options.mpi_command;
    job_.mark = weir::new_cluster_secret().substr(0, 16);
    std::vector<ranks_pipe::rank_output> outputs;
    for (const weir::group_configuration* group : in_order_of_ranks(input)) {
      const host_session* const there = launch_.session_of(*group);
      std::vector<std::string> words{"env"};
      for (const auto& [name, value] : launch_context::variables_of(*group)) words.push_back(name + "=" + value);
      const auto [name, mark] = launch_.left.variable();
      words.push_back(name + "=" + mark);
      std::ranges::copy(launch_.words_of(*group), std::back_inserter(words));
      groups_.push_back(group);
      job_.ranks.push_back({there == nullptr && job_.launcher != mpi_launcher::srun ? "" : group->host,
                            there == nullptr ? std::filesystem::current_path().native() : there->folder(),
                            reading_from(input_of_next(there), std::move(words))});
      outputs.push_back({&launch_.traffic.output_of(*group, false), &launch_.traffic.output_of(*group, true)});
    }
    launch_context::variables added = launch_.variables_of_all();
    std::ranges::copy(thread_variables(), std::back_inserter(added));
    for (const auto& [name, value] : added) job_.variables.push_back(name);
    std::ranges::copy(launcher_variables(job_.launcher), std::back_inserter(added));
    if (!launch_.options.via.empty()) job_.agent = files_.add("agent", agent_for(launch_.options.via), 0700);
    if (const std::string text = file_for(job_); !text.empty()) job_.file = files_.add("ranks", text, 0600);
    start(outputs, added);
  }

  bool running() const override { return running_; }

  bool has_started(pid_t child) const override { return child == id_; }

  void reap() override {
    int status = 0;
    if (!running_ || ::waitpid(id_, &status, WNOHANG) != id_) return;
    ended_first_ = !launch_.coordinator.failure();
    running_ = false;
    end_ = end_of(status);
    find_killed_rank();
    // Ranks that the launcher ended after the killed rank may be reported missing sooner, but are
    // not the cause. Once all groups have met, the first group that is missed is the cause.
    if (killed_by_.signal != 0 && (killed_ != nullptr || (ended_first_ && launch_.coordinator.result_group().empty())))
      return;
    for (const weir::group_configuration* each : groups_) launch_.coordinator.process_ended(each->name, "");
    // The coordinator may only just be learning the cause of the end.
    const clock::time_point until = clock::now() + group_traffic::last_words;
    while (code_of(end_) != 0 && clock::now() < until && !launch_.coordinator.failure()) launch_.traffic.wait();
  }

  // Sends the signal to the ranks themselves where they can be reached, because mpirun may treat a
  // signal in its own way.
  void signal(int number, bool from_terminal) override {
    signalled_ = true;
    if (!running_) return;
    bool reached = !from_terminal;
    for (const weir::group_configuration* each : groups_) {
      if (number != SIGKILL) reached = launch_.coordinator.signal(each->name, number) && reached;
    }
    // A stopped rank does not learn of the signal from the coordinator, and mpirun must pass the
    // signal on. MPICH's launcher passes on no SIGCONT.
    if (!reached || number == SIGKILL || launch_.coordinator.failure()) ::kill(id_, number);
    if (number != SIGCONT) return;
    for (const pid_t each : descendants_of(id_)) ::kill(each, number);
  }

  // The launcher of Open MPI gives the remaining ranks a second to end, often twice, and only then
  // reports how the first rank has ended.
  std::chrono::seconds asked_after() const override {
    return job_.launcher == mpi_launcher::open_mpi ? std::chrono::seconds(4) : started_groups::asked_after();
  }

  int exit_code(bool asked) override {
    const process_end end = end_of_ranks(job_.launcher, end_, says_);
    const int code = code_of(end);
    const auto failure = launch_.coordinator.failure();
    if (ended_first_ && code != 0) tell(says_);
    // If several ranks were missed, the reported one may be one that the launcher killed after
    // another rank had died.
    const bool says_more = failure && is_loss(failure->kind) && (killed_ != nullptr || failure->others_gone);
    if (killed_by_.signal != 0 && (!failure || says_more)) {
      const std::string who = killed_ != nullptr ? "group " + killed_->name + ": " : "a group ";
      const std::string first = killed_ == nullptr && failure ? "; the first that was missed is " + failure->group : "";
      tell_problem(who + how_it_ended(killed_by_) + first);
      return code_of(killed_by_);
    }
    if (!failure && end_.signal != 0) {
      tell_problem(job_.command + " has failed itself: it " + how_it_ended(end_));
      return exit_internal;
    }
    if (!failure && job_.launcher == mpi_launcher::hydra && says_.find("process manager error") != std::string::npos) {
      tell_problem(job_.command + " has failed itself; it said why");
      return exit_internal;
    }
    if (!failure) return code;
    if (const auto of_kind = say(*failure)) return *of_kind;
    // MPICH's launcher kills the other ranks when one has ended this way, and then reports these
    // ranks.
    const bool others_killed = job_.launcher == mpi_launcher::hydra && end.signal != 0;
    return code != 0 && !asked && !others_killed ? code : exit_internal;
  }

 private:
  // Returns the group of standard input first, and then the groups host by host, beginning with
  // that group's host.
  std::vector<const weir::group_configuration*> in_order_of_ranks(const std::string& input) const {
    std::vector<const weir::group_configuration*> made;
    for (const auto& group : launch_.options.configuration.groups) made.push_back(&group);
    const auto first = std::ranges::find_if(made, [&](const auto* group) { return group->name == input; });
    std::rotate(made.begin(), first, first + 1);
    for (auto from = made.begin(); from != made.end();) {
      from = std::stable_partition(from, made.end(),
                                   [host = (*from)->host](const auto* group) { return group->host == host; });
    }
    return made;
  }

  // Returns the file that the next rank reads; empty: the rank reads the standard input that its
  // launcher passes on. MPICH's launcher gives up when the input is read slowly, and Open MPI's may
  // crash at the end of the input. A rank on this machine can instead read a pipe of this process.
  std::string input_of_next(const host_session* there) {
    if (!job_.ranks.empty()) return "/dev/null";
    if (job_.launcher == mpi_launcher::srun || there != nullptr) return "";
    // If an address for other machines is given, Open MPI's own host file may have sent the rank to
    // another machine.
    if (job_.launcher == mpi_launcher::open_mpi && !launch_.options.address.empty()) return "";
    const pipe_ends input;
    input_of_first_ = descriptor(input.to_read);
    launch_.traffic.add(std::make_unique<input_pipe>(input.to_write, "", true), nullptr);
    job_.without_input = true;
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(*input_of_first_);
  }
  static std::vector<std::string> reading_from(const std::string& file, std::vector<std::string> words) {
    if (file.empty()) return words;
    const std::vector<std::string> shell{"/bin/sh", "-c", "exec \"$@\" <\"$0\"", file};
    words.insert(words.begin(), shell.begin(), shell.end());
    return words;
  }

  void start(const std::vector<ranks_pipe::rank_output>& outputs, const launch_context::variables& added) {
    const pipe_ends output;
    const descriptor output_end(output.to_write);
    launch_.traffic.add(std::make_unique<ranks_pipe>(output.to_read, job_, false, outputs, says_));
    const pipe_ends error;
    const descriptor error_end(error.to_write);
    launch_.traffic.add(std::make_unique<ranks_pipe>(error.to_read, job_, true, outputs, says_));
    // Gives the launcher a standard input on which no data ever arrive. At the end of its input,
    // MPICH's launcher notifies its ranks, and if they have ended by then, SIGPIPE ends it and the
    // remaining output of the ranks is lost.
    const pipe_ends nothing;
    const descriptor nothing_comes(nothing.to_read);
    silence_ = descriptor(nothing.to_write);
    id_ = start_child({.words = words_for(job_),
                       .environment = own_environment_with(added),
                       .streams = {job_.without_input ? *nothing_comes : STDIN_FILENO, *output_end, *error_end},
                       .mask = &launch_.held.before(),
                       .cgroup = launch_.left.cgroup()});
  }

  // Finds the rank that a signal has killed, unless this process sent the signal.
  void find_killed_rank() {
    if (code_of(end_) == 0 || end_.signal != 0 || signalled_) return;
    launch_.traffic.read_last_words();
    killed_by_ = {0, end_of_ranks(job_.launcher, end_, says_).signal};
    const auto rank = killed_rank(job_.launcher, says_);
    if (rank && *rank < groups_.size()) killed_ = groups_[*rank];
  }

  launch_context& launch_;
  mpi_job job_;
  temporary_files files_;
  descriptor input_of_first_{-1};                         // read by the first rank through /proc
  descriptor silence_{-1};                                // other end of the launcher's standard input
  std::vector<const weir::group_configuration*> groups_;  // by rank
  std::string says_;                                      // messages of the launcher itself
  pid_t id_ = 0;                                          // process id of the launcher
  bool running_ = true;
  bool signalled_ = false;
  process_end end_{};                                  // how the launcher ended
  bool ended_first_ = false;                           // whether the job ended before any known failure
  process_end killed_by_;                              // end of a killed rank, and thus of the job, as far as known
  const weir::group_configuration* killed_ = nullptr;  // the killed group; null: not known
};

}  // namespace

std::unique_ptr<started_groups> start_ranks(launch_context& of, const std::string& input) {
  return std::make_unique<group_ranks>(of, input);
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/member.hpp"

#include "weir/cluster/configuration.hpp"
#include "weir/cluster/coordinator.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/graph/error.hpp"

#include "cluster/member/member_run.hpp"
#include "cluster/member/membership.hpp"
#include "cluster/member/planning_member.hpp"
#include "cluster/wire/host_and_port.hpp"
#include "graph/file_text.hpp"
#include "graph/give_notice.hpp"
#include "graph/per_process.hpp"
#include "graph/variables.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

namespace weir {
namespace {

// Sets the cores of this thread and of all threads that it starts from now on.
void run_on_cores(const std::string& text) {
  if (text.empty()) return;
  const auto cores = cores_from_text(text);
  if (!cores) throw graph_error(group_environment::cores, "is no list of cores: " + text);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::size_t core : *cores) {
    if (core < CPU_SETSIZE) CPU_SET(core, &set);
  }
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    throw graph_error(group_environment::cores, "names no core of this machine that may be used: " + text);
}

std::string file_contents(const char* name, const std::string& file) {
  std::optional<std::string> text = detail::text_of_file(file);
  if (!text) throw graph_error(name, "names " + file + ", which can't be read: " + std::strerror(errno));
  return *std::move(text);
}

std::string secret_of_this_process() {
  const std::string file = detail::variable(group_environment::secret_file);
  if (file.empty()) return detail::variable(group_environment::secret);
  struct stat about {};
  if (::stat(file.c_str(), &about) == 0 && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw graph_error(group_environment::secret_file,
                      "names " + file + ", which is not for its owner alone; say chmod 600 " + file);
  }
  std::string secret = file_contents(group_environment::secret_file, file);
  while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) secret.pop_back();
  if (secret.empty()) throw graph_error(group_environment::secret_file, "names " + file + ", which is empty");
  return secret;
}

std::uint16_t port_from(const char* name, const std::string& text) {
  std::uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (problem != std::errc{} || end != text.data() + text.size()) throw graph_error(name, "is no port: " + text);
  return port;
}

// A program started as an MPI job without a group runs completely in each rank. One rank prints a
// hint, unless the program uses MPI itself.
void mention_copies() {
  std::string ranks = detail::variable("OMPI_COMM_WORLD_SIZE");
  std::string rank = detail::variable("OMPI_COMM_WORLD_RANK");
  if (ranks.empty()) {
    ranks = detail::variable("PMI_SIZE");
    rank = detail::variable("PMI_RANK");
  }
  if (ranks.empty() || ranks == "1" || rank != "0" || ::dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr) return;
  detail::give_notice({"each of the ", ranks,
                       " processes that MPI's launcher has started runs the whole network; to share it out, say weir "
                       "run --on ",
                       ranks, " -- program, or see \"protocol\": \"MPI\" of a configuration"});
}

// The group that the environment assigns to this process, and the coordinator, if this process runs
// it.
class process_member {
 public:
  // @param cluster a configuration file; empty: another process has started this one, and runs the
  // coordinator
  process_member(const std::string& group, const std::string& cluster) {
    cluster_member_options options;
    options.ends_with_coordinator = true;
    options.tls = {detail::variable(group_environment::certificate), detail::variable(group_environment::key),
                   detail::variable(group_environment::authorities)};
    const std::string port = detail::variable(group_environment::port);
    if (!port.empty()) options.port = port_from(group_environment::port, port);
    const std::string secret = secret_of_this_process();
    std::string at = detail::variable(group_environment::coordinator);
    const std::string cores = detail::variable(group_environment::cores);
    if (cluster.empty() && at.empty()) {
      throw graph_error(group_environment::group, std::string("is set, but ") + group_environment::coordinator +
                                                      " is not; start the program with weir run, or set " +
                                                      group_environment::cluster);
    }
    if (!cluster.empty()) {
      const cluster_configuration configuration = configuration_from(cluster);
      const group_configuration& first = configuration.groups.front();
      const group_configuration& own = group_of(configuration, group, cluster);
      if (at.empty()) at = coordinator_of(configuration, cluster);
      run_on_cores(cores.empty() ? own.cores : cores);
      if (&own == &first) {
        hold_coordinator(configuration, secret, at, cluster);
      } else {
        if (port.empty()) options.port = own.port;
        options.coordinator_within = configuration.start_within;
      }
      if (!options.tls.is_set()) options.tls = configuration.tls;
    } else {
      run_on_cores(cores);
    }
    member_ = std::make_unique<cluster_member>(group, at, secret, options);
  }

  cluster_member& member() { return *member_; }

 private:
  static cluster_configuration configuration_from(const std::string& file) {
    try {
      return configuration_from_json(file_contents(group_environment::cluster, file), file);
    } catch (const configuration_error& problem) {
      throw graph_error(group_environment::cluster, problem.what());
    }
  }

  static const group_configuration& group_of(const cluster_configuration& configuration, const std::string& name,
                                             const std::string& file) {
    const auto found = std::ranges::find(configuration.groups, name, &group_configuration::name);
    if (found != configuration.groups.end()) return *found;
    throw graph_error(group_environment::group, "is " + name + ", and there is no such group in " + file);
  }

  static bool is_here(const group_configuration& group) {
    return group.host.empty() || group.host == "localhost" || group.host.starts_with("127.") || group.host == "::1";
  }

  static std::string coordinator_of(const cluster_configuration& configuration, const std::string& file) {
    const group_configuration& first = configuration.groups.front();
    const bool all_here = std::ranges::all_of(configuration.groups, is_here);
    if (first.port != 0 && (all_here || !first.host.empty()))
      return cluster::host_and_port(first.host.empty() ? "127.0.0.1" : first.host, std::to_string(first.port));
    throw graph_error(group_environment::cluster,
                      "names " + file + ", whose first group, " + first.name + ", needs an endpoint with a " +
                          (first.port == 0 ? "port" : "host") + ", where the others find it; or set " +
                          group_environment::coordinator);
  }

  void hold_coordinator(const cluster_configuration& configuration, const std::string& secret, const std::string& at,
                        const std::string& file) {
    const bool all_here = std::ranges::all_of(configuration.groups, is_here);
    if (secret.empty() && !all_here) {
      throw graph_error(group_environment::secret_file,
                        "is not set, and without a secret all groups must be on this "
                        "machine; in " +
                            file + ", some are not");
    }
    const std::uint16_t port = port_from(group_environment::coordinator, cluster::parts_of(at).second);
    // Signals are for the program's own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      coordinator_ = std::make_unique<coordinator>(configuration, secret, all_here, port);
    } catch (const std::system_error& problem) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw graph_error(configuration.groups.front().name,
                        "can't listen at port " + std::to_string(port) +
                            ", where the others look for it: " + problem.code().message());
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  std::unique_ptr<coordinator> coordinator_;
  std::unique_ptr<cluster_member> member_;
};

}  // namespace

class cluster_member::state : public cluster::membership {
  using membership::membership;
};

cluster_member::cluster_member(const std::string& group, const std::string& coordinator, const std::string& secret,
                               const cluster_member_options& options)
    : state_(new state(group, coordinator, secret, options)) {}
cluster_member::~cluster_member() = default;

cluster_member::state& cluster_member::here() const { return detail::at_home(state_, "group of a cluster"); }
std::size_t cluster_member::cores() const { return here().cores(); }
std::vector<planned_group> cluster_member::groups() const { return here().groups(); }
void cluster_member::assign_groups(graph& whole) const { here().assign_groups(whole); }
const std::string& cluster_member::name() const { return state_->name(); }
std::unique_ptr<detail::group_run> cluster_member::begin(const graph& whole, detail::run_control& control) {
  state& at = here();
  return std::make_unique<cluster::member_run>(at, at.next_run(), whole, control);
}

namespace {

// Whether a process has become the group that the environment names, or has tried to; and which. It
// is set before the process enters the initialisation of its member, and stays. So a child that is
// forked meanwhile, for which that initialisation would never end, knows that it is no group.
constinit std::atomic<bool> has_joined{false};
std::atomic<detail::process_mark> joined_by{detail::process_mark()};
// Whether a process has found that it is no group.
constinit std::atomic<bool> is_alone{false};

bool is_child_of_group() noexcept {
  return has_joined.load(std::memory_order_acquire) &&  // pairs with the release in is_group()
         !joined_by.load(std::memory_order_relaxed).is_here();
}

bool is_group() {
  if (is_alone.load(std::memory_order_relaxed)) return false;
  if (has_joined.load(std::memory_order_acquire)) return !is_child_of_group();
  if (!detail::variable(group_environment::group).empty()) {
    joined_by.store(detail::process_mark(), std::memory_order_relaxed);
    has_joined.store(true, std::memory_order_release);
    return true;
  }
  if (!detail::variable(group_environment::cluster).empty()) {
    throw graph_error(group_environment::cluster, std::string("is set, but ") + group_environment::group +
                                                      " is not; say which group of it this process is");
  }
  if (!is_alone.exchange(true, std::memory_order_relaxed)) mention_copies();
  return false;
}

}  // namespace

std::string group_environment::name() { return is_child_of_group() ? "" : detail::variable(group); }
bool group_environment::names_a_group() { return !name().empty(); }

group_member* group_member::of_this_process() {
  detail::take_variables_of_runs();
  if (const std::string plan = detail::variable("WEIR_PLAN"); !plan.empty()) {
    static constinit detail::made_once<cluster::planning_member> planning;
    return &planning.get([&] { return std::make_unique<cluster::planning_member>(plan); });
  }
  if (!is_group()) return nullptr;
  static const detail::process_ptr<process_member> self(
      new process_member(detail::variable(group_environment::group), detail::variable(group_environment::cluster)));
  return &self->member();
}

}  // namespace weir

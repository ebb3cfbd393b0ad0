// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/member.hpp"

#include "weir/cluster/configuration.hpp"
#include "weir/cluster/coordinator.hpp"
#include "weir/graph/error.hpp"

#include "cluster/member_run.hpp"
#include "cluster/membership.hpp"
#include "cluster/planning_member.hpp"

#include <sched.h>

#include <charconv>
#include <cstdlib>

namespace weir {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// All threads that are started from now on, and this one.
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

}  // namespace

class cluster_member::state : public cluster::membership {
  using membership::membership;
};

cluster_member::cluster_member(const std::string& group, const std::string& coordinator, const std::string& secret,
                               const cluster_member_options& options)
    : state_(std::make_unique<state>(group, coordinator, secret, options)) {}
cluster_member::~cluster_member() = default;

std::size_t cluster_member::cores() const { return state_->cores(); }
std::vector<planned_group> cluster_member::groups() const { return state_->groups(); }
void cluster_member::assign_groups(graph& whole) const { state_->assign_groups(whole); }
const std::string& cluster_member::name() const { return state_->name(); }
std::unique_ptr<group_run> cluster_member::begin(const graph& whole, run_control& control) {
  return std::make_unique<cluster::member_run>(*state_, state_->next_run(), whole, control);
}

group_member* group_member::of_this_process() {
  if (const std::string plan = variable("WEIR_PLAN"); !plan.empty()) {
    static cluster::planning_member planning(plan);
    return &planning;
  }
  static const std::unique_ptr<cluster_member> self = []() -> std::unique_ptr<cluster_member> {
    const std::string group = variable(group_environment::group);
    if (group.empty()) return nullptr;
    const std::string coordinator = variable(group_environment::coordinator);
    if (coordinator.empty()) {
      throw graph_error(group_environment::group, std::string("is set, but ") + group_environment::coordinator +
                                                      " is not; start the program with weir run");
    }
    cluster_member_options options;
    options.ends_with_coordinator = true;
    run_on_cores(variable(group_environment::cores));
    const std::string port = variable(group_environment::port);
    const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), options.port);
    if (!port.empty() && (problem != std::errc{} || end != port.data() + port.size())) {
      throw graph_error(group_environment::port, "is no port: " + port);
    }
    options.tls = {variable(group_environment::certificate), variable(group_environment::key),
                   variable(group_environment::authorities)};
    return std::make_unique<cluster_member>(group, coordinator, variable(group_environment::secret), options);
  }();
  return self.get();
}

}  // namespace weir

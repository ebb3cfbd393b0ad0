// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/coordinator.hpp"
#include "weir/cluster/member.hpp"
#include "weir/run/run.hpp"

#include "networks.hpp"

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace weir_test {

/// What happened in one group.
struct group_outcome {
  weir::report report;
  std::exception_ptr problem;
};

inline std::string text_of(const std::exception_ptr& problem) {
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

/// A cluster within this process: each group is a thread with a member and a network of its own, and all that crosses between
/// them goes over TCP.
class cluster_in_process {
 public:
  explicit cluster_in_process(weir::cluster_configuration configuration)
      : configuration_(std::move(configuration)), coordinator(configuration_, "a secret", true) {}

  /// Calls act(member) on a thread for each group. @return what it threw, by group
  std::map<std::string, std::exception_ptr> in_each_group(const std::function<void(weir::cluster_member&)>& act) {
    std::map<std::string, std::exception_ptr> problems;
    for (const auto& group : configuration_.groups) problems[group.name] = nullptr;
    std::vector<std::thread> threads;
    for (const auto& group : configuration_.groups) {
      threads.emplace_back([this, name = group.name, act, &problem = problems[group.name]] {
        try {
          weir::cluster_member member(name, "127.0.0.1:" + std::to_string(coordinator.port()), "a secret");
          act(member);
        } catch (...) {
          problem = std::current_exception();
        }
      });
    }
    for (std::thread& each : threads) each.join();
    return problems;
  }

 private:
  weir::cluster_configuration configuration_;

 public:
  weir::coordinator coordinator;
};

inline weir::cluster_configuration groups_named(const std::vector<std::string>& names) {
  weir::cluster_configuration made;
  for (const std::string& name : names) made.groups.emplace_back().name = name;
  return made;
}

}  // namespace weir_test

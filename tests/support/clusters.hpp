// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/coordinator.hpp"
#include "weir/cluster/member.hpp"
#include "weir/run/run.hpp"

#include "networks.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace weir_test {

/// Result of one group.
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

/// A cluster within this process. Each group is a thread with its own member and its own network.
class cluster_in_process {
 public:
  explicit cluster_in_process(weir::cluster_configuration configuration)
      : configuration_(std::move(configuration)), coordinator(configuration_, "a secret", true) {}

  /// Calls `act(member)` on one thread for each group.
  /// @return the exception that each thread threw, by group
  std::map<std::string, std::exception_ptr> in_each_group(const std::function<void(weir::cluster_member&)>& act) {
    std::map<std::string, std::exception_ptr> problems;
    for (const auto& group : configuration_.groups) problems[group.name] = nullptr;
    std::vector<std::thread> threads;
    for (const auto& group : configuration_.groups) {
      threads.emplace_back([this, name = group.name, act, &problem = problems[group.name]] {
        try {
          weir::cluster_member_options options;
          options.tls = configuration_.tls;
          if (adjust) adjust(name, options);
          const std::uint16_t port = way_to_coordinator ? way_to_coordinator(name) : coordinator.port();
          weir::cluster_member member(name, "127.0.0.1:" + std::to_string(port), "a secret", options);
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
  std::function<void(const std::string& group, weir::cluster_member_options& options)> adjust;
  std::function<std::uint16_t(const std::string& group)> way_to_coordinator;  // returns the port
  weir::coordinator coordinator;
};

inline weir::cluster_configuration groups_named(const std::vector<std::string>& names) {
  weir::cluster_configuration made;
  for (const std::string& name : names) made.groups.emplace_back().name = name;
  return made;
}

/// Compares networks that are cut into groups with the same networks that are not cut.
class in_a_cluster : public each_executor {
 protected:
  // Runs `make(seen)` in every group, cut as `groups` selects. Returns the items that all groups
  // have seen together.
  using maker = std::function<weir::network(std::vector<long>& seen)>;
  std::vector<long> run_cut(const std::vector<weir::group_selection>& groups, const maker& make) {
    weir::cluster_configuration configuration;
    for (const auto& group : groups) {
      auto& about = configuration.groups.emplace_back();
      about.name = group.group;
      about.nodes = group.nodes;
      about.batch_size = batch_size;
    }
    configuration.transport = transport();
    const testing::ScopedTrace trace(__FILE__, __LINE__, "transport " + std::to_string(static_cast<int>(transport())));
    cluster_in_process cluster(configuration);
    std::mutex mutex;
    std::vector<long> all;
    reports.clear();
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      std::vector<long> seen;
      weir::network net = make(seen);
      weir::run_options options = GetParam().options;
      options.member = &member;
      weir::report report;
      for (int i = 0; i != runs; ++i) report = weir::run(net, options);
      const std::lock_guard lock(mutex);
      all.insert(all.end(), seen.begin(), seen.end());
      reports[member.name()] = report;
    });
    for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
    return all;
  }
  static std::vector<long> run_whole(const maker& make) {
    std::vector<long> seen;
    weir::run(make(seen));
    return seen;
  }
  void expect_equal_items(const std::vector<weir::group_selection>& groups, const maker& make) {
    std::vector<long> cut = run_cut(groups, make);
    std::vector<long> whole = run_whole(make);
    ASSERT_FALSE(whole.empty());
    std::ranges::sort(cut);
    std::ranges::sort(whole);
    EXPECT_EQ(cut, whole);
  }

  // Transport of the current test, chosen by the test's name: each test always has the same one.
  static weir::link_transport transport() {
    constexpr std::array all{weir::link_transport::tcp, weir::link_transport::shm, weir::link_transport::inproc};
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    return all[std::accumulate(name.begin(), name.end(), std::size_t{0}) % all.size()];
  }

  std::size_t batch_size = 0;
  int runs = 1;
  std::map<std::string, weir::report> reports;
};

}  // namespace weir_test

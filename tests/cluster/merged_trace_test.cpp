// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "clusters.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
namespace fs = std::filesystem;

class merged_trace : public testing::Test {
 protected:
  // Runs one network after the other in two groups, the i-th one with `traces[i]`.
  std::map<std::string, std::exception_ptr> run(const std::vector<std::string>& traces) {
    weir::cluster_configuration configuration = groups_named({"east", "west"});
    configuration.groups[0].nodes = {"a", "b[0]"};
    configuration.groups[1].nodes = {"b[1]", "c"};
    cluster_in_process cluster(configuration);
    return cluster.in_each_group([&](weir::cluster_member& member) {
      for (const std::string& trace : traces) {
        std::vector<long> seen;
        weir::network net = numbers(1000).named("a") |
                            weir::farm([](long item) { return item; }, 2).round_robin().named("b") |
                            into(seen).named("c");
        weir::run_options options;
        options.member = &member;
        options.trace.file = trace.empty() ? "" : (folder_.path() / trace).string();
        weir::run(net, options);
      }
    });
  }
  nlohmann::json trace(const std::string& name) const {
    return nlohmann::json::parse(std::ifstream(folder_.path() / name));
  }

  temporary_folder folder_;
};

TEST_F(merged_trace, that_a_program_asks_for_is_one_file) {
  for (const auto& [group, problem] : run({"first.json", "", "third.json"})) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 2);
  for (const char* name : {"first.json", "third.json"}) {
    const nlohmann::json made = trace(name);
    std::map<std::uint64_t, std::string> processes;
    std::set<std::pair<std::string, std::string>> nodes;
    std::map<std::string, int> slices;
    for (const auto& event : made.at("traceEvents")) {
      const std::uint64_t pid = event.at("pid");
      if (event.at("name") == "process_name") processes[pid] = event.at("args").at("name");
      if (event.at("name") == "thread_name") nodes.emplace(processes.at(pid), event.at("args").at("name"));
      if (event.at("ph") == "X") ++slices[processes.at(pid)];
    }
    EXPECT_EQ(processes, (std::map<std::uint64_t, std::string>{
                             {1, "east: threads"}, {2, "east: nodes"}, {3, "west: threads"}, {4, "west: nodes"}}));
    for (const auto& [group, node] : {std::pair("east", "/a"), {"east", "/b[0]"}, {"west", "/b[1]"}, {"west", "/c"}}) {
      EXPECT_TRUE(nodes.contains({std::string(group) + ": nodes", node})) << node;
    }
    EXPECT_EQ(slices.size(), 4U);
    const nlohmann::json& about = made.at("otherData").at("groups");
    for (const char* group : {"east", "west"}) {  // both groups use the same clock here
      EXPECT_LE(std::abs(about.at(group).at("ahead_ns").get<std::int64_t>()),
                about.at(group).at("uncertainty_ns").get<std::int64_t>());
    }
  }
}

TEST_F(merged_trace, that_can_not_be_opened_ends_the_run) {
  for (const auto& [group, problem] : run({"no/where.json"})) {
    EXPECT_NE(text_of(problem).find("no/where.json' (No such file or directory)"), std::string::npos) << group;
  }
}

}  // namespace

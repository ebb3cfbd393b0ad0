// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/live_cluster.hpp"

#include "weir/detail/passes/cut.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/member/sampled.hpp"
#include "clusters.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;
using namespace weir_test;

// The report of a group's part. Each node has had 7 items, and `waiting` items wait in each
// channel.
weir::detail::group_report report_of(const weir::graph& part, std::size_t waiting) {
  weir::detail::group_report all;
  weir::report& made = all.of;
  made.wall = std::chrono::seconds(waiting);
  made.cpu = std::chrono::seconds(1);
  made.workers = 2;
  made.ended = false;
  for (const auto& node : part.nodes()) {
    made.nodes.push_back({.path = node.path, .kind = node.kind, .items = 7});
    all.nodes.push_back(node.in_whole);
  }
  for (const auto& c : part.channels()) {
    made.channels.push_back({.from = part.nodes()[c.from].path,
                             .to = part.nodes()[c.to].path,
                             .items = 10 * waiting,
                             .capacity = 100,
                             .waiting = waiting,
                             .room = 20});
    all.channels.push_back(part.nodes()[c.from].in_whole == weir::no_node ? weir::no_channel : c.in_whole);
  }
  return all;
}

TEST(live_cluster, parts_make_the_whole) {
  std::vector<long> seen;
  weir::network net = numbers(3).named("a").in_group("G1") |
                      weir::farm([](long item) { return item; }, 2).named("b").in_group([](std::size_t i) {
                        return i == 0 ? "G1" : "G2";
                      }) |
                      into(seen).named("c").in_group("G2");
  const weir::graph whole = net.resolve(2);
  std::map<std::string, weir::cluster::numbered_report> parts;
  std::size_t waiting = 0;
  for (const std::string group : {"G1", "G2"}) {
    const weir::graph part = weir::detail::cut(whole, group, {});
    parts[group] = weir::cluster::part_of_whole(whole, report_of(part, ++waiting));
  }
  const json made = weir::cluster::whole_of_parts({{"G1", &parts["G1"]}, {"G2", &parts["G2"]}});
  EXPECT_EQ(made.at("wall_ns"), 2'000'000'000);
  EXPECT_EQ(made.at("cpu_ns"), 2'000'000'000);
  EXPECT_EQ(made.at("workers"), 4);
  EXPECT_EQ(made.at("ended"), false);
  std::vector<std::pair<std::string, std::string>> nodes;
  for (const json& node : made.at("nodes")) nodes.emplace_back(node.at("path"), node.at("group"));
  EXPECT_EQ(nodes, (std::vector<std::pair<std::string, std::string>>{
                       {"/a", "G1"}, {"/b[0]", "G1"}, {"/b[1]", "G2"}, {"/c", "G2"}}));
  std::map<std::pair<std::string, std::string>, json> channels;
  for (const json& c : made.at("channels")) channels[{c.at("from"), c.at("to")}] = c;
  ASSERT_EQ(channels.size(), 4U);
  EXPECT_EQ((channels[{"/a", "/b[0]"}].at("waiting")), 1);
  EXPECT_EQ((channels[{"/b[1]", "/c"}].at("waiting")), 2);
  // For a channel that is cut the sender's number counts: items wait there until they have been
  // completed.
  EXPECT_EQ((channels[{"/a", "/b[1]"}].at("waiting")), 1);
  EXPECT_EQ((channels[{"/b[0]", "/c"}].at("waiting")), 1);
}

TEST(live_cluster, says_which_input_a_channel_leads_to) {
  std::vector<long> seen;
  const auto same = weir::node([](long item) { return item; });
  weir::network net = numbers(3).named("a").in_group("G1") |
                      weir::tee(same.named("b").in_group("G1"), same.named("c").in_group("G2")).named("both") |
                      weir::zip<long, long>().named("d").in_group("G1") |
                      weir::node([](std::tuple<long, long> pair) { return std::get<0>(pair); }).in_group("G1") |
                      into(seen).in_group("G1");
  const weir::graph whole = net.resolve(2);
  std::map<std::string, weir::cluster::numbered_report> parts;
  for (const std::string group : {"G1", "G2"}) {
    const weir::graph part = weir::detail::cut(whole, group, {});
    parts[group] = weir::cluster::part_of_whole(whole, report_of(part, 1));
  }
  const json made = weir::cluster::whole_of_parts({{"G1", &parts["G1"]}, {"G2", &parts["G2"]}});
  std::map<std::string, json> inputs;
  for (const json& c : made.at("channels")) {
    if (c.at("to") == "/d") inputs[c.at("from")] = c.at("input");
  }
  EXPECT_EQ(inputs, (std::map<std::string, json>{{"/both/b", 0}, {"/both/c", 1}}));
}

weir::cluster::numbered_report numbered(std::uint64_t count, bool ended) {
  weir::cluster::numbered_report made;
  made.of.ended = ended;
  for (std::uint64_t i = 0; i != count; ++i) {
    made.of.nodes.push_back({.path = "/node[" + std::to_string(i) + "]", .kind = "node", .items = ended ? 2U : 1U});
    made.nodes.push_back(i);
  }
  return made;
}

// A group sends the answer to a question and the end of its run at the same time, in alternating
// messages.
TEST(live_group, keeps_apart_what_is_said_at_the_same_time) {
  constexpr std::uint64_t count = 3000;
  const auto answer = numbered(count, false);
  const auto end = numbered(count, true);
  const auto answering = weir::cluster::sampled(4, 1, &answer);
  const auto ending = weir::cluster::sampled(0, 1, &end);
  ASSERT_GT(answering.size(), 1U);
  weir::cluster::live_group group;
  const auto expect_the_end = [&] {
    ASSERT_EQ(group.part.of.nodes.size(), count);
    EXPECT_EQ(group.part.nodes.size(), count);
    for (const weir::node_report& each : group.part.of.nodes) EXPECT_EQ(each.items, 2U);
  };
  for (std::size_t i = 0; i + 1 != answering.size(); ++i) {
    EXPECT_FALSE(group.hear(answering[i]));
    EXPECT_FALSE(group.hear(ending[i]));
  }
  EXPECT_TRUE(group.hear(ending.back()));
  expect_the_end();
  EXPECT_EQ(group.answered, 0U);
  EXPECT_TRUE(group.hear(answering.back()));
  EXPECT_EQ(group.answered, 4U);
  expect_the_end();
}

}  // namespace

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Costs that a run has measured count for a graph with farms of another width, too.

#include "cluster/member/measured_costs.hpp"

#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace {

using namespace std::chrono_literals;

// A source that was busy for 10 ns, a farm with workers that were busy for 30 and 60 ns, and a sink
// for 20 ns; 100 and 200 items went to the workers.
weir::report some_report() {
  weir::report made;
  for (const auto& [path, busy] : {std::pair{"/read", 10ns}, {"/work[0]", 30ns}, {"/work[1]", 60ns}, {"/end", 20ns}}) {
    weir::node_report node;
    node.path = path;
    node.busy = busy;
    made.nodes.push_back(node);
  }
  for (const auto& [from, to, items] : {std::tuple{"/read", "/work[0]", 100U},
                                        {"/read", "/work[1]", 200U},
                                        {"/work[0]", "/end", 100U},
                                        {"/work[1]", "/end", 200U}}) {
    weir::channel_report channel;
    channel.from = from;
    channel.to = to;
    channel.items = items;
    made.channels.push_back(channel);
  }
  return made;
}

// Costs of the same network with a farm of that width, by the paths of nodes and channels.
std::map<std::string, double> costs(std::size_t width) {
  weir::network net = weir::source([] { return std::optional<long>(); }).named("read") |
                      weir::farm([](long item) { return item; }, width).named("work") |
                      weir::sink([](long) {}).named("end");
  const weir::graph& g = net.resolve(4);
  const auto measured = weir::cluster::measured_costs(g, some_report());
  std::map<std::string, double> made;
  for (std::size_t i = 0; i != g.nodes().size(); ++i) made[g.nodes()[i].path] = measured.nodes[i];
  for (std::size_t i = 0; i != g.channels().size(); ++i) {
    const auto& c = g.channels()[i];
    made[g.nodes()[c.from].path + " " + g.nodes()[c.to].path] = measured.channels[i];
  }
  return made;
}

TEST(measured_costs, are_those_of_each_node_of_the_run) {
  const auto found = costs(2);
  EXPECT_EQ(found.at("/read"), 10);
  EXPECT_EQ(found.at("/work[0]"), 30);
  EXPECT_EQ(found.at("/work[1]"), 60);
  EXPECT_EQ(found.at("/end"), 20);
  EXPECT_EQ(found.at("/read /work[1]"), 200 * 8);
  EXPECT_EQ(found.at("/work[0] /end"), 100 * 8);
}

TEST(measured_costs, of_a_narrower_farm_are_all_its_workers_had) {
  const auto found = costs(1);
  EXPECT_EQ(found.at("/read"), 10);
  EXPECT_EQ(found.at("/work[0]"), 90);
  EXPECT_EQ(found.at("/read /work[0]"), 300 * 8);
  EXPECT_EQ(found.at("/work[0] /end"), 300 * 8);
}

TEST(measured_costs, of_a_wider_farm_are_shared) {
  const auto found = costs(3);
  EXPECT_EQ(found.at("/read"), 10);
  for (const char* worker : {"/work[0]", "/work[1]", "/work[2]"}) {
    EXPECT_EQ(found.at(worker), 30);
    EXPECT_EQ(found.at("/read " + std::string(worker)), 100 * 8);
    EXPECT_EQ(found.at(std::string(worker) + " /end"), 100 * 8);
  }
}

}  // namespace

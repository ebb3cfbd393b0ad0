// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include "weir/passes/tuning.hpp"

#include "weir/detail/passes/fingerprint.hpp"
#include "weir/detail/passes/fuse.hpp"
#include "weir/graph/graph.hpp"
#include "weir/weir.hpp"

#include "networks.hpp"

#include <algorithm>

namespace {

using namespace weir_test;

auto add(long step) {
  return weir::node([step](long item) { return item + step; });
}

weir::network light_network(std::vector<long>& seen) {
  return numbers(100).named("read") | weir::farm(add(1)).between(1, 4).named("work") | add(1).named("a") |
         add(1).named("b") | into(seen).named("keep");
}

std::string complaint(const std::function<void()>& what) {
  try {
    what();
  } catch (const weir::graph_error& error) {
    return error.what();
  }
  return "";
}

TEST(tuning, is_the_same_after_it_was_written_down) {
  const weir::tuning how{.network = "0123456789abcdef",
                         .widths = {{"/work", 3}},
                         .fused = {{"/a", "/b"}},
                         .capacities = {{"/read", "/work", 12}}};
  EXPECT_EQ(weir::tuning_from_json(weir::to_json(how), "here"), how);
  EXPECT_EQ(weir::tuning_from_json(weir::to_json(weir::tuning{}), "here"), weir::tuning{});
}

TEST(tuning, changes_the_graph_that_runs_and_not_what_comes_out) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  const weir::report report = weir::run(
      net, {.tuned = {.widths = {{"/work", 3}}, .fused = {{"/a", "/b"}}, .capacities = {{"/read", "/work", 12}}}});
  ASSERT_EQ(report.nodes.size(), 7U);
  EXPECT_EQ(report.nodes[5].path, "/b");
  EXPECT_EQ(report.nodes[5].runs_with, "/a");
  EXPECT_EQ(
      std::count_if(report.channels.begin(), report.channels.end(), [](const auto& c) { return c.capacity == 12; }), 3);
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 100U);
  EXPECT_EQ(seen.front(), 3);
  EXPECT_EQ(seen.back(), 102);
}

TEST(tuning, is_shown_as_a_difference) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  const weir::graph& g = net.resolve(2);
  EXPECT_EQ(
      weir::difference(
          g, {.widths = {{"/work", 1}}, .fused = {{"/a", "/b", "/keep"}}, .capacities = {{"/read", "/work", 12}}}),
      "- /work[0-1]\n"
      "+ /work[0]\n"
      "- /a | /b | /keep\n"
      "+ /a + /b + /keep\n"
      "- /read -> /work: as many items as fit in 32 KiB\n"
      "+ /read -> /work: 12 items\n");
  EXPECT_EQ(weir::difference(g, {.widths = {{"/work", 2}}}), "");
  const std::string no_farm = g.nodes().front().path;
  EXPECT_THROW(weir::difference(g, {.widths = {{no_farm, 2}}}), weir::graph_error) << no_farm;
}

TEST(tuning, knows_the_limits_of_widths) {
  std::vector<long> seen;
  const auto limits = [&](const weir::block<long, long>& farm) {
    weir::network net = numbers(1) | farm | into(seen);
    const weir::node_description& node = net.resolve(3).nodes()[1];
    return std::pair(node.width_least, node.width_most);
  };
  EXPECT_EQ(limits(weir::farm(add(1))), std::pair(std::size_t{1}, std::size_t{3}));
  EXPECT_EQ(limits(weir::farm(add(1), 5)), std::pair(std::size_t{5}, std::size_t{5}));
  EXPECT_EQ(limits(weir::farm(add(1), 5).between(2, 6)), std::pair(std::size_t{2}, std::size_t{6}));
  EXPECT_EQ(limits(add(1)), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_THROW(static_cast<void>(weir::farm(add(1)).between(0, 2)), weir::graph_error);
  EXPECT_THROW(static_cast<void>(weir::farm(add(1)).between(3, 2)), weir::graph_error);
  EXPECT_THROW(static_cast<void>(weir::set(add(1), add(2)).between(1, 2)), weir::graph_error);
}

TEST(tuning, of_another_network_is_refused) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  weir::graph& g = net.resolve(2);
  const auto refused = [&](const weir::tuning& how) { return complaint([&] { weir::tuned(g, how); }); };
  EXPECT_EQ(refused({.fused = {{"/a", "/nowhere"}}}), "/nowhere: is not a node of this graph");
  EXPECT_EQ(refused({.fused = {{"/read", "/a"}}}),
            "/read: can't be fused with /a, as its tuning says; tune this program anew");
  EXPECT_EQ(refused({.capacities = {{"/read", "/a", 12}}}),
            "/read: has no channel to /a, which is to be tuned; tune this program anew");
  EXPECT_EQ(refused({.capacities = {{"/read", "/work", 0}}}),
            "/read: has no room in channels of 0 items; tune it to at least 1");
  weir::network other = light_network(seen);
  EXPECT_EQ(complaint([&] {
              weir::run(other, {.tuned = {.widths = {{"/a", 2}}}});
            }),
            "/a: is not a farm of this network; give the path of one");
}

TEST(tuning, leaves_the_widths_that_the_program_has_set) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  net.set_width("/work", 4);
  EXPECT_EQ(weir::run(net, {.tuned = {.widths = {{"/work", 3}}}}).nodes.size(), 8U);
}

TEST(tuning, counts_for_a_network_that_was_resolved_before) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  net.resolve(2);
  EXPECT_EQ(weir::run(net, {.tuned = {.widths = {{"/work", 3}}}}).nodes.size(), 7U);
}

TEST(tuning, that_is_refused_changes_nothing) {
  std::vector<long> seen;
  weir::network net = light_network(seen);
  EXPECT_EQ(complaint([&] {
              weir::run(net, {.tuned = {.widths = {{"/work", 3}}, .fused = {{"/a", "/nowhere"}}}});
            }),
            "/nowhere: is not a node of this graph");
  EXPECT_EQ(weir::run(net, {.workers = 2}).nodes.size(), 6U);
}

TEST(tuning, with_more_room_than_there_can_be_is_refused) {
  std::vector<long> seen;
  for (const std::size_t items : {std::size_t{1} << 50, std::size_t{1} << 61, ~std::size_t{0}}) {
    weir::network net = light_network(seen);
    EXPECT_EQ(complaint([&] {
                weir::run(net, {.tuned = {.capacities = {{"/read", "/work", items}}}});
              }),
              "/read: its channel to /work[0] can't hold " + std::to_string(items) + " items; give it less capacity");
  }
}

TEST(tuning, that_is_not_one_is_refused_by_name) {
  const auto refused = [](const char* text) { return complaint([&] { weir::tuning_from_json(text, "tune.json"); }); };
  EXPECT_EQ(refused("[]"), "tune.json: is not a tuning, which is a JSON object; write it with weir tune");
  EXPECT_EQ(refused(R"({"width": {}})"),
            R"(tune.json: has an unknown key "width"; there are "network", "widths", "fused" and "capacities")");
  EXPECT_EQ(refused(R"({"widths": []})"),
            R"(tune.json: has a "widths" that is not an object; write it with weir tune)");
  EXPECT_EQ(refused(R"({"widths": {"/a": 0}})"), "tune.json: has a width of /a that is not a number of at least 1");
  EXPECT_EQ(refused(R"({"widths": {"/a": -2}})"), "tune.json: has a width of /a that is not a number of at least 1");
  EXPECT_EQ(refused(R"({"capacities": [{"from": "/a", "to": "/b", "items": -1}]})"),
            "tune.json: has a capacity that is not a number of items");
  EXPECT_EQ(refused(R"({"capacities": [{"from": "/a", "to": "/b", "items": 3, "itens": 4}]})"),
            R"(tune.json: has a capacity with an unknown key "itens")");
  EXPECT_EQ(refused(R"({"network": "a", "widths": {"/f": 2, "/g": 3, "/f": 4}})"),
            R"(tune.json: is not a tuning: an object has the key "/f" twice; write it with weir tune)");
  for (const char* const wrong : {"", "{", R"({"fused": [1]})", R"({"capacities": [{}]})", R"({"network": 3})"}) {
    EXPECT_TRUE(refused(wrong).starts_with("tune.json: is not a tuning: ")) << refused(wrong);
  }
}

}  // namespace

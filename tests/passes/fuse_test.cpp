// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The concurrency-graph transformer: the graph before and after, and equality of the results.

#include "weir/detail/passes/fuse.hpp"

#include "weir/graph/graph.hpp"
#include "weir/passes/remove_passing.hpp"
#include "weir/weir.hpp"

#include "networks.hpp"

#include <algorithm>
#include <numeric>

namespace {

using namespace weir_test;
using paths = std::vector<std::string>;

auto add(long step) {
  return weir::node([step](long item) { return item + step; });
}

const weir::graph& resolved(weir::network& net) { return net.resolve(2); }

// The chains of two and more nodes.
std::vector<paths> chains(const weir::graph& g) {
  std::vector<paths> made;
  for (const auto& chain : weir::detail::chains_of(g)) {
    if (chain.size() == 1) continue;
    made.emplace_back();
    for (const weir::node_id id : chain) made.back().push_back(g.nodes()[id].path);
  }
  return made;
}

paths channels(const weir::graph& g) {
  paths made;
  for (const auto& c : g.channels()) made.push_back(g.nodes()[c.from].path + " -> " + g.nodes()[c.to].path);
  std::sort(made.begin(), made.end());
  return made;
}

// Runs the network on 0 … 999. @return the results, sorted
std::vector<long> results(weir::network net, std::vector<long>& seen, weir::run_options options = {}) {
  seen.clear();
  weir::run(net, std::move(options));
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST(fuse_neighbours, makes_a_chain_of_a_pipeline) {
  std::vector<long> seen;
  weir::network net = numbers(10) | add(1) | add(2) | into(seen);
  const weir::graph fused = weir::detail::fuse_neighbours(resolved(net));
  EXPECT_EQ(chains(resolved(net)), std::vector<paths>{});
  EXPECT_EQ(chains(fused), (std::vector<paths>{{"/source1", "/node2", "/node3", "/sink4"}}));
  EXPECT_EQ(channels(fused), channels(resolved(net)));
}

TEST(fuse_neighbours, leaves_alone_what_its_author_wants_alone) {
  std::vector<long> seen;
  const auto with = [&](const weir::block<long, long>& special) {
    weir::network net = numbers(10) | add(1) | special.named("special") | add(2) | into(seen);
    return chains(weir::detail::fuse_neighbours(resolved(net)));
  };
  const std::vector<paths> without{{"/source1", "/node2"}, {"/node4", "/sink5"}};
  EXPECT_EQ(with(add(1).separate()), without);
  EXPECT_EQ(with(add(1).blocking()), without);
  EXPECT_EQ(with(add(1).on_own_thread()), without);
  EXPECT_EQ(with(add(1).in_group("elsewhere")), without);
  EXPECT_EQ(with(weir::farm(add(1), 2)), without);
  EXPECT_EQ(with(add(1)), (std::vector<paths>{{"/source1", "/node2", "/special", "/node4", "/sink5"}}));
}

TEST(fuse_neighbours, leaves_alone_all_of_a_pipeline_that_its_author_wants_alone) {
  std::vector<long> seen;
  const auto with = [&](const weir::block<long, long>& special) {
    weir::network net = numbers(10) | add(1) | special | add(2) | into(seen);
    std::size_t fused = 0;
    for (const paths& chain : chains(weir::detail::fuse_neighbours(resolved(net)))) fused += chain.size();
    return fused;
  };
  EXPECT_EQ(with(add(1) | add(2)), 6U);
  EXPECT_EQ(with((add(1) | add(2)).separate()), 4U);
  EXPECT_EQ(with((add(1) | add(2)).blocking()), 4U);
  EXPECT_EQ(with((add(1) | add(2)).on_own_thread()), 4U);
}

TEST(fuse_neighbours, leaves_alone_a_whole_program_that_its_author_wants_alone) {
  std::vector<long> seen;
  weir::network net = (numbers(10) | add(1) | into(seen)).separate();
  EXPECT_EQ(chains(weir::detail::fuse_neighbours(resolved(net))), std::vector<paths>{});
  weir::network blocking = (numbers(10) | add(1) | into(seen)).blocking();
  for (const weir::node_description& each : resolved(blocking).nodes()) EXPECT_TRUE(each.traits.blocking) << each.path;
}

TEST(fuse_neighbours, asks_who_shall_run_together) {
  std::vector<long> seen;
  weir::network net = numbers(10) | add(1).named("a") | add(2).named("b") | into(seen);
  const weir::graph fused = weir::detail::fuse_neighbours(
      resolved(net), [](const auto& from, const auto& to) { return from.path == "/a" && to.path == "/b"; });
  EXPECT_EQ(chains(fused), (std::vector<paths>{{"/a", "/b"}}));
}

TEST(fuse_neighbours, leaves_loops_and_nodes_with_several_ways_out_alone) {
  struct master {
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
    void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
  };
  std::vector<long> seen;
  weir::network net = numbers(10) | weir::feedback(master{}, add(1).named("a") | add(1).named("b")) | into(seen);
  EXPECT_EQ(chains(weir::detail::fuse_neighbours(resolved(net))).size(), 1U);
  EXPECT_EQ(chains(weir::detail::fuse_neighbours(resolved(net))).front().size(), 2U);
  EXPECT_EQ(results(std::move(net), seen, {.fuse = true}).size(), 10U);
}

TEST(fuse_neighbours, knows_a_made_up_chain) {
  std::vector<long> seen;
  weir::network net = numbers(10) | add(1) | add(2) | into(seen);
  weir::graph wrong = resolved(net);
  wrong.nodes()[0].chain = wrong.nodes()[2].chain = 7;
  EXPECT_THROW(weir::detail::chains_of(wrong), weir::graph_error);
}

// ---- FastFlow's transformations ----

TEST(transformer, merges_an_emitter_with_the_stage_before_it) {
  struct emitter {
    long sent = 0;
    void process(long item, weir::outlet<long>& out) {
      out.send_to(static_cast<std::size_t>(sent++) % out.width(), item);
    }
  };
  std::vector<long> seen;
  weir::network net = numbers(1000).named("read") | add(1).named("prepare") | weir::node(emitter{}).named("emit") |
                      weir::farm(add(2), 3).named("work") | into(seen);
  EXPECT_EQ(chains(resolved(net)), std::vector<paths>{});
  EXPECT_EQ(chains(weir::detail::fuse_neighbours(resolved(net))), (std::vector<paths>{{"/read", "/prepare", "/emit"}}));
  const auto apart = results(numbers(1000) | add(1) | weir::node(emitter{}) | weir::farm(add(2), 3) | into(seen), seen);
  EXPECT_EQ(results(std::move(net), seen, {.fuse = true}), apart);
}

TEST(transformer, removes_a_collector) {
  std::vector<long> seen;
  weir::network net = numbers(1000).named("read") | weir::farm(add(2), 2).named("work") |
                      weir::pass<long>().named("collect") | add(1).named("next") | into(seen);
  const weir::graph after = weir::remove_passing(resolved(net));
  EXPECT_EQ(channels(resolved(net)), (paths{"/collect -> /next", "/next -> /sink5", "/read -> /work[0]",
                                            "/read -> /work[1]", "/work[0] -> /collect", "/work[1] -> /collect"}));
  EXPECT_EQ(channels(after), (paths{"/next -> /sink5", "/read -> /work[0]", "/read -> /work[1]", "/work[0] -> /next",
                                    "/work[1] -> /next"}));
  const std::vector<long> apart = results(std::move(net), seen);
  EXPECT_EQ(results(weir::network(after), seen), apart);
}

TEST(transformer, merges_two_farms_worker_by_worker) {
  std::vector<long> seen;
  weir::network net =
      numbers(1000).named("read") | weir::farm(add(2), 2).named("a") | weir::farm(add(1), 2).named("b") | into(seen);
  const weir::graph after = weir::detail::fuse_neighbours(resolved(net));
  EXPECT_EQ(resolved(net).channels().size(), 2U + 4U + 2U);
  EXPECT_EQ(channels(after), (paths{"/a[0] -> /b[0]", "/a[1] -> /b[1]", "/b[0] -> /sink4", "/b[1] -> /sink4",
                                    "/read -> /a[0]", "/read -> /a[1]"}));
  EXPECT_EQ(chains(after), (std::vector<paths>{{"/a[0]", "/b[0]"}, {"/a[1]", "/b[1]"}}));
  const std::vector<long> apart =
      results(numbers(1000) | weir::farm(add(2), 2) | weir::farm(add(1), 2) | into(seen), seen);
  EXPECT_EQ(results(std::move(net), seen, {.fuse = true}), apart);
}

TEST(transformer, does_not_merge_farms_whose_items_have_a_choice_of_their_own) {
  std::vector<long> seen;
  const auto count = [&](const weir::block<long, long>& second) {
    weir::network net = numbers(10) | weir::farm(add(2), 2) | second | into(seen);
    return weir::detail::fuse_neighbours(resolved(net)).channels().size();
  };
  const auto farm = weir::farm(add(1), 2);
  EXPECT_EQ(count(farm.by_key([](long item) { return item; })), 8U);
  EXPECT_EQ(count(farm.broadcast()), 8U);
  EXPECT_EQ(count(farm.round_robin()), 8U);
  EXPECT_EQ(count(farm.separate()), 8U);
  EXPECT_EQ(count(weir::farm(add(1), 3)), 11U);
  EXPECT_EQ(count(farm), 6U);
}

TEST(transformer, makes_two_farms_with_a_collector_and_an_emitter_an_all_to_all) {
  std::vector<long> seen;
  const auto key = [](long item) { return item; };
  weir::network net = numbers(1000).named("read") | weir::farm(add(2), 2).named("a") |
                      weir::pass<long>().named("collect") | weir::pass<long>().named("emit") |
                      weir::farm(add(1), 3).by_key(key).named("b") | into(seen);
  const weir::graph after = weir::remove_passing(resolved(net));
  EXPECT_EQ(channels(after), (paths{"/a[0] -> /b[0]", "/a[0] -> /b[1]", "/a[0] -> /b[2]", "/a[1] -> /b[0]",
                                    "/a[1] -> /b[1]", "/a[1] -> /b[2]", "/b[0] -> /sink6", "/b[1] -> /sink6",
                                    "/b[2] -> /sink6", "/read -> /a[0]", "/read -> /a[1]"}));
  EXPECT_EQ(weir::to_string(after.nodes()[after.find("/a[0]")].out.front().policy), "balance(by_key(3))");
  const std::vector<long> apart = results(std::move(net), seen);
  EXPECT_EQ(results(weir::network(after), seen), apart);
}

TEST(transformer, keeps_a_passing_node_that_is_to_stay) {
  std::vector<long> seen;
  weir::network net = numbers(10) | weir::pass<long>().separate().named("stay") | weir::pass<long>() | into(seen);
  EXPECT_EQ(channels(weir::remove_passing(resolved(net))), (paths{"/source1 -> /stay", "/stay -> /sink4"}));
}

}  // namespace

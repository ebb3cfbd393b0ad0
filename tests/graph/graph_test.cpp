// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/graph.hpp"

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/passes/check.hpp"
#include "weir/detail/passes/fingerprint.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/network.hpp"
#include "weir/graph/policy.hpp"
#include "weir/weir.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using weir::channel_id;
using weir::distribution;
using weir::graph;
using weir::graph_error;
using weir::network;
using weir::node_description;
using weir::node_id;

class idle final : public weir::detail::behaviour {
 public:
  weir::detail::progress step(weir::detail::ports&, std::size_t) override { return weir::detail::progress::ended; }
};

template <class In, class Out>
node_description node_of(std::string path) {
  node_description made;
  made.path = std::move(path);
  if constexpr (!std::is_void_v<In>) made.in.push_back({&weir::item_type_of<In>(), {}});
  if constexpr (!std::is_void_v<Out>) made.out.push_back({&weir::item_type_of<Out>(), {}});
  made.make = [] { return std::make_unique<idle>(); };
  return made;
}

// A source, `width` workers, and a sink.
template <class T = int>
graph farm_graph(std::size_t width, weir::policy rule = {}) {
  graph g;
  const node_id source = g.add(node_of<void, T>("source"));
  const node_id sink = g.add(node_of<T, void>("sink"));
  for (std::size_t i = 0; i != width; ++i) {
    const node_id worker = g.add(node_of<T, T>("worker"));
    g.connect(source, 0, worker, 0);
    g.connect(worker, 0, sink, 0);
  }
  g.set_policy(source, 0, std::move(rule));
  return g;
}

// Returns the text of the graph_error with which `call` ends; empty if it succeeds.
template <class Call>
std::string refusal(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (const graph_error& problem) {
    EXPECT_EQ(std::string_view(problem.what()).substr(0, problem.path().size() + 2), problem.path() + ": ");
    EXPECT_EQ(std::string_view(problem.what()).find('\n'), std::string_view::npos);
    return problem.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

std::string refusal_of(const graph& g) {
  return refusal([&] { weir::detail::check(g); });
}

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)

std::vector<std::string> paths_of(const graph& g) {
  std::vector<std::string> paths;
  for (const node_description& node : g.nodes()) paths.push_back(node.path);
  return paths;
}

using strings = std::vector<std::string>;

// ---- the untyped builder ----

TEST(builder, refuses_unknown_ports_and_nodes) {
  graph g;
  const node_id source = g.add(node_of<void, int>("source"));
  const node_id sink = g.add(node_of<int, void>("sink"));
  EXPECT_SAYS(refusal([&] { g.connect(source, 1, sink, 0); }), "/source: has no out-port 1");
  EXPECT_SAYS(refusal([&] { g.connect(source, 0, sink, 2); }), "/sink: has no in-port 2");
  EXPECT_SAYS(refusal([&] { g.connect(sink, 0, source, 0); }), "/sink: has no out-port 0");
  EXPECT_SAYS(refusal([&] { g.connect(source, 0, source, 0); }), "/source: has no in-port 0");
  EXPECT_SAYS(refusal([&] { g.connect(7, 0, sink, 0); }), "no out-port 0");
  EXPECT_SAYS(refusal([&] { g.connect(source, 0, 7, 0); }), "no in-port 0");
  EXPECT_SAYS(refusal([&] { g.connect_unbounded(source, 3, sink, 0); }), "/source: has no out-port 3");
  EXPECT_SAYS(refusal([&] { g.set_policy(sink, 0, {}); }), "/sink: has no out-port 0");
  EXPECT_SAYS(refusal([&] { g.set_policy(9, 0, {}); }), "no out-port 0");
  EXPECT_SAYS(refusal([&] { g.find("/other"); }), "/other: is not a node");
  EXPECT_TRUE(g.channels().empty());
  EXPECT_TRUE(g.nodes()[source].out[0].policy.children.empty());
  EXPECT_TRUE(g.nodes()[sink].in[0].channels.empty());
}

TEST(builder, refuses_item_types_that_differ_and_names_both) {
  graph g;
  const node_id source = g.add(node_of<void, std::string>("source"));
  const node_id sink = g.add(node_of<std::vector<int>, void>("sink"));
  const std::string said = refusal([&] { g.connect(source, 0, sink, 0); });
  EXPECT_SAYS(said, "/sink: ");
  EXPECT_SAYS(said, "/source");
  EXPECT_SAYS(said, "std::string");
  EXPECT_SAYS(said, "std::vector<int");
  EXPECT_SAYS(said, "put a node between them");
  EXPECT_TRUE(g.channels().empty());
}

TEST(builder, makes_paths_unique) {
  graph g;
  for (const char* wanted : {"worker", "/worker", "worker", "", "/worker.2"}) g.add(node_of<void, int>(wanted));
  EXPECT_EQ(paths_of(g), (strings{"/worker", "/worker.2", "/worker.3", "/node4", "/worker.2.2"}));
  EXPECT_EQ(g.free_path("/worker"), "/worker.4");
  EXPECT_EQ(g.free_path("/other"), "/other");
  for (node_id id = 0; id != g.nodes().size(); ++id) EXPECT_EQ(g.find(g.nodes()[id].path), id);
}

TEST(builder, numbers_channels_in_the_order_of_connecting) {
  const graph g = farm_graph(3);
  const auto& out = g.nodes()[g.find("/source")].out[0].policy;
  EXPECT_EQ(leaves_of(out), (std::vector<channel_id>{0, 2, 4}));
  EXPECT_EQ(g.nodes()[g.find("/sink")].in[0].channels, (std::vector<channel_id>{1, 3, 5}));
  EXPECT_EQ(to_string(out), "balance(3)");
}

TEST(builder, writes_json) {
  graph g = farm_graph(2, {distribution::on_demand, 4, {}});
  g.nodes()[0].traits.blocking = true;
  const auto json = nlohmann::json::parse(weir::to_json(g));
  ASSERT_EQ(json["nodes"].size(), 4U);
  EXPECT_EQ(json["nodes"][0]["path"], "/source");
  EXPECT_EQ(json["nodes"][0]["blocking"], true);
  EXPECT_EQ(json["nodes"][0]["out"][0]["type"], "int");
  EXPECT_EQ(json["nodes"][0]["out"][0]["policy"]["distribution"], "on_demand");
  EXPECT_EQ(json["nodes"][0]["out"][0]["policy"]["depth"], 4);
  EXPECT_EQ(json["nodes"][0]["out"][0]["policy"]["to"][1]["channel"], 2);
  ASSERT_EQ(json["channels"].size(), 4U);
  EXPECT_EQ(json["channels"][0]["from"], "/source");
  EXPECT_EQ(json["channels"][0]["to"], "/worker");
  EXPECT_EQ(json["channels"][3]["from"], "/worker.2");
  EXPECT_EQ(weir::to_json(g, -1).find('\n'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(weir::to_json(graph{}))["nodes"].size(), 0U);
}

// ---- check ----

TEST(check, accepts_what_works) {
  EXPECT_NO_THROW(weir::detail::check(farm_graph(3)));
  EXPECT_NO_THROW(weir::detail::check(farm_graph(1, {distribution::broadcast, 1, {}})));
}

TEST(check, refuses_open_ports) {
  graph no_consumer;
  no_consumer.add(node_of<void, int>("source"));
  EXPECT_SAYS(refusal_of(no_consumer), "/source: its out-port 0 is open");
  graph no_producer;
  no_producer.add(node_of<int, void>("sink"));
  EXPECT_SAYS(refusal_of(no_producer), "/sink: its in-port 0 is open");
  EXPECT_SAYS(refusal_of(graph{}), "has no nodes");
}

TEST(check, refuses_a_node_without_a_behaviour) {
  graph g = farm_graph(2);
  g.nodes()[g.find("/worker.2")].make = nullptr;
  EXPECT_SAYS(refusal_of(g), "/worker.2: has no behaviour; set node_description::make");
}

TEST(check, refuses_policies_that_cant_be) {
  EXPECT_SAYS(refusal_of(farm_graph(2, {distribution::on_demand, 0, {}})), "/source: on_demand(0)");
  EXPECT_SAYS(refusal_of(farm_graph(2, {distribution::by_key, 1, {}})), "/source: by_key needs a function");
  EXPECT_SAYS(refusal_of(farm_graph(2, {distribution::custom, 1, {}})), "/source: custom needs a function");
}

TEST(errors, always_nest_something) {
  const auto nested_in = [](const auto& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const std::runtime_error& nested) {
      return std::string(nested.what());
    }
    return std::string();
  };
  EXPECT_EQ(nested_in(weir::group_error("G2", "", "has gone")), "group G2: has gone");
  EXPECT_EQ(nested_in(weir::group_error("G2", "/read", "broke")), "/read (group G2): broke");
  EXPECT_EQ(nested_in(weir::node_error("/read", "broke")), "broke");
}

TEST(check, refuses_to_broadcast_what_cant_be_copied) {
  const std::string said = refusal_of(farm_graph<std::unique_ptr<int>>(2, {distribution::broadcast, 1, {}}));
  EXPECT_SAYS(said, "/source: broadcasts items of type std::unique_ptr<int");
  EXPECT_SAYS(said, "can't be copied");
  EXPECT_NO_THROW(weir::detail::check(farm_graph<std::unique_ptr<int>>(1, {distribution::broadcast, 1, {}})));
}

TEST(check, refuses_cycles_of_bounded_channels_and_names_the_remedy) {
  graph g;
  const node_id source = g.add(node_of<void, int>("source"));
  const node_id head = g.add(node_of<int, int>("head"));
  const node_id tail = g.add(node_of<int, int>("tail"));
  g.connect(source, 0, head, 0);
  g.connect(head, 0, tail, 0);
  const channel_id back = g.connect(tail, 0, head, 0);
  const std::string said = refusal_of(g);
  EXPECT_SAYS(said, "cycle of bounded channels");
  EXPECT_SAYS(said, "make one channel of the cycle unbounded");
  g.channels()[back].unbounded = true;
  EXPECT_NO_THROW(weir::detail::check(g));
}

TEST(check, refuses_a_node_that_feeds_itself_through_a_bounded_channel) {
  graph g;
  const node_id self = g.add(node_of<int, int>("self"));
  g.connect(self, 0, self, 0);
  EXPECT_SAYS(refusal_of(g), "/self: ");
}

TEST(check, refuses_channels_in_no_policy_or_in_two) {
  graph forgotten = farm_graph(2);
  forgotten.nodes()[0].out[0].policy.children.pop_back();
  EXPECT_SAYS(refusal_of(forgotten), "/source: no policy leads to its channel to /worker.2");
  graph twice = farm_graph(2);
  auto& children = twice.nodes()[0].out[0].policy.children;
  children.push_back(children.front());
  EXPECT_SAYS(refusal_of(twice), "/source: its policy names one channel twice");
  graph unknown = farm_graph(2);
  unknown.nodes()[0].out[0].policy.children[0].leaf = 99;
  EXPECT_SAYS(refusal_of(unknown), "/source: its policy names a channel that does not exist");
}

// A channel that `add_channel` made for one node must not appear in the policy of another: its
// items would have another type.
TEST(check, refuses_a_policy_with_the_channel_of_another_node) {
  graph g = farm_graph(1);
  const node_id other = g.add(node_of<void, std::string>("other"));
  const node_id end = g.add(node_of<std::string, void>("end"));
  g.connect(other, 0, end, 0);
  std::swap(g.nodes()[other].out[0].policy, g.nodes()[g.find("/source")].out[0].policy);
  EXPECT_SAYS(refusal_of(g), "/source: its policy names a channel of another out-port, that of /other");
}

// ---- fingerprints ----

TEST(fingerprint, equal_for_equal_graphs) {
  const std::string print = weir::detail::fingerprint(farm_graph(3));
  EXPECT_EQ(print, weir::detail::fingerprint(farm_graph(3)));
  EXPECT_EQ(print.size(), 16U);
  EXPECT_EQ(print.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(fingerprint, differs_for_a_changed_policy_type_width_or_channel) {
  const std::string print = weir::detail::fingerprint(farm_graph(3));
  EXPECT_NE(print, weir::detail::fingerprint(farm_graph(3, {distribution::round_robin, 1, {}})));
  EXPECT_NE(weir::detail::fingerprint(farm_graph(3, {distribution::on_demand, 1, {}})),
            weir::detail::fingerprint(farm_graph(3, {distribution::on_demand, 2, {}})));
  EXPECT_NE(print, weir::detail::fingerprint(farm_graph<unsigned>(3)));
  EXPECT_NE(print, weir::detail::fingerprint(farm_graph(4)));
  graph changed = farm_graph(3);
  changed.channels()[1].unbounded = true;
  EXPECT_NE(print, weir::detail::fingerprint(changed));
  changed = farm_graph(3);
  changed.channels()[1].capacity = 5;
  EXPECT_NE(print, weir::detail::fingerprint(changed));
}

// ---- typed blocks ----

auto numbers() {
  return weir::source([]() -> std::optional<int> { return {}; });
}
auto same() {
  return weir::node([](int n) { return n; });
}
auto end() {
  return weir::sink([](int) {});
}

strings paths_of(network net, std::size_t cores = 2) { return paths_of(net.resolve(cores)); }

TEST(fingerprint, of_a_symbolic_width_does_not_depend_on_the_cores) {
  const auto make = [] { return network(numbers() | weir::farm(same()).named("work").round_robin() | end()); };
  network two = make();
  network eight = make();
  EXPECT_EQ(two.resolve(2).nodes().size(), 4U);
  EXPECT_EQ(eight.resolve(8).nodes().size(), 10U);
  EXPECT_NE(weir::detail::fingerprint(two.resolve(2)), weir::detail::fingerprint(eight.resolve(8)));
  EXPECT_EQ(weir::detail::fingerprint(two.outline()), weir::detail::fingerprint(eight.outline()));
  EXPECT_EQ(weir::detail::fingerprint(two.outline()), weir::detail::fingerprint(make().outline()));
  EXPECT_EQ(paths_of(two.outline()), (strings{"/source1", "/work[*]", "/sink3"}));
  network one = numbers() | weir::farm(same(), 1).named("work").round_robin() | end();
  EXPECT_NE(weir::detail::fingerprint(one.outline()), weir::detail::fingerprint(two.outline()));
  network demanding = numbers() | weir::farm(same()).named("work").on_demand() | end();
  EXPECT_NE(weir::detail::fingerprint(demanding.outline()), weir::detail::fingerprint(two.outline()));
}

TEST(network, resolves_once) {
  network net = numbers() | weir::farm(same()) | end();
  EXPECT_EQ(net.resolve(2).nodes().size(), 4U);
  EXPECT_EQ(net.resolve(8).nodes().size(), 4U);
}

TEST(network, replaces_only_nodes_it_has) {
  network net = numbers() | end();
  EXPECT_THROW(net.replace("/source1", std::make_unique<idle>()), std::logic_error);
  net.resolve(2);
  EXPECT_NO_THROW(net.replace("/source1", std::make_unique<idle>()));
  EXPECT_SAYS(refusal([&] { net.replace("/other", std::make_unique<idle>()); }), "/other: is not a node");
}

TEST(paths, of_farms) {
  EXPECT_EQ(paths_of(numbers() | weir::farm(same(), 3).named("split") | end()),
            (strings{"/source1", "/split[0]", "/split[1]", "/split[2]", "/sink3"}));
  EXPECT_EQ(paths_of(numbers() | weir::farm(same().named("split"), 2) | end().named("end")),
            (strings{"/source1", "/split[0]", "/split[1]", "/end"}));
  EXPECT_EQ(paths_of(numbers() | weir::farm(same(), 2) | end()),
            (strings{"/source1", "/farm2[0]", "/farm2[1]", "/sink3"}));
}

TEST(paths, of_farms_in_farms) {
  EXPECT_EQ(paths_of(numbers() | weir::farm(weir::farm(same(), 2).named("inner"), 2).named("outer") | end()),
            (strings{"/source1", "/outer[0]/inner[0]", "/outer[0]/inner[1]", "/outer[1]/inner[0]", "/outer[1]/inner[1]",
                     "/sink3"}));
  EXPECT_EQ(paths_of(numbers() | weir::farm(weir::farm(same(), 1), 2) | end()),
            (strings{"/source1", "/farm2[0][0]", "/farm2[1][0]", "/sink3"}));
  EXPECT_EQ(paths_of(numbers() | weir::farm(same().named("a") | same().named("b"), 2).named("f") | end()),
            (strings{"/source1", "/f[0]/a", "/f[0]/b", "/f[1]/a", "/f[1]/b", "/sink3"}));
}

TEST(paths, of_sets_and_duplicates) {
  EXPECT_EQ(paths_of(numbers() | weir::set(same().named("a"), same(), same().named("a")).named("s") | end()),
            (strings{"/source1", "/s/a", "/s[1]", "/s/a.2", "/sink3"}));
  EXPECT_EQ(paths_of(numbers() | same().named("x") | same().named("x") | same().named("x") | end()),
            (strings{"/source1", "/x", "/x.2", "/x.3", "/sink5"}));
}

TEST(paths, tell_each_node_its_place_in_the_farm) {
  network net = numbers() | weir::farm(same(), 3) | end();
  const graph& g = net.resolve(2);
  for (std::size_t i = 0; i != 3; ++i) {
    EXPECT_EQ(g.nodes()[i + 1].index, i);
    EXPECT_EQ(g.nodes()[i + 1].width, 3U);
  }
}

TEST(policies, of_blocks_become_trees) {
  network net = numbers() | weir::farm(weir::farm(same(), 2).broadcast(), 3).on_demand(2) | end();
  const graph& g = net.resolve(2);
  EXPECT_EQ(to_string(g.nodes()[0].out[0].policy), "on_demand2(broadcast(2), broadcast(2), broadcast(2))");
  EXPECT_NO_THROW(weir::detail::check(g));
}

TEST(capacities, are_those_of_the_innermost_block_that_says_so) {
  const auto capacities = [](const auto& middle) {
    std::vector<std::size_t> found;
    const graph g = weir::network(numbers() | middle | end()).outline();
    for (const auto& c : g.channels()) found.push_back(c.capacity);
    return found;
  };
  using sizes = std::vector<std::size_t>;
  EXPECT_EQ(capacities(weir::farm(same(), 2).capacity(3)), (sizes{3, 3, 0, 0}));
  EXPECT_EQ(capacities(weir::farm(same().capacity(5), 2).capacity(3)), (sizes{5, 5, 0, 0}));
  EXPECT_EQ(capacities((same() | same().capacity(4)).capacity(2)), (sizes{4, 2, 0}));
  EXPECT_THROW(static_cast<void>(same().capacity(0)), weir::graph_error);
}

// A negative number becomes a large one.
TEST(limits, of_numbers_of_items) {
  const std::string too_much = "(18446744073709551615) is too much; use at most 1099511627776";
  const auto most = std::size_t(-1);
  EXPECT_EQ(refusal([&] { return same().capacity(most); }), "node: capacity" + too_much);
  EXPECT_EQ(refusal([&] { return same().in_flight(most); }), "node: in_flight" + too_much);
  EXPECT_EQ(refusal([&] { return weir::farm(same(), 2).on_demand(most); }), "farm: on_demand" + too_much);
  EXPECT_SAYS(refusal([&] { return weir::farm(same(), 2).between(1, most); }), "it may have at most 65536 workers");
}

// The widths of nested farms multiply, and so do those of two farms in a row.
TEST(limits, of_the_whole_network) {
  const auto refused = [](const auto& middle) {
    return refusal([&] { return weir::network(numbers() | middle | end()).resolve(2); });
  };
  EXPECT_EQ(refused(weir::farm(weir::farm(same(), 2000), 2000).named("all")),
            "/all: would have 4000000 nodes, and a network has at most 262144; make its farms narrower");
  EXPECT_EQ(refused(weir::farm(weir::farm(weir::farm(same(), 2), 1000).named("some"), 2000)),
            "/some: would have 4000000 nodes, and a network has at most 262144; make its farms narrower");
  EXPECT_EQ(refused(weir::farm(same(), 2000) | weir::farm(same(), 2000).named("right")),
            "/right: would have 4000000 channels, and a network has at most 1048576; make its farms narrower, or put a "
            "weir::pass before it");
  EXPECT_EQ(refused(weir::farm(weir::farm(same(), 30) | weir::farm(same(), 30), 2000).named("all")),
            "/all: would have 1800000 channels, and a network has at most 1048576; make its farms narrower");
  network net = numbers() | weir::farm(same(), 2000) | weir::farm(same(), 2000).one_to_one() | end();
  EXPECT_EQ(std::as_const(net.resolve(2)).channels().size(), 6000U);
}

// '/' and '[' have a meaning in a path.
TEST(names, that_could_be_paths_are_refused) {
  for (const char* const name : {"a/b", "/", "a b[0]", "]", "two\nlines", "\x7f",
                                 "\xc2\x9b"
                                 "31mred"}) {
    EXPECT_SAYS(refusal([&] { return same().named(name); }), "a name has no '/', '[', ']' and no control characters");
  }
  EXPECT_EQ(refusal([] { return same().named("\033[31mred"); }),
            "named(\"\\033[31mred\"): a name has no '/', '[', ']' and no control characters; use others");
  EXPECT_SAYS(refusal([] {
                return same().named(
                    "\xc2\x9b"
                    "31mred");
              }),
              "named(\"\\302\\23331mred\")");
  EXPECT_NO_THROW(static_cast<void>(same().named("count words, \xc3\xa9")));
}

TEST(names, of_nodes_that_are_added_have_no_control_characters) {
  graph g;
  EXPECT_SAYS(refusal([&] { return g.add(node_of<void, int>("/a\033[31m")); }),
              "/a\\033[31m: a path has no control characters");
  EXPECT_TRUE(g.nodes().empty());
}

TEST(policies, two_are_refused) {
  const std::string said = refusal([] { return weir::farm(same(), 2).named("work").round_robin().on_demand(); });
  EXPECT_SAYS(said, "work: has two policies, round_robin and on_demand");
  EXPECT_SAYS(refusal([] { return weir::farm(same(), 2).on_demand(0); }), "on_demand(0)");
  EXPECT_SAYS(refusal([] { return weir::farm(same(), 0); }), "has no workers");
}

TEST(policies, one_to_one_needs_equal_widths) {
  const auto joined = [](std::size_t before, std::size_t after) {
    return network(numbers() | weir::farm(same(), before) | weir::farm(same(), after).one_to_one() | end());
  };
  const std::string said = refusal([&] { joined(3, 4).resolve(2); });
  EXPECT_SAYS(said, "one_to_one");
  EXPECT_SAYS(said, "3 producers");
  EXPECT_SAYS(said, "4 consumers");
  network net = joined(3, 3);
  const graph& g = net.resolve(2);
  EXPECT_EQ(g.channels().size(), 9U);
  EXPECT_NO_THROW(weir::detail::check(g));
  EXPECT_SAYS(refusal([] {
                const auto second = weir::farm(same(), 2).round_robin().one_to_one();
                network two = numbers() | weir::farm(same(), 2) | second | end();
                two.resolve(2);
              }),
              "round_robin");
}

TEST(policies, one_to_one_of_the_first_block_in_a_pipeline_is_that_of_the_pipeline) {
  network net = numbers() | weir::farm(same(), 2) | (weir::farm(same(), 2).one_to_one() | same()).named("p") | end();
  EXPECT_EQ(net.resolve(2).channels().size(), 7U);  // 2 + 2 + 2 + 1
}

TEST(policies, one_to_one_inside_a_block_that_shares_out_is_refused) {
  const std::string said = refusal([] {
    network net = numbers() | weir::farm(weir::farm(same(), 2).one_to_one(), 2).named("outer") | end();
    net.resolve(2);
  });
  EXPECT_SAYS(said, "/outer[0]");
  EXPECT_SAYS(said, "is one_to_one inside");
}

TEST(policies, a_worker_that_cant_be_copied_is_refused_in_a_farm) {
  struct unique {
    int process(int n) { return n + *offset; }
    std::unique_ptr<int> offset = std::make_unique<int>(1);
  };
  network net = numbers() | weir::farm(weir::node(unique{}), 2) | end();
  EXPECT_SAYS(refusal([&] { net.resolve(2); }), "give farm a factory");
}

}  // namespace

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/graph/dot.hpp"

#include "weir/graph/graph.hpp"
#include "weir/graph/network.hpp"
#include "weir/weir.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace {

using weir::detail::drawing;

std::size_t count(std::string_view text, std::string_view words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + words.size())) ++found;
  return found;
}

#define EXPECT_HAS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)
#define EXPECT_LACKS(text, words) EXPECT_EQ((text).find(words), std::string::npos) << (text)

auto numbers() {
  return weir::source([]() -> std::optional<int> { return {}; });
}
auto same() {
  return weir::node([](int n) { return n; });
}
auto end() {
  return weir::sink([](int) {});
}
std::string dot_of(weir::network net) { return weir::detail::to_dot(net.resolve(2)); }

drawing pair_of(const std::string& name) {
  drawing d;
  d.nodes = {{name, "source", ""}, {"/end", "sink", ""}};
  d.channels = {{0, 0, 1, 0, "int"}};
  return d;
}

TEST(dot, shows_nodes_and_item_types_from_left_to_right) {
  const std::string text = dot_of(numbers().named("in") | same().named("half") | end().named("out"));
  EXPECT_HAS(text, "digraph weir {");
  EXPECT_HAS(text, "rankdir=LR");
  EXPECT_HAS(text, "\"/in\" -> \"/half\"");
  EXPECT_HAS(text, "\"/half\" -> \"/out\"");
  EXPECT_EQ(count(text, ">int</FONT>"), 2U) << text;
  EXPECT_EQ(text.substr(text.size() - 2), "}\n");
}

TEST(dot, boxes_a_farm_and_names_its_policy_once) {
  const std::string text =
      dot_of(numbers() | weir::farm(same(), 3).named("a") | weir::farm(same(), 4).named("b").on_demand(2) | end());
  EXPECT_EQ(count(text, "subgraph cluster_"), 2U) << text;
  EXPECT_EQ(count(text, ">on_demand(2)<"), 1U) << text;
  EXPECT_EQ(count(text, ">balance<"), 1U) << text;
  EXPECT_EQ(count(text, "4 channels of int"), 3U + 1U) << text;  // one for each of the three nodes a, and one for b
  EXPECT_EQ(count(text, " -> \"joint"), 1U + 3U + 4U) << text;
}

TEST(dot, names_nested_policies_from_the_outside_in) {
  const std::string text = dot_of(numbers() | weir::farm(weir::farm(same(), 2).broadcast(), 3).round_robin() | end());
  EXPECT_EQ(count(text, ">round_robin &gt; broadcast<"), 1U) << text;
}

TEST(dot, joins_one_to_one_without_a_joint) {
  const std::string text =
      dot_of(numbers() | weir::farm(same(), 3).named("a") | weir::farm(same(), 3).named("b").one_to_one() | end());
  EXPECT_HAS(text, "\"/a[2]\" -> \"/b[2]\"");
  EXPECT_LACKS(text, "\"/a[2]\" -> \"/b[1]\"");
}

TEST(dot, draws_a_wide_farm_as_one_node) {
  const auto wide = [](std::size_t width) {
    return dot_of(numbers() | weir::farm(same(), width).named("a") | weir::farm(same(), width).named("b") | end());
  };
  EXPECT_HAS(wide(16), "\"/a[15]\"");
  const std::string text = wide(64);
  EXPECT_LACKS(text, "/a[15]");
  EXPECT_HAS(text, "a[*] ×64");
  EXPECT_HAS(text, "\"/a[*]\" -> \"/b[*]\"");
  EXPECT_HAS(text, "4096 channels of int");
  EXPECT_LT(text.size(), 4096U);
}

TEST(dot, frames_groups) {
  drawing d = pair_of("/begin");
  d.nodes[1].group = "far & wide";
  EXPECT_HAS(weir::detail::to_dot(d), "<B>far &amp; wide</B>");
}

TEST(dot, dashes_channels_without_a_limit) {
  drawing d = pair_of("/begin");
  EXPECT_LACKS(weir::detail::to_dot(d), "dashed");
  d.channels[0].unbounded = true;
  EXPECT_HAS(weir::detail::to_dot(d), "style=dashed");
}

TEST(dot, escapes_names) {
  const std::string text = weir::detail::to_dot(pair_of("/a\"b\\c\nd{e}<f>&g\xff\x01"));
  EXPECT_HAS(text, "label=<a&quot;b\\c\\nd{e}&lt;f&gt;&amp;g\xEF\xBF\xBD\\u0001");
  EXPECT_HAS(text, "\"/a\\\"b\\\\c\\nd{e}<f>&amp;g");
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(dot, has_a_legend_only_with_counters) {
  drawing d = pair_of("/begin");
  EXPECT_LACKS(weir::detail::to_dot(d), "busy");
  d.nodes[0].busy = 0.934;
  d.nodes[1].busy = 1.7;  // clocks are not exact
  d.channels[0].fill = 0.5;
  d.caption = "a run";
  const std::string text = weir::detail::to_dot(d);
  EXPECT_HAS(text, "busy 93 %");
  EXPECT_HAS(text, "busy 100 %");
  EXPECT_HAS(text, "fill 50 %");
  EXPECT_HAS(text, "a run");
  EXPECT_HAS(text, "<TABLE");
}

TEST(dot, shows_the_range_of_a_wide_farm) {
  drawing d;
  for (int i = 0; i != 20; ++i) d.nodes.push_back({"/w[" + std::to_string(i) + "]", "node", "", 20, i / 20.0});
  EXPECT_HAS(weir::detail::to_dot(d), "busy 0–95 %");
}

struct master {
  void process(int n, weir::outlet<int>& jobs, weir::outlet<int>&) { jobs.send(n); }
  void returned(int n, weir::outlet<int>&, weir::outlet<int>& answers) { answers.send(n); }
};
void half(int n, weir::outlet<int>& done, weir::outlet<int>& back) { (n % 2 == 0 ? back : done).send(n / 2); }

// Returns the text of the frame of a loop. The frame is invisible, and nothing else has this style.
std::string loop_frame(const std::string& text) {
  const std::size_t begin = text.find("label=\"\"; style=invis;");
  return begin == text.npos ? "" : text.substr(begin, text.rfind("\n  }\n") - begin);
}

TEST(dot, draws_what_comes_back_outside_of_the_loop) {
  const std::string text =
      dot_of(numbers() | weir::feedback(master{}, weir::farm(same(), 3).named("work")).named("search") | end());
  const std::string inside = loop_frame(text);
  for (const char* node : {"/search/master1", "/search/work[0]", "/search/work[2]"}) {
    EXPECT_HAS(inside, "\"" + std::string(node) + "\" [");
  }
  EXPECT_LACKS(inside, "\"/source1\" [");
  // For Graphviz all arrows lead forward, so that it keeps the ranks. The arrow to the master has
  // its head at the tail.
  EXPECT_EQ(count(text, "]\":e -> \"back from"), 3U) << text;
  EXPECT_EQ(count(text, "dir=back"), 1U) << text;
  EXPECT_EQ(count(inside, "\"back from"), 0U) << text;
  EXPECT_HAS(text, "back in the loop /search");
}

TEST(dot, draws_a_farm_that_sends_back_to_itself) {
  const std::string text = dot_of(numbers() | weir::feedback(weir::farm(&half, 3).named("halve")) | end());
  EXPECT_EQ(count(text, "]\":e -> \"back from"), 3U) << text;
  EXPECT_EQ(count(text, "\"back to"), 1U + 3U + 1U) << text;
  EXPECT_HAS(text, "dir=none");
  EXPECT_LACKS(text, "dir=back");
}

TEST(dot, draws_the_loop_of_one_node_at_that_node) {
  const std::string text = dot_of(numbers() | weir::feedback(weir::node(&half).named("halve")) | end());
  EXPECT_HAS(text, "/halve\" -> \"/feedback2/halve\"");
}

TEST(dot, says_how_much_passed_and_where_the_limit_is) {
  drawing d = pair_of("/begin");
  d.nodes.push_back({"/other", "sink", ""});
  d.channels.push_back({0, 0, 2, 0, "int"});
  d.channels[0].items = 9322;
  d.channels[1].items = 40'000;
  EXPECT_HAS(weir::detail::to_dot(d), ">49.3 k<");
  EXPECT_LACKS(weir::detail::to_dot(d), "/s<");
  d.seconds = 2;
  d.nodes[1].bottleneck = true;
  d.nodes[2].waiting_input = 0.76;
  d.verdict = "/end & nothing else";
  const std::string text = weir::detail::to_dot(d);
  for (const char* words : {">9322<", ">4661/s<", ">40.0 k<", ">20.0 k/s<", ">49.3 k<", ">24.7 k/s<"}) {
    EXPECT_HAS(text, words);
  }
  EXPECT_EQ(count(text, "<B>bottleneck</B>"), 1U) << text;
  EXPECT_HAS(text, "no input 76 %");
  EXPECT_HAS(text, "<B>/end &amp; nothing else</B>");
}

TEST(dot, breaks_what_stands_below_between_words) {
  drawing d = pair_of("/begin");
  d.verdict = std::string(40, 'a') + ' ' + std::string(40, 'b') + ' ' + std::string(100, 'c');
  EXPECT_HAS(weir::detail::to_dot(d), "a<BR/>b");
  EXPECT_HAS(weir::detail::to_dot(d), "b<BR/>c");
  EXPECT_HAS(weir::detail::to_dot(d), std::string(100, 'c') + "</B>");
  d.verdict = std::string(35, 'a') + " 52 %: " + std::string(36, 'b');
  EXPECT_HAS(weir::detail::to_dot(d), " 52 %:<BR/>b");
}

TEST(dot, breaks_the_title_of_a_box_between_names) {
  drawing d = pair_of("/begin");
  for (int i = 0; i != 2; ++i) {
    d.nodes.push_back({"/feedback2/pipeline1/a/farm[" + std::to_string(i) + "]", "node", "", 2});
  }
  EXPECT_HAS(weir::detail::to_dot(d), "label=<feedback2/<BR/>pipeline1/a/<BR/>farm>");
  d.downwards = true;
  EXPECT_LACKS(weir::detail::to_dot(d), "label=<feedback2/<BR/>");
  EXPECT_HAS(weir::detail::to_dot(d), "label=<feedback2/pipeline1/a/farm[1]>");
}

TEST(dot, shortens_types_in_labels_only) {
  drawing d = pair_of("/begin");
  d.channels[0].type = "std::vector<(anonymous namespace)::task>";
  EXPECT_HAS(weir::detail::to_dot(d), ">std::vector&lt;task&gt;<");
  EXPECT_HAS(weir::detail::to_dot(d), "(anonymous namespace)::task");
}

TEST(dot, draws_from_top_to_bottom) {
  drawing d = pair_of("/begin");
  d.downwards = true;
  EXPECT_HAS(weir::detail::to_dot(d), "rankdir=TB");
}

TEST(dot, draws_an_empty_graph) { EXPECT_HAS(weir::detail::to_dot(weir::graph{}), "digraph weir {"); }

}  // namespace

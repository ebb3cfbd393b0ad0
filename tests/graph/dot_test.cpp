// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/dot.hpp"

#include "weir/graph/graph.hpp"
#include "weir/graph/network.hpp"
#include "weir/weir.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace {

using weir::drawing;

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
std::string dot_of(weir::network net) { return weir::to_dot(net.resolve(2)); }

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
  EXPECT_EQ(count(text, "4 channels of int"), 3U + 1U) << text;  // from each of a; and from b
  EXPECT_EQ(count(text, "\" -> \"joint"), 1U + 3U + 4U) << text;
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
  EXPECT_HAS(weir::to_dot(d), "<B>far &amp; wide</B>");
}

TEST(dot, dashes_channels_without_a_limit) {
  drawing d = pair_of("/begin");
  EXPECT_LACKS(weir::to_dot(d), "dashed");
  d.channels[0].unbounded = true;
  EXPECT_HAS(weir::to_dot(d), "style=dashed");
}

TEST(dot, escapes_names) {
  const std::string text = weir::to_dot(pair_of("/a\"b\\c\nd{e}<f>&g\xff\x01"));
  EXPECT_HAS(text, "label=<a&quot;b\\c\\nd{e}&lt;f&gt;&amp;g\xEF\xBF\xBD\\u0001");
  EXPECT_HAS(text, "\"/a\\\"b\\\\c\\nd{e}<f>&amp;g");
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(dot, has_a_legend_only_with_counters) {
  drawing d = pair_of("/begin");
  EXPECT_LACKS(weir::to_dot(d), "busy");
  d.nodes[0].busy = 0.934;
  d.nodes[1].busy = 1.7;  // clocks are not exact
  d.channels[0].fill = 0.5;
  d.caption = "a run";
  const std::string text = weir::to_dot(d);
  EXPECT_HAS(text, "busy 93 %");
  EXPECT_HAS(text, "busy 100 %");
  EXPECT_HAS(text, "fill 50 %");
  EXPECT_HAS(text, "a run");
  EXPECT_HAS(text, "<TABLE");
}

TEST(dot, shows_the_range_of_a_wide_farm) {
  drawing d;
  for (int i = 0; i != 20; ++i) d.nodes.push_back({"/w[" + std::to_string(i) + "]", "node", "", 20, i / 20.0});
  EXPECT_HAS(weir::to_dot(d), "busy 0–95 %");
}

TEST(dot, draws_an_empty_graph) { EXPECT_HAS(weir::to_dot(weir::graph{}), "digraph weir {"); }

}  // namespace

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ignore_rules.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace {

using filesearch::ignore_rules;

constexpr bool file = false;
constexpr bool directory = true;

TEST(ignore_rules, match_names_at_any_depth_and_paths_from_their_directory) {
  const ignore_rules rules("*.o\n/build\nsub/x?\n");
  EXPECT_EQ(rules.ignores("a.o", file), true);
  EXPECT_EQ(rules.ignores("sub/deep/a.o", file), true);
  EXPECT_EQ(rules.ignores("a.c", file), std::nullopt);
  EXPECT_EQ(rules.ignores("build", directory), true);
  EXPECT_EQ(rules.ignores("sub/build", directory), std::nullopt);
  EXPECT_EQ(rules.ignores("sub/x1", file), true);
  EXPECT_EQ(rules.ignores("a/sub/x1", file), std::nullopt);
}

TEST(ignore_rules, let_the_last_line_that_matches_count) {
  const ignore_rules rules("*\n!*.c\nold.c\n");
  EXPECT_EQ(rules.ignores("a.h", file), true);
  EXPECT_EQ(rules.ignores("a.c", file), false);
  EXPECT_EQ(rules.ignores("old.c", file), true);
}

TEST(ignore_rules, know_directories) {
  const ignore_rules rules("out/\n");
  EXPECT_EQ(rules.ignores("out", directory), true);
  EXPECT_EQ(rules.ignores("sub/out", directory), true);
  EXPECT_EQ(rules.ignores("out", file), std::nullopt);
}

TEST(ignore_rules, take_two_asterisks_for_any_number_of_directories) {
  const ignore_rules rules("**/one\na/**/b\nc/**\nx**y\n");
  EXPECT_EQ(rules.ignores("one", file), true);
  EXPECT_EQ(rules.ignores("p/q/one", file), true);
  EXPECT_EQ(rules.ignores("a/b", file), true);
  EXPECT_EQ(rules.ignores("a/p/q/b", file), true);
  EXPECT_EQ(rules.ignores("p/a/b", file), std::nullopt);
  EXPECT_EQ(rules.ignores("c", directory), std::nullopt);
  EXPECT_EQ(rules.ignores("c/p", file), true);
  EXPECT_EQ(rules.ignores("p/x1y", file), true);
}

TEST(ignore_rules, read_comments_spaces_and_backslashes) {
  const ignore_rules rules("\xEF\xBB\xBF# none\n\n\\#one\n\\!two\nthree  \nfour\\ \nfive\r\n");
  EXPECT_EQ(rules.ignores("# none", file), std::nullopt);
  EXPECT_EQ(rules.ignores("#one", file), true);
  EXPECT_EQ(rules.ignores("!two", file), true);
  EXPECT_EQ(rules.ignores("three", file), true);
  EXPECT_EQ(rules.ignores("four ", file), true);
  EXPECT_EQ(rules.ignores("four", file), std::nullopt);
  EXPECT_EQ(rules.ignores("five", file), true);
}

}  // namespace

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "file_filter.hpp"

#include <gtest/gtest.h>

namespace {

using filesearch::file_filter;

TEST(file_filter, takes_everything_unless_told) {
  const file_filter none;
  EXPECT_TRUE(none.takes_file("a") && none.takes_directory("a") && none.takes_named_file("a/b"));
}

TEST(file_filter, follows_the_last_glob_that_matches) {
  file_filter only;
  only.include("*.c");
  only.exclude("a*");
  EXPECT_TRUE(only.takes_file("b.c"));
  EXPECT_FALSE(only.takes_file("a.c"));
  EXPECT_FALSE(only.takes_file("b.h")) << "the first is an include";
  file_filter most;
  most.exclude("a*");
  most.include("*.c");
  EXPECT_TRUE(most.takes_file("a.c"));
  EXPECT_TRUE(most.takes_file("b.h"));
  EXPECT_FALSE(most.takes_file("a.h"));
}

TEST(file_filter, looks_at_the_ends_of_named_paths) {
  file_filter filter;
  filter.exclude("b/c");
  filter.exclude_directory("sub/");
  EXPECT_FALSE(filter.takes_named_file("a/b/c"));
  EXPECT_TRUE(filter.takes_named_file("a/xb/c"));
  EXPECT_FALSE(filter.takes_named_directory("a/sub"));
  EXPECT_FALSE(filter.takes_directory("sub"));
  EXPECT_TRUE(filter.takes_file("sub"));
}

}  // namespace

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "writer.hpp"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

namespace {

using filesearch::findings;

std::string written(const std::string& separator, std::vector<findings> sent) {
  filesearch::outcome sum;
  filesearch::writer to(separator, sum);
  testing::internal::CaptureStdout();
  for (findings& one : sent) to.process(std::move(one));
  return testing::internal::GetCapturedStdout();
}

TEST(writer, keeps_the_parts_of_a_file_together) {
  EXPECT_EQ(written("", {{"a1 ", 0, true, false},
                         {"b1 ", 1, false, false},
                         {"a2 ", 0, true, true},
                         {"c1 ", 2, true, false},
                         {"b2 ", 1, false, false},
                         {"c2 ", 2, false, true},
                         {"a3 ", 0, false, true},
                         {"d ", 3, false, false}}),
            "a1 a2 a3 b1 c1 c2 b2 d ");
}

TEST(writer, separates_batches_but_not_parts) {
  EXPECT_EQ(written("--\n", {{"a\n", 0, true, false}, {"b\n", 0, false, true}, {"c\n", 0, false, false}}),
            "a\nb\n--\nc\n");
}

// Users who see both streams on one terminal expect this order.
TEST(writer, says_what_is_wrong_with_a_file_behind_its_lines) {
  filesearch::outcome sum;
  filesearch::writer to("", sum);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  to.process({"a1\n", 0, true, false});
  to.process({"", 1, false, false, {}, "b: binary file matches"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  to.process({"a2\n", 0, false, true, {}, "a: binary file matches"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "filesearch: a: binary file matches\nfilesearch: b: binary file matches\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "a1\na2\n");
}

TEST(writer, adds_up_what_was_found) {
  filesearch::outcome sum;
  std::stop_source enough;
  filesearch::writer to("", sum, &enough);
  to.process({"", 0, false, false, {.files = 2, .bytes = 10, .errors = 1}});
  EXPECT_FALSE(enough.stop_requested());
  to.process({"", 1, false, false, {.files = 1, .bytes = 5, .matching_files = 1}});
  EXPECT_TRUE(enough.stop_requested());
  EXPECT_EQ(sum, (filesearch::outcome{.files = 3, .bytes = 15, .matching_files = 1, .errors = 1}));
}

}  // namespace

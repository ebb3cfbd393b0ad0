// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "writer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using filesearch::findings;

std::string written(const std::string& separator, std::vector<findings> sent) {
  filesearch::writer to(separator);
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

}  // namespace

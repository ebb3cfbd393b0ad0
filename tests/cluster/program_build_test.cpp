// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/program_build.hpp"

#include <gtest/gtest.h>

namespace {

using weir::cluster::program_build;

const program_build one{"/p", "x86_64", "1a", {{"liba.so", "2b"}, {"libb.so", "3c"}}};

TEST(builds, differ_by_the_program_or_by_a_library_that_both_have) {
  EXPECT_EQ(difference(one, one, "G1"), "");
  program_build other = one;
  other.program = "/copies/p";  // only the path differs: the same build
  EXPECT_EQ(difference(other, one, "G1"), "");
  other.id = "4d";
  other.machine = "aarch64";
  EXPECT_EQ(difference(other, one, "G1"),
            "runs another build of the program than G1: /copies/p (aarch64, 4d), not /p (x86_64, 1a)");
  other = one;
  other.libraries.back().id = "5e";
  EXPECT_EQ(difference(other, one, "G1"), "has another build of libb.so loaded than G1: 5e, not 3c");
  other.libraries.back() = {"preloaded.so", "5e"};
  EXPECT_EQ(difference(other, one, "G1"), "");
  EXPECT_EQ(difference(one, other, "G2"), "");
}

TEST(builds, of_this_process_has_a_file_an_architecture_and_an_id) {
  const program_build& self = program_build::of_this_process();
  EXPECT_TRUE(self.program.ends_with("weir_cluster_tests")) << self.program;
  EXPECT_FALSE(self.machine.empty());
  EXPECT_GE(self.id.size(), 16U) << self.id;
  for (const program_build::library& each : self.libraries) {
    EXPECT_FALSE(each.name.starts_with("libc.so")) << "that is the system's";
    EXPECT_FALSE(each.id.empty()) << each.name;
  }
}

}  // namespace

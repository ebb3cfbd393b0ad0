// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/lines.hpp"
#include "weir/io/write_lines.hpp"

#include "folder.hpp"

#include <stdexcept>
#include <string>

namespace {

class zstd : public weir_test::in_folder {};
WEIR_UNDER_EACH_EXECUTOR(zstd);

TEST_P(zstd, is_refused_by_a_build_without_zstd) {
  using namespace std::string_literals;
  EXPECT_EQ(problem_with(weir::lines(write("packed", "\x28\xb5\x2f\xfd and more"s))),
            "/lines1: can't read '" + at("packed") +
                "': it is compressed with zstd, and this weir was built without zstd; decompress it with unzstd");
  try {
    static_cast<void>(weir::write_lines(at("out"), {.compress = weir::compression::zstd}));
    FAIL() << "it is taken";
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "this weir was built without zstd; choose no compression, or build it with zstd");
  }
}

}  // namespace

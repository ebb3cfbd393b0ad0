// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/lines.hpp"
#include "weir/io/write_lines.hpp"

#include "folder.hpp"

#include <stdexcept>
#include <string>

namespace {

class gzip : public weir_test::in_folder {};
WEIR_UNDER_EACH_EXECUTOR(gzip);

TEST_P(gzip, is_refused_by_a_build_without_zlib) {
  using namespace std::string_literals;
  EXPECT_EQ(problem_with(weir::lines(write("packed", "\x1f\x8b\x08\x00 and more"s))),
            "/lines1: can't read '" + at("packed") +
                "': it is compressed with gzip, and this weir was built without zlib; decompress it with gunzip");
  try {
    static_cast<void>(weir::write_lines(at("out"), {.compress = weir::compression::gzip}));
    FAIL() << "it is taken";
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "this weir was built without zlib; choose no compression, or build it with zlib");
  }
}

}  // namespace

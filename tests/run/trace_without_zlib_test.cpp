// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/error.hpp"

#include "networks.hpp"

#include <string>

namespace {

using namespace weir_test;

TEST(trace_without_zlib, is_not_compressed) {
  weir::network net = numbers(1) | weir::sink([](long) {});
  weir::run_options options;
  options.trace.file = "no/where.json.gz";
  try {
    weir::run(net, options);
    FAIL() << "no error";
  } catch (const weir::graph_error& problem) {
    EXPECT_STREQ(problem.what(),
                 "run_options::trace: can't compress 'no/where.json.gz', because this weir was built without zlib; "
                 "name a file that does not end in .gz");
  }
}

}  // namespace

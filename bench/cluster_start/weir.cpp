// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A pipeline of 8 nodes and one item, for command.py.
#include "../weir_parts.hpp"

#include <exception>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 1}});
  const std::int64_t items = given["items"];
  std::int64_t count = 0;
  std::int64_t sum = 0;
  try {
    const weir::report report =
        weir::run(weir::source(counting_source{items}).named("n0") | weir::node(adder{}).named("n1") |
                  weir::node(adder{}).named("n2") | weir::node(adder{}).named("n3") | weir::node(adder{}).named("n4") |
                  weir::node(adder{}).named("n5") | weir::node(adder{}).named("n6") |
                  weir::sink(adding_sink{&count, &sum}).named("n7"));
    if (!report.in_result_group) return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  verify("count", count, items);
  std::printf("%lld\n", (long long)sum);
}

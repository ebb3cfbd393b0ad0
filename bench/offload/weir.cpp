// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/serve/accelerator.hpp>

#include "../weir_parts.hpp"

#include <thread>

using namespace weir_bench;

// A stream through a block of one node: one thread sends, another one receives.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 10'000'000}});
  const std::int64_t items = given["items"];
  auto callee = weir::start(weir::node([](std::int64_t item) { return item; }));
  const stopwatch watch;
  std::jthread sender([&] {
    for (std::int64_t i = 0; i != items; ++i) callee.send(i);
    callee.close();
  });
  std::int64_t sum = 0;
  std::int64_t count = 0;
  while (const std::optional<std::int64_t> item = callee.receive()) {
    sum += *item;
    ++count;
  }
  callee.wait();
  const duration took = watch.elapsed();
  verify("count", count, items);
  verify("sum", sum, items * (items - 1) / 2);
  print_result("offload", "weir", items, took);
  return 0;
}

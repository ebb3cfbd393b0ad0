// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: 2
// test-output: /score.1..*/store

// Prints the report of a pipeline whose third stage takes ten times as long as the second. The
// argument is the number of workers of that stage.

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>

namespace {

unsigned mixed(unsigned n, int rounds) {
  for (int i = 0; i != rounds; ++i) n = n * 1664525U + 1013904223U;
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t workers = argc > 1 ? std::stoul(argv[1]) : 1;
  unsigned sum = 0;
  auto read = weir::source([next = 0U]() mutable -> std::optional<unsigned> {
    if (next == 20'000) return std::nullopt;
    return next++;
  });
  auto parse = weir::node([](unsigned n) { return mixed(n, 2'000); });
  auto score = weir::farm([](unsigned n) { return mixed(n, 20'000); }, workers);
  auto store = weir::sink([&](unsigned n) { sum += n; });
  weir::network net = read.named("read") | parse.named("parse") | score.named("score") | store.named("store");

  const weir::report report = weir::run(net);
  std::cout << report;
}

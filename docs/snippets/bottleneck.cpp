// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: /dev/stdout
// test-output: wall_ns

// A pipeline with one slow stage, and its report in a file. docs/tools/weir-graph.md has its
// picture.

#include <weir/weir.hpp>

#include <fstream>
#include <optional>
#include <string>

namespace {

unsigned mixed(unsigned n, int rounds) {
  for (int i = 0; i != rounds; ++i) n = n * 1664525U + 1013904223U;
  return n;
}

void write_report(weir::network& net, const std::string& file) {
  const weir::report report = weir::run(net);
  std::ofstream(file) << weir::to_json(report);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned sum = 0;
  weir::network net = weir::source([next = 0U]() mutable -> std::optional<unsigned> {
                        if (next == 30'000) return std::nullopt;
                        return next++;
                      }).named("read") |
                      weir::farm([](unsigned n) { return mixed(n, 5'000); }, 3).named("parse") |
                      weir::node([](unsigned n) { return mixed(n, 30'000); }).named("score") |
                      weir::sink([&](unsigned n) { sum += n; }).named("store");
  write_report(net, argc > 1 ? argv[1] : "report.json");
}

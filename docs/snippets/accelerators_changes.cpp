// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 2 3 4 .2 4 6 8 .3 workers.so far: .*/work: takes int and sends int, but its replacement takes double

#include <weir/serve/accelerator.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <optional>

struct numbers {
  int last = 0;

  void start() { last = 0; }
  std::optional<int> next() {
    if (last == 4) return std::nullopt;
    return ++last;
  }
};

int main() {
  weir::network net = weir::source(numbers{}) | weir::node([](int n) { return n; }).named("work") |
                      weir::sink([](int n) { std::cout << n << ' '; });
  weir::run(net);
  std::cout << '\n';
  net.replace("/work", [](int n) { return 2 * n; });
  weir::run(net);
  std::cout << '\n';

  weir::network farm =
      weir::source(numbers{}) | weir::farm([](int n) { return n; }, 2).named("split") | weir::sink([](int) {});
  weir::run(farm);
  farm.set_width("/split", 3);
  std::cout << weir::run(farm).nodes.size() - 2 << " workers\n";

  weir::running handle = weir::start(farm);
  std::cout << "so far: " << handle.report_so_far().nodes.back().items << " items\n";
  handle.wait();

  try {
    net.replace("/work", [](double x) { return x; });
  } catch (const weir::graph_error& error) {
    std::cout << error.what() << '\n';
  }
}

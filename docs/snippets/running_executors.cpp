// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 5050 5050 5050 5050

#include <weir/weir.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

int main() {
  int sum = 0;
  auto read = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 100) return std::nullopt;
    return ++next;
  });
  auto pass = weir::farm([](int n) { return n; });  // as many workers as there are cores
  auto add = weir::sink([&](int n) { sum += n; });

  weir::run(read | pass | add);  // the pool, one worker a core, shared by the whole process
  std::cout << sum;

  sum = 0;
  weir::run(read | pass | add, {.workers = 2});  // a pool of two for this run
  std::cout << ' ' << sum;

  sum = 0;
  weir::run(read | pass | add, {.executor = weir::executor::threads});  // a thread for each node
  std::cout << ' ' << sum;

  sum = 0;
  auto fetch = weir::farm(
      [](int n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // stands for a request
        return n;
      },
      8);
  weir::run_options options;
  options.max_threads = 64;
  options.on_waiting = [](std::string_view path) { std::cerr << "still waiting for " << path << '\n'; };
  weir::run(read | fetch.blocking() | add, options);  // the pool gives the core to other nodes while fetch runs
  std::cout << ' ' << sum << '\n';
}

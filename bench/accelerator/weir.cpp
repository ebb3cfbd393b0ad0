// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/serve/accelerator.hpp>

#include "../weir_parts.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace weir_bench;

namespace {

auto pass_on() {
  return weir::node([](std::int64_t item) { return item; });
}

// One caller sends an item and waits for the answer, after a millisecond in which all threads fall
// asleep.
duration timed_idle(std::int64_t items, std::vector<double>& us) {
  auto callee = weir::start(pass_on());
  const stopwatch watch;
  for (std::int64_t i = 0; i != items; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::int64_t before = now_ns();
    callee.send(i);
    verify("answer", callee.receive().value(), i);
    us.push_back(static_cast<double>(now_ns() - before) / 1000);
  }
  return watch.elapsed();
}

// The same without the millisecond, while `others` more callers do the same.
duration timed_busy(std::int64_t items, std::int64_t others, std::vector<double>& us) {
  auto callee = weir::start(pass_on());
  std::atomic<bool> go_on{true};
  std::vector<std::jthread> threads;
  for (std::int64_t i = 0; i != others; ++i) {
    threads.emplace_back([&] {
      while (go_on) {
        callee.send(1);
        callee.receive();
      }
    });
  }
  const stopwatch watch;
  for (std::int64_t i = 0; i != items; ++i) {
    const std::int64_t before = now_ns();
    callee.send(1);
    verify("answer", callee.receive().value(), 1);
    us.push_back(static_cast<double>(now_ns() - before) / 1000);
  }
  go_on = false;
  return watch.elapsed();
}

}  // namespace

// Measures the round trip through a block of one node. With --others n, n other threads keep the
// network busy meanwhile.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 500}, {"others", 0}});
  std::vector<double> us;
  if (given["others"] == 0) {
    timed_idle(20, us);
  } else {
    timed_busy(1000, given["others"], us);
  }
  us.clear();
  const duration took =
      given["others"] == 0 ? timed_idle(given["items"], us) : timed_busy(given["items"], given["others"], us);
  print_result("accelerator", "weir", given["items"], took,
               {{"median_us", quantile(us, 0.5)}, {"p99_us", quantile(us, 0.99)}});
  return 0;
}

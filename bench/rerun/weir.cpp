// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

#include <chrono>
#include <thread>
#include <vector>

using namespace weir_bench;

namespace {

// One item in each run.
struct one_item {
  bool sent = false;

  void start() { sent = false; }
  std::optional<std::int64_t> next() {
    if (std::exchange(sent, true)) return std::nullopt;
    return 1;
  }
};

struct stamps {
  std::int64_t first_process = 0;
  std::int64_t received = 0;
};

weir::network make(std::int64_t workers, stamps& seen) {
  const auto stamp = [&seen](std::int64_t item) {
    seen.first_process = now_ns();
    return item;
  };
  const auto count = weir::sink([&seen](std::int64_t item) { seen.received += item; });
  if (workers == 0) return weir::source(one_item{}) | weir::node(stamp) | count;
  return weir::source(one_item{}) | weir::farm(stamp, static_cast<std::size_t>(workers)) | count;
}

}  // namespace

// Measures the time from the call of `run` to the first `process`: of a network that has run before
// or, with --cold 1, of one that is made for that run. Without --workers it is a pipeline of three
// nodes, else a farm between source and sink. All threads sleep between two runs.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 500}, {"workers", 0}, {"cold", 0}});
  const std::int64_t runs = given["items"];
  stamps seen;
  weir::network warm = make(given["workers"], seen);
  for (int i = 0; i != 5; ++i) weir::run(warm);
  seen.received = 0;
  std::vector<double> first_us;
  std::vector<double> whole_us;
  const stopwatch watch;
  for (std::int64_t i = 0; i != runs; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until the workers sleep, too
    const std::int64_t before = now_ns();
    if (given["cold"] != 0) {
      weir::run(make(given["workers"], seen));
    } else {
      weir::run(warm);
    }
    whole_us.push_back(static_cast<double>(now_ns() - before) / 1000);
    first_us.push_back(static_cast<double>(seen.first_process - before) / 1000);
  }
  const duration took = watch.elapsed();
  verify("count", seen.received, runs);
  print_result("rerun", "weir", runs, took,
               {{"first_us", quantile(first_us, 0.5)},
                {"first_p90_us", quantile(first_us, 0.9)},
                {"run_us", quantile(whole_us, 0.5)}});
  return 0;
}

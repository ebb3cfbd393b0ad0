// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

#include <atomic>
#include <vector>

using namespace weir_bench;

namespace {

struct summing_sink {
  std::atomic<std::int64_t>* total;
  std::int64_t sum = 0;

  void process(std::int64_t item) { sum += item; }
  void finish() { total->fetch_add(sum, std::memory_order_relaxed); }
};

// `width` sources, each joined to `width` sinks; the item is its own key.
duration timed_all_to_all(std::size_t width, std::int64_t items, const weir::run_options& how) {
  const std::int64_t share = items / static_cast<std::int64_t>(width);
  std::atomic<std::int64_t> total{0};
  const std::vector<weir::block<void, std::int64_t>> sources(width, weir::source(counting_source{share}));
  weir::network net = weir::set(sources) | weir::farm(summing_sink{&total}, width).by_key([](std::int64_t item) {
    return static_cast<std::size_t>(item);
  });
  const duration took = timed_run(std::move(net), how);
  verify("sum", total.load(), static_cast<std::int64_t>(width) * (share * (share - 1) / 2));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 8'000'000}, {"workers", 4}, {"threads", 0}});
  const auto width = static_cast<std::size_t>(given["workers"]);
  const weir::run_options how = executor_for(given["threads"]);
  timed_all_to_all(width, given["items"] / 10, how);
  const duration took = timed_all_to_all(width, given["items"], how);
  print_result("all_to_all", "weir", given["items"], took);
}

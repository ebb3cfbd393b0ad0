// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

#include <chrono>
#include <thread>

using namespace weir_bench;

namespace {

// The second item comes after a long sleep; the network has nothing to do meanwhile.
struct sleeping_source {
  std::int64_t milliseconds;
  duration* asleep;
  int made = 0;

  std::optional<std::int64_t> next() {
    if (made == 2) return std::nullopt;
    if (made == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the first item is on its way
      const stopwatch watch;
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      *asleep = watch.elapsed();
    }
    return made++;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"milliseconds", 2000}, {"nodes", 16}, {"threads", 0}});
  duration asleep;
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net = weir::source(sleeping_source{given["milliseconds"], &asleep}) |
                      chain(given["nodes"] - 2, adder{}) | weir::sink(adding_sink{&count, &sum});
  weir::run(net, executor_for(given["threads"]));
  verify("count", count, 2);
  verify("sum", sum, 1 + 2 * (given["nodes"] - 2));
  print_result("idle", "weir", count, asleep,
               {{"idle_cores", static_cast<double>(asleep.cpu_ns) / static_cast<double>(asleep.wall_ns)}});
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ff_parts.hpp"

#include <chrono>
#include <thread>

using namespace weir_bench;

namespace {

// The second task comes after a long sleep; the network has nothing to do meanwhile.
struct sleeping_node : ff::ff_node_t<task> {
  explicit sleeping_node(std::int64_t how_long) : milliseconds(how_long) {}
  task* svc(task*) override {
    if (made == 2) return EOS;
    if (made == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the first item is on its way
      const stopwatch watch;
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      asleep = watch.elapsed();
    }
    ff_send_out(task_of(made++));
    return GO_ON;
  }
  const std::int64_t milliseconds;
  duration asleep;
  std::int64_t made = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"milliseconds", 2000}, {"nodes", 16}});
  const std::int64_t nodes = given["nodes"];
  sleeping_node source(given["milliseconds"]);
  summing_node sink(0);
  ff_chain(source, nodes, sink).timed_run();
  verify("count", sink.count, 2);
  verify("sum", sink.sum, 1 + 2 * (nodes - 2));
  print_result(
      "idle", "ff_headers", sink.count, source.asleep,
      {{"idle_cores", static_cast<double>(source.asleep.cpu_ns) / static_cast<double>(source.asleep.wall_ns)}});
}

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
  std::vector<std::unique_ptr<adding_node>> middle;
  summing_node sink(0);
  ff::ff_pipeline pipe;
  pipe.add_stage(&source);
  for (std::int64_t i = 2; i != nodes; ++i) {
    middle.push_back(std::make_unique<adding_node>(0));
    pipe.add_stage(middle.back().get());
  }
  pipe.add_stage(&sink);
  timed_run(pipe);
  verify("count", sink.count, 2);
  verify("sum", sink.sum, 1 + 2 * (nodes - 2));
  print_result(
      "idle", "ff_headers", sink.count, source.asleep,
      {{"idle_cores", static_cast<double>(source.asleep.cpu_ns) / static_cast<double>(source.asleep.wall_ns)}});
}

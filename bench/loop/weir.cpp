// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

#include <vector>

using namespace weir_bench;

namespace {

struct round_trip {
  std::int64_t task;
  std::int64_t left;
};

// Sends each task round the workers `rounds` times.
struct master {
  std::int64_t rounds;
  std::int64_t* last_returned;
  std::int64_t* finished;

  void process(std::int64_t task, weir::outlet<round_trip>& jobs, weir::outlet<std::int64_t>&) {
    jobs.send({task, rounds});
  }
  void returned(round_trip back, weir::outlet<round_trip>& jobs, weir::outlet<std::int64_t>& answers) {
    if (back.left != 0) {
      jobs.send(back);
      return;
    }
    if (last_returned != nullptr) *last_returned = now_ns();
    answers.send(back.task);
  }
  void finish(weir::outlet<round_trip>&, weir::outlet<std::int64_t>&) {
    if (finished != nullptr) *finished = now_ns();
  }
};

duration timed_loop(std::int64_t tasks, std::int64_t rounds, std::size_t workers, std::int64_t* last_returned = nullptr,
                    std::int64_t* finished = nullptr) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net =
      weir::source(counting_source{tasks}) |
      weir::feedback(master{rounds, last_returned, finished}, weir::farm(
                                                                  [](round_trip job) {
                                                                    return round_trip{job.task, job.left - 1};
                                                                  },
                                                                  workers)) |
      weir::sink(adding_sink{&count, &sum});
  const duration took = timed_run(std::move(net), {});
  verify("count", count, tasks);
  verify("sum", sum, tasks * (tasks - 1) / 2);
  return took;
}

}  // namespace

// An item is one round of a task. `end_us` is the time from the return of the last task to the
// master's `finish`, in small loops.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 10'000'000}, {"rounds", 10}, {"workers", 4}, {"ends", 200}});
  const std::int64_t rounds = given["rounds"];
  const std::int64_t tasks = given["items"] / rounds;
  const auto workers = static_cast<std::size_t>(given["workers"]);
  timed_loop(tasks / 10, rounds, workers);
  const duration took = timed_loop(tasks, rounds, workers);
  std::vector<double> ends;
  for (std::int64_t i = 0; i != given["ends"]; ++i) {
    std::int64_t last_returned = 0;
    std::int64_t finished = 0;
    timed_loop(100, rounds, workers, &last_returned, &finished);
    ends.push_back(static_cast<double>(finished - last_returned) / 1e3);
  }
  print_result("loop", "weir", tasks * rounds, took,
               {{"end_us", quantile(ends, 0.5)}, {"end_p99_us", quantile(ends, 0.99)}});
}

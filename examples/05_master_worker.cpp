// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 19: 1.25992

// A loop: a master cuts tasks into jobs, workers do them, and their results may become further jobs
// or an answer. Tasks, jobs, results and answers have four types. The loop ends by itself, when the
// tasks have ended and nothing is under way any more.

#include <weir/weir.hpp>

#include <iostream>
#include <map>
#include <optional>

namespace {

struct task {
  int id;
  double from, to;  // find the root of x³ - 2 in this interval
};
struct job {
  int id;
  double from, to;
};
struct result {
  int id;
  double from, to;  // half of the job's interval
};
struct answer {
  int id;
  double root;
};

struct master {
  std::map<int, int> rounds{};

  void process(task t, weir::outlet<job>& jobs, weir::outlet<answer>&) { jobs.send({t.id, t.from, t.to}); }
  void returned(result r, weir::outlet<job>& jobs, weir::outlet<answer>& answers) {
    if (++rounds[r.id] == 40) {
      answers.send({r.id, r.from});
    } else {
      jobs.send({r.id, r.from, r.to});
    }
  }
};

result halve(job j) {
  const double middle = (j.from + j.to) / 2;
  return middle * middle * middle < 2 ? result{j.id, middle, j.to} : result{j.id, j.from, middle};
}

}  // namespace

int main() {
  auto search = weir::feedback(master{}, weir::farm(&halve, 8).on_demand());  // block<task, answer>
  weir::run(weir::source([next = 0]() mutable -> std::optional<task> {
              if (next == 20) return std::nullopt;
              const int id = next++;
              return task{id, 0.0, 2.0 + id};
            }) |
            search.named("search") | weir::sink([](answer a) { std::cout << a.id << ": " << a.root << '\n'; }));
  if (std::cout.flush()) return 0;
  std::cerr << "05_master_worker: can't write standard output\n";
  return 1;
}

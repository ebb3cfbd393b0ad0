// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 25 tasks, 0 unfinished

#include <weir/weir.hpp>

#include <iostream>
#include <optional>

namespace {

struct task {
  int id;
  int left;
};

struct master {
  void process(task t, weir::outlet<task>& workers, weir::outlet<task>&) { workers.send(t); }
  void returned(task t, weir::outlet<task>& workers, weir::outlet<task>& finished) {
    if (t.left == 0) {
      finished.send(t);
    } else {
      workers.send(t);
    }
  }
};

task work(task t) {
  --t.left;
  return t;
}

}  // namespace

int main() {
  auto tasks = weir::source([next = 1]() mutable -> std::optional<task> {
    if (next > 25) return std::nullopt;
    const int id = next++;
    return task{id, id};
  });
  int done = 0;
  int unfinished = 0;
  auto count = weir::sink([&](task t) { ++done, unfinished += t.left != 0 ? 1 : 0; });

  weir::run(tasks | weir::feedback(master{}, weir::farm(&work, 4).on_demand()) | count);

  std::cout << done << " tasks, " << unfinished << " unfinished\n";
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1000 items, 100 for worker 9

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <utility>

namespace {

struct task {
  int key;
  double value;
};

struct emitter {
  int made = 0;
  void start() { made = 0; }
  std::optional<task> next() {
    if (made == 1000) return std::nullopt;
    const int key = made++;
    return task{key, 1.0};
  }
};

struct worker {
  int count = 0;
  void start() { count = 0; }
  task process(task t) {
    ++count;
    t.value *= 2;
    return t;
  }
};

struct collector {
  std::size_t* items;
  std::size_t* of_the_last;
  void process(task, weir::context& where) {
    ++*items;
    if (where.channel() == where.channels() - 1) ++*of_the_last;
  }
};

}  // namespace

int main() {
  std::size_t items = 0;
  std::size_t of_the_last = 0;
  auto by_key = [](const task& t, std::size_t width) { return static_cast<std::size_t>(t.key) % width; };

  weir::network net = weir::source(emitter{}) | weir::farm(worker{}, 10).distribute(by_key) |
                      weir::sink(collector{&items, &of_the_last});
  weir::run(net);

  std::cout << items << " items, " << of_the_last << " for worker 9\n";
}

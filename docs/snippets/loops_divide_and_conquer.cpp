// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: sorted 3 lists of 20000 numbers

#include <weir/weir.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace {

using numbers = std::vector<int>;
struct list {
  int id;
  numbers items;
};
struct pair_of_runs {
  int id;
  numbers left;
  numbers right;
};

// Divides a list into small runs, and merges them two by two.
struct merge_sorter {
  struct progress {
    std::size_t runs = 0;  // under way, or waiting here
    std::optional<numbers> waiting{};
  };
  std::map<int, progress> lists{};

  void process(list whole, weir::outlet<pair_of_runs>& jobs, weir::outlet<list>&) {
    constexpr std::size_t size = 1000;
    for (auto at = whole.items.begin(); at != whole.items.end();) {
      const auto end = at + std::min<std::ptrdiff_t>(size, whole.items.end() - at);
      ++lists[whole.id].runs;
      jobs.send({whole.id, numbers(at, end), {}});
      at = end;
    }
  }
  void returned(list run, weir::outlet<pair_of_runs>& jobs, weir::outlet<list>& answers) {
    progress& of = lists[run.id];
    if (of.runs == 1) {
      answers.send(std::move(run));
    } else if (!of.waiting) {
      of.waiting = std::move(run.items);
    } else {
      --of.runs;
      jobs.send({run.id, std::move(*of.waiting), std::move(run.items)});
      of.waiting.reset();
    }
  }
};

list conquered(pair_of_runs both) {
  if (both.right.empty()) {
    std::sort(both.left.begin(), both.left.end());
    return {both.id, std::move(both.left)};
  }
  numbers merged;
  merged.reserve(both.left.size() + both.right.size());
  std::merge(both.left.begin(), both.left.end(), both.right.begin(), both.right.end(), std::back_inserter(merged));
  return {both.id, std::move(merged)};
}

}  // namespace

int main() {
  auto lists = weir::source([next = 0, random = std::mt19937(7)]() mutable -> std::optional<list> {
    if (next == 3) return std::nullopt;
    list made{next++, numbers(20'000)};
    for (int& item : made.items) item = static_cast<int>(random() % 1'000'000);
    return made;
  });
  int sorted = 0;
  weir::run(lists | weir::feedback(merge_sorter{}, weir::farm(&conquered)) | weir::sink([&](list all) {
              if (all.items.size() == 20'000 && std::is_sorted(all.items.begin(), all.items.end())) ++sorted;
            }));
  std::cout << "sorted " << sorted << " lists of 20000 numbers\n";
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: all 30000 numbers up to 10000, three times

// F2, figure 4: an all-to-all of three left and four right workers. It may be cut between the two
// sets and across them, in any way; the configurations are those of the figure, left and right.
//
//     ./figure4_all_to_all
//     weir run examples/cluster/figure4_four_groups.json -- ./figure4_all_to_all
//     weir run examples/cluster/figure4_three_groups.json -- ./figure4_all_to_all

#include <weir/weir.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <vector>

// Each left worker makes all numbers.
struct left_worker {
  int made = 0;
  std::optional<int> next() {
    if (made == 10'000) return std::nullopt;
    return ++made;
  }
};

// Each right worker counts the numbers that it gets, and sends the counts at the end.
struct seen {
  int number;
  int times;
};
struct right_worker {
  std::vector<int> times = std::vector<int>(10'001);
  void process(int number, weir::outlet<seen>&) { ++times[static_cast<std::size_t>(number)]; }
  void finish(weir::outlet<seen>& out) {
    for (int number = 1; number <= 10'000; ++number) {
      const int count = times[static_cast<std::size_t>(number)];
      if (count != 0) out.send({number, count});
    }
  }
};

int main() {
  const auto left = weir::source(left_worker{});
  std::vector<int> total(10'001);
  const auto count = [&](seen part) { total[static_cast<std::size_t>(part.number)] += part.times; };
  try {
    const weir::report report =
        weir::run(weir::all_to_all(weir::set(left, left, left).named("L"), weir::farm(right_worker{}, 4).named("R")) |
                  weir::sink(count).named("total"));
    if (!report.in_result_group) return 0;
  } catch (const std::exception& error) {
    std::cerr << "figure4_all_to_all: " << error.what() << '\n';
    return 1;
  }
  if (std::count(total.begin(), total.end(), 3) != 10'000) {
    std::cerr << "figure4_all_to_all: some were lost\n";
    return 1;
  }
  std::cout << "all 30000 numbers up to 10000, three times\n";
  if (std::cout.flush()) return 0;
  std::cerr << "figure4_all_to_all: can't write standard output\n";
  return 1;
}

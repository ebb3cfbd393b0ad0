// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 0: 0 1 2 3 4 5 6 7 8 9.1: 10 11 12 13 14 15 16 17 18 19

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

// The first worker gets the first ten, the second the next ten, and so on, whatever the policy
// says.
void by_tens(int n, weir::outlet<int>& workers) {
  workers.send_to(static_cast<std::size_t>(n) / 10 % workers.width(), n);
}

// Knows from which worker an item comes.
struct by_worker {
  std::vector<std::vector<int>>* seen;
  void process(int n, weir::context& where) {
    seen->resize(where.channels());
    (*seen)[where.channel()].push_back(n);
  }
};

int main() {
  auto numbers = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 20) return std::nullopt;
    return next++;
  });
  std::vector<std::vector<int>> seen;
  weir::run(numbers | weir::node(&by_tens) | weir::farm([](int n) { return n; }, 2) | weir::sink(by_worker{&seen}));

  for (std::size_t worker = 0; worker != seen.size(); ++worker) {
    std::cout << worker << ':';
    for (const int n : seen[worker]) std::cout << ' ' << n;
    std::cout << '\n';
  }
}

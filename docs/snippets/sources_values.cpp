// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 4 9.*0 1 1 2 3.*55

#include <weir/io/collect.hpp>
#include <weir/io/from.hpp>
#include <weir/io/generator.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

// A generator makes each value when it is asked for.
weir::generator<long> fibonacci(int count) {
  for (long a = 0, b = 1; count-- > 0; b = std::exchange(a, b) + b) co_yield a;
}

int main() {
  const auto square = weir::node([](int n) { return n * n; });
  {
    std::vector<int> squares;
    weir::run(weir::from({1, 2, 3}) | square | weir::collect(squares));
    for (const int n : squares) std::cout << n << ' ';
    std::cout << '\n';
  }
  std::vector<int> out;
  {
    std::vector<int> numbers{1, 2, 3};
    auto here = weir::from(numbers);                  // reads the caller's container, which must outlive the run
    auto owned = weir::from(std::vector{1, 2, 3});    // the network owns the values
    auto lazy = weir::from(std::views::iota(0, 10));  // a view, which holds no elements
    for (const auto& source : {here, owned, lazy}) weir::run(source | weir::collect(out));
  }
  {
    // Elements that can't be copied are moved out of a range that is given away. Such a network
    // runs only once.
    std::vector<std::unique_ptr<int>> dear;
    dear.push_back(std::make_unique<int>(55));
    weir::run(weir::from(std::move(dear)) | [](std::unique_ptr<int> n) { return *n; } | weir::collect(out));
  }
  {
    // The function is called at the start of each run, so each run starts from the beginning.
    weir::network net = weir::from([] { return fibonacci(5); }) | weir::sink([](long n) { std::cout << n << ' '; });
    weir::run(net);
    weir::run(net);
    std::cout << '\n';
  }
  std::cout << out.back() << '\n';
}

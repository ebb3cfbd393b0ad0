// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1 4 9 16 25 .squares of 2 even numbers; odd 1 odd 3 odd 5.[13 ]*5 [13 ]*.$

#include <weir/io/collect.hpp>
#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>
#include <vector>

int main() {
  auto numbers = weir::from({1, 2, 3, 4, 5});
  auto square = weir::node([](int n) { return n * n; });
  auto print = weir::sink([](int n) { std::cout << n << ' '; });

  // In the order in which the workers finish, and in the order of the numbers.
  weir::run(numbers | weir::farm(square, 4) | print);
  std::cout << '\n';
  weir::run(numbers | weir::farm(square, 4).ordered() | print);
  std::cout << '\n';

  // Two outlets make two streams.
  auto sort_out = [](int n, weir::outlet<int>& even, weir::outlet<std::string>& odd) {
    if (n % 2 == 0) {
      even.send(n);
    } else {
      odd.send("odd " + std::to_string(n));
    }
  };
  std::vector<int> squares;
  std::vector<std::string> words;
  weir::run(numbers | sort_out | weir::split(square | weir::collect(squares), weir::collect(words)));

  std::cout << "squares of " << squares.size() << " even numbers;";
  for (const std::string& word : words) std::cout << ' ' << word;
  std::cout << '\n';

  // Items of the last outlet come back to the farm.
  auto halve_until_odd = [](int n, weir::outlet<int>& done, weir::outlet<int>& back) {
    if (n % 2 == 0) {
      back.send(n / 2);
    } else {
      done.send(n);
    }
  };
  weir::run(numbers | weir::feedback(weir::farm(halve_until_odd, 4)) | print);
  std::cout << '\n';
}

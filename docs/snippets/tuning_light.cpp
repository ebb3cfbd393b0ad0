// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: 100000
// test-output: ^sum 5001750000

// A pipeline of light nodes, for weir tune. @param 1 number of items

#include <weir/weir.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 10'000'000;
  long sum = 0;
  const auto add = [](long n) { return [n](long item) { return item + n; }; };
  const weir::block<long, long> shift = weir::node(add(1)) | weir::node(add(2)) | weir::node(add(3)) |
                                        weir::node(add(4)) | weir::node(add(5)) | weir::node(add(-6));
  weir::network net = weir::source([next_one = 0L, count]() mutable -> std::optional<long> {
                        if (next_one == count) return std::nullopt;
                        return next_one++;
                      }).named("read") |
                      shift.named("first") | shift.named("second") |
                      weir::farm([](long item) { return item; }).named("pass") |
                      weir::sink([&](long item) { sum += item; }).named("add");
  try {
    weir::run(net);
  } catch (const std::exception& error) {
    std::cerr << "tuning_light: " << error.what() << '\n';
    return 1;
  }
  std::cout << "sum " << sum << '\n';
}

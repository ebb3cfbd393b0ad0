// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: 1000
// test-output: 500500 in 1000 items

// F2, figure 5: a source, an all-to-all of two left and four right workers, and a sink, in four
// groups that the program names: the source, the upper and the lower half of the all-to-all, the
// sink. The configuration has the figure's names.
//
//     ./figure5_application 1000000
//     weir run examples/cluster/figure5_application.json -- ./figure5_application 1000000
//     weir run examples/cluster/figure5_application_mpi.json -- ./figure5_application 1000000        by mpirun

#include <weir/weir.hpp>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>

// The upper half of the workers is in G2, the lower one in G3.
auto halves(std::size_t width) {
  return [width](std::size_t worker) { return std::string(worker < width / 2 ? "G2" : "G3"); };
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: figure5_application ITEMS\n";
    return 2;
  }
  const std::int64_t count = std::atoll(argv[1]);
  auto source = weir::source([next = std::int64_t{0}, count]() mutable -> std::optional<std::int64_t> {
    if (next == count) return std::nullopt;
    return ++next;
  });
  auto left = weir::node([](std::int64_t item) { return 2 * item; });
  auto right = weir::node([](std::int64_t item) { return item / 2; });
  std::int64_t sum = 0;
  std::int64_t items = 0;
  auto sink = weir::sink([&](std::int64_t item) {
    sum += item;
    ++items;
  });
  try {
    const weir::report report =
        weir::run(source.named("Sc").in_group("G1") | weir::farm(left, 2).named("L").in_group(halves(2)) |
                  weir::farm(right, 4).named("R").in_group(halves(4)) | sink.named("Sk").in_group("G4"));
    if (report.in_result_group) std::cout << sum << " in " << items << " items\n";
  } catch (const std::exception& error) {
    std::cerr << "figure5_application: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "figure5_application: can't write standard output\n";
  return 1;
}

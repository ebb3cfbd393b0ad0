// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Zips numbers with themselves; on one of the two paths a node waits for a line of standard input
// for each number. After the end of the input it no longer waits, and the sum is written to
// standard output.
#include <weir/io/write_lines.hpp>
#include <weir/weir.hpp>

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <tuple>

namespace {

constexpr int count = 100;

struct line_reader {
  [[gnu::noinline]] int wait_for_a_line(int number) {
    for (char c = 0; c != '\n' && ::read(STDIN_FILENO, &c, 1) == 1;) continue;
    return number;
  }
};

struct adder {
  long sum = 0;

  void process(const std::tuple<int, int>& both, weir::outlet<std::string>&) { sum += std::get<0>(both); }
  void finish(weir::outlet<std::string>& out) { out.send(std::to_string(sum)); }
};

}  // namespace

int main() {
  int next = 0;
  line_reader lines;
  const auto numbers = weir::source([&] { return next == count ? std::nullopt : std::optional(next++); });
  const auto quick = weir::node([](int number) { return number; }).named("quick").capacity(16);
  const auto slow = weir::node([&](int number) { return lines.wait_for_a_line(number); }).named("slow").capacity(16);
  try {
    weir::run(numbers.named("numbers") | weir::tee(quick, slow) | weir::zip<int, int>().capacity(16).named("zip") |
              weir::node(adder{}).named("add") | weir::write_lines("-").named("print"));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "waits_for_lines: %s\n", problem.what());
    return 1;
  }
  return 0;
}

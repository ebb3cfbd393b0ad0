// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Counts the words of its standard input until it gets SIGUSR1. Then the next node of this process
// that gets an item throws.
#include <weir/weir.hpp>

#include <signal.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

volatile sig_atomic_t told = 0;

void throw_if_told() {
  if (told != 0) throw std::runtime_error("was told to throw");
}

std::optional<std::string> next_line() {
  throw_if_told();
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

long words_in(const std::string& line) {
  throw_if_told();
  std::istringstream text(line);
  long count = 0;
  for (std::string word; text >> word;) ++count;
  return count;
}

long unchanged(long count) {
  throw_if_told();
  return count;
}

}  // namespace

int main() {
  struct sigaction on_signal {};
  on_signal.sa_handler = [](int) { told = 1; };
  on_signal.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &on_signal, nullptr);
  long sum = 0;
  weir::network net = weir::source(next_line).named("read") | weir::farm(words_in, 2).named("split") |
                      weir::farm(unchanged, 2).named("count") | weir::sink([&](long count) {
                                                                  throw_if_told();
                                                                  sum += count;
                                                                }).named("rank");
  try {
    if (weir::run(net).in_result_group) std::printf("%ld words\n", sum);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "told_to_throw: %s\n", problem.what());
    return 1;
  }
  return 0;
}

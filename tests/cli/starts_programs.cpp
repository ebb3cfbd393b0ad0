// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

//   starts_programs COMMAND    two nodes in groups of their own, A and B; in the middle of the stream each gives the
//                              command to a shell. The command "exit N" is for the process itself, "fork" for a
//                              forked child of it, which runs a network of its own, and exits.
#include <weir/weir.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

static int status_of_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    long sum = 0;
    weir::run(
        weir::source([next = 0L]() mutable { return next == 1000 ? std::nullopt : std::optional<long>(next++); }) |
        weir::sink([&](long item) { sum += item; }));
    std::exit(sum == 499'500 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

int main(int, char** arguments) {
  const std::string command = arguments[1];
  const auto start = [&](long item) {
    if (item == 500 && command.starts_with("exit ")) std::exit(std::stoi(command.substr(5)));
    if (item != 500) return;
    const int status = command == "fork" ? status_of_child() : std::system(command.c_str());
    if (status != 0) throw std::runtime_error("the command has failed");
  };
  long sum = 0;
  long next = 0;
  try {
    weir::network net = weir::source([&]() -> std::optional<long> {
                          if (next == 1000) return std::nullopt;
                          start(next);
                          return next++;
                        }).in_group("A") |
                        weir::sink([&](long item) {
                          start(item);
                          sum += item;
                        }).in_group("B");
    if (weir::run(net).in_result_group) std::printf("%ld\n", sum);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "starts_programs: %s\n", problem.what());
    return 1;
  }
  return 0;
}

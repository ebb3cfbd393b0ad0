// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// before JOB [ARGUMENT]: does a job of the cookbook as a program without weir does it. The input is
// standard input.

#include "before.hpp"

#include <functional>
#include <iostream>
#include <map>
#include <string>

int main(int argc, char** argv) {
  const std::string job = argc > 1 ? argv[1] : "", argument = argc > 2 ? argv[2] : "";
  const std::map<std::string, std::function<void()>> jobs{
      {"window_averages", [&] { window_averages(std::cin); }},     {"image_blur", [&] { image_blur(std::cin); }},
      {"n_queens", [&] { n_queens(std::stoi(argument)); }},        {"breadth_first", [&] { breadth_first(std::cin); }},
      {"kmers", [&] { kmers(std::cin, std::stoul(argument)); }},   {"video", [&] { video(std::cin, argument); }},
      {"spelling_service", [&] { spelling(argument, std::cin); }},
  };
  const auto found = jobs.find(job);
  if (found == jobs.end()) {
    std::cerr << "usage: before JOB [ARGUMENT]\n";
    return 2;
  }
  found->second();
  return std::cout.flush() ? 0 : 1;
}

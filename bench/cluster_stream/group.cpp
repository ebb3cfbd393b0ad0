// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// One of the two groups, for command.py; the receiver prints the result.
#include "stream.hpp"

#include <exception>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  try {
    const auto told = stream_in_group(given, member_of_this_process(), [](const auto& stream) { stream(); });
    if (told) print_stream("group", given, *told);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

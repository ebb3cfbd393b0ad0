// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// One group, for command.py; prints its part of the outcome as a line of JSON.
#include "in_group.hpp"

#include <exception>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = all_to_all_options(argc, argv);
  try {
    all_to_all_outcome part;
    all_to_all_in_group(given, member_of_this_process(), part);
    std::printf(R"({"messages":%lld,"sum":%lld,"on_links":%lld,"wall_ns":%lld,"cpu_ns":%lld})"
                "\n",
                (long long)part.messages, (long long)part.sum, (long long)part.on_links, (long long)part.wall_ns,
                (long long)part.cpu_ns);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_file.hpp"

#include <fstream>

using namespace weir_bench;

// The loop of a program without weir: the same work in one thread.
int main(int argc, char** argv) {
  return lines_main(argc, argv, "getline", [](const std::string& path, const options&) {
    std::ifstream file(path);
    std::int64_t bytes = 0;
    for (std::string line; std::getline(file, line);) bytes += static_cast<std::int64_t>(line.size());
    return bytes;
  });
}
